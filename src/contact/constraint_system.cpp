#include "footfall/contact/constraint_system.hpp"

#include <algorithm>

#include "footfall/contact/gap_velocity.hpp"
#include "footfall/dynamics/point_velocity.hpp"

namespace footfall {

ConstraintSystem::ConstraintSystem(const Model& model)
    : model_(model), detector_(model), loops_(model), capacity_(model.usualContacts() + maxJointRows(model)) {
  const int candidates = model.usualContacts();
  const int joints = maxJointRows(model);
  const int rows = ContactLayout::of(candidates).rows();
  frames_.reserve(candidates);
  contacts_.reserve(candidates);
  joint_rows_.reserve(joints);
  problem_.reserve(candidates + joints);
  velocity_.assign(rows, 0.0);
  impulse_.assign(rows, 0.0);
  if (joints > 0) G_.assign(static_cast<std::size_t>(rows) * rows, 0.0);
  lambda_.setZero(loops_.impulses().size());
  for (VectorXd* v : {&nu_closed_, &column_, &tau_}) v->setZero(model.nv());
}

void ConstraintSystem::activate(const Terrain& terrain, double time, double dt, const VectorXd& q, const VectorXd& nu,
                                Dynamics& dynamics) {
  find(terrain, time, {.step = dt}, q, nu, dynamics);
  handTo(dynamics);
}

void ConstraintSystem::find(const Terrain& terrain, double time, const DetectionSettings& settings, const VectorXd& q,
                            const VectorXd& nu, const Dynamics& kinematics) {
  detector_.detect(terrain, time, settings, q, nu, kinematics, frames_, contacts_);
  findJointRows(model_, q, nu, settings.step, settings.extra_joint, joint_rows_);
  points_ = ContactLayout::of(static_cast<int>(frames_.size()));
  if (static_cast<int>(velocity_.size()) < points_.rows()) makeRoom();
}

/// Shapes may touch in more points than were expected.
void ConstraintSystem::makeRoom() {
  const int contacts = 2 * static_cast<int>(frames_.size()), rows = ContactLayout::of(contacts).rows();
  frames_.reserve(contacts);
  contacts_.reserve(contacts);
  if (!by_trees_) problem_.reserve(contacts + maxJointRows(model_));
  velocity_.assign(rows, 0.0);
  impulse_.assign(rows, 0.0);
  if (!G_.empty() && !by_trees_) G_.assign(static_cast<std::size_t>(rows) * rows, 0.0);
  capacity_ = contacts + maxJointRows(model_);
}

ContactPlace ConstraintSystem::placeOf(int contact, const Terrain& terrain, TimeSpan span, const Dynamics& kinematics) {
  const ActiveContact& active = contacts_[contact];
  if (active.isOfTwoShapes()) return detector_.placeOf(active, kinematics);
  return findContactPlace(active.feature, kinematics.linkPose(frames_[contact].link), terrain, span);
}

Vector3d ConstraintSystem::pointVelocityOf(int contact, const Dynamics& kinematics, const Vector3d& p_W) const {
  const ContactFrame& frame = frames_[contact];
  const Vector3d own = pointVelocity(kinematics, frame.link, p_W);
  return frame.other.valid() ? Vector3d(own - pointVelocity(kinematics, frame.other, p_W)) : own;
}

void ConstraintSystem::handTo(Dynamics& dynamics) {
  dynamics.setContacts(frames_);
  if (hasLoops()) dynamics.prepareLoops();
}

void ConstraintSystem::moveTo(const Terrain& terrain, double time, double ground_time, const Dynamics& kinematics,
                              double* gaps) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    ContactFrame& frame = frames_[i];
    const ContactFeature& feature = contacts_[i].feature;
    const Pose X_WL = kinematics.linkPose(frame.link);
    const ContactPlace place = placeOf(static_cast<int>(i), terrain, time, kinematics);
    gaps[i] = place.surface.gap;
    frame.R_WC = place.surface.R_WC;
    if (frame.other.valid()) {
      frame.p_LC = X_WL.R.transpose() * place.lever_W;
      frame.p_OC = kinematics.linkPose(frame.other).inverse() * (X_WL.p + place.lever_W);
      continue;
    }
    if (!feature.isFixedPoint()) frame.p_LC = X_WL.R.transpose() * place.lever_W;
    Vector3d& ground_W = contacts_[i].surface.velocity_W;
    ground_W = place.surface.velocity_W;
    if (!ground_W.isZero(0.0)) ground_W = findContactPlace(feature, X_WL, terrain, ground_time).surface.velocity_W;
  }
}

