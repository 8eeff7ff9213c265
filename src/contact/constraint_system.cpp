#include "footfall/contact/constraint_system.hpp"

#include <algorithm>
#include <cmath>

#include "contact/gap_velocity.hpp"
#include "contact/loop_rows.hpp"
#include "contact/rank_revealing_cholesky.hpp"
#include "footfall/model/kinematics.hpp"

namespace footfall {
namespace {

constexpr double kClosed = 1e-12;  ///< a loop with a smaller gap is closed [m]
constexpr int kMaxClosingSteps = 10;

}  // namespace

/// Rows of the engine's points are in ContactLayout order of all points ("engine rows"); those of the problem in that
/// of its contacts and joint rows ("problem rows").
struct ConstraintSystem::Scratch {
  ContactLayout points;     ///< of the engine: contacts and loop points
  AlignedVector G;          ///< of the engine's points
  AlignedVector velocity;   ///< of the engine's points
  AlignedVector impulse;    ///< of the engine's points
  MatrixXd joint_columns;   ///< M⁻¹ of each joint row, (nv × joint rows)
  MatrixXd joint_velocity;  ///< of the engine's points by each joint row, (engine rows × joint rows)
  MatrixXd G_hh;            ///< loops with loops
  MatrixXd G_rh;            ///< problem rows with loops
  MatrixXd Y;               ///< G_rh L⁻ᵀ over the independent rows
  RankRevealingCholesky factor;
  VectorXd v_h;              ///< velocity of the loop rows without impulses, less its target
  VectorXd half;             ///< L⁻¹ v_h
  VectorXd rhs, correction;  ///< of solves with the loops' matrix
  VectorXd phi;              ///< gaps of the loop rows at the start of the step [m]
  VectorXd nu;
  std::vector<Pose> poses;
};

ConstraintSystem::ConstraintSystem(const Model& model)
    : model_(model), loops_(std::make_unique<LoopRows>(model)), scratch_(std::make_unique<Scratch>()) {
  loop_rows_ = loops_->rows();
  const int candidates = model.maxActiveContacts();
  const int points = candidates + loops_->frames();
  const int joints = maxJointRows(model);
  const int engine_rows = ContactLayout::of(points).rows();
  const int problem_rows = ContactLayout::of(candidates + joints).rows();
  frames_.reserve(points);
  contacts_.reserve(candidates);
  joint_rows_.reserve(joints);
  Scratch& s = *scratch_;
  s.velocity.assign(engine_rows, 0.0);
  s.impulse.assign(engine_rows, 0.0);
  s.G.assign(static_cast<std::size_t>(engine_rows) * engine_rows, 0.0);
  s.joint_columns.setZero(model.nv(), joints);
  s.joint_velocity.setZero(engine_rows, joints);
  s.nu.setZero(model.nv());
  problem_.reserve(candidates + joints);
  if (loop_rows_ == 0) return;
  for (MatrixXd* m : {&s.G_rh, &s.Y}) m->setZero(problem_rows, loop_rows_);
  s.G_hh.setZero(loop_rows_, loop_rows_);
  s.factor.reserve(loop_rows_);
  for (VectorXd* v : {&s.v_h, &s.half, &s.rhs, &s.correction, &s.phi, &lambda_}) v->setZero(loop_rows_);
  s.poses.resize(model.links.size());
}

ConstraintSystem::~ConstraintSystem() = default;

int ConstraintSystem::capacity() const { return model_.maxActiveContacts() + maxJointRows(model_); }

int ConstraintSystem::enginePoints() const { return model_.maxActiveContacts() + loops_->frames(); }

void ConstraintSystem::activate(const Terrain& terrain, double time, double dt, const VectorXd& q, const VectorXd& nu,
                                Dynamics& dynamics) {
  detectContacts(terrain, time, {.step = dt}, dynamics, frames_, contacts_);
  findJointRows(model_, q, nu, dt, joint_rows_);
  loops_->appendFrames(dynamics, frames_);
  dynamics.setContacts(frames_);
  scratch_->points = ContactLayout::of(static_cast<int>(frames_.size()));
  loopGap(q);
}

// --- G ---------------------------------------------------------------------------------------------

void ConstraintSystem::assemble(const Dynamics& dynamics) {
  const int contacts = static_cast<int>(contacts_.size());
  problem_.resize(contacts + static_cast<int>(joint_rows_.size()));
  if (joint_rows_.empty() && loop_rows_ == 0) {
    dynamics.delassus(problem_.G.data());
    return;
  }
  Scratch& s = *scratch_;
  std::fill_n(problem_.G.begin(), static_cast<std::size_t>(problem_.layout.rows()) * problem_.layout.rows(), 0.0);
  if (!frames_.empty()) dynamics.delassus(s.G.data());
  const int engine_rows = s.points.rows();
  for (int i = 0; i < contacts; ++i)
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c)
        for (int j = 0; j < contacts; ++j)
          problem_(i, a, j, c) = s.G[static_cast<std::size_t>(s.points.row(i, a)) * engine_rows + s.points.row(j, c)];
  gatherJointRows(dynamics);
  if (loop_rows_ > 0) {
    gatherLoops();
    eliminateLoops();
  }
}

