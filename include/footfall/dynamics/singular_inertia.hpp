#pragma once

#include <optional>
#include <string>

#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// A motion that no inertia resists: forces would make it infinitely fast.
struct SingularInertia {
  std::string mover;  ///< "joint 'l_knee'" or "the floating base"
  std::string link;   ///< the link that it moves
};

/// Looks whether the mass matrix at the engine's last update can be inverted, with `damping` on the diagonal of its
/// joint rows: what implicit springs and dampers add there in a step (n).
std::optional<SingularInertia> findSingularInertia(const RobotDynamics& dynamics, const VectorXd& damping);

}  // namespace footfall
