#include "simulate/report.hpp"

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

ContactReport reportContact(const StepEvidence& e, const ContactLayout& layout, int i) {
  const ActiveContact& active = e.active[i];
  ContactReport report;
  report.candidate = active.candidate;
  report.gap = active.surface.gap;
  report.p_WC = active.p_WC;
  report.R_WC = active.surface.R_WC;
  report.force_C = contactVector(e.forces.impulse, layout, i) / e.dt;
  report.force_W = report.R_WC * report.force_C;
  report.impulse_C = contactVector(e.impacts.impulse, layout, i);
  report.impulse_W = report.R_WC * report.impulse_C;
  report.velocity_C = contactVector(e.velocity, layout, i) - report.R_WC.transpose() * active.surface.velocity_W;
  report.mode = modeOf(report);
  return report;
}

/// Force f at the point p, as a wrench about the origin of F and in its axes.
void addTo(Vector6d& wrench_F, const Pose& X_WF, const Vector3d& p_W, const Vector3d& f_W) {
  wrench_F.head<3>() += X_WF.R.transpose() * f_W;
  wrench_F.tail<3>() += X_WF.R.transpose() * (p_W - X_WF.p).cross(f_W);
}

void reportSoles(const Model& model, const Dynamics& dynamics, StepResult& result) {
  for (SoleReport& sole : result.soles) {
    const Pose X_WF = dynamics.framePose(sole.frame);
    for (const ContactReport& contact : result.contacts) {
      if (model.candidates[contact.candidate].frame != sole.frame) continue;
      addTo(sole.wrench_F, X_WF, contact.p_WC, contact.force_W);
      if (result.impact) addTo(sole.impulse_F, X_WF, contact.p_WC, contact.impulse_W);
    }
  }
}

}  // namespace

void reserveReport(const Model& model, StepResult& result) {
  result.contacts.reserve(model.candidates.size());
  for (const ContactCandidate& candidate : model.candidates)
    if (result.soles.empty() || result.soles.back().frame != candidate.frame) result.soles.push_back({candidate.frame, Vector6d::Zero(), Vector6d::Zero()});
  result.joint_torque.setZero(model.jointDofs());
  result.nu_dot.setZero(model.nv());
}

void clearReport(StepResult& result) {
  result.status = SolveStatus::converged;
  result.impact = false;
  result.iterations = 0;
  result.residual = 0.0;
  result.worst_candidate = -1;
  result.contacts.clear();
  for (SoleReport& sole : result.soles) sole = {sole.frame, Vector6d::Zero(), Vector6d::Zero()};
}

void writeReport(const StepEvidence& e, const Dynamics& dynamics, StepResult& result) {
  const ContactLayout layout = ContactLayout::of(static_cast<int>(e.active.size()));
  for (int i = 0; i < layout.contacts; ++i) result.contacts.push_back(reportContact(e, layout, i));
  if (!e.active.empty()) reportSoles(e.model, dynamics, result);
  result.nu_dot = (result.next.nu - e.nu) / e.dt;
  const int n = e.model.jointDofs();
  result.joint_torque = e.torque - e.implicit.cwiseProduct(result.nu_dot.tail(n));
}

}  // namespace footfall
