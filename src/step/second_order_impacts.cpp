#include <algorithm>
#include <cmath>

#include "step/second_order.hpp"
#include "step/second_order_rules.hpp"
#include "step/step_parts.hpp"

// Impacts of a step, what they set in motion, and what the report says of them.

namespace footfall {
namespace {

/// Bodies set in motion by an impact meet the ground in the same step at most so many times more: that is one impact,
/// and then so many, one after the other.
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

}  // namespace

/// What bounces may hit something else that bounces within the same step, as the balls of Newton's cradle do: one
/// after the other, each as if the step had started with what the one before has left. So does what an impact sets in
/// motion where no impulses are found for all of it at once.
void SecondOrderStep::jump(const StepStart& start) {
  springs_.holdInImpacts(start.springs, w_.bare_inertia, impact_inertia_);
  landed_.clear();
  may_land_ = true;
  for (int bounce = 0;; ++bounce) {
    nu_before_ = w_.nu;
    last_bounce_ = bounce == kMostBounces;
    const StepQuality quality = qualityOf(w_.result);
    const bool bounced = meet(start);
    if (w_.impacts.status == SolveStatus::failed) {
      if (bounce == 0) return;
      restore(quality, w_.result);
      w_.nu = nu_before_;
      std::fill(w_.impacts.impulse.begin(), w_.impacts.impulse.end(), 0.0);
      break;
    }
    keepLandings();
    keepMeetings();
    if (anyWaits()) flyOn();
    const bool goes_on = bounced ? bouncesOn(start) : meets_more_ && bouncesInTurn() && bounce < kMostMeetings;
    if (last_bounce_ || !goes_on) break;
    keepImpulses();
    findAtStart(start, extra_, 0.0);
  }
  if (!earlier_impulses_.empty()) addEarlierImpulses(start);
  w_.system.renewApproach(*q_start_, w_.nu, *probe_);
}

/// One impact. What it sets in motion may meet the ground within the step, too: then all of that is one impact. Where
/// no impulses are found for all of it, or its velocities before tell nothing of it, it is left to the next one; where
/// none are found at the time of a landing, it is at the start of the step. Returns whether anything bounces.
bool SecondOrderStep::meet(const StepStart& start) {
  const VectorXd& q = *q_start_;
  extra_ = extra_joint_ = 0.0;
  bool alone = false;
  for (int meeting = 0;; ++meeting) {
    const StepQuality quality = qualityOf(w_.result);
    keepGaps();
    const bool bounces = waitForMeetings(start);
    w_.dynamics->setImplicitInertia(impact_inertia_);
    if (anyWaits())
      goToBounces(start);
    else
      w_.dynamics->update(q, w_.nu);
    assemble();
    w_.impacts.impulse.assign(w_.system.layout().rows(), 0.0);
    const Bounces order = last_bounce_ ? Bounces::none : bouncesInTurn() ? Bounces::in_turn : Bounces::together;
    solveImpact(order, leaveOutOthers(), w_);
    restoreGaps();
    if (w_.impacts.status == SolveStatus::failed) {
      const bool first = meeting == 0 || alone;
      meets_more_ = false;
      if (first && !anyLands()) return bounces;
      may_land_ = may_land_ && !first;
      restore(quality, w_.result);
      w_.nu = nu_before_;
      probe_->updateKinematics(q, w_.nu);
      findAtStart(start, 0.0, 0.0);
      alone = true;
      continue;
    }
    if (anyWaits()) takeBackFlight(start);
    probe_->updateKinematics(q, w_.nu);
    meets_more_ = meetsMore(start);
    if (alone || meeting == kMostMeetings || !meets_more_) return bounces;
    w_.nu = nu_before_;
    probe_->updateKinematics(q, w_.nu);
    findAtStart(start, extra_, extra_joint_);
  }
}

/// Islands that nothing happens to take no part in the impacts of others. Returns shifts of their rows, or null.
const AlignedVector* SecondOrderStep::leaveOutOthers() {
  const ContactLayout layout = w_.system.layout();
  bool any = false;
  std::fill_n(shift_.begin(), layout.rows(), 0.0);
  for (int row = 0; row < layout.contacts; ++row) {
    if (island_steps_[island_of_row_[row]].strikes) continue;
    shift_[layout.row(row, 2)] = kNever;
    any = true;
  }
  return any ? &shift_ : nullptr;
}

/// Which islands have an impact.
void SecondOrderStep::findStrikes() {
  const auto contacts = w_.system.contacts();
  const auto rows = w_.system.jointRows();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ActiveContact& c = contacts[i];
    if (w_.impact_model.closesFast(c, dt_) || w_.impact_model.bounces(c, dt_))
      island_steps_[island_of_row_[i]].strikes = true;
  }
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k].kind == JointRow::Kind::limit && w_.impact_model.closesFast(rows[k].gap, rows[k].approach, dt_))
      island_steps_[island_of_row_[contacts.size() + k]].strikes = true;
}

