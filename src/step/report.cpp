#include "step/report.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {
namespace {

constexpr double kSlip = 1e-6;  ///< a contact that moves faster than this is said to slide [m/s]

Vector3d contactVector(const AlignedVector& values, const ContactLayout& layout, int contact) {
  return {values[layout.row(contact, 0)], values[layout.row(contact, 1)], values[layout.row(contact, 2)]};
}

ContactMode modeOf(const ContactReport& contact) {
  if (!(contact.force_C.z() > 0.0)) return ContactMode::open;
  return contact.velocity_C.head<2>().norm() > kSlip ? ContactMode::sliding : ContactMode::sticking;
}

void reportContact(const StepEvidence& e, const ContactLayout& layout, int i, bool impact, ContactReport& report) {
  const ActiveContact& active = e.system.contacts()[i];
  if (active.isOfTwoShapes()) {
    const ShapePair& pair = e.system.shapesOf(i);
    report.frame = e.model.shapes[pair.a].frame;
    report.other = e.model.shapes[pair.b].frame;
    report.candidate = active.candidate;
  } else {
    report.candidate = e.system.candidateOf(i);
    report.frame = e.model.candidates[report.candidate].frame;
  }
  report.gap = active.surface.gap;
  report.p_WC = active.p_WC;
  report.R_WC = active.surface.R_WC;
  const Matrix3d& R_force = e.system.frames()[i].R_WC;
  report.force_C = contactVector(e.forces.impulse, layout, i) / e.dt;
  report.force_W.noalias() = R_force * report.force_C;
  if (impact) {
    report.impulse_C = contactVector(e.impacts.impulse, layout, i);
    report.impulse_W.noalias() = report.R_WC * report.impulse_C;
  }
  report.velocity_C = contactVector(e.velocity, layout, i);
  if (!active.surface.velocity_W.isZero(0.0))
    report.velocity_C.noalias() -= R_force.transpose() * active.surface.velocity_W;
  report.friction = active.surface.friction;
  report.mode = modeOf(report);
}

SoleReport& soleOf(FrameIndex frame, StepResult& result) {
  return *std::find_if(result.soles.begin(), result.soles.end(), [&](const SoleReport& s) { return s.frame == frame; });
}

/// Where forces act, and what they are together on each sole. Contacts of one frame mostly follow each other: its poses
/// are asked for once, and their forces are added up in world axes first.
void reportSoles(const StepEvidence& e, const Dynamics& dynamics, StepResult& result) {
  FrameIndex frame;
  Pose X_WL, X_WF;
  Vector3d force_W, moment_W;
  const auto finish = [&] {
    if (!frame.valid()) return;
    Vector6d& wrench_F = soleOf(frame, result).wrench_F;
    wrench_F.head<3>().noalias() += X_WF.R.transpose() * force_W;
    wrench_F.tail<3>().noalias() += X_WF.R.transpose() * moment_W;
  };
  for (std::size_t i = 0; i < result.contacts.size(); ++i) {
    ContactReport& contact = result.contacts[i];
    const ContactFrame& place = e.system.frames()[i];
    if (place.other.valid()) {
      contact.force_p_W = dynamics.linkPose(place.link) * place.p_LC;
      continue;
    }
    if (contact.frame != frame) {
      finish();
      frame = contact.frame;
      X_WL = dynamics.linkPose(place.link);
      X_WF = X_WL * e.model.frames[frame].X_LF;
      force_W.setZero(), moment_W.setZero();
    }
    contact.force_p_W = X_WL * place.p_LC;
    force_W += contact.force_W;
    moment_W += (contact.force_p_W - X_WF.p).cross(contact.force_W);
  }
  finish();
}

/// The same of an impact.
void reportSoleImpulses(const StepEvidence& e, StepResult& result) {
  for (const ContactReport& contact : result.contacts) {
    if (contact.other.valid()) continue;
    const Pose X_WF = e.at_impact.framePose(contact.frame);
    Vector6d& impulse_F = soleOf(contact.frame, result).impulse_F;
    impulse_F.head<3>() += X_WF.R.transpose() * contact.impulse_W;
    impulse_F.tail<3>() += X_WF.R.transpose() * (contact.p_WC - X_WF.p).cross(contact.impulse_W);
  }
}

void reportJointRows(const StepEvidence& e, const ContactLayout& layout, StepResult& result) {
  result.limit_torque.setZero();
  result.friction_torque.setZero();
  const auto rows = e.system.jointRows();
  const int contacts = static_cast<int>(e.system.contacts().size());
  for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
    const double torque = rows[k].sign * e.forces.impulse[layout.row(contacts + k, rows[k].component())] / e.dt;
    (rows[k].kind == JointRow::Kind::limit ? result.limit_torque : result.friction_torque)[rows[k].dof] += torque;
  }
}

