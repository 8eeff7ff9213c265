#pragma once

#include <vector>

#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// How well loops are closed: the largest gap, and the loop that has it.
struct LoopGap {
  double gap = 0.0;  ///< angles count by a lever of 0.1 m [m]
  int loop = -1;
};

LoopGap largestLoopGap(const Model& model, const VectorXd& q);

/// The rows of all loops as a matrix on ν, at the engine's last update.
MatrixXd loopJacobian(const Model& model, Dynamics& dynamics);

/// Moves q to a configuration near it in which all loops are closed; what it may move are the entries of ν that
/// `movable` (nv) names. Works from afar, by Newton's method with short steps. Leaves q as it gets when it finds none:
/// the caller looks at the gap that is returned.
LoopGap assembleLoops(const Model& model, Dynamics& dynamics, const std::vector<bool>& movable, VectorXd& q);

}  // namespace footfall
