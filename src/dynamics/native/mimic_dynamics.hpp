#pragma once

#include <Eigen/Cholesky>
#include <memory>

#include "dynamics/dense_loops.hpp"
#include "dynamics/native/native_dynamics.hpp"

namespace footfall::native {

/// The engine `native` for models in which a coordinate drives several joints, or drives one through a multiplier and
/// an offset. The tree with one coordinate for each joint is computed by NativeDynamics; with ν_tree = P ν, P constant,
/// M = Pᵀ M_tree P, h = Pᵀ h_tree, J = J_tree P. Also for models whose motors couple the inertia of different branches.
/// Dense: such models are rare, and the others do not pay for them.
class MimicDynamics final : public Dynamics {
 public:
  explicit MimicDynamics(const Model& model);
  static bool neededBy(const Model& model);

  std::string_view name() const override { return "native"; }
  const Model& model() const override { return model_; }

  void update(VectorIn q, VectorIn nu) override;
  void updateKinematics(VectorIn q, VectorIn nu) override;
  void updateVelocity(VectorIn nu) override;
  void setImplicitInertia(VectorIn diagonal) override { implicit_ = diagonal; }

  void massMatrix(MatrixOut M) const override { M = M_; }
  void biasForces(VectorOut h) const override;
  void gravityForces(VectorOut g) const override;
  void solveMass(VectorOut x) const override { factor_.solveInPlace(x); }
  void multiplyMass(VectorIn x, VectorOut y) const override { y.noalias() = M_ * x; }
  Vector6d momentum() const override { return tree_.momentum(); }
  Vector3d centerOfMass() const override { return tree_.centerOfMass(); }
  Energy energy() const override;

  Pose linkPose(LinkIndex link) const override { return tree_.linkPose(link); }
  Vector6d linkVelocity(LinkIndex link) const override { return tree_.linkVelocity(link); }
  Vector6d linkBiasAcceleration(LinkIndex link) const override { return tree_.linkBiasAcceleration(link); }
  void frameJacobian(FrameIndex frame, MatrixOut J) const override;
  Vector6d frameBiasAcceleration(FrameIndex frame) const override { return tree_.frameBiasAcceleration(frame); }
  void addWrench(LinkIndex link, const Vector3d& p_LP, const Vector6d& wrench_W, VectorOut tau) const override;

  void setContacts(std::span<const ContactFrame> contacts) override;
  void contactVelocity(VectorIn nu, double* v) const override;
  void contactBiasAcceleration(double* a) const override { tree_.contactBiasAcceleration(a); }
  void addContactImpulse(const double* p, VectorOut tau) const override;
  void delassus(double* G) const override;
  void contactJacobian(MatrixOut J) const override;
  void reserveContacts(int max_contacts) override;

  void prepareLoops() override { loops_.prepare(*this); }
  void loopJacobian(MatrixOut J) const override { loops_.jacobian(J); }
  void loopBiasAcceleration(VectorOut a) const override { loops_.biasAcceleration(*this, a); }
  void loopGaps(VectorOut gap) const override { loops_.gaps(*this, gap); }
  void loopGapsAt(VectorIn q, VectorOut gap) const override { loops_.gapsAt(q, gap); }
  void closeLoops(VectorIn offset, VectorOut x, VectorOut lambda) const override { loops_.close(offset, x, lambda); }

 private:
  void expand(VectorIn q, VectorIn nu);
  void expandVelocity(VectorIn nu) const;

  const Model& model_;
  const Model tree_model_;
  NativeDynamics tree_;
  MatrixXd P_;                 ///< ν_tree = P ν
  VectorXd implicit_;          ///< (n)
  VectorXd kinetic_velocity_;  ///< ν of the last update, for the energy of the motors
  VectorXd q_tree_;
  mutable VectorXd nu_tree_, tau_tree_;
  MatrixXd M_tree_, MP_, M_, M_implicit_;
  mutable MatrixXd J_tree_, J_, Y_, GJ_;
  Eigen::LLT<MatrixXd> factor_;
  int contacts_ = 0;
  DenseLoops loops_;
};

}  // namespace footfall::native
