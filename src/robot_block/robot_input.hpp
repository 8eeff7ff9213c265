#pragma once

#include <vector>

#include "footfall/step/step.hpp"

namespace footfall {

// Signals that become what acts on a robot.

/// The bus {stiffness, damping, target}.
inline void readSprings(const Eigen::Map<const VectorXd>& bus, JointSprings& springs) {
  const Eigen::Index n = bus.size() / 3;
  springs.stiffness = bus.head(n);
  springs.damping = bus.segment(n, n);
  springs.target = bus.tail(n);
}

/// Six numbers for each place, added to `wrenches`; those that are zero do not act.
inline void addWrenches(const Eigen::Map<const VectorXd>& values, const std::vector<ExternalWrench>& places,
                        std::vector<ExternalWrench>& wrenches) {
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Vector6d wrench_W = values.segment<6>(6 * static_cast<Eigen::Index>(k));
    if (wrench_W.isZero(0.0)) continue;
    wrenches.push_back(places[k]);
    wrenches.back().wrench_W = wrench_W;
  }
}

}  // namespace footfall
