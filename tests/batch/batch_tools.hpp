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

/// Worlds in packs and a Simulation differ by rounding and by what the contact solver leaves: its tolerance at the
/// contacts, ten to twenty times that at joints, whose levers are a tenth of a metre. In posture such differences fade;
/// so many steps make no more than so many of them.
inline bool alike(const State& a, const State& b, int steps, double tolerance = 1e-10) {
  const double bound = 20.0 * tolerance * steps;
  return a.time == b.time && a.count.steps == b.count.steps && a.warm.candidate == b.warm.candidate &&
         (a.q - b.q).lpNorm<Eigen::Infinity>() <= bound && (a.nu - b.nu).lpNorm<Eigen::Infinity>() <= bound &&
         (a.motors.size() == 0 || (a.motors - b.motors).lpNorm<Eigen::Infinity>() <= 1e3 * bound);  // gains [N m/rad]
}

/// The velocity that a world starts with in these tests: small, and another one in each world.
inline VectorXd startVelocity(int world, Eigen::Index size) {
  std::mt19937 random(1000 + world);
  std::uniform_real_distribution<double> speed(-0.2, 0.2);
  return VectorXd::NullaryExpr(size, [&] { return speed(random); });
}

}  // namespace footfall
