#include <algorithm>
#include <cmath>

#include "footfall/dynamics/point_velocity.hpp"
#include "step/second_order.hpp"
#include "step/step_parts.hpp"

namespace footfall {
namespace {

/// Bodies set in motion by an impact meet the ground in the same step at most so many times more.
constexpr int kMostMeetings = 3;
/// Bounces of one step, each of which sets off the next.
constexpr int kMostBounces = 20;
/// How deep bodies that turn may seem to have been when something else bounced [m].
constexpr double kPassed = 1e-3;

/// What a solve that is not taken would leave behind in the report.
struct StepQuality {
  SolveStatus status;
  StepFailure failure;
  double residual;
};

StepQuality qualityOf(const StepResult& result) { return {result.status, result.failure, result.residual}; }

void restore(const StepQuality& quality, StepResult& result) {
  result.status = quality.status;
  result.failure = quality.failure;
  result.residual = quality.residual;
}

/// When a gap closes under a constant acceleration [s].
double timeToClose(double gap, double velocity, double acceleration) {
  const double root = std::sqrt(std::max(velocity * velocity - 2.0 * acceleration * gap, 0.0));
  return 2.0 * std::max(gap, 0.0) / (root - velocity);
}

}  // namespace

/// What bounces may hit something else that bounces within the same step, as the balls of Newton's cradle do: one
/// after the other, each as if the step had started with what the one before has left.
void SecondOrderStep::jump(const StepStart& start) {
  springs_.holdInImpacts(start.springs, w_.bare_inertia, impact_inertia_);
  earlier_impulses_.clear();
  for (int bounce = 0;; ++bounce) {
    nu_before_ = w_.nu;
    const StepQuality quality = qualityOf(w_.result);
    const bool bounced = meet(start);
    if (w_.impacts.status == SolveStatus::failed) {
      if (bounce == 0) return;
      restore(quality, w_.result);
      w_.nu = nu_before_;
      std::fill(w_.impacts.impulse.begin(), w_.impacts.impulse.end(), 0.0);
      break;
    }
    if (anyWaits()) flyOn();
    if (!bounced || bounce == kMostBounces || !bouncesOn(start)) break;
    keepImpulses();
    findAtStart(start, extra_, 0.0);
  }
  if (!earlier_impulses_.empty()) addEarlierImpulses(start);
  w_.system.renewApproach(w_.nu, *probe_);
}

/// One impact. What it sets in motion may meet the ground within the step, too: then all of that is one impact. Where
/// no impulses are found for all of it, it meets the ground in the next step. Returns whether anything bounces.
bool SecondOrderStep::meet(const StepStart& start) {
  const VectorXd& q = *q_start_;
  extra_ = extra_joint_ = 0.0;
  bool alone = false;
  for (int meeting = 0;; ++meeting) {
    const StepQuality quality = qualityOf(w_.result);
    keepGaps();
    const bool bounces = waitForBounces(start);
    w_.dynamics->setImplicitInertia(impact_inertia_);
    if (anyWaits())
      goToBounces(start);
    else
      w_.dynamics->update(q, w_.nu);
    assemble();
    w_.impacts.impulse.assign(w_.system.layout().rows(), 0.0);
    solveImpact(start.state, bouncesInTurn() ? Bounces::in_turn : Bounces::together, w_);
    restoreGaps();
    if (w_.impacts.status == SolveStatus::failed) {
      if (meeting == 0 || alone) return bounces;
      restore(quality, w_.result);
      w_.nu = nu_before_;
      probe_->updateKinematics(q, w_.nu);
      findAtStart(start, 0.0, 0.0);
      alone = true;
      continue;
    }
    if (anyWaits()) takeBackFlight(start);
    probe_->updateKinematics(q, w_.nu);
    if (alone || meeting == kMostMeetings || !meetsMore(start)) return bounces;
    w_.nu = nu_before_;
    probe_->updateKinematics(q, w_.nu);
    findAtStart(start, extra_, extra_joint_);
  }
}

void SecondOrderStep::keepGaps() {
  gaps_at_start_.clear();
  for (const ActiveContact& contact : w_.system.contacts()) gaps_at_start_.push_back(contact.surface.gap);
}

void SecondOrderStep::restoreGaps() {
  for (std::size_t i = 0; i < gaps_at_start_.size(); ++i) w_.system.contacts()[i].surface.gap = gaps_at_start_[i];
}

/// Impulses of loops and of prescribed joints are reported for one impact a step.
bool SecondOrderStep::bouncesInTurn() const { return !w_.system.hasLoops() && !w_.prescribed.any(); }

/// Does something else close in this step, now that something has bounced? From where the step would have started what
/// has bounced may see a thin plate from behind: that it would have met before it bounced, and so does not.
bool SecondOrderStep::bouncesOn(const StepStart& start) {
  if (!bouncesInTurn()) return false;
  detector_.detect(w_.terrain, start.state.time, {.step = dt_}, *q_start_, w_.nu, *probe_, found_frames_, found_);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const ActiveContact& c = found_[i];
    const double wait = island_steps_[islands_.ofContact(found_frames_[i])].wait;
    if (c.surface.gap + wait * c.approach < -kPassed) continue;
    if (w_.impact_model.closesFast(c.surface.gap, c.approach, dt_) || w_.impact_model.bounces(c, dt_)) return true;
  }
  return false;
}

