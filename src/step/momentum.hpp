#pragma once

#include <vector>

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/tree.hpp"

namespace footfall {

/// A robot in flight keeps its momentum to the last digit if its base velocity is chosen for that.
class MomentumKeeper {
 public:
  void reserve(const Model& model) {
    M_.resize(model.nv(), model.nv());
    joints_.resize(model.jointDofs());
  }

  /// Changes the base's part of nu so that the momentum at (q, nu) is `target` (linear, angular about the centre of
  /// mass). Updates the engine at (q, nu). Does nothing for a fixed base.
  void enforce(const Vector6d& target, const VectorXd& q, VectorXd& nu, Dynamics& dynamics);

  /// Takes velocity from the joints until no more energy is left than this, with the same momentum; less than all as
  /// one rigid body has cannot be. The motion of the joints has the rest, in proportion to its square. [J]
  void slowJoints(double energy, const VectorXd& q, VectorXd& nu, Dynamics& dynamics);

 private:
  MatrixXd M_;
  VectorXd joints_;
};

/// The same for the trees of a world, each by itself: those that nothing touches or ties.
class MomentumOfTrees {
 public:
  explicit MomentumOfTrees(const Model& model);

  bool any() const { return !trees_.empty(); }
  /// The model's masses have changed.
  void weigh();

  /// Where the engine is at the start of a step, and moves as the step does from there on.
  void start(Dynamics& dynamics);
  void touchNothing();
  void touch(LinkIndex link);  ///< a contact of the step is on this link
  bool anyFree() const;        ///< is neither tied nor touched

  /// @param tau what acts from outside, without gravity, at the middle (q) [N, N m]
  void enforce(const VectorXd& tau, const VectorXd& q_middle, double dt, const Dynamics& middle, const VectorXd& q,
               VectorXd& nu, Dynamics& dynamics);

  /// As MomentumKeeper has it, for one of them.
  void slowJoints(int tree, double energy, const VectorXd& q, VectorXd& nu, Dynamics& dynamics);

 private:
  struct Part {
    Tree tree;
    bool tied = false;  ///< to another tree, or to the world
    bool touched = false;
    double mass = 0.0;                     ///< [kg]
    Vector6d momentum = Vector6d::Zero();  ///< at the start
    MomentumKeeper keeper;
    VectorXd q, nu;

    bool isFree() const { return tree.floats && !tied && !touched; }
  };
  const Model& model_;
  std::vector<Part> trees_;  ///< none, where there is one robot alone
  std::vector<int> tree_of_link_;
};

}  // namespace footfall