/// A limit is the normal row of a contact without friction; friction is the first tangential row of a contact whose
/// normal impulse is given. The rows that are left over are decoupled.
void ConstraintSystem::gatherJointRows(const Dynamics& dynamics) {
  Scratch& s = *scratch_;
  const int contacts = static_cast<int>(contacts_.size());
  const int base = model_.baseDofs();
  for (int k = 0; k < static_cast<int>(joint_rows_.size()); ++k) {
    const JointRow& row = joint_rows_[k];
    auto column = s.joint_columns.col(k);
    column.setZero();
    column[base + row.dof] = row.sign;
    dynamics.solveMass(column);
    const int own = row.component();
    for (int l = 0; l <= k; ++l) {
      const JointRow& other = joint_rows_[l];
      const double g = other.sign * column[base + other.dof];
      problem_(contacts + k, own, contacts + l, other.component()) = g;
      problem_(contacts + l, other.component(), contacts + k, own) = g;
    }
    for (int c = 0; c < 3; ++c)
      if (c != own) problem_(contacts + k, c, contacts + k, c) = row.sign * column[base + row.dof];
    if (frames_.empty()) continue;
    auto velocity = s.joint_velocity.col(k);
    dynamics.contactVelocity(column, velocity.data());
    for (int i = 0; i < contacts; ++i)
      for (int c = 0; c < 3; ++c)
        problem_(i, c, contacts + k, own) = problem_(contacts + k, own, i, c) = velocity[s.points.row(i, c)];
  }
}

void ConstraintSystem::gatherLoops() {
  Scratch& s = *scratch_;
  const int contacts = static_cast<int>(contacts_.size());
  const int engine_rows = s.points.rows();
  // The engine's row of a loop's frame, or −1 for the world.
  const auto engineRow = [&](int frame, int axis) { return frame < 0 ? -1 : s.points.row(contacts + frame, axis); };
  const auto G = [&](int r, int c) {
    return r < 0 || c < 0 ? 0.0 : s.G[static_cast<std::size_t>(r) * engine_rows + c];
  };
  const auto difference = [&](const LoopRows::Row& row, int c) {
    return G(engineRow(row.plus, row.axis), c) - G(engineRow(row.minus, row.axis), c);
  };
  for (int k = 0; k < loop_rows_; ++k) {
    const LoopRows::Row& row = loops_->row(k);
    for (int l = 0; l <= k; ++l) {
      const LoopRows::Row& other = loops_->row(l);
      s.G_hh(k, l) = s.G_hh(l, k) =
          difference(row, engineRow(other.plus, other.axis)) - difference(row, engineRow(other.minus, other.axis));
    }
    s.G_rh.col(k).setZero();
    for (int i = 0; i < contacts; ++i)
      for (int c = 0; c < 3; ++c) s.G_rh(problem_.layout.row(i, c), k) = difference(row, s.points.row(i, c));
    for (int j = 0; j < static_cast<int>(joint_rows_.size()); ++j) {
      const auto velocity = s.joint_velocity.col(j);
      const int plus = engineRow(row.plus, row.axis), minus = engineRow(row.minus, row.axis);
      s.G_rh(problem_.layout.row(contacts + j, joint_rows_[j].component()), k) =
          (plus < 0 ? 0.0 : velocity[plus]) - (minus < 0 ? 0.0 : velocity[minus]);
    }
  }
}

