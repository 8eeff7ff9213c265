#pragma once

#include <array>
#include <vector>

#include "footfall/model/model.hpp"

namespace footfall {

/// A loop ties a few points of its two frames together, each along some of the axes of its frame on a: a ball one
/// point, a hinge a second one on the axis, a weld a third one beside it. Each tied axis is one row J_h on velocities:
/// that of b's point less that of link a at the same place. Rows are numbered point by point, axis by axis.
struct LoopPoint {
  int loop;
  std::array<bool, 3> tied;  ///< along the axes of the loop's frame
  Vector3d p_F;              ///< in the loop's frame, the same on both links [m]
  Vector3d p_A, p_B;         ///< in link a's and in link b's frame, or in the world [m]
  Matrix3d R_AF;             ///< axes of the loop's frame on a [-]
  Matrix3d R_NF;             ///< the same in the frame on a as it was named (axesOfWrench())
};

/// In link a: the axes in which the wrench of a loop is told, those of its first frame as it was named. Those of the
/// loop's own frame are turned, so that z is the axis.
Matrix3d axesOfWrench(const Model& model, const Loop& loop);

std::vector<LoopPoint> loopPoints(const Model& model);
int loopRows(const Model& model);

/// Rows that depend on others where loops are closed are independent by a little where they are open, as they are in
/// the middle of a step: by this times the square of the largest gap, as a share of a row's own entry of J M⁻¹ Jᵀ.
/// [1/m²]
double shareOfOpenLoops(const Model& model);

/// How far a point is from being closed, along the axes of the loop's frame, where its links have these poses [m].
Vector3d loopGap(const LoopPoint& point, const Pose& X_WA, const Pose& X_WB);

/// Impulses of the rows as one wrench for each loop: on link b, about the origin of its frame on b, along
/// axesOfWrench().
void loopWrenches(const std::vector<LoopPoint>& points, const VectorXd& lambda, std::vector<Vector6d>& wrenches);

/// Calls f(row, axis) for the tied axes of a point whose rows begin at `row`, and moves on.
template <class F>
void forTiedAxes(const LoopPoint& point, int& row, F f) {
  for (int axis = 0; axis < 3; ++axis)
    if (point.tied[axis]) f(row++, axis);
}

}  // namespace footfall
