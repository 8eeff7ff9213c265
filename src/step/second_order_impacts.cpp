#include <algorithm>
#include <cmath>

#include "footfall/dynamics/point_velocity.hpp"
#include "step/second_order.hpp"
#include "step/step_parts.hpp"

namespace footfall {
namespace {

/// Bodies set in motion by an impact meet the ground in the same step at most so many times more.
constexpr int kMostMeetings = 3;

/// When a gap closes under a constant acceleration [s].
double timeToClose(double gap, double velocity, double acceleration) {
  const double root = std::sqrt(std::max(velocity * velocity - 2.0 * acceleration * gap, 0.0));
  return 2.0 * std::max(gap, 0.0) / (root - velocity);
}

}  // namespace

/// What the impact sets in motion may meet the ground within the step, too: then all of that is one impact. Where no
/// impulses are found for all of it, it meets the ground in the next step.
void SecondOrderStep::jump(const StepStart& start) {
  nu_before_ = w_.nu;
  extra_ = extra_joint_ = 0.0;
  springs_.holdInImpacts(start.springs, w_.bare_inertia, impact_inertia_);
  double wait = 0.0;
  bool alone = false;
  for (int meeting = 0;; ++meeting) {
    const SolveStatus status = w_.result.status;
    const StepFailure failure = w_.result.failure;
    const double residual = w_.result.residual;
    wait = waitForBounce(start);
    w_.dynamics->setImplicitInertia(impact_inertia_);
    w_.dynamics->update(start.state.q, w_.nu);
    assemble();
    w_.impacts.impulse.assign(w_.system.layout().rows(), 0.0);
    solveImpact(start.state, w_);
    if (w_.impacts.status == SolveStatus::failed) {
      if (meeting == 0 || alone) return;
      w_.result.status = status;
      w_.result.failure = failure;
      w_.result.residual = residual;
      w_.nu = nu_before_;
      probe_->updateKinematics(start.state.q, w_.nu);
      findAtStart(start, 0.0, 0.0);
      alone = true;
      continue;
    }
    if (wait > 0.0) w_.nu -= wait * acceleration_;
    probe_->updateKinematics(start.state.q, w_.nu);
    if (alone || meeting == kMostMeetings || !meetsMore(start)) break;
    w_.nu = nu_before_;
    probe_->updateKinematics(start.state.q, w_.nu);
    findAtStart(start, extra_, extra_joint_);
  }
  if (wait > 0.0) bounceAfter(wait, start);
  w_.system.renewApproach(w_.nu, *probe_);
}

/// Elastic contacts bounce where they meet the ground, with the speed that they have there: how long they take to the
/// first of it; velocities are then those of that instant. 0: nothing bounces.
double SecondOrderStep::waitForBounce(const StepStart& start) {
  const auto contacts = w_.system.contacts();
  const auto bounces = [&](const ActiveContact& c) { return w_.impact_model.bounces(c, dt_); };
  if (w_.prescribed.any() || std::none_of(contacts.begin(), contacts.end(), bounces)) return 0.0;
  springs_.linearize(start.input, start.springs, start.state.q, w_.nu, w_.torque, w_.implicit);
  w_.dynamics->setImplicitInertia(w_.implicit);
  w_.dynamics->update(start.state.q, w_.nu);
  biasAndField(appliedForces(start), 0.0, start.state.q, w_.nu, w_, h_);
  freeVelocity(h_, start.input, w_);
  acceleration_ = (w_.nu_free - w_.nu) / dt_;
  w_.dynamics->updateVelocity(w_.nu_free);
  const auto normalAcceleration = [&](int i) {
    const ActiveContact& contact = contacts[i];
    const Vector3d later_W = w_.system.pointVelocityOf(i, *w_.dynamics, contact.p_WC);
    return (contact.surface.R_WC.col(2).dot(later_W - contact.surface.velocity_W) - contact.approach) / dt_;
  };
  double wait = dt_;
  const int count = static_cast<int>(contacts.size());
  for (int i = 0; i < count; ++i)
    if (bounces(contacts[i]))
      wait = std::min(wait, timeToClose(contacts[i].surface.gap, contacts[i].approach, normalAcceleration(i)));
  for (int i = 0; i < count; ++i)
    if (bounces(contacts[i])) contacts[i].approach += wait * normalAcceleration(i);
  w_.nu += wait * acceleration_;
  return wait;
}

/// The velocity before the impact has lasted for `wait`, that after it for the rest: as if the latter had lasted for
/// the whole step, from another place.
void SecondOrderStep::bounceAfter(double wait, const StepStart& start) {
  bounced_q_ = start.state.q;
  correction_ = nu_before_ - w_.nu;
  integrateConfiguration(w_.model, correction_, wait, bounced_q_);
  q_start_ = &bounced_q_;
  probe_->updateKinematics(bounced_q_, w_.nu);
}

/// Does something close, now that the impact is over, that took no part in it? Then it is looked for as far as it is
/// away: farther there are points of every sole that lies near the ground, and no impulses are found for all of them.
bool SecondOrderStep::meetsMore(const StepStart& start) {
  bool more = false;
  detector_.detect(w_.terrain, start.state.time, {.step = dt_}, start.state.q, w_.nu, *probe_, found_frames_, found_);
  const auto contacts = w_.system.contacts();
  for (const ActiveContact& found : found_) {
    if (!w_.impact_model.closesFast(found.surface.gap, found.approach, dt_)) continue;
    const auto same = [&](const ActiveContact& c) { return c.candidate == found.candidate; };
    if (std::any_of(contacts.begin(), contacts.end(), same)) continue;
    extra_ = std::max(extra_, found.surface.gap);
    more = true;
  }
  findJointRows(w_.model, start.state.q, w_.nu, dt_, 0.0, found_rows_);
  const auto rows = w_.system.jointRows();
  for (const JointRow& found : found_rows_) {
    if (found.kind != JointRow::Kind::limit || !w_.impact_model.closesFast(found.gap, found.approach, dt_)) continue;
    const auto same = [&](const JointRow& r) {
      return r.kind == found.kind && r.dof == found.dof && r.sign == found.sign;
    };
    if (std::any_of(rows.begin(), rows.end(), same)) continue;
    extra_joint_ = std::max(extra_joint_, found.gap);
    more = true;
  }
  return more;
}

}  // namespace footfall