/// G ← G_rr − G_rh G_hh⁺ G_hr = G_rr − Y Yᵀ; column by column of Y, whose entries lie in a row.
void ConstraintSystem::eliminateLoops() {
  Scratch& s = *scratch_;
  s.factor.factorize(s.G_hh, loop_rows_);
  const int rank = s.factor.rank(), rows = problem_.layout.rows();
  s.factor.halfSolveRows(s.G_rh, rows, s.Y);
  for (int r = 0; r < rows; ++r) {
    double* G_r = &problem_.G[static_cast<std::size_t>(r) * rows];
    Eigen::Map<VectorXd> lower(G_r, r + 1);
    for (int k = 0; k < rank; ++k) lower -= s.Y(r, k) * s.Y.col(k).head(r + 1);
    for (int c = 0; c < r; ++c) problem_.G[static_cast<std::size_t>(c) * rows + r] = G_r[c];
  }
}

// --- b ---------------------------------------------------------------------------------------------

void ConstraintSystem::setVelocity(const Dynamics& dynamics, const VectorXd& nu, const Target& target) {
  contactVelocity(dynamics, nu, problem_.b);
  const ContactLayout& layout = problem_.layout;
  const int contacts = static_cast<int>(contacts_.size());
  for (int i = 0; i < contacts; ++i) {
    const SurfacePoint& surface = contacts_[i].surface;
    problem_.mu[i] = surface.friction;
    if (surface.velocity_W.isZero(0.0)) continue;
    const Vector3d velocity_C = surface.R_WC.transpose() * surface.velocity_W;
    for (int c = 0; c < 3; ++c) problem_.b[layout.row(i, c)] -= velocity_C[c];
  }
  setJointVelocity(nu, target);
  for (int i = layout.contacts; i < layout.stride; ++i) {
    problem_.mu[i] = 0.0;
    for (int c = 0; c < 3; ++c) problem_.b[layout.row(i, c)] = c == 2 ? 1.0 : 0.0;
  }
  if (loop_rows_ > 0) setLoopVelocity(dynamics, target);
}

void ConstraintSystem::setJointVelocity(const VectorXd& nu, const Target& target) {
  const ContactLayout& layout = problem_.layout;
  const int contacts = static_cast<int>(contacts_.size());
  for (int k = 0; k < static_cast<int>(joint_rows_.size()); ++k) {
    const JointRow& row = joint_rows_[k];
    const int i = contacts + k;
    const double rate = row.sign * nu[model_.baseDofs() + row.dof];
    const bool limit = row.kind == JointRow::Kind::limit;
    problem_.mu[i] = limit ? 0.0 : 1.0;
    problem_.b[layout.row(i, 0)] = limit ? 0.0 : rate;
    problem_.b[layout.row(i, 1)] = 0.0;
    // The decoupled normal row of friction gets exactly the impulse that bounds it.
    const double bound = target.instant ? 0.0 : row.bound * target.dt;
    const double gap_velocity = target.limit_gaps ? gapVelocity(row.gap, target.dt) : 0.0;
    problem_.b[layout.row(i, 2)] = limit ? rate + gap_velocity : -bound * problem_(i, 2, i, 2);
  }
}

void ConstraintSystem::setLoopVelocity(const Dynamics& dynamics, const Target& target) {
  Scratch& s = *scratch_;
  const int contacts = static_cast<int>(contacts_.size());
  const auto difference = [&](const AlignedVector& v, int k) {
    return loops_->difference(v.data(), s.points, contacts, k);
  };
  for (int k = 0; k < loop_rows_; ++k) s.v_h[k] = difference(s.velocity, k);
  if (!target.instant) {
    // Closed at the end of the step, to second order: gap + dt v + dt²/2 J̇ν = 0.
    dynamics.contactBiasAcceleration(s.impulse.data());
    for (int k = 0; k < loop_rows_; ++k)
      s.v_h[k] +=
          s.phi[k] / target.dt + 0.5 * target.dt * (difference(s.impulse, k) + loops_->turningBias(dynamics, k));
  }
  s.factor.halfSolve(s.v_h, s.half);
  const int rank = s.factor.rank();
  const int rows = problem_.layout.rows();
  Eigen::Map<VectorXd> b(problem_.b.data(), rows);
  for (int k = 0; k < rank; ++k) b -= s.half[k] * s.Y.col(k).head(rows);
}

