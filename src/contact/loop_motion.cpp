#include "footfall/contact/loop_motion.hpp"

#include <algorithm>

#include "footfall/dynamics/point_velocity.hpp"
#include "footfall/model/state.hpp"
#include "footfall/model/tree.hpp"

namespace footfall {
namespace {

/// A loop with a smaller gap is closed [m]. Loops are to be closed to 1e-9 m and rad; angles count by a lever of 0.1 m,
/// and what is left is taken into account by the next step.
constexpr double kClosed = 1e-12;
constexpr int kMaxClosingSteps = 10;

}  // namespace

LoopMotion::LoopMotion(const Model& model) : model_(model), points_(loopPoints(model)) {
  const std::vector<Tree> trees = treesOf(model);
  const auto isFixed = [&](LinkIndex link) {
    return !link.valid() || std::any_of(trees.begin(), trees.end(),
                                        [&](const Tree& tree) { return tree.contains(link) && !tree.floats; });
  };
  ties_to_world_ = std::any_of(model.loops.begin(), model.loops.end(),
                               [&](const Loop& loop) { return isFixed(loop.link_a) || isFixed(loop.link_b); });
  for (VectorXd* v : {&lambda_, &offset_, &gap_}) v->setZero(loopRows(model));
  displacement_.setZero(model.nv());
  J_.setZero(loopRows(model), model.nv());
}

bool LoopMotion::prepare(Dynamics& dynamics, bool closed) {
  dynamics.prepareLoops();
  return limitRank(dynamics, closed);
}

bool LoopMotion::limitRank(Dynamics& dynamics, bool closed) {
  const bool in_doubt = dynamics.loopsInDoubt();
  if (closed_rank_ == kUnknown && (closed || !in_doubt)) closed_rank_ = dynamics.loopRank();
  if (!in_doubt) return true;
  if (closed_rank_ == kUnknown) return false;
  dynamics.takeLoopRank(closed_rank_);
  return true;
}

void LoopMotion::addForces(const Dynamics& dynamics, const VectorXd& forces, VectorOut tau) {
  dynamics.loopJacobian(J_);
  tau.noalias() += J_.transpose() * forces;
}

void LoopMotion::constrainAcceleration(const Dynamics& dynamics, VectorXd& nu_dot) {
  dynamics.loopBiasAcceleration(offset_);
  dynamics.closeLoops(offset_, nu_dot, lambda_);
}

void LoopMotion::constrainVelocity(const Dynamics& dynamics, VectorXd& nu) {
  offset_.setZero();
  dynamics.closeLoops(offset_, nu, lambda_);
}

void LoopMotion::closeWithin(double dt, const Dynamics& dynamics, VectorXd& nu) {
  dynamics.loopGaps(gap_);
  dynamics.loopBiasAcceleration(offset_);
  offset_ = gap_ / dt + 0.5 * dt * offset_;
  dynamics.closeLoops(offset_, nu, lambda_);
}

void LoopMotion::velocity(const RobotDynamics& kinematics, VectorXd& velocity) const {
  const auto poseOf = [&](LinkIndex link) { return link.valid() ? kinematics.linkPose(link) : Pose{}; };
  const auto velocityOf = [&](LinkIndex link, const Pose& X_WL, const Vector3d& p_W) -> Vector3d {
    if (!link.valid()) return Vector3d::Zero();
    return pointVelocity(kinematics.linkVelocity(link), p_W - X_WL.p);
  };
  int row = 0;
  for (const LoopPoint& point : points_) {
    const Loop& loop = model_.loops[point.loop];
    const Pose X_WA = poseOf(loop.link_a), X_WB = poseOf(loop.link_b);
    const Vector3d p_W = X_WB * point.p_B;
    const Vector3d v_F =
        (X_WA.R * point.R_AF).transpose() * (velocityOf(loop.link_b, X_WB, p_W) - velocityOf(loop.link_a, X_WA, p_W));
    forTiedAxes(point, row, [&](int k, int axis) { velocity[k] = v_F[axis]; });
  }
}

void LoopMotion::velocity(const Dynamics& dynamics, const VectorXd& nu, VectorXd& velocity) {
  dynamics.loopJacobian(J_);
  velocity.noalias() = J_ * nu;
}

double LoopMotion::closeConfiguration(const Dynamics& dynamics, VectorXd& q) {
  const auto gapAt = [&] {
    dynamics.loopGapsAt(q, gap_);
    return gap_.lpNorm<Eigen::Infinity>();
  };
  double gap = gapAt();
  for (int k = 0; k < kMaxClosingSteps && gap > kClosed; ++k) {
    displacement_.setZero();
    dynamics.closeLoops(gap_, displacement_, offset_);
    integrateConfiguration(model_, displacement_, 1.0, q);
    const double closer = gapAt();
    if (closer > gap) {  // where a mechanism could go another way the engine's directions may lead astray
      integrateConfiguration(model_, displacement_, -1.0, q);
      break;
    }
    gap = closer;
  }
  return gap;
}

}  // namespace footfall