/// An impact changes no velocity of other islands: what they meet takes part already.
DetectionSettings SecondOrderStep::ofWhatIsStruck() {
  DetectionSettings settings{.step = dt_};
  if (islands_.count() == 1) return settings;
  std::fill(struck_links_.begin(), struck_links_.end(), 0);
  for (int i = 0; i < islands_.count(); ++i)
    if (island_steps_[i].strikes || island_steps_[i].wait > 0.0 || i == islands_.ofLoops())
      islands_.mark(i, struck_links_);
  settings.only_links = struck_links_;
  return settings;
}

void SecondOrderStep::keepGaps() {
  gaps_at_start_.clear();
  for (const ActiveContact& contact : w_.system.contacts()) gaps_at_start_.push_back(contact.surface.gap);
  for (const JointRow& row : w_.system.jointRows()) gaps_at_start_.push_back(row.gap);
}

void SecondOrderStep::restoreGaps() {
  auto gap = gaps_at_start_.begin();
  for (ActiveContact& contact : w_.system.contacts()) contact.surface.gap = *gap++;
  for (JointRow& row : w_.system.jointRows()) row.gap = *gap++;
}

/// Impulses of loops and of prescribed joints are reported for one impact a step.
bool SecondOrderStep::bouncesInTurn() const { return !w_.system.hasLoops() && !w_.prescribed.any(); }

/// Does something else close in this step, now that something has bounced? From where the step would have started what
/// has bounced may see a thin plate from behind: that it would have met before it bounced, and so does not.
bool SecondOrderStep::bouncesOn(const StepStart& start) {
  if (!bouncesInTurn()) return false;
  detector_.detect(w_.terrain, start.state.time, ofWhatIsStruck(), *q_start_, w_.nu, *probe_, found_frames_, found_);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const ActiveContact& c = found_[i];
    const double wait = island_steps_[islands_.ofContact(found_frames_[i])].wait;
    if (c.surface.gap + wait * c.approach < -kPassed) continue;
    if (w_.impact_model.closesFast(c, dt_) || w_.impact_model.bounces(c, dt_)) return true;
  }
  return false;
}

/// For the report, before contacts are looked for again; those that have bounced must be among them.
void SecondOrderStep::keepImpulses() {
  const ContactLayout layout = w_.system.layout();
  const auto contacts = w_.system.contacts();
  extra_ = 0.0;
  if (carries_) addCarried();
  carries_ = false;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const Vector3d impulse_C(w_.impacts.impulse[layout.row(i, 0)], w_.impacts.impulse[layout.row(i, 1)],
                             w_.impacts.impulse[layout.row(i, 2)]);
    if (impulse_C.isZero(0.0)) continue;
    const Matrix3d& R_WC = contacts[i].surface.R_WC;
    const ContactFrame& frame = w_.system.frames()[i];
    const bool ground_moves = !contacts[i].surface.velocity_W.isZero(0.0);
    earlier_impulses_.push_back({contacts[i].candidate, frame.link, frame.other, ground_moves, R_WC * impulse_C});
    islands_.mark(frame, farther_links_);
    const Vector3d velocity_W = w_.system.pointVelocityOf(i, *probe_, contacts[i].p_WC, R_WC);
    extra_ = std::max(extra_, dt_ * R_WC.col(2).dot(velocity_W - contacts[i].surface.velocity_W));
  }
}

/// For the report: forces are those of the whole step as it is after the landing, so that they balance with the
/// acceleration; the impulses are what else there was. Nothing has ever pulled.
void SecondOrderStep::addCarried() {
  const ContactLayout layout = w_.system.layout();
  for (int row = 0; row < layout.contacts; ++row) {
    for (int c = 0; c < 3; ++c) w_.impacts.impulse[layout.row(row, c)] += carried_[layout.row(row, c)];
    if (w_.impacts.impulse[layout.row(row, 2)] >= 0.0) continue;
    for (int c = 0; c < 3; ++c) w_.impacts.impulse[layout.row(row, c)] = 0.0;
  }
}

/// Contacts were found where the step would have started; they report where it did.
void SecondOrderStep::addEarlierImpulses(const StepStart& start) {
  const ContactLayout layout = w_.system.layout();
  const auto contacts = w_.system.contacts();
  probe_->updateKinematics(*q_start_, w_.nu);
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    if (contacts[i].surface.restitution == 0.0) continue;
    const double gap = w_.system.placeOf(i, w_.terrain, start.state.time, *probe_).surface.gap;
    for (EarlierImpulse& earlier : earlier_impulses_)
      if (earlier.candidate == contacts[i].candidate) earlier.gap_of_flight = gap;
  }
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

