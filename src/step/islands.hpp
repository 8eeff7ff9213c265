#pragma once

#include <span>
#include <vector>

#include "footfall/base/internal/disjoint_sets.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/tree.hpp"

namespace footfall {

/// What of the motion of several robots and objects is that of one rigid body: what acts between them changes none of
/// it.
struct RigidPart {
  SpatialInertia inertia;                        ///< of all as they are, in the world
  Vector3d momentum = Vector3d::Zero();          ///< [N s]
  Vector3d angular_momentum = Vector3d::Zero();  ///< about their centre of mass [N m s]

  Vector3d velocity() const { return momentum / inertia.mass; }  ///< of the centre of mass [m/s]
  Vector3d turning() const { return turningBy(angular_momentum); }
  Vector3d turningBy(const Vector3d& angular) const;  ///< how fast all turn that have this angular momentum [rad/s]
  double energy() const;                              ///< kinetic [J]
};

/// Robots and objects that feel each other in a step, by contacts or by loops. What is decided about one island, how
/// often its forces are corrected, or that its energy is not its own, moves no other. A robot alone is one island.
class Islands {
 public:
  /// The model must outlive it.
  explicit Islands(const Model& model);

  /// By the contacts of this step.
  void find(std::span<const ContactFrame> frames);

  int count() const { return count_; }
  int ofTree(int tree) const { return island_of_tree_[tree]; }
  int ofLink(LinkIndex link) const { return island_of_tree_[tree_of_link_[link]]; }
  int ofContact(const ContactFrame& frame) const {
    const bool by_other = frame.other.valid() && !moves_[tree_of_link_[frame.link]];
    return ofLink(by_other ? frame.other : frame.link);
  }
  /// Both sides of a contact can move.
  bool moveBoth(const ContactFrame& frame) const {
    return frame.other.valid() && moves_[tree_of_link_[frame.link]] && moves_[tree_of_link_[frame.other]];
  }
  /// Marks all links of the trees that a contact is between.
  void mark(const ContactFrame& frame, std::vector<char>& links) const;
  void mark(int island, std::vector<char>& links) const;  ///< all of its links
  int ofDof(DofIndex dof) const { return island_of_tree_[tree_of_dof_[dof]]; }
  /// Where all that loops tie is: they are solved together. −1: there are none.
  int ofLoops() const { return first_tied_ < 0 ? -1 : island_of_tree_[first_tied_]; }

  /// The trees of an island, by their numbers.
  std::span<const int> treesOf(int island) const {
    return {members_.data() + begin_[island], static_cast<std::size_t>(begin_[island + 1] - begin_[island])};
  }

  /// √ of the mass of all that is in it [√kg].
  double rootMass(int island) const;
  /// It is made of objects that are one rigid body each, none of which is tied to anything.
  bool isOfLooseBodies(int island) const;
  bool moves(int island) const { return moves_[members_[begin_[island]]] != 0; }     ///< what does not is by itself
  bool floats(int island) const { return trees_[members_[begin_[island]]].floats; }  ///< its first tree does
  Energy energyOf(int island, const Dynamics& dynamics) const;

  bool allFloat(int island) const;  ///< all of its trees do
  /// A force or torque acts on a base of it.
  bool isPushed(int island, const VectorXd& tau) const;
  /// Something of it, by a number of each coordinate of a joint, is not 0.
  bool hasAny(int island, const VectorXd& of_dofs) const;
  RigidPart rigidPartOf(int island, const Dynamics& dynamics) const;
  /// Adds a velocity of all as one rigid body.
  void push(int island, const Vector3d& velocity_W, VectorXd& nu) const;
  /// Adds a rotation of all as one rigid body about their centre of mass.
  void turn(int island, const RigidPart& rigid, const Vector3d& omega_W, const VectorXd& q, VectorXd& nu) const;
  /// Leaves this share of all motion that is not that of the rigid body.
  void slowInside(int island, const RigidPart& rigid, double share, const VectorXd& q, VectorXd& nu) const;

  /// sums[island] = a · b of its velocities.
  void dots(const VectorXd& a, const VectorXd& b, std::vector<double>& sums) const;
  void copyVelocities(int island, const VectorXd& from, VectorXd& to) const;
  void copyVelocitiesOfTree(int tree, const VectorXd& from, VectorXd& to) const;
  void addVelocities(int island, double factor, const VectorXd& from, VectorXd& to) const;
  void scaleVelocities(int island, double factor, VectorXd& nu) const;
  void copyPositions(int island, const VectorXd& from, VectorXd& to) const;
  void copyTree(int tree, const VectorXd& from, VectorXd& to) const;  ///< positions of one of its trees

 private:
  void unite(int tree, int other);
  void sortTrees();
  template <class F>
  void forVelocities(int tree, F f) const;

  const Model& model_;
  std::vector<Tree> trees_;
  std::vector<char> tied_;         ///< by a loop
  std::vector<char> moves_;        ///< nothing feels another by what does not
  std::vector<int> tree_of_link_;  ///< of each link
  std::vector<int> tree_of_dof_;   ///< of each coordinate of a joint
  DisjointSets united_;            ///< trees
  std::vector<int> island_of_tree_;
  std::vector<int> members_, begin_;  ///< trees island by island, and where those of each begin
  int first_tied_ = -1;
  int count_ = 1;
};

}  // namespace footfall
