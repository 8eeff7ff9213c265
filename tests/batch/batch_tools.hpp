#pragma once

#include <cstring>
#include <random>

#include "footfall/batch/batch_simulation.hpp"
#include "physics/scene_tools.hpp"

namespace footfall {

inline bool sameBits(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() && (a.size() == 0 || std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0);
}

/// All that a state remembers, to the bit.
inline bool sameBits(const State& a, const State& b) {
  return a.time == b.time && sameBits(a.q, b.q) && sameBits(a.nu, b.nu) && sameBits(a.motors, b.motors) &&
         a.warm.candidate == b.warm.candidate && sameBits(a.warm.impulse, b.warm.impulse) &&
         a.warm.minimum_norm == b.warm.minimum_norm && a.count.steps == b.count.steps;
}

/// The velocity that a world starts with in these tests: small, and another one in each world.
inline VectorXd startVelocity(int world, Eigen::Index size) {
  std::mt19937 random(1000 + world);
  std::uniform_real_distribution<double> speed(-0.2, 0.2);
  return VectorXd::NullaryExpr(size, [&] { return speed(random); });
}

}  // namespace footfall
