#pragma once

#include <algorithm>

#include "footfall/model/state.hpp"

namespace footfall {

/// to = from, by whole blocks of memory. Every step copies a state twice, and the assignment of a vector goes through
/// it two numbers at a time.
inline void copyState(const State& from, State& to) {
  const auto copy = [](const auto& vector, auto& into) {
    into.resize(vector.size());
    std::copy_n(vector.data(), vector.size(), into.data());
  };
  // Names all members: with one more this does not compile, and none is left out.
  const auto& [time, q, nu, motors, warm, count, free_bodies, ties] = from;
  const auto& [candidate, impulse, minimum_norm] = warm;
  copy(q, to.q);
  copy(nu, to.nu);
  copy(motors, to.motors);
  copy(candidate, to.warm.candidate);
  copy(impulse, to.warm.impulse);
  to.warm.minimum_norm = minimum_norm;
  to.time = time;
  to.count = count;
  to.free_bodies = free_bodies;
  to.ties = ties;
}

}  // namespace footfall
