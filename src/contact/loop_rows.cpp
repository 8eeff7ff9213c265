#include "contact/loop_rows.hpp"

namespace footfall {
namespace {

/// Lever of the points that hold rotations [m]: about the size of a link, so that forces and moments weigh alike.
constexpr double kLever = 0.1;

const Vector3d kOnAxis(0.0, 0.0, kLever), kBesideAxis(kLever, 0.0, 0.0);

Pose loopFrame(LinkIndex link, const Pose& X_LF, const Pose& X_WL) { return link.valid() ? X_WL * X_LF : X_LF; }

}  // namespace

LoopRows::LoopRows(const Model& model) : model_(model) {
  for (int k = 0; k < static_cast<int>(model.loops.size()); ++k) {
    const LoopKind kind = model.loops[k].kind;
    const bool slides = kind == LoopKind::slider;
    addPoint(model, {k, Vector3d::Zero(), {true, true, !slides}});
    if (kind == LoopKind::ball) continue;
    addPoint(model, {k, kOnAxis, {true, true, false}});
    if (kind == LoopKind::hinge) continue;
    addPoint(model, {k, kBesideAxis, {false, true, false}});
  }
}

void LoopRows::addPoint(const Model& model, const Point& point) {
  const Loop& loop = model.loops[point.loop];
  const int plus = loop.link_b.valid() ? frames_++ : -1;
  const int minus = loop.link_a.valid() ? frames_++ : -1;
  for (int axis = 0; axis < 3; ++axis)
    if (point.tied[axis]) rows_.push_back({plus, minus, axis, point.loop, static_cast<int>(points_.size())});
  points_.push_back(point);
}

void LoopRows::appendFrames(const Dynamics& dynamics, std::vector<ContactFrame>& frames) const {
  for (const Point& point : points_) {
    const Loop& loop = model_.loops[point.loop];
    const Pose X_WA = loop.link_a.valid() ? dynamics.linkPose(loop.link_a) : Pose{};
    const Pose X_WB = loop.link_b.valid() ? dynamics.linkPose(loop.link_b) : Pose{};
    const Matrix3d R_WF = X_WA.R * loop.X_AF.R;
    // Both velocities are taken at the point of frame b: so a row is the rate of its gap, wherever a slider has got to.
    const Vector3d p_W = X_WB * (loop.X_BF * point.p_F);
    if (loop.link_b.valid()) frames.push_back({loop.link_b, loop.X_BF * point.p_F, R_WF});
    if (loop.link_a.valid()) frames.push_back({loop.link_a, X_WA.inverse() * p_W, R_WF});
  }
}

void LoopRows::gaps(const std::vector<Pose>& X_WL, VectorXd& phi) const {
  int row = 0;
  for (const Point& point : points_) {
    const Loop& loop = model_.loops[point.loop];
    const Pose X_WFa = loopFrame(loop.link_a, loop.X_AF, loop.link_a.valid() ? X_WL[loop.link_a] : Pose{});
    const Pose X_WFb = loopFrame(loop.link_b, loop.X_BF, loop.link_b.valid() ? X_WL[loop.link_b] : Pose{});
    const Vector3d gap = X_WFa.R.transpose() * (X_WFb * point.p_F - X_WFa * point.p_F);
    for (int axis = 0; axis < 3; ++axis)
      if (point.tied[axis]) phi[row++] = gap[axis];
  }
}

double LoopRows::turningBias(const Dynamics& dynamics, int k) const {
  const Row& row = rows_[k];
  const Loop& loop = model_.loops[row.loop];
  if (loop.kind != LoopKind::slider || !loop.link_a.valid()) return 0.0;
  const Pose X_WA = dynamics.linkPose(loop.link_a);
  const Pose X_WB = loop.link_b.valid() ? dynamics.linkPose(loop.link_b) : Pose{};
  const Vector3d p_W = X_WB * (loop.X_BF * points_[row.point].p_F);
  const auto velocityAt = [&](LinkIndex link, const Pose& X_WL) {
    const Vector6d V = dynamics.linkVelocity(link);
    return Vector3d(V.head<3>() + V.tail<3>().cross(p_W - X_WL.p));
  };
  Vector3d v_AB = -velocityAt(loop.link_a, X_WA);
  if (loop.link_b.valid()) v_AB += velocityAt(loop.link_b, X_WB);
  const Vector3d omega_A = dynamics.linkVelocity(loop.link_a).tail<3>();
  return -2.0 * (X_WA.R * loop.X_AF.R).col(row.axis).dot(omega_A.cross(v_AB));
}

void LoopRows::spread(const VectorXd& lambda, const ContactLayout& points, int first, double* values) const {
  for (int k = 0; k < rows(); ++k) {
    const Row& row = rows_[k];
    if (row.plus >= 0) values[points.row(first + row.plus, row.axis)] += lambda[k];
    if (row.minus >= 0) values[points.row(first + row.minus, row.axis)] -= lambda[k];
  }
}

void LoopRows::wrenches(const VectorXd& lambda, std::vector<Vector6d>& out) const {
  for (Vector6d& wrench : out) wrench.setZero();
  for (int k = 0; k < rows(); ++k) {
    const Vector3d force = lambda[k] * Vector3d::Unit(rows_[k].axis);
    out[rows_[k].loop].head<3>() += force;
    out[rows_[k].loop].tail<3>() += points_[rows_[k].point].p_F.cross(force);
  }
}

}  // namespace footfall
