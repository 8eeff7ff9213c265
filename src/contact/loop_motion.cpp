#include "footfall/contact/loop_motion.hpp"

#include <algorithm>

#include "contact/loop_rows.hpp"
#include "contact/rank_revealing_cholesky.hpp"

namespace footfall {

struct LoopMotion::Scratch {
  explicit Scratch(const Model& model) : loops(model) {}

  LoopRows loops;
  ContactLayout points;
  std::vector<ContactFrame> frames;
  AlignedVector G;       ///< of the engine's points
  AlignedVector values;  ///< one for each row of the engine's points
  MatrixXd G_hh;
  VectorXd rhs, half, lambda, tau;
  RankRevealingCholesky factor;
};

LoopMotion::LoopMotion(const Model& model) : scratch_(std::make_unique<Scratch>(model)) {
  Scratch& s = *scratch_;
  rows_ = s.loops.rows();
  ties_to_world_ = std::any_of(model.loops.begin(), model.loops.end(),
                               [](const Loop& loop) { return !loop.link_a.valid() || !loop.link_b.valid(); });
  s.points = ContactLayout::of(s.loops.frames());
  const std::size_t engine_rows = s.points.rows();
  s.frames.reserve(s.loops.frames());
  s.G.assign(engine_rows * engine_rows, 0.0);
  s.values.assign(engine_rows, 0.0);
  s.G_hh.setZero(rows_, rows_);
  for (VectorXd* v : {&s.rhs, &s.half, &s.lambda}) v->setZero(rows_);
  s.tau.setZero(model.nv());
  s.factor.reserve(rows_);
}

LoopMotion::~LoopMotion() = default;

void LoopMotion::prepare(Dynamics& dynamics) {
  Scratch& s = *scratch_;
  s.frames.clear();
  s.loops.appendFrames(dynamics, s.frames);
  dynamics.setContacts(s.frames);
  dynamics.delassus(s.G.data());
  const int engine_rows = s.points.rows();
  for (int k = 0; k < rows_; ++k) {
    // Column by column: what row k's impulse does to all points, then to all rows.
    for (int r = 0; r < engine_rows; ++r) s.values[r] = s.loops.difference(&s.G[r * engine_rows], s.points, 0, k);
    for (int l = 0; l < rows_; ++l) s.G_hh(l, k) = s.loops.difference(s.values.data(), s.points, 0, l);
  }
  s.factor.factorize(s.G_hh, rows_);
}

void LoopMotion::constrain(const Dynamics& dynamics, VectorXd& x) {
  Scratch& s = *scratch_;
  dynamics.contactVelocity(x, s.values.data());
  for (int k = 0; k < rows_; ++k) s.rhs[k] += s.loops.difference(s.values.data(), s.points, 0, k);
  s.factor.halfSolve(s.rhs, s.half);
  s.factor.finishSolve(s.half, s.lambda);
  s.lambda = -s.lambda;
  s.tau.setZero();
  addForces(dynamics, s.tau);
  dynamics.solveMass(s.tau);
  x += s.tau;
}

void LoopMotion::addForces(const Dynamics& dynamics, VectorOut tau) {
  Scratch& s = *scratch_;
  std::fill(s.values.begin(), s.values.end(), 0.0);
  s.loops.spread(s.lambda, s.points, 0, s.values.data());
  dynamics.addContactImpulse(s.values.data(), tau);
}

void LoopMotion::constrainAcceleration(const Dynamics& dynamics, VectorXd& nu_dot) {
  Scratch& s = *scratch_;
  dynamics.contactBiasAcceleration(s.values.data());
  for (int k = 0; k < rows_; ++k)
    s.rhs[k] = s.loops.difference(s.values.data(), s.points, 0, k) + s.loops.turningBias(dynamics, k);
  constrain(dynamics, nu_dot);
}

void LoopMotion::constrainVelocity(const Dynamics& dynamics, VectorXd& nu) {
  scratch_->rhs.setZero();
  constrain(dynamics, nu);
}

void LoopMotion::wrenches(std::vector<Vector6d>& out) const { scratch_->loops.wrenches(scratch_->lambda, out); }

}  // namespace footfall
