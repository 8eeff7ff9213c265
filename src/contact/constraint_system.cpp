#include "footfall/contact/constraint_system.hpp"

#include <utility>

namespace footfall {

ConstraintSystem::ConstraintSystem(const Model& model, SharedSolids solids)
    : model_(model),
      detector_(model, std::move(solids)),
      joint_row_finder_(model),
      loops_(model),
      assembly_(model),
      capacity_(model.usualContacts() + maxJointRows(model)) {
  frames_.reserve(model.usualContacts());
  contacts_.reserve(model.usualContacts());
  joint_rows_.reserve(maxJointRows(model));
  lambda_.setZero(loops_.impulses().size());
  for (VectorXd* v : {&nu_closed_, &tau_}) v->setZero(model.nv());
}

void ConstraintSystem::activate(const Terrain& terrain, double time, double dt, const VectorXd& q, const VectorXd& nu,
                                Dynamics& dynamics) {
  find(terrain, time, {.step = dt}, q, nu, dynamics);
  handTo(dynamics);
}

void ConstraintSystem::find(const Terrain& terrain, double time, const DetectionSettings& settings, const VectorXd& q,
                            const VectorXd& nu, const RobotDynamics& kinematics) {
  detector_.detect(terrain, time, settings, q, nu, kinematics, frames_, contacts_);
  joint_row_finder_.find(q, nu, settings.step, settings.extra_joint, joint_rows_);
  // A ball may touch in more places than there are candidates; others make room for no more than capacity().
  const int contacts = static_cast<int>(frames_.size());
  const bool are_more = contacts > model_.usualContacts() && contacts + maxJointRows(model_) > capacity_;
  if (are_more || !assembly_.fits(contacts)) makeRoom();
}

/// Shapes may touch in more points than were expected.
void ConstraintSystem::makeRoom() {
  const int contacts = 2 * static_cast<int>(frames_.size());
  frames_.reserve(contacts);
  contacts_.reserve(contacts);
  assembly_.makeRoom(contacts);
  capacity_ = contacts + maxJointRows(model_);
}

ContactPlace ConstraintSystem::placeOf(int contact, const Terrain& terrain, TimeSpan span, const LinkMotions& motions) {
  const ActiveContact& active = contacts_[contact];
  if (active.isOfGroundEdge()) return detector_.placeAtEdge(active, motions.pose(frames_[contact].link), terrain, span);
  if (!active.isOfTwoShapes())
    return findContactPlace(active.feature, motions.pose(frames_[contact].link), terrain, span);
  ContactPlace place = detector_.placeOf(active, motions.engine());
  if (active.feature.isOfFace()) place.moveToFace(active.feature);
  return place;
}

/// The velocity of a point of a face, with the normal part of the middle of the face.
Vector3d ConstraintSystem::withMiddleOfFace(int contact, const LinkMotions& motions, const Matrix3d& R_WC,
                                            const Vector3d& velocity_W) const {
  const ContactFeature& feature = contacts_[contact].feature;
  const ContactFrame& frame = frames_[contact];
  Vector3d turning_W = motions.velocity(frame.link).tail<3>();
  if (frame.other.valid()) turning_W -= motions.velocity(frame.other).tail<3>();
  const Vector3d normal = R_WC.col(2);
  return velocity_W - normal * normal.dot(turning_W.cross(R_WC * feature.face_C));
}

Vector3d ConstraintSystem::pointVelocityOf(int contact, const LinkMotions& motions, const Vector3d& p_W,
                                           const Matrix3d& R_WC) const {
  const ContactFrame& frame = frames_[contact];
  Vector3d velocity_W = pointVelocity(motions, frame.link, p_W);
  if (frame.other.valid()) velocity_W -= pointVelocity(motions, frame.other, p_W);
  const bool is_of_face = model_.has_faces && contacts_[contact].feature.isOfFace();
  return is_of_face ? withMiddleOfFace(contact, motions, R_WC, velocity_W) : velocity_W;
}

void ConstraintSystem::handTo(Dynamics& dynamics) {
  dynamics.setContacts(frames_);
  if (hasLoops()) dynamics.prepareLoops();
}

void ConstraintSystem::moveTo(const Terrain& terrain, double time, double ground_time, const RobotDynamics& kinematics,
                              double* gaps) {
  const LinkMotions motions(kinematics);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    ContactFrame& frame = frames_[i];
    const ContactFeature& feature = contacts_[i].feature;
    const ContactPlace place = placeOf(static_cast<int>(i), terrain, time, motions);
    const Pose& X_WL = motions.pose(frame.link);
    gaps[i] = place.surface.gap;
    frame.R_WC = place.surface.R_WC;
    if (frame.other.valid()) {
      frame.p_LC = X_WL.R.transpose() * place.lever_W;
      frame.p_OC = kinematics.linkPose(frame.other).inverse() * (X_WL.p + place.lever_W);
      continue;
    }
    if (!feature.isFixedPoint() || contacts_[i].isOfGroundEdge()) frame.p_LC = X_WL.R.transpose() * place.lever_W;
    Vector3d& ground_W = contacts_[i].surface.velocity_W;
    ground_W = place.surface.velocity_W;
    if (!ground_W.isZero(0.0))
      ground_W = placeOf(static_cast<int>(i), terrain, ground_time, motions).surface.velocity_W;
  }
}

