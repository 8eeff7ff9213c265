#include "step/step_parts.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {

void biasAndField(const AppliedForces& applied, double fraction, const VectorXd& q, const VectorXd& nu,
                  Workspace::Parts& w, VectorXd& h) {
  w.dynamics->biasForces(h);
  if (w.model.point_springs.empty() && !w.force_field) return;
  w.external.setZero();
  applied.addOfState(fraction, q, nu, *w.dynamics, w.external);
  h -= w.external;
}

void freeVelocity(const VectorXd& h, const Input& input, Workspace::Parts& w) {
  w.tau = -h;
  w.model.jointVelocities(w.tau) += w.torque;
  for (const ExternalWrench& e : input.wrenches) w.dynamics->addWrench(e.link, e.p_LP, e.wrench_W, w.tau);
  if (input.generalized.size() > 0) w.tau += input.generalized;
  w.prescribed.accelerateInTheMean(*w.dynamics, w.tau);
  w.nu_free = w.nu + w.settings.step * w.tau;
}

void applyImpulses(const ContactSolution& solution, Workspace::Parts& w, VectorXd& nu) {
  w.change = nu;
  w.system.applyImpulses(*w.dynamics, solution.impulse, nu);
  if (!w.prescribed.any()) return;
  for (const DofIndex dof : w.prescribed.dofs()) nu[w.model.baseDofs() + dof] = w.change[w.model.baseDofs() + dof];
  w.reaction.setZero();
  w.system.addReaction(*w.dynamics, solution.impulse, w.reaction);
}

void findBlockedContacts(Workspace::Parts& w) {
  constexpr double kInside = 1e-9;  // rounding of a point that is led along the ground [m]
  if (w.system.empty() || w.system.immovable().empty()) return;
  w.nu_free = w.nu;
  w.prescribed.place(1.0, w.end, w.nu_free);
  w.system.contactVelocity(*w.dynamics, w.nu_free, w.velocity);
  for (const int i : w.system.immovable()) {
    const SurfacePoint& surface = w.system.contacts()[i].surface;
    const double approach = w.velocity[w.system.layout().row(i, 2)] - surface.R_WC.col(2).dot(surface.velocity_W);
    if (surface.gap + w.settings.step * approach < -kInside) failAt(i, StepFailure::Reason::blocked, w);
  }
}

void fail(StepFailure::Reason reason, StepResult& result) {
  result.status = SolveStatus::failed;
  result.failure = {};
  result.failure.reason = reason;
}

void failAt(int contact, StepFailure::Reason reason, Workspace::Parts& w) {
  fail(reason, w.result);
  if (contact < 0 || contact >= static_cast<int>(w.system.contacts().size())) return;
  const ContactFrame& frame = w.system.frames()[contact];
  StepFailure& failure = w.result.failure;
  if (!frame.other.valid()) failure.candidate = w.system.candidateOf(contact);
  failure.link = frame.link;
  failure.other = frame.other;
}

void recordSolution(const ContactSolution& solution, Workspace::Parts& w) {
  StepResult& result = w.result;
  result.iterations += solution.iterations;
  result.counters += solution.counters;
  const bool finite = std::isfinite(solution.residual);
  if (solution.residual >= result.residual || !finite) result.residual = solution.residual;
  result.status = std::max(result.status, solution.status);
  if (solution.status != SolveStatus::failed) return;
  failAt(solution.worst_contact, finite ? StepFailure::Reason::contact_solve : StepFailure::Reason::not_finite, w);
}

void solveImpact(Bounces order, const AlignedVector* shift, Workspace::Parts& w) {
  w.impacts.minimum_norm = false;
  w.impact_model.solve({*w.dynamics, w.system, w.nu, w.nu_free, w.settings.step, shift}, *w.solver, w.impacts, order);
  recordSolution(w.impacts, w);
  if (w.impacts.status == SolveStatus::failed) return;
  w.nu_end = w.nu;
  applyImpulses(w.impacts, w, w.nu);
  w.system.loopWrenches(w.result.loop_impulses);
  if (!w.prescribed.any()) return;
  w.change = w.nu - w.nu_end;
  w.prescribed.driveImpulse(*w.dynamics, w.change, 0.0, w.reaction, w.result.drive_impulse);
}

void reportDriveTorques(const VectorXd& nu_end, Workspace::Parts& w) {
  if (!w.prescribed.any()) return;
  w.change = nu_end - w.nu;
  w.prescribed.driveImpulse(*w.dynamics, w.change, w.settings.step, w.reaction, w.result.drive_torque);
  w.result.drive_torque /= w.settings.step;
}

void returnToLoops(Workspace::Parts& w, State& next) {
  LoopMotion& loops = w.system.loops();
  loops.wrenches(loops.impulses(), w.result.loop_wrenches);
  w.dynamics->update(next.q, next.nu);
  loops.prepare(*w.dynamics);
  w.result.loop_gap = loops.closeConfiguration(*w.dynamics, next.q);
  w.dynamics->update(next.q, next.nu);
  loops.prepare(*w.dynamics);
  loops.constrainVelocity(*w.dynamics, next.nu);
}

}  // namespace footfall
