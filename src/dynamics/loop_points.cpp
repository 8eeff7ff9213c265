#include "footfall/dynamics/loop_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace footfall {
namespace {

/// Lever of the points that hold rotations [m]: about the size of a link, so that forces and moments weigh alike.
constexpr double kLever = 0.1;

const Vector3d kOnAxis(0.0, 0.0, kLever), kBesideAxis(kLever, 0.0, 0.0);

LoopPoint pointOf(const Model& model, int loop, const Vector3d& p_F, const std::array<bool, 3>& tied) {
  const Loop& l = model.loops[loop];
  return {loop, tied, p_F, l.X_AF * p_F, l.X_BF * p_F, l.X_AF.R, axesOfWrench(model, l).transpose() * l.X_AF.R};
}

}  // namespace

Matrix3d axesOfWrench(const Model& model, const Loop& loop) {
  return loop.frame_a.valid() ? model.frames[loop.frame_a].X_LF.R : Matrix3d::Identity();
}

std::vector<LoopPoint> loopPoints(const Model& model) {
  std::vector<LoopPoint> points;
  for (int k = 0; k < static_cast<int>(model.loops.size()); ++k) {
    const LoopKind kind = model.loops[k].kind;
    points.push_back(pointOf(model, k, Vector3d::Zero(), {true, true, kind != LoopKind::slider}));
    if (kind == LoopKind::ball) continue;
    points.push_back(pointOf(model, k, kOnAxis, {true, true, false}));
    if (kind == LoopKind::hinge) continue;
    points.push_back(pointOf(model, k, kBesideAxis, {false, true, false}));
  }
  return points;
}

int loopRows(const Model& model) {
  int rows = 0;
  for (const LoopPoint& point : loopPoints(model)) forTiedAxes(point, rows, [](int, int) {});
  return rows;
}

/// A gap turns a link against another one by itself over the size of the link, and that is the sine of the angle
/// between rows that were parallel.
double shareOfOpenLoops(const Model& model) {
  constexpr double kSines = 4.0;      // several links, of which the gyration is less than the size [-]
  constexpr double kSmallest = 1e-3;  // of links that are points [m]
  double size = std::numeric_limits<double>::infinity();
  for (const Loop& loop : model.loops)
    for (const LinkIndex link : {loop.link_a, loop.link_b}) {
      if (!link.valid()) continue;
      const SpatialInertia& inertia = model.links[link].inertia;
      if (inertia.mass > 0.0) size = std::min(size, std::sqrt(0.5 * inertia.I_com.trace() / inertia.mass));
    }
  const double sine = kSines / std::max(size, kSmallest);
  return sine * sine;
}

Vector3d loopGap(const LoopPoint& point, const Pose& X_WA, const Pose& X_WB) {
  return (X_WA.R * point.R_AF).transpose() * (X_WB * point.p_B - X_WA * point.p_A);
}

void loopWrenches(const std::vector<LoopPoint>& points, const VectorXd& lambda, std::vector<Vector6d>& wrenches) {
  for (Vector6d& wrench : wrenches) wrench.setZero();
  int row = 0;
  for (const LoopPoint& point : points) {
    Vector3d force = Vector3d::Zero();
    forTiedAxes(point, row, [&](int k, int axis) { force[axis] = lambda[k]; });
    wrenches[point.loop].head<3>() += point.R_NF * force;
    wrenches[point.loop].tail<3>() += point.R_NF * point.p_F.cross(force);
  }
}

}  // namespace footfall
