#include "footfall/contact/loop_motion.hpp"

#include <algorithm>

#include "footfall/model/state.hpp"

namespace footfall {
namespace {

/// A loop with a smaller gap is closed [m]. Loops are to be closed to 1e-9 m and rad; angles count by a lever of 0.1 m,
/// and what is left is taken into account by the next step.
constexpr double kClosed = 1e-12;
constexpr int kMaxClosingSteps = 10;

}  // namespace

LoopMotion::LoopMotion(const Model& model) : model_(model), points_(loopPoints(model)) {
  ties_to_world_ = std::any_of(model.loops.begin(), model.loops.end(),
                               [](const Loop& loop) { return !loop.link_a.valid() || !loop.link_b.valid(); });
  for (VectorXd* v : {&lambda_, &offset_, &gap_}) v->setZero(loopRows(model));
  displacement_.setZero(model.nv());
  J_.setZero(loopRows(model), model.nv());
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
    gap = gapAt();
  }
  return gap;
}

}  // namespace footfall
