#pragma once

#include <memory>
#include <string>

#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// What the block `ModelFunctions` gives to other blocks, to be called at states of their own. Port type
/// "footfall::ModelFunctions". Results are valid until the next call.
class ModelFunctions {
 public:
  ModelFunctions(const Model& model, const std::string& engine);

  const Model& model() const { return dynamics_->model(); }

  const MatrixXd& massMatrix(VectorIn q);                             ///< (nv × nv)
  const VectorXd& biasForces(VectorIn q, VectorIn nu);                ///< (nv)
  const VectorXd& gravityForces(VectorIn q);                          ///< (nv)
  const MatrixXd& jacobian(FrameIndex frame, VectorIn q);             ///< (6 × nv), world axes, linear rows first
  Vector6d jacobianDotNu(FrameIndex frame, VectorIn q, VectorIn nu);  ///< [m/s², rad/s²]
  Pose forwardKinematics(FrameIndex frame, VectorIn q);               ///< X_WF
  Vector3d centerOfMass(VectorIn q);                                  ///< [m]
  /// M ν̇ + h (nv)
  const VectorXd& inverseDynamics(VectorIn q, VectorIn nu, VectorIn nu_dot);

 private:
  void update(VectorIn q);

  std::unique_ptr<Dynamics> dynamics_;
  VectorXd rest_;  ///< zeros (nv)
  MatrixXd M_, J_;
  VectorXd forces_;
};

}  // namespace footfall
