#pragma once

#include <vector>

#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// A link that carries others, and how fast it would swing under their weights alone, in the posture of zeros: with
/// ω² = F l/I under the tension F at the end of its lever l (docs/theory.md §5, taut links). By a loop it may carry all
/// of the robot.
struct LightLink {
  LinkIndex link;
  double mobility = 0.0;   ///< how easily it turns across its levers [1/(kg m²)]
  double stiffness = 0.0;  ///< (Δt ω)²; steps that take forces at one place gain energy beyond 4 [-]
  bool by_loop = false;    ///< some of its load is all of the robot, by a loop
};

/// All links that carry something. @param dynamics is moved
std::vector<LightLink> lightLinks(const Model& model, double dt, Dynamics& dynamics);

}  // namespace footfall