void ConstraintSystem::renewApproach(const VectorXd& nu, const Dynamics& kinematics) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    ActiveContact& contact = contacts_[i];
    const Vector3d v_W = pointVelocityOf(static_cast<int>(i), kinematics, contact.p_WC) - contact.surface.velocity_W;
    contact.approach = contact.surface.R_WC.col(2).dot(v_W);
  }
  for (JointRow& row : joint_rows_)
    if (row.kind == JointRow::Kind::limit) row.approach = row.sign * nu[model_.baseDofs() + row.dof];
}

Vector3d ConstraintSystem::leverVelocityOf(int contact, const Dynamics& kinematics, const Vector3d& lever_W) const {
  const ContactFrame& frame = frames_[contact];
  const Vector3d own = pointVelocity(kinematics.linkVelocity(frame.link), lever_W);
  if (!frame.other.valid()) return own;
  return own - pointVelocity(kinematics, frame.other, kinematics.linkPose(frame.link).p + lever_W);
}

// --- G ---------------------------------------------------------------------------------------------

void ConstraintSystem::assemble(const Dynamics& dynamics) {
  if (by_trees_ && assembleByTrees(dynamics)) return;
  problem_.resize(layout().contacts);
  if (onlyContacts()) {
    if (!frames_.empty()) dynamics.delassus(problem_.G.data());
    return;
  }
  gatherContacts(dynamics);
  gatherJointRows(dynamics);
}

bool ConstraintSystem::assembleByTrees(const Dynamics& dynamics) {
  joint_motions_.clear();
  for (const JointRow& row : joint_rows_) joint_motions_.push_back({row.dof, row.sign, row.component()});
  problem_.resizeByTrees(layout().contacts);
  return dynamics.contactMotions(joint_motions_, problem_.trees);
}

void ConstraintSystem::gatherContacts(const Dynamics& dynamics) {
  const int contacts = static_cast<int>(contacts_.size()), rows = points_.rows();
  std::fill_n(problem_.G.begin(), static_cast<std::size_t>(problem_.layout.rows()) * problem_.layout.rows(), 0.0);
  if (contacts == 0) return;
  if (G_.size() < static_cast<std::size_t>(rows) * rows) G_.resize(static_cast<std::size_t>(rows) * rows);
  dynamics.delassus(G_.data());
  for (int i = 0; i < contacts; ++i)
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c)
        for (int j = 0; j < contacts; ++j)
          problem_(i, a, j, c) = G_[static_cast<std::size_t>(points_.row(i, a)) * rows + points_.row(j, c)];
}

void ConstraintSystem::gatherJointRows(const Dynamics& dynamics) {
  for (int k = 0; k < static_cast<int>(joint_rows_.size()); ++k) gatherJointRow(dynamics, k);
}

/// A limit is the normal row of a contact without friction; friction is the first tangential row of a contact whose
/// normal impulse is given. The rows that are left over are decoupled.
void ConstraintSystem::gatherJointRow(const Dynamics& dynamics, int k) {
  const int contacts = static_cast<int>(contacts_.size()), base = model_.baseDofs();
  const JointRow& row = joint_rows_[k];
  const int own = row.component();
  column_.setZero();
  column_[base + row.dof] = row.sign;
  dynamics.solveMass(column_);
  for (int c = 0; c < 3; ++c)
    if (c != own) problem_(contacts + k, c, contacts + k, c) = row.sign * column_[base + row.dof];
  if (hasLoops()) loops_.constrainVelocity(dynamics, column_);
  for (int l = 0; l <= k; ++l) {
    const JointRow& other = joint_rows_[l];
    const double g = other.sign * column_[base + other.dof];
    problem_(contacts + k, own, contacts + l, other.component()) = g;
    problem_(contacts + l, other.component(), contacts + k, own) = g;
  }
  if (contacts == 0) return;
  dynamics.contactVelocity(column_, velocity_.data());
  for (int i = 0; i < contacts; ++i)
    for (int c = 0; c < 3; ++c)
      problem_(i, c, contacts + k, own) = problem_(contacts + k, own, i, c) = velocity_[points_.row(i, c)];
}

// --- b ---------------------------------------------------------------------------------------------

