#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "dynamics/dense_loops.hpp"
#include "dynamics/joint_map.hpp"
#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

using Matrix6Xd = Eigen::Matrix<double, 6, Eigen::Dynamic>;
using Matrix36d = Eigen::Matrix<double, 3, 6>;

/// The port, built on a general rigid-body library: the library gives the terms of its own tree of joints, in the
/// mixed representation; mimic joints, reflected inertias, factorisation and everything about contacts follow here.
///
/// Contacts are grouped by link: six rows for each link that touches, expanded to points at the very end.
class TreeDynamics : public Dynamics {
 public:
  const Model& model() const final { return model_; }
  void update(VectorIn q, VectorIn nu) final;
  void updateVelocity(VectorIn nu) final;
  void setImplicitInertia(VectorIn diagonal) final { implicit_inertia_ = diagonal; }

  void massMatrix(MatrixOut M) const final { M = mass(); }
  void biasForces(VectorOut h) const final;
  void gravityForces(VectorOut g) const final;
  void solveMass(VectorOut x) const override { factor_.solveInPlace(x); }
  void multiplyMass(VectorIn x, VectorOut y) const final { y.noalias() = mass() * x; }
  Vector6d momentum() const final;
  Vector3d centerOfMass() const final;
  Energy energy() const final;

  void frameJacobian(FrameIndex frame, MatrixOut J) const final;
  Vector6d frameBiasAcceleration(FrameIndex frame) const final;
  void addWrench(LinkIndex link, const Vector3d& p_LP, const Vector6d& wrench_W, VectorOut tau) const final;

  void setContacts(std::span<const ContactFrame> contacts) final;
  void contactVelocity(VectorIn nu, double* v) const final;
  void contactBiasAcceleration(double* a) const final;
  void addContactImpulse(const double* p, VectorOut tau) const final;
  void delassus(double* G) const final;
  void contactJacobian(MatrixOut J) const final;
  void reserveContacts(int max_contacts) final;

  void prepareLoops() final { loops_.prepare(*this); }
  int loopRank() const final { return loops_.rank(); }
  bool loopsInDoubt() const final { return loops_.inDoubt(); }
  void takeLoopRank(int rows) final { loops_.takeRank(rows); }
  void loopJacobian(MatrixOut J) const final { loops_.jacobian(J); }
  void loopBiasAcceleration(VectorOut a) const final { loops_.biasAcceleration(*this, a); }
  void loopGaps(VectorOut gap) const final { loops_.gaps(*this, gap); }
  void loopGapsAt(VectorIn q, VectorOut gap) const final { loops_.gapsAt(q, gap); }
  void closeLoops(VectorIn offset, VectorOut x, VectorOut lambda) const final { loops_.close(offset, x, lambda); }

 protected:
  /// A link that touches the ground.
  struct ContactLink {
    LinkIndex link;
    Matrix6Xd J;  ///< of the link's origin, world axes, (6 × nv)
  };

  /// @param columns where the library keeps each joint among its velocities
  TreeDynamics(const Model& model, const std::vector<int>& columns);

  // --- what the library gives, at the last update; velocities and forces are those of the tree, world axes ---------
  virtual void updateTree(const Pose& X_WB, const VectorXd& positions, const VectorXd& velocity) = 0;
  virtual void updateTreeVelocity(const VectorXd& velocity) = 0;
  virtual void treeMass(MatrixXd& M) const = 0;
  virtual void treeBiasForces(VectorXd& h) const = 0;
  virtual void treeGravityForces(VectorXd& g) const = 0;
  virtual void treeJacobian(LinkIndex link, Matrix6Xd& J) const = 0;

  // --- what a library may do better than dense algebra -----------------------------------------------------------
  /// Factorises M + implicit inertia.
  virtual void factorize();
  /// J of a link's origin in ν, (6 × nv).
  virtual void linkJacobian(LinkIndex link, Matrix6Xd& J) const;
  /// J M⁻¹ Jᵀ of the links that touch, into the top left corner of G, (6 links × 6 links).
  virtual void linkDelassus(MatrixXd& G) const;

  const JointMap& map() const { return map_; }
  std::span<const ContactLink> contactLinks() const { return {contact_links_.data(), contact_link_count_}; }
  const VectorXd& reflectedInertia() const { return reflected_inertia_; }
  const VectorXd& implicitInertia() const { return implicit_inertia_; }

 private:
  struct ContactRows {
    std::size_t slot;  ///< among the links that touch
    Vector3d p_LC_W;   ///< from the link's origin, world axes [m]
    Matrix3d R_WC;
    Matrix36d S;  ///< velocity of C in its own axes = S · velocity of the link
  };

  const MatrixXd& mass() const;
  std::size_t slotOf(LinkIndex link);

  const Model& model_;
  JointMap map_;
  VectorXd reflected_inertia_, implicit_inertia_;  ///< (n) [kg m² or kg]
  VectorXd positions_, velocity_, nu_;
  mutable MatrixXd tree_mass_, mass_;
  mutable bool mass_known_ = false;
  mutable VectorXd tree_force_;
  mutable Matrix6Xd tree_J_, J_;
  Eigen::LLT<MatrixXd> factor_;

  ContactLayout layout_;
  std::vector<ContactRows> points_;
  std::vector<ContactLink> contact_links_;  ///< the first contact_link_count_ are in use
  std::size_t contact_link_count_ = 0;
  mutable MatrixXd stacked_JT_, link_delassus_;
  DenseLoops loops_;
};

}  // namespace footfall