/// For the report, before contacts are looked for again; those that have bounced must be among them.
void SecondOrderStep::keepImpulses() {
  const ContactLayout layout = w_.system.layout();
  const auto contacts = w_.system.contacts();
  extra_ = 0.0;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const Vector3d impulse_C(w_.impacts.impulse[layout.row(i, 0)], w_.impacts.impulse[layout.row(i, 1)],
                             w_.impacts.impulse[layout.row(i, 2)]);
    if (impulse_C.isZero(0.0)) continue;
    const Matrix3d& R_WC = contacts[i].surface.R_WC;
    earlier_impulses_.push_back({contacts[i].candidate, R_WC * impulse_C});
    const Vector3d velocity_W = w_.system.pointVelocityOf(i, *probe_, contacts[i].p_WC, R_WC);
    extra_ = std::max(extra_, dt_ * R_WC.col(2).dot(velocity_W - contacts[i].surface.velocity_W));
  }
}

/// Contacts were found where the step would have started; they report where it did.
void SecondOrderStep::addEarlierImpulses(const StepStart& start) {
  const ContactLayout layout = w_.system.layout();
  const auto contacts = w_.system.contacts();
  probe_->updateKinematics(start.state.q, w_.nu);
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    contacts[i].surface.gap = w_.system.placeOf(i, w_.terrain, start.state.time, *probe_).surface.gap;
    for (const EarlierImpulse& earlier : earlier_impulses_) {
      if (earlier.candidate != contacts[i].candidate) continue;
      const Vector3d impulse_C = contacts[i].surface.R_WC.transpose() * earlier.impulse_W;
      for (int c = 0; c < 3; ++c) w_.impacts.impulse[layout.row(i, c)] += impulse_C[c];
    }
  }
  probe_->updateKinematics(*q_start_, w_.nu);
}

/// Elastic contacts bounce where they meet the ground, with the speed that they have there: how long each island takes
/// to the first of it; velocities are then those of that instant. Returns whether anything bounces.
bool SecondOrderStep::waitForBounces(const StepStart& start) {
  findIslands();
  const auto contacts = w_.system.contacts();
  const int count = static_cast<int>(contacts.size());
  const auto bounces = [&](const ActiveContact& c) { return w_.impact_model.bounces(c, dt_); };
  if (std::none_of(contacts.begin(), contacts.end(), bounces)) return false;
  if (w_.prescribed.any()) return true;
  findFlight(start, *q_start_);
  w_.dynamics->updateVelocity(w_.nu_free);
  const auto normalAcceleration = [&](int i) {
    const ActiveContact& contact = contacts[i];
    const Vector3d later_W = w_.system.pointVelocityOf(i, *w_.dynamics, contact.p_WC, contact.surface.R_WC);
    return (contact.surface.R_WC.col(2).dot(later_W - contact.surface.velocity_W) - contact.approach) / dt_;
  };
  const auto closes = [&](const ActiveContact& c) {
    return bounces(c) || w_.impact_model.closesFast(c.surface.gap, c.approach, dt_);
  };
  for (int i = 0; i < count; ++i)
    if (bounces(contacts[i])) island_steps_[island_of_row_[i]].wait = dt_;
  for (int i = 0; i < count; ++i) {
    double& wait = island_steps_[island_of_row_[i]].wait;
    if (wait > 0.0 && closes(contacts[i]))
      wait = std::min(wait, timeToClose(contacts[i].surface.gap, contacts[i].approach, normalAcceleration(i)));
  }
  for (int i = 0; i < count; ++i) {
    const double wait = island_steps_[island_of_row_[i]].wait;
    if (bounces(contacts[i]))
      contacts[i].approach += wait * normalAcceleration(i);
    else if (wait > 0.0)
      contacts[i].surface.gap = gapThatIsLeft(contacts[i], wait);
  }
  for (int i = 0; i < islands_.count(); ++i)
    if (island_steps_[i].wait > 0.0) islands_.addVelocities(i, island_steps_[i].wait, acceleration_, w_.nu);
  return true;
}

bool SecondOrderStep::anyWaits() const {
  return std::any_of(island_steps_.begin(), island_steps_.end(), [](const IslandStep& i) { return i.wait > 0.0; });
}