void ConstraintSystem::closeLoops(const Dynamics& dynamics, const VectorXd& nu, const Target& target) {
  nu_closed_ = nu;
  if (!hasLoops()) return;
  if (target.loop_velocity)
    loops_.constrainVelocity(*target.loop_velocity, dynamics, nu_closed_);
  else if (target.instant)
    loops_.constrainVelocity(dynamics, nu_closed_);
  else
    loops_.closeWithin(target.dt, dynamics, nu_closed_);
  lambda_ = loops_.impulses();
}

void ConstraintSystem::setVelocity(const Dynamics& dynamics, const VectorXd& nu, const Target& target) {
  closeLoops(dynamics, nu, target);
  contactVelocity(dynamics, nu_closed_, problem_.b);
  const ContactLayout& layout = problem_.layout;
  const int contacts = static_cast<int>(contacts_.size());
  for (int i = 0; i < contacts; ++i) {
    const SurfacePoint& surface = contacts_[i].surface;
    problem_.mu[i] = surface.friction;
    if (surface.velocity_W.isZero(0.0)) continue;
    const Vector3d velocity_C = frames_[i].R_WC.transpose() * surface.velocity_W;
    for (int c = 0; c < 3; ++c) problem_.b[layout.row(i, c)] -= velocity_C[c];
  }
  setJointVelocity(nu_closed_, target);
  for (int i = layout.contacts; i < layout.stride; ++i) {
    problem_.mu[i] = 0.0;
    for (int c = 0; c < 3; ++c) problem_.b[layout.row(i, c)] = c == 2 ? 1.0 : 0.0;
  }
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
    const double gap_velocity = target.limit_gaps ? gapVelocity(recoveredLimitGap(row.gap), target.dt) : 0.0;
    problem_.b[layout.row(i, 2)] = limit ? rate + gap_velocity : -bound * problem_.own(i, 2, 2);
  }
}

void ConstraintSystem::contactVelocity(const Dynamics& dynamics, const VectorXd& nu, AlignedVector& velocity) {
  if (frames_.empty()) return;
  if (onlyContacts()) {
    dynamics.contactVelocity(nu, velocity.data());
    return;
  }
  dynamics.contactVelocity(nu, velocity_.data());
  takeContacts(velocity_, velocity);
}

void ConstraintSystem::contactBias(const Dynamics& dynamics, AlignedVector& bias) {
  if (frames_.empty()) return;
  dynamics.contactBiasAcceleration(velocity_.data());
  takeContacts(velocity_, bias);
}

void ConstraintSystem::takeContacts(const AlignedVector& points, AlignedVector& problem) const {
  for (int i = 0; i < static_cast<int>(contacts_.size()); ++i)
    for (int c = 0; c < 3; ++c) problem[problem_.layout.row(i, c)] = points[points_.row(i, c)];
}

// --- impulses --------------------------------------------------------------------------------------

void ConstraintSystem::addImpulses(const Dynamics& dynamics, const AlignedVector& impulse, VectorOut tau) {
  if (onlyContacts()) {
    if (!frames_.empty()) dynamics.addContactImpulse(impulse.data(), tau);
    return;
  }
  const ContactLayout& layout = problem_.layout;
  const int contacts = static_cast<int>(contacts_.size());
  for (int k = 0; k < static_cast<int>(joint_rows_.size()); ++k) {
    const JointRow& row = joint_rows_[k];
    tau[model_.baseDofs() + row.dof] += row.sign * impulse[layout.row(contacts + k, row.component())];
  }
  if (contacts == 0) return;
  for (int i = 0; i < contacts; ++i)
    for (int c = 0; c < 3; ++c) impulse_[points_.row(i, c)] = impulse[layout.row(i, c)];
  dynamics.addContactImpulse(impulse_.data(), tau);
}

void ConstraintSystem::applyImpulses(const Dynamics& dynamics, const AlignedVector& impulse, VectorXd& nu) {
  if (hasLoops()) nu = nu_closed_;  // of the last setVelocity()
  if (contacts_.empty() && joint_rows_.empty()) return;
  tau_.setZero();
  addImpulses(dynamics, impulse, tau_);
  dynamics.solveMass(tau_);
  if (hasLoops()) {
    loops_.constrainVelocity(dynamics, tau_);
    lambda_ += loops_.impulses();
  }
  nu += tau_;
}

void ConstraintSystem::addReaction(const Dynamics& dynamics, const AlignedVector& impulse, VectorOut tau) {
  addImpulses(dynamics, impulse, tau);
  if (hasLoops()) loops_.addForces(dynamics, lambda_, tau);
}

}  // namespace footfall
