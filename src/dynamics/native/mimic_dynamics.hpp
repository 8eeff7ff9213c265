#pragma once

#include <vector>

#include "dynamics/dense_loops.hpp"
#include "dynamics/native/coordinate_tree.hpp"
#include "dynamics/native/native_dynamics.hpp"

namespace footfall::native {

/// The engine `native` for models in which a coordinate drives several joints, or drives one through a multiplier and
/// an offset. The tree with one coordinate for each joint is computed by NativeDynamics; with ν_tree = E ν, E constant,
/// M = Eᵀ M_tree E, h = Eᵀ h_tree, J = J_tree E. M is factorised by the same kernels, along the tree of the
/// coordinates. Also for models whose motors couple the inertia of different branches. Loops are dense.
class MimicDynamics final : public Dynamics {
 public:
  explicit MimicDynamics(const Model& model);
  static bool neededBy(const Model& model);

  std::string_view name() const override { return "native"; }
  const Model& model() const override { return model_; }

  void update(VectorIn q, VectorIn nu) override;
  void updateKinematics(VectorIn q, VectorIn nu) override;
  void updateVelocity(VectorIn nu) override;
  void setImplicitInertia(VectorIn diagonal) override;

  bool setLinkMasses(std::span<const LinkMass> masses) override { return joints_.setLinkMasses(masses); }
  bool addTurningInertia(std::span<const Matrix3d> inertia) override;
  void multiplyTurningInertia(VectorIn x, VectorOut y) const override;

  void massMatrix(MatrixOut M) const override;
  void biasForces(VectorOut h) const override;
  void gravityForces(VectorOut g) const override;
  void solveMass(VectorOut x) const override;
  void multiplyMass(VectorIn x, VectorOut y) const override;
  Vector6d momentum() const override { return joints_.momentum(); }
  Vector3d centerOfMass() const override { return joints_.centerOfMass(); }
  Energy energy() const override;

  Pose linkPose(LinkIndex link) const override { return joints_.linkPose(link); }
  Vector6d linkVelocity(LinkIndex link) const override { return joints_.linkVelocity(link); }
  Vector6d linkBiasAcceleration(LinkIndex link) const override { return joints_.linkBiasAcceleration(link); }
  void frameJacobian(FrameIndex frame, MatrixOut J) const override;
  Vector6d frameBiasAcceleration(FrameIndex frame) const override { return joints_.frameBiasAcceleration(frame); }
  void addWrench(LinkIndex link, const Vector3d& p_LP, const Vector6d& wrench_W, VectorOut tau) const override;

  void setContacts(std::span<const ContactFrame> contacts) override;
  void contactVelocity(VectorIn nu, double* v) const override;
  void contactBiasAcceleration(double* a) const override { joints_.contactBiasAcceleration(a); }
  void addContactImpulse(const double* p, VectorOut tau) const override;
  void delassus(double* G) const override;
  bool addJointRows(std::span<const JointMotion> joints, double* G) const override;
  void contactJacobian(MatrixOut J) const override;
  void reserveContacts(int max_contacts) override;

  void prepareLoops() override { loops_.prepare(*this); }
  int loopRank() const override { return loops_.rank(); }
  bool loopsInDoubt() const override { return loops_.inDoubt(); }
  void takeLoopRank(int rows) override { loops_.takeRank(rows); }
  void loopJacobian(MatrixOut J) const override { loops_.jacobian(J); }
  void loopBiasAcceleration(VectorOut a) const override { loops_.biasAcceleration(*this, a); }
  void loopGaps(VectorOut gap) const override { loops_.gaps(*this, gap); }
  void loopGapsAt(VectorIn q, VectorOut gap) const override { loops_.gapsAt(q, gap); }
  void closeLoops(VectorIn offset, VectorOut x, VectorOut lambda) const override { loops_.close(offset, x, lambda); }

 private:
  void expand(VectorIn q, VectorIn nu);
  void expandVelocity(VectorIn nu) const;
  void addReduced(VectorOut tau) const;
  void addColumns(int rows, MatrixOut J) const;
  ContactSet<double> chains() const;

  const Model& model_;
  const Model joint_model_;  ///< with one coordinate for each joint
  NativeDynamics joints_;
  const Kernels<double>& kernels_;
  CoordinateTree coordinates_;
  mutable ScratchStorage<double> storage_;  ///< of the coordinates: M and its factors
  MassReduction reduction_;
  VectorXd velocity_;  ///< ν of the last update, for the energy of the motors
  VectorXd q_joints_;
  mutable VectorXd nu_joints_, tau_joints_;
  mutable MatrixXd J_joints_;

  // Contacts, by the links that have some.
  std::vector<int> link_, tip_, shared_;
  mutable std::vector<Six<double>> axes_, Y_, Z_;
  mutable ContactSet<double> chains_{};  ///< of the last delassus()
  mutable JointRowStorage rows_;
  DenseLoops loops_;
};

}  // namespace footfall::native