/// What touched, has bounced, and was thrown back once more by something else flies towards it from farther away.
double SecondOrderStep::gapAtStart(const ActiveContact& contact) const {
  if (hasLanded(contact)) return 0.0;
  double gap = contact.surface.gap;
  for (const EarlierImpulse& earlier : earlier_impulses_)
    if (earlier.candidate == contact.candidate) gap = std::max(gap, earlier.gap_of_flight);
  return gap;
}

/// Does something close, now that the impact is over, that took no part in it? Then it is looked for as far as it is
/// away: farther there are points of every sole that lies near the ground, and no impulses are found for all of them.
bool SecondOrderStep::meetsMore(const StepStart& start) {
  bool more = false;
  nu_probe_ = w_.nu;
  if (anyWaits()) {
    // The mean of the step: islands that wait have the velocity of before for so long.
    for (int i = 0; i < islands_.count(); ++i) {
      const double share = island_steps_[i].wait / dt_;
      if (!(share > 0.0)) continue;
      islands_.scaleVelocities(i, 1.0 - share, nu_probe_);
      islands_.addVelocities(i, share, nu_before_, nu_probe_);
    }
    probe_->updateKinematics(*q_start_, nu_probe_);
  }
  detector_.detect(w_.terrain, start.state.time, ofWhatIsStruck(), *q_start_, nu_probe_, *probe_, found_frames_,
                   found_);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (!w_.impact_model.closesFast(found_[i], dt_) || takesPart(found_[i])) continue;
    extra_ = std::max(extra_, found_[i].surface.gap);
    islands_.mark(found_frames_[i], farther_links_);
    more = true;
  }
  findJointRows(w_.model, *q_start_, nu_probe_, dt_, 0.0, found_rows_);
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

/// It is one of the contacts of this step.
bool SecondOrderStep::takesPart(const ActiveContact& found) const {
  const auto contacts = w_.system.contacts();
  return std::any_of(contacts.begin(), contacts.end(),
                     [&](const ActiveContact& contact) { return contact.candidate == found.candidate; });
}

/// Robots that are struck, and those that are pressed as hard: their light links go farther than any acceleration that
/// contacts are looked for with.
bool SecondOrderStep::isHard(int island) const {
  constexpr double kHard = 0.1;  // of the mass of the island times that acceleration
  if (!isAlone() && islands_.isOfLooseBodies(island)) return false;
  const ContactLayout layout = w_.system.layout();
  const int contacts = static_cast<int>(w_.system.contacts().size());
  double normal_impulse = 0.0;
  for (int row = 0; row < layout.contacts; ++row) {
    if (island_of_row_[row] != island) continue;
    for (int c = 0; c < 3; ++c)
      if (w_.impacts.impulse[layout.row(row, c)] != 0.0) return true;
    if (row < contacts) normal_impulse += w_.forces.impulse[layout.row(row, 2)];
  }
  const double root_mass = rootMass(island);
  return normal_impulse > kHard * root_mass * root_mass * DetectionSettings{}.acceleration * dt_;
}

double SecondOrderStep::comesIn(const StepStart& start) {
  constexpr double kUnseen = 30e-6;  // deeper than this the step is made again [m]
  if (slow_ || !w_.end_known || w_.model.shapes.empty()) return 0.0;
  bool any = false;
  for (int i = 0; i < islands_.count(); ++i) any = (island_steps_[i].hard = isHard(i)) || any;
  if (!any) return 0.0;
  lookAtTheEnd();
  detector_.detect(w_.terrain, start.state.time + dt_, {.step = 0.0, .acceleration = 0.0}, w_.end, nu_probe_, *probe_,
                   found_frames_, found_);
  const auto isOfHard = [&](const ContactFrame& frame) {
    return island_steps_[islands_.ofLink(frame.link)].hard ||
           (frame.other.valid() && island_steps_[islands_.ofLink(frame.other)].hard);
  };
  double farther = 0.0;
  std::fill(farther_links_.begin(), farther_links_.end(), 0);  // the step's own impacts mark theirs again
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const ActiveContact& found = found_[i];
    if (found.surface.gap > -kUnseen || takesPart(found) || !isOfHard(found_frames_[i])) continue;
    islands_.mark(found_frames_[i], farther_links_);
    farther = std::max(farther, dt_ * std::abs(found.approach) - found.surface.gap);
  }
  return farther;
}

}  // namespace footfall
