#pragma once

#include <vector>

#include "dynamics/native/tree_storage.hpp"

namespace footfall::native {

/// The coordinates of a Model in which one may drive several joints, as a tree for the kernels that factorise: whatever
/// moves the same link, or has a motor in common, lies on one way from the base. What has nothing to do with each other
/// stays on branches of its own, so that the zeros between limbs are kept.
///
/// A coordinate stands where the limbs of its joints part, before all of them: so it couples each of them with itself,
/// and not with each other.
class CoordinateTree {
 public:
  /// @param links of the same robot with one coordinate for each joint, numbered as the Model's joints
  CoordinateTree(const Model& model, const TreeStorage& links);
  CoordinateTree(const CoordinateTree&) = delete;

  /// Nodes are coordinates; it has none of the arrays that tell of links.
  const Tree& tree() const { return tree_; }
  int number(DofIndex dof) const { return number_[dof]; }
  const std::vector<int>& numbersOfDofs() const { return number_; }
  const TreePaths& paths() const { return paths_; }
  /// The coordinate that joint k drives, and how.
  int coordinate(int k) const { return coordinate_[k]; }
  double multiplier(int k) const { return multiplier_[k]; }

  /// The farthest coordinate that moves link k: the others are on the way to it. 0: none.
  int tip(int k) const { return tip_[k]; }
  /// Is joint k the only one of its coordinate, moves it as it is, and has the same way from the base?
  bool isPlain(int k) const { return plain_[k]; }

  /// How link k moves with each coordinate on the way to its tip: as S of the joints, (depth of the tip + 1).
  void writeAxes(int k, const Six<double>* S, Six<double>* axes) const;

 private:
  std::vector<int> order(const Model& model) const;
  std::vector<int> eliminationParents(const Model& model, const std::vector<int>& position) const;
  void numberDepthFirst(const std::vector<int>& order, const std::vector<int>& parent);
  void findTips();
  bool sameWay(int k) const;

  const Tree& links_;
  Tree tree_{};
  TreePaths paths_;
  std::vector<int> joint_dof_;  ///< of the Model, of joint k
  std::vector<int> number_;     ///< of each dof
  std::vector<int> dof_;        ///< of each coordinate
  std::vector<int> coordinate_, tip_;
  std::vector<double> multiplier_;
  std::vector<char> plain_;
};

/// M of the coordinates from M of the joints, M = Eᵀ M_tree E: rows that are the same are copied, the others added up.
class MassReduction {
 public:
  MassReduction(const Model& model, const CoordinateTree& coordinates, const Tree& links,
                const Scratch<double>& of_joints, const Scratch<double>& of_coordinates);

  void reduce(const Scratch<double>& of_joints, Scratch<double>& w) const;

 private:
  /// Neighbours in both matrices.
  struct Run {
    int from, to, count;
    double factor;
  };
  struct Entry {
    int at;
    double value;  ///< [kg m²] or [kg]
  };

  static void append(std::vector<Run>& runs, const Run& run);
  void addJoint(const CoordinateTree& coordinates, const Tree& links, const Scratch<double>& of_joints,
                const Scratch<double>& w, int k);
  void addMotors(const Model& model, const CoordinateTree& coordinates, const Scratch<double>& w);

  std::vector<Run> copied_, added_;
  std::vector<Run> cleared_;  ///< of the coordinates
  std::vector<Entry> motors_;
};

}  // namespace footfall::native
