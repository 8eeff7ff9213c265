#include "step/momentum.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace footfall {

void MomentumKeeper::enforce(const Vector6d& target, const VectorXd& q, VectorXd& nu, Dynamics& dynamics) {
  if (!dynamics.model().floating_base || dynamics.model().further_bodies > 0) return;
  dynamics.update(q, nu);
  dynamics.massMatrix(M_);
  Vector6d missing = target - dynamics.momentum();
  // The base rows of M ν are the momentum about the base's origin.
  const Vector3d lever = dynamics.centerOfMass() - q.head<3>();
  missing.tail<3>() += lever.cross(missing.head<3>());
  const Matrix6d base = M_.topLeftCorner<6, 6>();
  nu.head<6>() += base.llt().solve(missing);
}

void MomentumKeeper::slowJoints(double energy, const VectorXd& q, VectorXd& nu, Dynamics& dynamics) {
  const Model& model = dynamics.model();
  dynamics.update(q, nu);
  const Vector6d momentum = dynamics.momentum();
  const double all = dynamics.energy().total();
  joints_ = model.jointVelocities(nu);
  const auto moveJoints = [&](double factor) {
    model.jointVelocities(nu) = factor * joints_;
    enforce(momentum, q, nu, dynamics);
    dynamics.update(q, nu);
  };
  moveJoints(0.0);
  const double rigid = dynamics.energy().total();
  if (energy > rigid && all > rigid) moveJoints(std::sqrt(std::min((energy - rigid) / (all - rigid), 1.0)));
}

MomentumOfTrees::MomentumOfTrees(const Model& model) : model_(model) {
  if (model.further_bodies == 0) return;
  for (const Tree& tree : treesOf(model)) {
    Part& part = trees_.emplace_back();
    part.tree = tree;
    tree_of_link_.resize(tree.links_end, static_cast<int>(trees_.size()) - 1);
    const Model own = modelOf(model, tree);
    part.keeper.reserve(own);
    part.q.setZero(own.nq());
    part.nu.setZero(own.nv());
    for (const Loop& loop : model.loops)
      part.tied = part.tied || tree.contains(loop.link_a) != tree.contains(loop.link_b);
  }
  weigh();
}

void MomentumOfTrees::weigh() {
  for (Part& part : trees_) {
    part.mass = 0.0;
    for (int link = part.tree.base; link < part.tree.links_end; ++link) part.mass += model_.links[link].inertia.mass;
  }
}

void MomentumOfTrees::start(Dynamics& dynamics) {
  for (std::size_t k = 0; k < trees_.size(); ++k)
    if (trees_[k].isFree()) trees_[k].momentum = dynamics.tree(static_cast<int>(k)).momentum();
}

void MomentumOfTrees::touchNothing() {
  for (Part& part : trees_) part.touched = false;
}

bool MomentumOfTrees::anyFree() const {
  return std::any_of(trees_.begin(), trees_.end(), [](const Part& part) { return part.isFree(); });
}

void MomentumOfTrees::touch(LinkIndex link) {
  if (!trees_.empty()) trees_[tree_of_link_[link]].touched = true;
}

void MomentumOfTrees::enforce(const VectorXd& tau, const VectorXd& q_middle, double dt, const Dynamics& middle,
                              const VectorXd& q, VectorXd& nu, Dynamics& dynamics) {
  for (std::size_t k = 0; k < trees_.size(); ++k) {
    Part& part = trees_[k];
    const Tree& tree = part.tree;
    if (!part.isFree()) continue;
    // The rows of the base are the sum of all forces, and their moment about the base's origin.
    const Vector3d force = tau.segment<3>(tree.velocity), moment = tau.segment<3>(tree.velocity + 3);
    const Vector3d lever = q_middle.segment<3>(tree.position) - middle.tree(static_cast<int>(k)).centerOfMass();
    Vector6d target = part.momentum;
    target.head<3>() += dt * (part.mass * model_.gravity + force);
    target.tail<3>() += dt * (moment + lever.cross(force));
    takePositions(tree, q, part.q);
    takeVelocities(model_, tree, nu, part.nu);
    part.keeper.enforce(target, part.q, part.nu, dynamics.tree(static_cast<int>(k)));
    putVelocities(model_, tree, part.nu, nu);
  }
}

void MomentumOfTrees::slowJoints(int tree, double energy, const VectorXd& q, VectorXd& nu, Dynamics& dynamics) {
  Part& part = trees_[tree];
  takePositions(part.tree, q, part.q);
  takeVelocities(model_, part.tree, nu, part.nu);
  part.keeper.slowJoints(energy, part.q, part.nu, dynamics.tree(tree));
  putVelocities(model_, part.tree, part.nu, nu);
}

}  // namespace footfall
