#pragma once

#include <array>
#include <functional>
#include <vector>

#include "dynamics/body_dynamics.hpp"
#include "dynamics/dense_loops.hpp"
#include "dynamics/rank_revealing_cholesky.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/tree.hpp"

namespace footfall {

/// The port for models of several trees, and for links that touch each other: one engine for each tree, and sums over
/// them. A contact between two links is a point of each, of which every engine sees its own.
class ForestDynamics : public Dynamics {
 public:
  using EngineMaker = std::function<std::unique_ptr<Dynamics>(const Model&)>;
  ForestDynamics(const Model& model, const EngineMaker& makeEngine);

  std::string_view name() const override { return trees_[0].engine->name(); }
  const Model& model() const override { return model_; }
  int treeCount() const override { return static_cast<int>(trees_.size()); }
  using Dynamics::tree;
  Dynamics& tree(int k) override { return *trees_[k].engine; }

  void update(VectorIn q, VectorIn nu) override;
  void updateKinematics(VectorIn q, VectorIn nu) override;
  void updateVelocity(VectorIn nu) override;
  void setImplicitInertia(VectorIn diagonal) override;

  void massMatrix(MatrixOut M) const override;
  void biasForces(VectorOut h) const override;
  void gravityForces(VectorOut g) const override;
  void solveMass(VectorOut x) const override;
  void multiplyMass(VectorIn x, VectorOut y) const override;
  Vector6d momentum() const override;
  Vector3d centerOfMass() const override;
  Energy energy() const override;

  Pose linkPose(LinkIndex link) const override;
  Vector6d linkVelocity(LinkIndex link) const override;
  Vector6d linkBiasAcceleration(LinkIndex link) const override;
  void frameJacobian(FrameIndex frame, MatrixOut J) const override;
  Vector6d frameBiasAcceleration(FrameIndex frame) const override;
  void addWrench(LinkIndex link, const Vector3d& p_LP, const Vector6d& wrench_W, VectorOut tau) const override;

  void setContacts(std::span<const ContactFrame> contacts) override;
  void contactVelocity(VectorIn nu, double* v) const override;
  void contactBiasAcceleration(double* a) const override;
  void addContactImpulse(const double* p, VectorOut tau) const override;
  void delassus(double* G) const override;
  void contactJacobian(MatrixOut J) const override;
  bool contactMotions(std::span<const JointMotion> joints, TreeMotions& motions) const override;
  void reserveContacts(int max_contacts) override;

  bool setLinkMasses(std::span<const LinkMass> masses) override;
  bool addTurningInertia(std::span<const Matrix3d> inertia) override;
  void multiplyTurningInertia(VectorIn x, VectorOut y) const override;

  void prepareLoops() override { loops_.prepare(*this); }
  void loopJacobian(MatrixOut J) const override { loops_.jacobian(J); }
  void loopBiasAcceleration(VectorOut a) const override { loops_.biasAcceleration(*this, a); }
  void loopGaps(VectorOut gap) const override { loops_.gaps(*this, gap); }
  void loopGapsAt(VectorIn q, VectorOut gap) const override { loops_.gapsAt(q, gap); }
  void closeLoops(VectorIn offset, VectorOut x, VectorOut lambda) const override { loops_.close(offset, x, lambda); }

 private:
  /// A contact as one of its two links sees it.
  struct Side {
    int contact;
    double sign;  ///< −1: of the other link, whose velocity is taken off
  };
  struct Part {
    Tree tree;
    Model model;
    std::unique_ptr<Dynamics> engine;
    const BodyDynamics* body = nullptr;  ///< the engine, if the tree is a body that floats
    std::vector<ContactFrame> frames;
    std::vector<Side> sides;  ///< as many as frames
    ContactLayout layout;     ///< of the sides
    // scratch
    VectorXd q, nu;
    mutable VectorXd force, moved;
    double mass = 0.0;                ///< [kg]
    bool stiffened = false;           ///< links resist turning since the last update
    mutable AlignedVector rows, G;    ///< of the sides
    mutable MatrixXd factor;          ///< L of M = L Lᵀ, below the diagonal
    mutable bool factorised = false;  ///< factor is up to date
    mutable int motion_count = 0;     ///< how many motions the sides see, at most nv
    mutable MatrixXd motions;   ///< L⁻¹ Jᵀ or a factor of G, three columns for each side (motion_count × 3 sides)
    mutable MatrixXd jacobian;  ///< (3 sides × nv)
    mutable MatrixXd delassus;  ///< G with three rows for each side, where it is factorised
    mutable RankRevealingCholesky delassus_factor;
  };

  using Numbers = Eigen::Ref<const VectorXd>;
  Numbers positionsOf(Part& part, VectorIn q) const;
  Numbers velocitiesOf(const Part& part, VectorIn nu, VectorXd& room) const;
  template <class Write>
  void writeOwn(const Part& part, VectorOut all, Write write) const;
  void addTo(const VectorXd& own, const Part& part, VectorOut nu) const;
  /// Columns of one tree in those of all.
  template <class Write>
  void forColumns(const Part& part, Write write) const;
  void addSide(LinkIndex link, const Vector3d& p_LC, const Matrix3d& R_WC, Side side);
  void addRows(const Part& part, double* rows) const;
  void factoriseMass(const Part& part) const;
  void findMotions(const Part& part) const;
  void findSeenMotions(const Part& part) const;
  bool seesFewMotions(const Part& part, std::span<const JointMotion> joints) const;
  void addJoint(const JointMotion& joint, TreeMotions& motions) const;
  const Part& partOf(LinkIndex link) const { return trees_[tree_of_link_[link]]; }
  LinkIndex own(LinkIndex link) const { return LinkIndex(link - partOf(link).tree.base); }

  const Model& model_;
  mutable std::vector<Part> trees_;
  std::vector<int> tree_of_link_;
  std::vector<FrameIndex> own_frame_;  ///< of each frame among those of its tree
  ContactLayout layout_;
  std::vector<std::array<int, 2>> side_of_;  ///< of each contact: its sides among those of their trees, −1: none
  std::vector<std::array<int, 2>> tree_of_;  ///< and these trees
  VectorXd implicit_;                        ///< inertia that springs and dampers add (n)
  DenseLoops loops_;
};

}  // namespace footfall
