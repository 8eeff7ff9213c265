#include <algorithm>
#include <cmath>

#include "footfall/contact/gap_velocity.hpp"
#include "step/second_order.hpp"
#include "step/second_order_rules.hpp"
#include "step/step_parts.hpp"
#include "step/warm_start.hpp"

// When and where contacts bounce and land within a step (docs/decisions/0028), and what carries robots until then.

namespace footfall {
namespace {

/// Of an island with more contacts and joint rows than this, which lies, landings are at the start of the step.
constexpr int kMostRowsOfLanding = 16;
/// Of the solver, for what carries an island until something lands.
constexpr int kIterationsUntilMeetings = 12;

/// When a gap closes under a constant acceleration [s].
double timeToClose(double gap, double velocity, double acceleration) {
  const double root = std::sqrt(std::max(velocity * velocity - 2.0 * acceleration * gap, 0.0));
  return 2.0 * std::max(gap, 0.0) / (root - velocity);
}

}  // namespace

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

/// Contacts bounce and land where they meet the ground, with the speed that they have there: how long each island takes
/// to the first of it; velocities are then those of that instant. Returns whether anything bounces.
bool SecondOrderStep::waitForMeetings(const StepStart& start) {
  findIslands();
  findStrikes();
  findLandings();
  const auto contacts = w_.system.contacts();
  const int count = static_cast<int>(contacts.size());
  const auto bounces = [&](const ActiveContact& c) { return w_.impact_model.bounces(c, dt_); };
  const bool any_bounces = std::any_of(contacts.begin(), contacts.end(), bounces);
  for (int i = 0; i < count; ++i) {
    IslandStep& island = island_steps_[island_of_row_[i]];
    island.bounces = island.bounces || bounces(contacts[i]);
    if (island.bounces || landings_[i]) island.wait = dt_;
  }
  if (!anyWaits()) return false;
  findFlight(start, *q_start_);
  holdUntilMeetings(start);
  w_.nu_free = w_.nu + dt_ * acceleration_;
  w_.dynamics->updateVelocity(w_.nu_free);
  const auto normalAcceleration = [&](int i) {
    const ActiveContact& contact = contacts[i];
    const Vector3d later_W = w_.system.pointVelocityOf(i, *w_.dynamics, contact.p_WC, contact.surface.R_WC);
    return (contact.surface.R_WC.col(2).dot(later_W - contact.surface.velocity_W) - contact.approach) / dt_;
  };
  const auto closes = [&](const ActiveContact& c) { return bounces(c) || w_.impact_model.closesFast(c, dt_); };
  for (int i = 0; i < count; ++i) {
    double& wait = island_steps_[island_of_row_[i]].wait;
    if (wait > 0.0 && closes(contacts[i]))
      wait = std::min(wait, timeToClose(contacts[i].surface.gap, contacts[i].approach, normalAcceleration(i)));
  }
  const auto rows = w_.system.jointRows();
  const auto accelerationOf = [&](const JointRow& row) {
    return row.sign * acceleration_[w_.model.baseDofs() + row.dof];
  };
  for (std::size_t k = 0; k < rows.size(); ++k) {
    double& wait = island_steps_[island_of_row_[count + k]].wait;
    if (wait > 0.0 && rows[k].kind == JointRow::Kind::limit &&
        w_.impact_model.closesFast(rows[k].gap, rows[k].approach, dt_))
      wait = std::min(wait, timeToClose(rows[k].gap, rows[k].approach, accelerationOf(rows[k])));
  }
  leaveOutUncertain(start);
  for (int i = 0; i < count; ++i) {
    const double wait = island_steps_[island_of_row_[i]].wait;
    if (bounces(contacts[i])) {
      contacts[i].approach += wait * normalAcceleration(i);
    } else if (wait > 0.0) {
      double& gap = contacts[i].surface.gap;
      gap = gapThatIsLeft(gap, contacts[i].approach, normalAcceleration(i), wait);
      if (gap > kTouchingGap) landings_[i] = 0;  // it is still above the ground when the first one lands
    }
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double wait = island_steps_[island_of_row_[count + k]].wait;
    if (wait > 0.0 && rows[k].kind == JointRow::Kind::limit)
      rows[k].gap = gapThatIsLeft(rows[k].gap, rows[k].approach, accelerationOf(rows[k]), wait);
  }
  for (int i = 0; i < islands_.count(); ++i)
    if (island_steps_[i].wait > 0.0) islands_.addVelocities(i, island_steps_[i].wait, acceleration_, w_.nu);
  for (int row = 0; row < w_.system.layout().contacts && carries_; ++row)
    for (int c = 0; c < 3; ++c)
      carried_[w_.system.layout().row(row, c)] *= island_steps_[island_of_row_[row]].wait / dt_;
  return any_bounces;
}

/// Contacts that land within this step, of robots and objects that stand or fly. Of several that meet each other, too,
/// heaps go deeper than with landings at the start of the step.
void SecondOrderStep::findLandings() {
  const auto contacts = w_.system.contacts();
  landings_.assign(contacts.size(), 0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ActiveContact& c = contacts[i];
    const int island = island_of_row_[i];
    if (!may_land_ || islands_.treesOf(island).size() > 1 || island == islands_.ofLoops() ||
        island_steps_[island].rows > kMostRowsOfLanding)
      continue;
    landings_[i] =
        c.surface.gap > kTouchingGap && !w_.impact_model.bounces(c, dt_) && w_.impact_model.closesFast(c, dt_);
  }
}

bool SecondOrderStep::anyLands() const {
  return std::any_of(landings_.begin(), landings_.end(), [](char lands) { return lands != 0; });
}

/// Where the ground is curved, or a point runs around a rim, a contact may be somewhere else then than velocities say,
/// and something else inside: such landings are at the start of the step.
void SecondOrderStep::leaveOutUncertain(const StepStart& start) {
  if (!anyLands()) return;
  w_.middle = *q_start_;
  moveByWaits([&](double wait, VectorXd& nu) { nu = w_.nu + 0.5 * wait * acceleration_; }, w_.middle);
  probe_->updateKinematics(w_.middle, w_.nu);
  const auto contacts = w_.system.contacts();
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    IslandStep& island = island_steps_[island_of_row_[i]];
    if (!(island.wait > 0.0)) continue;
    const ContactPlace place = w_.system.placeOf(i, w_.terrain, start.state.time + island.wait, *probe_);
    const double gap = contacts[i].surface.gap, there = gap + island.wait * contacts[i].approach;
    if (place.surface.gap < std::min(gap, 0.0) - kDeep) island.uncertain = true;
    if (!landings_[i]) continue;
    if (std::abs(place.surface.gap - there) > kDeep || runsAround(i, place.lever_W)) island.uncertain = true;
  }
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    IslandStep& island = island_steps_[island_of_row_[i]];
    if (!island.uncertain) continue;
    landings_[i] = 0;
    if (!island.bounces) island.wait = 0.0;
  }
  probe_->updateKinematics(*q_start_, w_.nu);
}