void ConstraintSystem::contactVelocity(const Dynamics& dynamics, const VectorXd& nu, AlignedVector& velocity) {
  if (frames_.empty()) return;
  if (joint_rows_.empty() && loop_rows_ == 0) {
    dynamics.contactVelocity(nu, velocity.data());
    return;
  }
  dynamics.contactVelocity(nu, scratch_->velocity.data());
  takeContacts(scratch_->velocity, velocity);
}

void ConstraintSystem::contactBias(const Dynamics& dynamics, AlignedVector& bias) {
  if (frames_.empty()) return;
  dynamics.contactBiasAcceleration(scratch_->impulse.data());
  takeContacts(scratch_->impulse, bias);
}

void ConstraintSystem::takeContacts(const AlignedVector& points, AlignedVector& problem) const {
  for (int i = 0; i < static_cast<int>(contacts_.size()); ++i)
    for (int c = 0; c < 3; ++c) problem[problem_.layout.row(i, c)] = points[scratch_->points.row(i, c)];
}

// --- impulses --------------------------------------------------------------------------------------

void ConstraintSystem::addImpulses(const Dynamics& dynamics, const AlignedVector& impulse, VectorOut tau) {
  if (joint_rows_.empty() && loop_rows_ == 0) {
    dynamics.addContactImpulse(impulse.data(), tau);
    return;
  }
  Scratch& s = *scratch_;
  const ContactLayout& layout = problem_.layout;
  const int contacts = static_cast<int>(contacts_.size());
  std::fill(s.impulse.begin(), s.impulse.begin() + s.points.rows(), 0.0);
  for (int i = 0; i < contacts; ++i)
    for (int c = 0; c < 3; ++c) s.impulse[s.points.row(i, c)] = impulse[layout.row(i, c)];
  for (int k = 0; k < static_cast<int>(joint_rows_.size()); ++k) {
    const JointRow& row = joint_rows_[k];
    tau[model_.baseDofs() + row.dof] += row.sign * impulse[layout.row(contacts + k, row.component())];
  }
  if (loop_rows_ > 0) {
    const int rank = s.factor.rank();
    const Eigen::Map<const VectorXd> p(impulse.data(), layout.rows());
    for (int k = 0; k < rank; ++k) s.rhs[k] = s.half[k] + s.Y.col(k).head(layout.rows()).dot(p);
    s.factor.finishSolve(s.rhs, lambda_);
    lambda_ = -lambda_;
    spreadLoopImpulse(lambda_);
  }
  if (!frames_.empty()) dynamics.addContactImpulse(s.impulse.data(), tau);
}

void ConstraintSystem::spreadLoopImpulse(const VectorXd& lambda) {
  loops_->spread(lambda, scratch_->points, static_cast<int>(contacts_.size()), scratch_->impulse.data());
}

// --- loops -----------------------------------------------------------------------------------------

double ConstraintSystem::loopGap(const VectorXd& q) {
  if (loop_rows_ == 0) return 0.0;
  forwardKinematics(model_, q, scratch_->poses);
  loops_->gaps(scratch_->poses, scratch_->phi);
  return scratch_->phi.lpNorm<Eigen::Infinity>();
}

void ConstraintSystem::prepareLoops(Dynamics& dynamics) {
  contacts_.clear();
  joint_rows_.clear();
  frames_.clear();
  loops_->appendFrames(dynamics, frames_);
  dynamics.setContacts(frames_);
  scratch_->points = ContactLayout::of(static_cast<int>(frames_.size()));
  assemble(dynamics);
}

double ConstraintSystem::closeLoops(const Dynamics& dynamics, VectorXd& q) {
  Scratch& s = *scratch_;
  double gap = loopGap(q);
  for (int k = 0; k < kMaxClosingSteps && gap > kClosed; ++k) {
    s.factor.halfSolve(s.phi, s.rhs);
    s.factor.finishSolve(s.rhs, s.correction);
    std::fill(s.impulse.begin(), s.impulse.begin() + s.points.rows(), 0.0);
    s.correction = -s.correction;
    spreadLoopImpulse(s.correction);
    s.nu.setZero();
    dynamics.addContactImpulse(s.impulse.data(), s.nu);
    dynamics.solveMass(s.nu);
    integrateConfiguration(model_, s.nu, 1.0, q);
    gap = loopGap(q);
  }
  return gap;
}

void ConstraintSystem::loopWrenches(std::vector<Vector6d>& wrenches) const { loops_->wrenches(lambda_, wrenches); }

}  // namespace footfall
