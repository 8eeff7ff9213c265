#pragma once

#include <vector>

#include "footfall/model/model.hpp"

namespace footfall {

/// One of the trees of a model: a robot or an object. Links, joints and coordinates of a tree follow each other.
struct Tree {
  LinkIndex base;       ///< its first link
  LinkIndex links_end;  ///< the first link of the next tree
  DofIndex dofs_begin;  ///< its first coordinate
  DofIndex dofs_end;
  bool floats = true;
  int position = 0;  ///< where its base is in q; −1: it is fixed, and no part of q
  int velocity = 0;  ///< where its base is in ν; −1: it is fixed
  Pose X_WB;         ///< of a further base that is fixed

  int links() const { return links_end - base; }
  int dofs() const { return dofs_end - dofs_begin; }
  bool contains(LinkIndex link) const { return link >= base && link < links_end; }
};

/// The trees of a model in their order: the robot first.
std::vector<Tree> treesOf(const Model& model);

/// Calls f(position, velocity) for every base that floats: where it begins in q, and where in ν.
template <class F>
void forFloatingBases(const Model& model, F f) {
  if (model.floating_base) f(0, 0);
  for (int body = 0; body < model.free_bodies; ++body) f(model.freePosition(body), model.freeVelocity(body));
}

/// What of q or ν belongs to a tree, in the order of its own model, and back.
void takePositions(const Tree& tree, const Eigen::Ref<const VectorXd>& q, VectorXd& own);
void takeVelocities(const Model& model, const Tree& tree, const Eigen::Ref<const VectorXd>& nu, VectorXd& own);
void putVelocities(const Model& model, const Tree& tree, const VectorXd& own, Eigen::Ref<VectorXd> nu);

/// One tree as a model of its own: links, joints, coordinates and frames, in their order. What ties trees to each other
/// or to the ground is left out.
Model modelOf(const Model& model, const Tree& tree);

}  // namespace footfall