/// The contact's point is another one of the link, and not because a round link turns below it. Needs the link there.
bool SecondOrderStep::runsAround(int contact, const Vector3d& lever_W) const {
  constexpr double kFar = 0.02;  // of the distance of the point
  const ContactFrame& frame = w_.system.frames()[contact];
  const double limit = kFar * lever_W.norm();
  const Vector3d before_W = probe_->linkPose(frame.link).R * frame.p_LC;
  const Vector3d turned_W = w_.dynamics->linkPose(frame.link).R * frame.p_LC;
  return (lever_W - before_W).norm() > limit && (lever_W - turned_W).norm() > limit;
}

/// Of one impact. From where the step would have started they stand.
void SecondOrderStep::keepLandings() {
  const auto contacts = w_.system.contacts();
  for (int i = 0; i < static_cast<int>(landings_.size()); ++i)
    if (landings_[i] && w_.impacts.impulse[w_.system.layout().row(i, 2)] > 0.0)
      landed_.push_back(contacts[i].candidate);
}

/// Where and how fast each island is that bounces or lands. What is struck later, at the start of the step, was not
/// there.
void SecondOrderStep::keepMeetings() {
  if (met_trees_.empty()) {
    waited_.setZero();
    nu_met_.setZero();
  }
  for (int i = 0; i < islands_.count(); ++i) {
    const double wait = island_steps_[i].wait;
    if (!(wait > 0.0) && !island_steps_[i].strikes) continue;
    correction_.setConstant(wait / dt_);
    islands_.copyVelocities(i, correction_, waited_);
    islands_.scaleVelocities(i, 0.0, nu_met_);
    for (const int tree : islands_.treesOf(i)) std::erase(met_trees_, tree);
    if (!(wait > 0.0)) continue;
    islands_.copyPositions(i, bounce_q_, met_q_);
    islands_.copyVelocities(i, w_.nu, nu_met_);
    islands_.addVelocities(i, wait, acceleration_, nu_met_);
    met_trees_.insert(met_trees_.end(), islands_.treesOf(i).begin(), islands_.treesOf(i).end());
  }
}