/// Moves the islands that wait for a bounce in q by as long as each of them waits; `setVelocity` says how fast.
template <class SetVelocity>
void SecondOrderStep::moveByWaits(SetVelocity setVelocity, VectorXd& q) {
  for (int i = 0; i < islands_.count(); ++i) {
    const double wait = island_steps_[i].wait;
    if (!(wait > 0.0)) continue;
    setVelocity(wait, correction_);
    w_.end = q;
    integrateConfiguration(w_.model, correction_, wait, w_.end);
    islands_.copyPositions(i, w_.end, q);
  }
}

/// The acceleration without contacts, there and with the velocities of now.
void SecondOrderStep::findFlight(const StepStart& start, const VectorXd& q) {
  springs_.linearize(start.input, start.springs, q, w_.nu, w_.torque, w_.implicit);
  w_.dynamics->setImplicitInertia(w_.implicit);
  w_.dynamics->update(q, w_.nu);
  biasAndField(appliedForces(start), 0.0, q, w_.nu, w_, h_);
  freeVelocity(h_, start.input, w_);
  acceleration_ = (w_.nu_free - w_.nu) / dt_;
}

/// Where things are when they bounce: round bodies that meet askew have another normal than at the start of the step.
void SecondOrderStep::goToBounces(const StepStart& start) {
  w_.middle = *q_start_;
  moveByWaits([&](double wait, VectorXd& nu) { nu = w_.nu - 0.5 * wait * acceleration_; }, w_.middle);
  bounce_q_ = w_.middle;
  w_.dynamics->update(w_.middle, w_.nu);
  double first = dt_;
  for (const IslandStep& island : island_steps_)
    if (island.wait > 0.0) first = std::min(first, island.wait);
  const double time = start.state.time + first;  // of a ground that moves
  w_.system.moveTo(w_.terrain, time, time, *w_.dynamics, gaps_.data());
  const auto contacts = w_.system.contacts();
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    ActiveContact& contact = contacts[i];
    const ContactFrame& frame = w_.system.frames()[i];
    contact.surface.R_WC = frame.R_WC;
    if (!w_.impact_model.bounces(contact, dt_)) continue;
    const Vector3d p_W = w_.dynamics->linkPose(frame.link) * frame.p_LC;
    const Vector3d velocity_W = w_.system.pointVelocityOf(i, *w_.dynamics, p_W, frame.R_WC);
    contact.approach = frame.R_WC.col(2).dot(velocity_W - contact.surface.velocity_W);
    contact.surface.gap = 0.0;
  }
}

/// Contacts that do not bounce may come as near within the rest of the step as they still are apart then: the gap that
/// allows the same speed in a whole step.
double SecondOrderStep::gapThatIsLeft(const ActiveContact& contact, double wait) const {
  constexpr double kLeastRest = 1e-3;  // of a step
  const double left = std::max(contact.surface.gap + wait * contact.approach, 0.0);
  return std::min(contact.surface.gap, 0.0) + left * dt_ / std::max(dt_ - wait, kLeastRest * dt_);
}

/// How fast it would have had to be at the start of the step to fly from there as it does after the bounce: what turns
/// has another acceleration after it than before.
void SecondOrderStep::takeBackFlight(const StepStart& start) {
  findFlight(start, bounce_q_);
  for (int i = 0; i < islands_.count(); ++i)
    if (island_steps_[i].wait > 0.0) islands_.addVelocities(i, -island_steps_[i].wait, acceleration_, w_.nu);
}

/// The velocity before a bounce has lasted for as long as the island has waited for it, that after it for the rest: as
/// if the latter had lasted for the whole step, from another place.
void SecondOrderStep::flyOn() {
  bounced_q_ = bounce_q_;
  moveByWaits([&](double wait, VectorXd& nu) { nu = -w_.nu - 0.5 * wait * acceleration_; }, bounced_q_);
  q_start_ = &bounced_q_;
  probe_->updateKinematics(bounced_q_, w_.nu);
}

/// Does something close, now that the impact is over, that took no part in it? Then it is looked for as far as it is
/// away: farther there are points of every sole that lies near the ground, and no impulses are found for all of them.
bool SecondOrderStep::meetsMore(const StepStart& start) {
  bool more = false;
  detector_.detect(w_.terrain, start.state.time, {.step = dt_}, *q_start_, w_.nu, *probe_, found_frames_, found_);
  const auto contacts = w_.system.contacts();
  for (const ActiveContact& found : found_) {
    if (!w_.impact_model.closesFast(found.surface.gap, found.approach, dt_)) continue;
    const auto same = [&](const ActiveContact& c) { return c.candidate == found.candidate; };
    if (std::any_of(contacts.begin(), contacts.end(), same)) continue;
    extra_ = std::max(extra_, found.surface.gap);
    more = true;
  }
  findJointRows(w_.model, *q_start_, w_.nu, dt_, 0.0, found_rows_);
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