void ConstraintSystem::renewApproach(const VectorXd& q, const VectorXd& nu, const RobotDynamics& kinematics) {
  const LinkMotions motions(kinematics);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    ActiveContact& contact = contacts_[i];
    const Matrix3d& R_WC = contact.surface.R_WC;
    const Vector3d v_W = pointVelocityOf(static_cast<int>(i), motions, contact.p_WC, R_WC) - contact.surface.velocity_W;
    contact.approach = R_WC.col(2).dot(v_W);
  }
  for (JointRow& row : joint_rows_) {
    if (row.kind != JointRow::Kind::limit) continue;
    const Dof& dof = model_.dofs[row.dof];
    const double position = model_.jointPositions(q)[row.dof];
    row.gap = row.sign > 0.0 ? position - dof.lower : dof.upper - position;
    row.approach = row.sign * nu[model_.baseDofs() + row.dof];
  }
}

Vector3d ConstraintSystem::leverVelocityOf(int contact, const LinkMotions& motions, const Vector3d& lever_W,
                                           const Matrix3d& R_WC) const {
  const ContactFrame& frame = frames_[contact];
  Vector3d velocity_W = pointVelocity(motions.velocity(frame.link), lever_W);
  if (frame.other.valid()) velocity_W -= pointVelocity(motions, frame.other, motions.pose(frame.link).p + lever_W);
  const bool is_of_face = model_.has_faces && contacts_[contact].feature.isOfFace();
  return is_of_face ? withMiddleOfFace(contact, motions, R_WC, velocity_W) : velocity_W;
}

// --- problems ----------------------------------------------------------------------------------------

void ConstraintSystem::closeLoops(const Dynamics& dynamics, const VectorXd& nu, const ProblemTerms& terms) {
  nu_closed_ = nu;
  if (!hasLoops()) return;
  if (terms.loop_velocity)
    loops_.constrainVelocity(*terms.loop_velocity, dynamics, nu_closed_);
  else if (terms.instant)
    loops_.constrainVelocity(dynamics, nu_closed_);
  else
    loops_.closeWithin(terms.dt, dynamics, nu_closed_);
  lambda_ = loops_.impulses();
}

const ContactProblem& ConstraintSystem::assemble(const Dynamics& dynamics, const VectorXd& nu,
                                                 const ProblemTerms& terms) {
  closeLoops(dynamics, nu, terms);
  return assembly_.assemble(constraints(), dynamics, loops_, nu_closed_, terms);
}

// --- impulses --------------------------------------------------------------------------------------

void ConstraintSystem::applyImpulses(const Dynamics& dynamics, const AlignedVector& impulse, VectorXd& nu) {
  if (hasLoops()) nu = nu_closed_;  // of the last assemble()
  if (contacts_.empty() && joint_rows_.empty()) return;
  tau_.setZero();
  assembly_.addImpulses(constraints(), dynamics, impulse, tau_);
  dynamics.solveMass(tau_);
  if (hasLoops()) {
    loops_.constrainVelocity(dynamics, tau_);
    lambda_ += loops_.impulses();
  }
  nu += tau_;
}

void ConstraintSystem::addReaction(const Dynamics& dynamics, const AlignedVector& impulse, VectorOut tau) {
  assembly_.addImpulses(constraints(), dynamics, impulse, tau);
  if (hasLoops()) loops_.addForces(dynamics, lambda_, tau);
}

}  // namespace footfall