bool SecondOrderStep::hasLanded(const ActiveContact& contact) const {
  return std::find(landed_.begin(), landed_.end(), contact.candidate) != landed_.end();
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

/// What an island stands on carries it until something of it bounces or lands: that is a part of its acceleration, and
/// of what is reported of this step.
void SecondOrderStep::holdUntilMeetings(const StepStart& start) {
  const auto contacts = w_.system.contacts();
  const ContactLayout layout = w_.system.layout();
  std::fill_n(shift_.begin(), layout.rows(), 0.0);
  std::fill_n(carried_.begin(), layout.rows(), 0.0);
  carries_ = false;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const ActiveContact& c = contacts[i];
    const bool bounces =
        c.surface.restitution > 0.0 && (c.surface.gap > kTouchingGap || w_.impact_model.bounces(c, dt_));
    const bool meets = landings_[i] || bounces;
    shift_[layout.row(i, 2)] = meets ? kNever : std::max(c.surface.gap, 0.0) / dt_;
    carries_ = carries_ || (!meets && island_steps_[island_of_row_[i]].wait > 0.0);
  }
  setGapsOfLimits(false);
  if (!carries_) return;
  hold(start, *q_start_, carried_);
  probe_->updateKinematics(*q_start_, w_.nu);
}

/// In shift_. Limits, too, hold in these steps.
void SecondOrderStep::setGapsOfLimits(bool after) {
  const auto rows = w_.system.jointRows();
  const int count = static_cast<int>(w_.system.contacts().size());
  for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
    if (rows[k].kind != JointRow::Kind::limit) continue;
    const double wait = after ? island_steps_[island_of_row_[count + k]].wait : 0.0;
    shift_[w_.system.layout().row(count + k, 2)] = std::max(rows[k].gap + wait * rows[k].approach, 0.0) / dt_;
  }
}

/// The same after it, by what it stands on then.
void SecondOrderStep::holdAfterMeetings(const StepStart& start) {
  w_.system.handTo(*w_.dynamics);
  w_.system.contactVelocity(*w_.dynamics, w_.nu, middle_start_);
  const auto contacts = w_.system.contacts();
  const ContactLayout layout = w_.system.layout();
  std::fill_n(shift_.begin(), layout.rows(), 0.0);
  bool any = false;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const IslandStep& island = island_steps_[island_of_row_[i]];
    // Elastic ones that did not carry it before may bounce once more, and what has still to land does not hold.
    const bool bounces = !landings_[i] && contacts[i].surface.restitution > 0.0 && carried_[layout.row(i, 2)] == 0.0;
    const double ground = w_.system.frames()[i].R_WC.col(2).dot(contacts[i].surface.velocity_W);
    const double gap = landings_[i] ? 0.0 : std::max(gaps_[i], 0.0),
                 approach = middle_start_[layout.row(i, 2)] - ground;
    const bool holds = !bounces && !w_.impact_model.closesFast(gap, approach, dt_);
    shift_[layout.row(i, 2)] = holds ? gap / dt_ : kNever;
    any = any || (holds && island.wait > 0.0);
  }
  setGapsOfLimits(true);
  if (!any) return;
  hold(start, bounce_q_, held_);
  for (int row = 0; row < layout.contacts; ++row)
    for (int c = 0; c < 3; ++c)
      carried_[layout.row(row, c)] -= island_steps_[island_of_row_[row]].wait / dt_ * held_[layout.row(row, c)];
  carries_ = true;
}