/// Coulomb friction does not hold a prescribed joint back: its drive has to make up for it.
void reportDrives(const StepEvidence& e, StepResult& result) {
  for (const DofIndex i : e.prescribed) {
    const double friction = e.model.dofs[i].friction, rate = result.next.nu[e.model.baseDofs() + i];
    result.friction_torque[i] = rate > 0.0 ? -friction : rate < 0.0 ? friction : 0.0;
    result.drive_torque[i] -= result.friction_torque[i];
    result.joint_torque[i] = e.torque[i] + result.drive_torque[i];
  }
}

}  // namespace

void reserveReport(const Model& model, StepResult& result) {
  result.loop_wrenches.reserve(model.loops.size());
  result.loop_impulses.reserve(model.loops.size());
  if (result.nu_dot.size() > 0) return;  // of a step before other ties
  result.contacts.reserve(model.usualContacts());
  for (const FrameIndex frame : model.soles()) result.soles.push_back({frame, Vector6d::Zero(), Vector6d::Zero()});
  for (VectorXd* v : {&result.joint_torque, &result.limit_torque, &result.friction_torque, &result.drive_torque,
                      &result.drive_impulse})
    v->setZero(model.jointDofs());
  result.nu_dot.setZero(model.nv());
  result.q_forces.setZero(model.nq());
  result.nu_forces.setZero(model.nv());
}

void clearReport(const Model& model, StepResult& result) {
  result.status = SolveStatus::converged;
  result.impact = false;
  result.order = 1;
  result.iterations = 0;
  result.residual = 0.0;
  result.counters = {};
  result.failure = {};
  result.loop_gap = 0.0;
  result.drive_torque.setZero();
  result.drive_impulse.setZero();
  result.contacts.clear();
  result.loop_wrenches.resize(model.loops.size(), Vector6d::Zero());
  result.loop_impulses.assign(model.loops.size(), Vector6d::Zero());
  for (SoleReport& sole : result.soles) sole = {sole.frame, Vector6d::Zero(), Vector6d::Zero()};
}

void writeReport(const StepEvidence& e, const Dynamics& dynamics, StepResult& result) {
  const int contacts = static_cast<int>(e.system.contacts().size());
  const ContactLayout layout = e.system.layout();
  result.contacts.resize(contacts, ContactReport{});
  for (int i = 0; i < contacts; ++i) reportContact(e, layout, i, result.impact, result.contacts[i]);
  if (contacts > 0) reportSoles(e, dynamics, result);
  if (result.impact) reportSoleImpulses(e, result);
  reportJointRows(e, layout, result);
  if (e.system.hasLoops() && !e.moved_freely) {
    e.system.loopWrenches(result.loop_wrenches);
    for (Vector6d& wrench : result.loop_wrenches) wrench /= e.dt;
  }
  result.nu_dot = (result.next.nu - e.nu) / e.dt;
  result.q_forces = e.q_forces;
  result.nu_forces = e.nu_forces;
  result.joint_torque = e.torque - e.implicit.cwiseProduct(e.model.jointVelocities(result.nu_dot));
  reportDrives(e, result);
}

}  // namespace footfall
