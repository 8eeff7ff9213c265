#include "dynamics/dense_loops.hpp"

#include "dynamics/open_loops.hpp"
#include "footfall/model/kinematics.hpp"

namespace footfall {
namespace {

/// How a link moves, to say how its points do; the world is at rest.
struct LinkMotion {
  Vector3d p_WL = Vector3d::Zero();
  Vector6d velocity = Vector6d::Zero();
  Vector6d acceleration = Vector6d::Zero();  ///< J̇ ν of the link's origin

  Vector3d omega() const { return velocity.tail<3>(); }
  Vector3d velocityAt(const Vector3d& p_W) const { return velocity.head<3>() + omega().cross(p_W - p_WL); }
  Vector3d accelerationAt(const Vector3d& p_W) const {
    const Vector3d r = p_W - p_WL;
    return acceleration.head<3>() + acceleration.tail<3>().cross(r) + omega().cross(omega().cross(r));
  }
};

LinkMotion motionOf(LinkIndex link, const Dynamics& dynamics) {
  if (!link.valid()) return {};
  return {dynamics.linkPose(link).p, dynamics.linkVelocity(link), dynamics.linkBiasAcceleration(link)};
}

Pose poseOf(LinkIndex link, const Dynamics& dynamics) { return link.valid() ? dynamics.linkPose(link) : Pose{}; }

/// tau += Jᵀ f of a force on a link, at a point of the world.
void addForce(const Dynamics& dynamics, LinkIndex link, const Vector3d& p_W, const Vector3d& force_W, VectorOut tau) {
  if (!link.valid()) return;
  Vector6d wrench_W = Vector6d::Zero();
  wrench_W.head<3>() = force_W;
  dynamics.addWrench(link, dynamics.linkPose(link).inverse() * p_W, wrench_W, tau);
}

}  // namespace

DenseLoops::DenseLoops(const Model& model)
    : model_(model), points_(loopPoints(model)), rows_(loopRows(model)), share_of_open_(shareOfOpenLoops(model)) {
  for (MatrixXd* m : {&JT_, &X_}) m->setZero(model.nv(), rows_);
  G_.setZero(rows_, rows_);
  factor_.reserve(rows_);
  for (VectorXd* v : {&rhs_, &half_}) v->setZero(rows_);
}

void DenseLoops::writeJacobian(const Dynamics& dynamics) {
  JT_.setZero();
  int row = 0;
  for (const LoopPoint& point : points_) {
    const Loop& loop = model_.loops[point.loop];
    const Matrix3d R_WF = poseOf(loop.link_a, dynamics).R * point.R_AF;
    // Both velocities are taken at the point of frame b: so a row is the rate of its gap, wherever a slider has got to.
    const Vector3d p_W = poseOf(loop.link_b, dynamics) * point.p_B;
    forTiedAxes(point, row, [&](int k, int axis) {
      addForce(dynamics, loop.link_b, p_W, R_WF.col(axis), JT_.col(k));
      addForce(dynamics, loop.link_a, p_W, -R_WF.col(axis), JT_.col(k));
    });
  }
}

void DenseLoops::prepare(const Dynamics& dynamics) {
  prepared_ = rows_ > 0;
  if (!prepared_) return;
  writeJacobian(dynamics);
  X_ = JT_;
  for (int k = 0; k < rows_; ++k) dynamics.solveMass(X_.col(k));
  G_.noalias() = JT_.transpose() * X_;
  factor_.factorize(G_, rows_);
  gaps(dynamics, rhs_);
  const double share = shareOfGap(share_of_open_, rhs_.lpNorm<Eigen::Infinity>());
  in_doubt_ = 0;
  for (int k = 0; k < factor_.rank(); ++k)
    in_doubt_ += factor_.left(k) < share * G_(factor_.pivot(k), factor_.pivot(k));
}

void DenseLoops::biasAcceleration(const Dynamics& dynamics, VectorOut a) const {
  int row = 0;
  for (const LoopPoint& point : points_) {
    const Loop& loop = model_.loops[point.loop];
    const Vector3d p_W = poseOf(loop.link_b, dynamics) * point.p_B;
    const LinkMotion A = motionOf(loop.link_a, dynamics), B = motionOf(loop.link_b, dynamics);
    // What slides in link a with v while a turns: the axis turns with it, and so does the place where a is looked at.
    const Vector3d v_AB = B.velocityAt(p_W) - A.velocityAt(p_W);
    const Vector3d relative = B.accelerationAt(p_W) - A.accelerationAt(p_W) - 2.0 * A.omega().cross(v_AB);
    const Vector3d in_frame = (poseOf(loop.link_a, dynamics).R * point.R_AF).transpose() * relative;
    forTiedAxes(point, row, [&](int k, int axis) { a[k] = in_frame[axis]; });
  }
}

void DenseLoops::gaps(const Dynamics& dynamics, VectorOut gap) const {
  int row = 0;
  for (const LoopPoint& point : points_) {
    const Loop& loop = model_.loops[point.loop];
    const Vector3d gap_F = loopGap(point, poseOf(loop.link_a, dynamics), poseOf(loop.link_b, dynamics));
    forTiedAxes(point, row, [&](int k, int axis) { gap[k] = gap_F[axis]; });
  }
}

void DenseLoops::gapsAt(VectorIn q, VectorOut gap) const {
  q_ = q;
  forwardKinematics(model_, q_, poses_);
  const auto pose = [&](LinkIndex link) { return link.valid() ? poses_[link] : Pose{}; };
  int row = 0;
  for (const LoopPoint& point : points_) {
    const Loop& loop = model_.loops[point.loop];
    const Vector3d gap_F = loopGap(point, pose(loop.link_a), pose(loop.link_b));
    forTiedAxes(point, row, [&](int k, int axis) { gap[k] = gap_F[axis]; });
  }
}

void DenseLoops::close(VectorIn offset, VectorOut x, VectorOut lambda) const {
  rhs_ = offset;
  rhs_.noalias() += JT_.transpose() * x;
  factor_.halfSolve(rhs_, half_);
  factor_.finishSolve(half_, lambda);
  lambda = -lambda;
  x.noalias() += X_ * lambda;
}

void DenseLoops::eliminateFrom(const Dynamics& dynamics, const ContactLayout& layout, double* G) const {
  const int rows = layout.rows();
  if (contact_velocity_.rows() < rows) contact_velocity_.setZero(rows, rows_);
  for (int k = 0; k < rows_; ++k) dynamics.contactVelocity(X_.col(k), contact_velocity_.col(k).data());
  eliminateFrom(contact_velocity_, rows, G);
}

void DenseLoops::eliminateFrom(const MatrixXd& velocities, int rows, double* G) const {
  if (Y_.rows() < rows) Y_.setZero(rows, rows_);
  factor_.halfSolveRows(velocities, rows, Y_);
  const auto Y = Y_.topLeftCorner(rows, factor_.rank());
  Eigen::Map<MatrixXd>(G, rows, rows).noalias() -= Y * Y.transpose();
}

}  // namespace footfall
