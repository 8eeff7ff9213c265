#pragma once

#include <vector>

#include "footfall/model/model.hpp"

namespace footfall::test {

/// Rigid-body dynamics as on the first pages of a textbook, slow and with nothing in common with the engines:
/// Jacobians of the bodies' centres of mass, M = Σ m JvᵀJv + JωᵀI Jω, and Newton's and Euler's equations projected with
/// them. Rates are central differences along the motion, good to about 1e-8.
class Textbook {
 public:
  Textbook(const Model& model, const VectorXd& q);

  const Pose& linkPose(int link) const { return X_WL_[link]; }
  MatrixXd jacobian(int link, const Vector3d& p_LP) const;  ///< of a point of a link, (6 × nv), world axes
  MatrixXd massMatrix() const;                              ///< with the reflected inertias
  double potentialEnergy() const;
  Vector3d centerOfMass() const;
  Vector6d momentum(const VectorXd& nu) const;  ///< angular part about the centre of mass

  static Vector6d biasAcceleration(const Model& model, const VectorXd& q, const VectorXd& nu, int link,
                                   const Vector3d& p_LP);
  static VectorXd biasForces(const Model& model, const VectorXd& q, const VectorXd& nu);

 private:
  Matrix3d inertiaInWorld(int link) const;

  const Model& model_;
  std::vector<Pose> X_WL_;
};

}  // namespace footfall::test