/// To shift_: how much contact velocities change in a step without any force, because links turn.
void SecondOrderStep::addTurning(const StepStart& start, const VectorXd& q) {
  const ContactLayout layout = w_.system.layout();
  w_.end = q;
  integrateConfiguration(w_.model, w_.nu, dt_, w_.end);
  probe_->updateKinematics(w_.end, w_.nu);
  w_.system.contactVelocity(*w_.dynamics, w_.nu, middle_start_);
  const LinkMotions links(*probe_);
  for (int i = 0; i < static_cast<int>(w_.system.contacts().size()); ++i) {
    if (!(island_steps_[island_of_row_[i]].wait > 0.0)) continue;
    const ContactFrame& frame = w_.system.frames()[i];
    const ContactPlace place = w_.system.placeOf(i, w_.terrain, start.state.time, links);
    if (place.surface.R_WC.col(2).dot(frame.R_WC.col(2)) < kTurnedNormal ||
        goesFar(w_.dynamics->linkPose(frame.link).R * frame.p_LC, place.lever_W))
      continue;
    const Vector3d velocity_W = w_.system.leverVelocityOf(i, links, place.lever_W, place.surface.R_WC);
    Vector3d shift_C = frame.R_WC.transpose() * velocity_W;
    for (int c = 0; c < 3; ++c) shift_C[c] -= middle_start_[layout.row(i, c)];
    shiftContact(i, shift_C, shift_);
  }
}

/// Adds what contacts do to islands that wait to acceleration_, with the gaps in shift_. The engine stands at q.
/// @param impulse of their rows, in a whole step [N s]
void SecondOrderStep::hold(const StepStart& start, const VectorXd& q, AlignedVector& impulse) {
  const ContactLayout layout = w_.system.layout();
  assemble();
  addTurning(start, q);
  std::fill_n(impulse.begin(), layout.rows(), 0.0);
  for (IslandStep& island : island_steps_) island.settled = !(island.wait > 0.0);
  loop_shift_.setZero();
  loadWarmStart(start.state.warm, w_.model, w_.system, w_.forces);
  solve(kIterationsUntilMeetings);
  w_.result.iterations += w_.forces.iterations;
  w_.result.counters += w_.forces.counters;
  for (int row = 0; row < layout.contacts; ++row) {
    const IslandStep& island = island_steps_[island_of_row_[row]];
    if (!island.settled && island.outcome.status == SolveStatus::converged) copyRow(row, w_.forces.impulse, impulse);
  }
  for (IslandStep& island : island_steps_) island.settled = false;
  w_.system.applyImpulses(*w_.dynamics, impulse, w_.nu_free);
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
double SecondOrderStep::gapThatIsLeft(double gap, double approach, double acceleration, double wait) const {
  constexpr double kLeastRest = 1e-3;  // of a step
  const double left = std::max(gap + wait * (approach + 0.5 * wait * acceleration), 0.0);
  return std::min(gap, 0.0) + left * dt_ / std::max(dt_ - wait, kLeastRest * dt_);
}

/// How fast it would have had to be at the start of the step to fly from there as it does after the bounce: what turns
/// has another acceleration after it than before.
void SecondOrderStep::takeBackFlight(const StepStart& start) {
  findFlight(start, bounce_q_);
  holdAfterMeetings(start);
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

}  // namespace footfall
