#pragma once

#include <array>
#include <functional>
#include <vector>

#include "dynamics/body_dynamics.hpp"
#include "dynamics/dense_loops.hpp"
#include "dynamics/rank_revealing_cholesky.hpp"
#include "footfall/base/internal/disjoint_sets.hpp"
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
  int loopRank() const override { return loops_.rank(); }
  bool loopsInDoubt() const override { return loops_.inDoubt(); }
  void takeLoopRank(int rows) override { loops_.takeRank(rows); }
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
  struct SeenMotions {
    MatrixXd motions;   ///< three columns for each contact, with as many rows as there are motions, at least
    MatrixXd delassus;  ///< G with three rows for each, where it is factorised
    RankRevealingCholesky factor;
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
    mutable SeenMotions seen;         ///< L⁻¹ Jᵀ or a factor of G, of the sides
    mutable MatrixXd jacobian;        ///< (3 sides × nv)
    int group = 0;
    mutable std::vector<JointMotion> joints;  ///< those that are asked for, as it counts them
    mutable std::vector<int> joint_numbers;   ///< and which of its party's rows they are
    mutable std::vector<double> mobilities;   ///< and what their other rows answer to themselves, in a tied group
    mutable int joints_added = 0;
    mutable std::vector<int>
        numbers;  ///< of its sides, and of its joints behind them: which of its party's rows they are
    mutable std::vector<double> signs;
    mutable AlignedVector G_joints;  ///< G of the sides and of the joints behind them: what the latter add
  };
  /// Trees that loops tie together, or one tree alone. Contacts feel a group as one. Groups that touch each other and
  /// have few rows together are a party, and feel each other as one.
  struct Group {
    std::vector<int> parts;
    bool tied = false;
    int number = 0;
    // of the contacts that there are
    int party = 0;            ///< the first of the groups that it is written out with; itself, if it is not
    int next = -1;            ///< the next of them
    int members = 0;          ///< of the party that it is the first of
    int rows = 0;             ///< of that party, or its own: contacts, and joints behind them
    int tree = 0;             ///< in TreeMotions
    bool has_joints = false;  ///< that party has rows of joints
    bool has_robot = false;   ///< and more than bodies
    bool is_written = false;
    int motion_count = 0;  ///< if it is not: how many motions its rows see
    SeenMotions seen;      ///< of one that is tied: a factor of its G, of all of its rows
    AlignedVector G;
  };

  /// Of a party of several groups: as islands of so many contacts are solved with G written out.
  static constexpr int kMostOfAParty = 24;

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
  void findGroups();
  void takeJoints(std::span<const JointMotion> joints) const;
  bool moves(const Group& group) const;
  Group* groupAt(int contact, int side) const;
  void findParties() const;
  void numberRows(std::span<const JointMotion> joints) const;
  bool addGroups(std::span<const JointMotion> joints, TreeMotions& motions) const;
  bool addGroup(Group& group, TreeMotions& motions) const;
  bool writeOut(const Group& first, ContactLayout layout, double* G) const;
  bool writeOutAlone(const Part& part, ContactLayout layout, double* G) const;
  bool addPart(const Part& part, ContactLayout layout, double* G) const;
  void closeLoops(const Group& first, ContactLayout layout, double* G) const;
  void addVelocitiesByLoops(const Part& part, ContactLayout layout) const;
  bool findMotionsOfTied(Group& group, ContactLayout layout) const;
  void factoriseMass(const Part& part) const;
  bool seesFewMotions(const Part& part) const;
  void findMotionsOfPart(const Part& part) const;
  static int factorise(const double* G, ContactLayout layout, int rows, SeenMotions& seen);
  void addContact(int contact, TreeMotions& motions) const;
  void addJoint(const JointMotion& joint, TreeMotions& motions) const;
  int numberOf(const Side& side) const { return number_[side.contact][side.sign > 0.0 ? 0 : 1]; }
  const Part& partOf(const JointMotion& joint) const;
  const Part& partOf(LinkIndex link) const { return trees_[tree_of_link_[link]]; }
  LinkIndex own(LinkIndex link) const { return LinkIndex(link - partOf(link).tree.base); }

  const Model& model_;
  mutable std::vector<Part> trees_;
  std::vector<int> tree_of_link_;
  std::vector<FrameIndex> own_frame_;  ///< of each frame among those of its tree
  ContactLayout layout_;
  std::vector<std::array<int, 2>> side_of_;   ///< of each contact: its sides among those of their trees, −1: none
  std::vector<std::array<int, 2>> tree_of_;   ///< and these trees
  std::vector<std::array<int, 2>> group_of_;  ///< and their groups, −1: nothing that moves
  mutable std::vector<std::array<int, 2>> number_;  ///< of each contact: which of the rows of its groups' parties it is
  mutable std::vector<Group> groups_;
  mutable bool writes_joints_ = true;  ///< no engine was found that cannot
  mutable DisjointSets touching_;      ///< groups
  mutable MatrixXd by_loops_;          ///< velocities of a party's rows by an impulse of each row of the loops
  VectorXd implicit_;                  ///< inertia that springs and dampers add (n)
  DenseLoops loops_;
};

}  // namespace footfall
