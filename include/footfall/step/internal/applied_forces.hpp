#pragma once

#include "footfall/model/state.hpp"
#include "footfall/step/force_field.hpp"

namespace footfall {

/// What acts on the links of the robot during a step: wrenches and generalized forces of the input, springs between
/// points, and the field of forces. Torques of joints are not among them.
struct AppliedForces {
  const Input& input;
  const ForceField& field;  ///< may be empty
  double time;              ///< at the start of the step [s]
  double dt;                ///< [s]

  /// tau += springs and field, after this fraction of the step at (q, nu), where the engine is.
  void addOfState(double fraction, const VectorXd& q, const VectorXd& nu, const RobotDynamics& dynamics,
                  VectorXd& tau) const;
  /// tau += all of them, after this fraction of the step at (q, nu), where the engine is.
  void addTo(double fraction, const VectorXd& q, const VectorXd& nu, const RobotDynamics& dynamics,
             VectorXd& tau) const;
};

/// tau += what the springs between points do at the engine's last update.
void addPointSprings(const RobotDynamics& dynamics, VectorXd& tau);

/// What springs store at a state, where the engine is: those between points, and those of the model's joints [J].
double elasticEnergy(const State& state, const RobotDynamics& dynamics);

}  // namespace footfall
