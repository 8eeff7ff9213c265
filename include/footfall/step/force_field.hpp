#pragma once

#include <functional>

#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// Where forces are asked for. A step may ask several times, at its start, in its middle and at its end.
struct ForceInstant {
  double time;                    ///< [s]
  const VectorXd& q;              ///< (7 + n)
  const VectorXd& nu;             ///< (nv)
  const RobotDynamics& dynamics;  ///< poses and velocities of the links there, and addWrench()
};

/// Forces as functions of time and state: adds generalized forces to tau, in the order of ν (nv) [N, N m].
///
///     simulation.setForceField([&](const ForceInstant& at, VectorXd& tau) {
///       at.dynamics.addWrench(hand, p_LP, pull(at.time, at.dynamics.linkPose(hand)), tau);
///     });
///
/// Must give the same bits for the same instant. Sensors do not see at which links it acts.
using ForceField = std::function<void(const ForceInstant& at, VectorXd& tau)>;

}  // namespace footfall
