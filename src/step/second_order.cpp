#include "step/second_order.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/contact/gap_velocity.hpp"
#include "footfall/dynamics/point_velocity.hpp"
#include "footfall/step/integrator.hpp"
#include "step/second_order_rules.hpp"
#include "step/step_parts.hpp"
#include "step/warm_start.hpp"

namespace footfall {
namespace {

/// How short a step becomes at most that would lift the robot out of nothing.
constexpr double kLeastWay = 1e-6;
/// What a step with an event may make, as a share of the kinetic energy: more than its error is.
constexpr double kMadeByEvents = 1e-2;
/// That scheme loses α⁶/144 of the energy of what turns by α in a step [rad]: 7e-5 in ten seconds at 1 ms.
constexpr double kFarthestTurn = 0.1;
/// A body that turns by more than that in a step [rad] flies in pieces: in second order its energy swings by 2 %.
constexpr double kTurnsFar = 0.5;
/// A joint that dry friction holds turns by no more than this many tolerances of the solver.
constexpr double kHeldJoint = 100.0;

}  // namespace

SecondOrderStep::SecondOrderStep(Workspace::Parts& parts)
    : w_(parts),
      dt_(parts.settings.step),
      probe_(makeDynamics(parts.settings.engine, parts.model)),
      traits_(massTraitsOf(parts.model, *probe_, dt_)),
      slow_motion_(parts.model, traits_),
      springs_(parts.model, traits_, dt_),
      momentum_of_trees_(parts.model),
      spinning_(parts.model),
      taut_links_(parts.model, *probe_, traits_),
      taut_flight_(parts.model, taut_links_),
      detector_(parts.model, parts.solids),
      islands_(parts.model),
      island_solver_(dynamic_cast<IslandSolver*>(parts.solver.get())) {
  const Model& model = parts.model;
  keeper_.reserve(model);
  swing_.reserve(model);
  makeRoom();
  for (VectorXd* v : {&loop_shift_, &next_loop_shift_, &loop_start_, &loop_middle_, &loop_end_})
    v->setZero(parts.system.loops().impulses().size());
  for (VectorXd* v : {&h_, &next_h_, &correction_, &nu_probe_, &nu_middle_, &nu_before_, &nu_last_half_, &nu_met_,
                      &waited_, &nu_forces_, &kept_nu_forces_, &kept_nu_free_, &kept_nu_end_, &slowed_nu_})
    v->setZero(model.nv());
  acceleration_.setZero(model.nv());
  bounce_q_.setZero(model.nq());
  bounced_q_.setZero(model.nq());
  met_q_.setZero(model.nq());
  slowed_q_.setZero(model.nq());
  impact_inertia_.setZero(model.jointDofs());
  found_rows_.reserve(maxJointRows(model));
  farther_links_.assign(model.links.size(), 0);
  struck_links_.assign(model.links.size(), 0);
  const std::size_t trees = treesOf(model).size();
  rigid_parts_.reserve(trees);
  island_steps_.reserve(trees);
  met_trees_.reserve(trees);
  for (std::vector<double>* v : {&sums_, &accepted_, &energies_}) v->reserve(trees);
}

void SecondOrderStep::makeRoom() {
  const int contacts = w_.system.capacity(), rows = ContactLayout::of(contacts).rows();
  motions_.reserve(contacts);
  gaps_.assign(contacts, 0.0);
  for (AlignedVector* v : {&gap_shift_, &shift_, &next_shift_, &end_shift_, &middle_start_, &middle_end_})
    v->assign(rows, 0.0);
  kept_.impulse.assign(rows, 0.0);
  unlifted_.assign(rows, 0.0);
  carried_.assign(rows, 0.0);
  held_.assign(rows, 0.0);
  island_of_row_.reserve(contacts);
  settled_rows_.reserve(contacts);
  earlier_impulses_.reserve(contacts);
  gaps_at_start_.reserve(contacts + maxJointRows(w_.model));
  landings_.reserve(contacts);
  landed_.reserve(contacts);
  found_frames_.reserve(contacts);
  found_.reserve(contacts);
}

void SecondOrderStep::setMasses(std::span<const LinkMass> masses, const MassTraits& traits) {
  probe_->setLinkMasses(masses);
  traits_ = traits;
  springs_.use(traits_);
  taut_links_.use(traits_);
  momentum_of_trees_.weigh();
}

// --- dynamics and contacts --------------------------------------------------------------------------

void SecondOrderStep::updateDynamics(const StepStart& start) {
  reverted_ = carries_ = false;
  if (farther_ == 0.0) std::fill(farther_links_.begin(), farther_links_.end(), 0);
  met_trees_.clear();
  island_steps_.clear();
  q_start_ = &start.state.q;
  springs_.holdBy(start.state.warm);
  slow_ = !w_.prescribed.any() && !forcesFollowVelocity() && slow_motion_.slowerThan(gate(kGate), w_.nu);
  if (slow_) {
    placeInTheMiddle(start);
  } else {
    probe_->updateKinematics(start.state.q, w_.nu);
  }
}

/// Dampers between points, and fields of forces that may be anything, act on what does not turn, too: they need the
/// velocity of the middle.
bool SecondOrderStep::forcesFollowVelocity() const {
  const auto& springs = w_.model.point_springs;
  return w_.force_field ||
         std::any_of(springs.begin(), springs.end(), [](const PointSpring& s) { return s.damping != 0.0; });
}

void SecondOrderStep::findConstraints(const StepStart& start) {
  if (slow_ && farther_ == 0.0 && !comesPastSomething(start)) {
    findInTheMiddle(start);
    if (!groundMoves() && !anySlides() && !w_.impact_model.needed(w_.system, dt_)) {
      assemble();
      return;
    }
    probe_->updateKinematics(start.state.q, w_.nu);
  }
  slow_ = false;
  findAtStart(start, 0.0, 0.0);
}

/// A body that does not turn may still fly: in the middle of the step it can be inside of a thin plate, or behind it,
/// where the nearest way out is the far side. What it meets from where the step starts tells.
bool SecondOrderStep::comesPastSomething(const StepStart& start) {
  if (0.5 * dt_ * slow_motion_.speed(w_.nu) < kThinnest) return false;
  probe_->updateKinematics(start.state.q, w_.nu);
  detector_.detect(w_.terrain, start.state.time, {.step = dt_}, start.state.q, w_.nu, *probe_, found_frames_, found_);
  return !found_.empty();
}

void SecondOrderStep::findAtStart(const StepStart& start, double extra, double extra_joint) {
  DetectionSettings settings{.step = dt_, .extra = std::max(extra, farther_), .extra_joint = extra_joint};
  if (settings.extra > 0.0 && !isAlone()) settings.extra_links = farther_links_;
  w_.system.find(w_.terrain, start.state.time, settings, *q_start_, w_.nu, *probe_);
  w_.makeRoom();
  bendApproaches(start);
}

/// Elastic contacts bounce within the step in which they meet. What turns fast comes nearer than its velocity at the
/// start says, and would be stopped at the end of that step: its mean velocity tells.
void SecondOrderStep::bendApproaches(const StepStart& start) {
  const auto contacts = w_.system.contacts();
  const auto may_bounce = [](const ActiveContact& c) {
    return c.surface.restitution > 0.0 && c.surface.gap > kTouchingGap;
  };
  if (std::none_of(contacts.begin(), contacts.end(), may_bounce)) return;
  w_.end = *q_start_;
  integrateConfiguration(w_.model, w_.nu, dt_, w_.end);
  probe_->updateKinematics(w_.end, w_.nu);
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    ActiveContact& contact = contacts[i];
    if (!may_bounce(contact)) continue;
    const ContactPlace place = w_.system.placeOf(i, w_.terrain, start.state.time + dt_, LinkMotions(*probe_));
    const double mean = (place.surface.gap - contact.surface.gap) / dt_;
    if (dt_ * (contact.approach - mean) > kDeep) contact.approach = mean;
  }
  probe_->updateKinematics(*q_start_, w_.nu);
}

/// Of a slow robot gaps change linearly within a step: one look is enough. The ground is where it is then, too: what
/// rides on it would seem to have left it.
void SecondOrderStep::findInTheMiddle(const StepStart& start) {
  w_.system.find(w_.terrain, start.state.time + 0.5 * dt_, {.step = dt_}, start.state.q, w_.nu, *w_.dynamics);
  w_.makeRoom();
  const auto contacts = w_.system.contacts();
  const LinkMotions links(*w_.dynamics);
  motions_.resize(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Vector3d velocity_W =
        w_.system.pointVelocityOf(static_cast<int>(i), links, contacts[i].p_WC, contacts[i].surface.R_WC);
    motions_[i].gap_middle = contacts[i].surface.gap;
    motions_[i].slip_start_W = along(contacts[i].surface.R_WC.col(2), velocity_W);
    contacts[i].surface.gap -= 0.5 * dt_ * contacts[i].approach;
    motions_[i].gap_start = contacts[i].surface.gap;
    contacts[i].p_WC -= 0.5 * dt_ * velocity_W;
  }
}

/// What slides need not turn for its forces to change within a step: its path bends, and friction with it; on curved
/// ground, and on round bodies, the normal turns below it.
bool SecondOrderStep::anySlides() const {
  const double sticking = stickingSpeed();
  return std::any_of(motions_.begin(), motions_.end(), [&](const Motion& motion) {
    return motion.gap_middle <= kTouchingGap && motion.slip_start_W.norm() > sticking;
  });
}

double SecondOrderStep::stickingSpeed() const { return stickingSpeedOf(w_.model, dt_); }

bool SecondOrderStep::groundMoves() const {
  const auto contacts = w_.system.contacts();
  return std::any_of(contacts.begin(), contacts.end(),
                     [](const ActiveContact& c) { return !c.surface.velocity_W.isZero(0.0); });
}

// --- impacts ----------------------------------------------------------------------------------------

void SecondOrderStep::resolveImpacts(const StepStart& start) {
  w_.impacts.impulse.assign(w_.system.layout().rows(), 0.0);
  w_.result.impact = false;
  if (slow_) return;
  if (momentum_of_trees_.any())
    momentum_of_trees_.start(*probe_);
  else if (w_.system.contacts().empty())
    momentum_ = probe_->momentum();
  w_.result.impact = w_.contact_model->hasImpacts() && w_.impact_model.needed(w_.system, dt_);
  if (w_.result.impact) {
    jump(start);
    if (w_.result.status == SolveStatus::failed) return;
  }
  recordMotionAtStart(start);
  placeInTheMiddle(start);
  moveContactsToTheMiddle(start);
  assemble();
}

void SecondOrderStep::recordMotionAtStart(const StepStart& start) {
  spinning_.find(*probe_, slow_motion_.turning(w_.nu), dt_);
  const auto contacts = w_.system.contacts();
  motions_.assign(contacts.size(), Motion{});
  const LinkMotions links(*probe_);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Motion& motion = motions_[i];
    const ActiveContact& contact = contacts[i];
    motion.gap_start = w_.result.impact ? gapAtStart(contact) : contact.surface.gap;
    motion.lever_start_W = contact.p_WC - links.pose(w_.system.frames()[i].link).p;
    motion.velocity_start_W = w_.system.pointVelocityOf(static_cast<int>(i), links, contact.p_WC, contact.surface.R_WC);
    motion.normal_start_W = contact.surface.R_WC.col(2);
    motion.ground_start_W = groundVelocityAtStart(static_cast<int>(i), start);
    motion.slip_start_W = along(motion.normal_start_W, motion.velocity_start_W - motion.ground_start_W);
  }
  if (w_.system.hasLoops()) w_.system.loops().velocity(*probe_, loop_start_);
}

/// Contacts were found with the mean velocity of the ground in this step, which is what impacts need.
Vector3d SecondOrderStep::groundVelocityAtStart(int contact, const StepStart& start) {
  const Vector3d& mean_W = w_.system.contacts()[contact].surface.velocity_W;
  if (mean_W.isZero(0.0)) return mean_W;
  return w_.system.placeOf(contact, w_.terrain, start.state.time, *probe_).surface.velocity_W;
}

// --- the middle -------------------------------------------------------------------------------------

void SecondOrderStep::placeInTheMiddle(const StepStart& start) {
  w_.middle = *q_start_;
  integrateConfiguration(w_.model, w_.nu, 0.5 * dt_, w_.middle);
  nu_middle_ = w_.nu;
  w_.prescribed.place(0.5, w_.middle, nu_middle_);
  nu_forces_ = nu_middle_;
  springs_.linearize(start.input, start.springs, *q_start_, w_.nu, w_.torque, w_.implicit);
  w_.dynamics->setImplicitInertia(w_.implicit);
  w_.dynamics->update(w_.middle, nu_middle_);
  if (!taut_links_.any())
    taut_ = false;
  else if (w_.system.hasLoops())
    taut_ = taut_links_.hold(dt_, w_.torque, w_.system.loops(), *w_.dynamics);
  else
    taut_ = taut_links_.hold(dt_, *w_.dynamics);
}

void SecondOrderStep::dampTautLinks() {
  if (taut_) taut_links_.damp(w_.nu, *w_.dynamics, w_.nu_free);
}

void SecondOrderStep::moveContactsToTheMiddle(const StepStart& start) {
  const double time = start.state.time;
  const auto contacts = w_.system.contacts();
  w_.system.moveTo(w_.terrain, time + 0.5 * dt_, time + dt_, *w_.dynamics, gaps_.data());
  const LinkMotions links(*w_.dynamics), links_at_start(*probe_);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Motion& motion = motions_[i];
    const ContactFrame& frame = w_.system.frames()[i];
    const Vector3d normal = frame.R_WC.col(2);
    motion.gap_middle = gaps_[i];
    motion.lever_middle_W = links.pose(frame.link).R * frame.p_LC;
    motion.flat = staysOnFaces(static_cast<int>(i), links_at_start, motion.normal_start_W, links, normal);
    if (motion.flat) {
      motion.lever_start_W = links_at_start.pose(frame.link).R * frame.p_LC;
      motion.velocity_start_W =
          w_.system.leverVelocityOf(static_cast<int>(i), links_at_start, motion.lever_start_W, frame.R_WC);
      motion.slip_start_W = along(motion.normal_start_W, motion.velocity_start_W);
    }
    motion.turned =
        motion.normal_start_W.dot(normal) < kTurnedNormal || goesFar(motion.lever_start_W, motion.lever_middle_W);
  }
}

/// Two faces that lie on each other turn about their normal at most, as far as can be felt. Places where they touch may
/// travel on both of them: edges that cross, the lowest point of a rim. No rigid motion can give what is asked of all
/// such places. What is left over, nanometres a second, would decide which of them carry, and friction with it. Points
/// that go along with a link say as well how the faces move.
bool SecondOrderStep::staysOnFaces(int contact, const LinkMotions& before, const Vector3d& normal_before,
                                   const LinkMotions& after, const Vector3d& normal_after) const {
  const ActiveContact& active = w_.system.contacts()[contact];
  if (!active.isOfTwoShapes() || active.feature.isOfFace()) return false;
  const ContactFrame& frame = w_.system.frames()[contact];
  const auto keepsItsNormal = [&](LinkIndex link) {
    const Vector3d carried = after.pose(link).R * (before.pose(link).R.transpose() * normal_before);
    return (carried - normal_after).squaredNorm() < kFaceTurn * kFaceTurn;
  };
  return keepsItsNormal(frame.link) && keepsItsNormal(frame.other);
}

void SecondOrderStep::assemble() {
  w_.system.handTo(*w_.dynamics);
  if (!w_.system.empty()) w_.system.computeDelassus(*w_.dynamics);
  findBlockedContacts(w_);
}

// --- the end ----------------------------------------------------------------------------------------

void SecondOrderStep::integrateMotion(const StepStart& start) {
  State& next = w_.result.next;
  if (swings()) return swing(1, start);
  if (w_.system.empty()) {
    if ((!fly(start) || anyTurnsFar()) && !w_.prescribed.any() && w_.implicit.isZero(0.0))
      return taut_ ? flyInPieces(start) : swing(piecesOfAWhip(turningOfAll()), start);
  } else if (!w_.end_known) {
    w_.nu_end = w_.nu_free;
    applyImpulses(w_.forces, w_, w_.nu_end);
  }
  reportDriveTorques(w_.nu_end, w_);
  w_.system.contactVelocity(*w_.dynamics, w_.nu_end, w_.velocity);
  if (!slow_) {
    for (int row = 0; row < w_.system.layout().rows(); ++row) w_.velocity[row] += end_shift_[row];
    recordSlipAtEnd();
  }
  goToTheEnd(w_.nu_end, next.q);
  w_.prescribed.place(1.0, next.q, w_.nu_end);
  if (w_.system.hasLoops()) w_.result.loop_gap = w_.system.loops().closeConfiguration(*w_.dynamics, next.q);
  next.nu = w_.nu_end;
  if (w_.system.empty()) {
    forgetWarmStart(next.warm);
  } else {
    storeWarmStart(w_.forces, w_.model, w_.system, next.warm);
  }
  const bool is_world = momentum_of_trees_.any(), had_event = hadEvent(), touches_itself = touchesItself();
  if (is_world || had_event || touches_itself || anyLost()) {
    if (static_cast<int>(island_steps_.size()) != islands_.count()) findIslands();
    lookAtIslands(start);
  }
  if (is_world && !slow_) flyBeside(start, next);
  const bool smooth = !had_event && !anyLost();
  if (is_world || touches_itself || !smooth) findMomenta(start);
  if (!smooth) takeMadeEnergy(start, next);
  keepMomentum(start, next);
  if (!smooth) slowJoints(start, next);
  if (carries_) addCarried();
  w_.result.order = smooth ? 2 : 1;
}

/// Where bias forces were not found, and the step cannot be made in pieces, the energy of an island may be anything. So
/// may it after an event, in links that turn by a good part of a radian within the step. What it has more than before,
/// and than all that acts on it has worked, is taken from its velocities; where it has been lifted by more than they
/// have, it goes less far.
void SecondOrderStep::takeMadeEnergy(const StepStart& start, State& next) {
  for (int i = 0; i < islands_.count(); ++i) {
    IslandStep& island = island_steps_[i];
    if (!islands_.moves(i)) continue;
    // The work of a joint's springs is not known well enough within a step with an event.
    island.accepted_share = island.lost ? kLost : island.held ? 0.0 : kMadeByEvents;
    island.lost = island.accepted_share > 0.0 && !fliesAlone(i) && !island.driven && !island.ground_moves;
  }
  if (!anyLost()) return;
  findEnergiesAtStart(start);
  bool any_slowed = false;
  for (double share = 1.0; anyLost(); share *= 0.5) {
    const bool is_last = share <= kLeastWay;
    if (share < 1.0) {
      w_.end = start.state.q;
      integrateConfiguration(w_.model, nu_probe_, share * dt_, w_.end);
    }
    for (int i = 0; i < islands_.count() && share < 1.0; ++i) {
      if (!island_steps_[i].lost) continue;
      islands_.copyPositions(i, is_last ? start.state.q : w_.end, next.q);
      islands_.copyVelocities(i, w_.nu_end, next.nu);
      if (!island_steps_[i].goes_loose) islands_.scaleVelocities(i, is_last ? 0.0 : share, next.nu);
    }
    giveMomentumBack(next);
    for (int i = 0; i < islands_.count(); ++i) {
      IslandStep& island = island_steps_[i];
      if (!island.lost) continue;
      const Slowed slowed = slowToItsEnergy(i, next);
      if (slowed == Slowed::not_enough && !is_last) continue;
      island.lost = false;
      island.slowed = slowed == Slowed::enough && share == 1.0;
      any_slowed = any_slowed || island.slowed;
    }
  }
  if (any_slowed) goWithNewVelocities(next);
}

/// Takes what an island has more than it had at the start from its velocities. The probe is where it is. What touches
/// each other and nothing else loses no more than what it moves against each other by.
SecondOrderStep::Slowed SecondOrderStep::slowToItsEnergy(int island, State& next) {
  const EnergyAccount account = accountOf(island);
  if (!account.isOverdrawn()) return Slowed::not_needed;
  if (!island_steps_[island].goes_loose) {
    if (account.left < 0.0) return Slowed::not_enough;
    islands_.scaleVelocities(island, std::sqrt(account.left / account.kinetic), next.nu);
    return Slowed::enough;
  }
  const RigidPart rigid = islands_.rigidPartOf(island, *probe_);
  const double left = account.left - rigid.energy(), inside = account.kinetic - rigid.energy();
  const bool is_enough = left > 0.0 && left < inside;
  islands_.slowInside(island, rigid, is_enough ? std::sqrt(left / inside) : 0.0, next.q, next.nu);
  return is_enough ? Slowed::enough : Slowed::not_enough;
}

/// Those that have struck each other, and do not touch any more, have one account. The probe is where they are.
SecondOrderStep::EnergyAccount SecondOrderStep::accountOf(int island) {
  EnergyAccount sum;
  const auto add = [&](int i) {
    const Energy now = islands_.energyOf(i, *probe_);
    sum.left += energies_[i] - now.potential;
    sum.kinetic += now.kinetic;
    sum.accepted += island_steps_[i].accepted_share * now.kinetic + acceptedEnergy(i);
  };
  if (!island_steps_[island].struck_others) add(island);
  for (int i = 0; i < islands_.count() && island_steps_[island].struck_others; ++i)
    if (island_steps_[i].struck_others) add(i);
  return sum;
}

/// What goes at another speed gets to another place by the end of the step, and what turns has another energy there.
/// Where it cannot have that, it stays where it was slowed.
void SecondOrderStep::goWithNewVelocities(State& next) {
  slowed_q_ = next.q;
  slowed_nu_ = next.nu;
  goToTheEnd(next.nu, w_.end);
  for (int i = 0; i < islands_.count(); ++i)
    if (island_steps_[i].slowed) islands_.copyPositions(i, w_.end, next.q);
  giveMomentumBack(next);
  for (int i = 0; i < islands_.count(); ++i) {
    if (!island_steps_[i].slowed || slowToItsEnergy(i, next) != Slowed::not_enough) continue;
    islands_.copyPositions(i, slowed_q_, next.q);
    islands_.copyVelocities(i, slowed_nu_, next.nu);
  }
}

/// q at the end of the step, of a velocity there. What has bounced or landed within the step goes on from there, with
/// the mean of its velocities then and at the end: the step was made as if it had started earlier, and leads to the
/// same place only where forces are those that were expected, and nothing turns far.
void SecondOrderStep::goToTheEnd(const VectorXd& nu_end, VectorXd& q) {
  q = w_.middle;
  nu_last_half_ = nu_end;
  if (!met_trees_.empty()) {
    for (const int tree : met_trees_) islands_.copyTree(tree, met_q_, q);
    nu_last_half_ = (nu_end + nu_met_).cwiseProduct(VectorXd::Ones(nu_end.size()) - waited_);
  }
  integrateConfiguration(w_.model, nu_last_half_, 0.5 * dt_, q);
}

/// The same of robots in flight, which keep their momentum.
void SecondOrderStep::slowJoints(const StepStart& start, State& next) {
  bool looked = false, any = false;
  for (int i = 0; i < islands_.count(); ++i) {
    IslandStep& island = island_steps_[i];
    island.slowed = false;
    if (island.accepted_share == 0.0 || !fliesAlone(i) || island.driven) continue;
    if (!looked) {
      findEnergiesAtStart(start);
      probe_->updateKinematics(next.q, next.nu);
      looked = true;
    }
    island.slowed = slowJointsOf(i, next);
    if (!island.slowed) continue;
    goToTheEnd(next.nu, w_.end);
    islands_.copyPositions(i, w_.end, next.q);
    any = true;
  }
  if (!any) return;
  keepMomentum(start, next);
  probe_->updateKinematics(next.q, next.nu);
  for (int i = 0; i < islands_.count(); ++i)
    if (island_steps_[i].slowed) slowJointsOf(i, next);  // it has another energy there
}

/// Whether it had made any. The probe is where it is.
bool SecondOrderStep::slowJointsOf(int island, State& next) {
  if (!accountOf(island).isOverdrawn()) return false;
  if (momentum_of_trees_.any())
    momentum_of_trees_.slowJoints(islands_.treesOf(island)[0], energies_[island], next.q, next.nu, *probe_);
  else
    keeper_.slowJoints(energies_[island], next.q, next.nu, *probe_);
  return true;
}

/// What gravity does in a step to what is at rest: events of a robot that stands are no more than that [J].
double SecondOrderStep::acceptedEnergy(int island) const {
  const double fall = 0.5 * w_.model.gravity.norm() * dt_ * dt_, root_mass = rootMass(island);
  return root_mass * root_mass * w_.model.gravity.norm() * fall;
}

/// Of each island: energies_ [J].
void SecondOrderStep::findEnergies(const VectorXd& q, const VectorXd& nu) {
  probe_->updateKinematics(q, nu);
  energies_.clear();
  for (int i = 0; i < islands_.count(); ++i) energies_.push_back(islands_.energyOf(i, *probe_).total());
}

/// The same at the start, with all that acts on it in this step. Leaves the mean velocity in nu_probe_.
void SecondOrderStep::findEnergiesAtStart(const StepStart& start) {
  findEnergies(start.state.q, start.state.nu);
  findWorkOfInputs(start);
  for (int i = 0; i < islands_.count(); ++i) energies_[i] += sums_[i];
}

/// What acts in this step beside gravity, joints and contacts: w_.external. nu: velocities that fields ask for.
void SecondOrderStep::findPushes(const StepStart& start, const VectorXd& nu) {
  w_.external.setZero();
  appliedForces(start).addTo(0.5, w_.middle, nu, *w_.dynamics, w_.external);
}

/// Of the step, in nu_probe_. What has bounced or landed within it had another velocity until then.
void SecondOrderStep::findMeanVelocity(const StepStart& start) {
  nu_probe_ = 0.5 * (w_.nu + w_.nu_end);
  if (met_trees_.empty()) return;
  correction_ = 0.5 * (nu_met_ + w_.nu_end) + waited_.cwiseProduct(start.state.nu - 0.5 * (nu_met_ + w_.nu_end));
  for (const int tree : met_trees_) islands_.copyVelocitiesOfTree(tree, correction_, nu_probe_);
}

/// Of torques, springs, dampers and pushes in this step, for each island: sums_ [J]; nu_probe_ is its mean velocity.
void SecondOrderStep::findWorkOfInputs(const StepStart& start) {
  findMeanVelocity(start);
  findPushes(start, nu_probe_);
  w_.model.jointVelocities(w_.external) +=
      w_.torque - w_.implicit.cwiseProduct(w_.model.jointVelocities(w_.nu_end) - w_.model.jointVelocities(w_.nu)) / dt_;
  islands_.dots(w_.external, nu_probe_, sums_);
  for (double& work : sums_) work *= dt_;
}

/// The last correction was made with the slip of the solve before it.
void SecondOrderStep::recordSlipAtEnd() {
  const ContactLayout layout = w_.system.layout();
  for (int i = 0; i < static_cast<int>(motions_.size()); ++i) {
    const Matrix3d& R_WC = w_.system.frames()[i].R_WC;
    const Vector3d velocity_W =
        R_WC.leftCols<2>() * Eigen::Vector2d(w_.velocity[layout.row(i, 0)], w_.velocity[layout.row(i, 1)]);
    motions_[i].slip_end_W = velocity_W - along(R_WC.col(2), w_.system.contacts()[i].surface.velocity_W);
  }
}

/// Nothing touches: bias forces of the mean velocity are all that is to be found. False: they were not.
bool SecondOrderStep::fly(const StepStart& start) {
  w_.reaction.setZero();
  w_.nu_end = w_.nu_free;
  if (slow_) return true;
  findIslands();
  takeBiasOfTheStart(start);
  for (int k = 0; k < kMaxCorrections; ++k) {
    lookAtTheEnd();
    findBiasChanges(start);
    settleWhatIsFound();
    if (allSettled()) {
      // Forces in joints depend on it where the motion does not: what swings pulls with m r ω².
      nu_forces_ = nu_middle_;
      return true;
    }
    takeCorrectedBias(start);
    w_.nu_end = w_.nu_free;
  }
  findLost();
  return !anyLost();
}

/// A chain that cracks like a whip goes around within a step, and corrections of its bias forces lead nowhere.
/// @param turning of what turns fastest [rad/s]
int SecondOrderStep::piecesOfAWhip(double turning) const {
  constexpr int kMost = 100;
  const double turn = dt_ * turning;
  return turn < kMost * kFarthestTurn ? std::max(2, static_cast<int>(std::ceil(turn / kFarthestTurn))) : kMost;
}

/// Euler's equations of a body that whirls are those of no other: the energy of second order swings by a part of it.
bool SecondOrderStep::turnsFar(int island) const {
  return islands_.moves(island) && islands_.isOfLooseBodies(island) &&
         dt_ * std::max(turningOf(island, w_.nu), turningOf(island, w_.nu_end)) > kTurnsFar;
}

bool SecondOrderStep::anyTurnsFar() const {
  for (int i = 0; i < islands_.count() && !slow_; ++i)
    if (turnsFar(i)) return true;
  return false;
}

/// So may what flies beside others that touch something: it goes in pieces, too, as in a world of its own.
void SecondOrderStep::flyBeside(const StepStart& start, State& next) {
  if (w_.prescribed.any() || w_.system.hasLoops() || taut_) return;
  const auto flies = [&](int i) {
    const IslandStep& island = island_steps_[i];
    return (island.lost || turnsFar(i)) && !island.touched && !island.struck_others && !islands_.hasAny(i, w_.implicit);
  };
  double turning = 0.0;
  for (int i = 0; i < islands_.count(); ++i)
    if (flies(i)) turning = std::max({turning, turningOf(i, w_.nu), turningOf(i, w_.nu_end)});
  if (turning == 0.0) return;
  slowed_q_ = start.state.q;
  slowed_nu_ = start.state.nu;
  swingThrough(piecesOfAWhip(turning), start, *probe_, slowed_q_, slowed_nu_);
  for (int i = 0; i < islands_.count(); ++i) {
    if (!flies(i)) continue;
    islands_.copyPositions(i, slowed_q_, next.q);
    islands_.copyVelocities(i, slowed_nu_, next.nu);
    island_steps_[i].lost = false;
  }
}

bool SecondOrderStep::swings() const {
  return w_.system.onlyLoops() && !taut_ && !w_.prescribed.any() && w_.implicit.isZero(0.0) &&
         dt_ * slow_motion_.turning(w_.nu) <= kFarthestTurn;
}

double SecondOrderStep::turningOfAll() const {
  return std::max(slow_motion_.turning(w_.nu), slow_motion_.turning(w_.nu_end));
}

/// Mechanisms go far between two looks at them: four looks are worth two more orders.
/// @param pieces that the step is made in
void SecondOrderStep::swing(int pieces, const StepStart& start) {
  State& next = w_.result.next;
  w_.reaction.setZero();
  swingThrough(pieces, start, *w_.dynamics, next.q, next.nu);
  finishPieces(start);
  w_.result.order = swing_.order();
}

void SecondOrderStep::swingThrough(int pieces, const StepStart& start, Dynamics& dynamics, VectorXd& q, VectorXd& nu) {
  const double piece = dt_ / pieces;
  for (int k = 0; k < pieces; ++k) {
    const AppliedForces then{start.input, w_.force_field, start.state.time + k * piece, piece};
    FreeMotion part(dynamics, w_.system.loops(), w_.prescribed, then, start.springs, w_.tau, w_.bare_inertia);
    swing_.advance({part, w_.nu_free, piece}, q, nu);
  }
}

/// A chain of light links that was bent when its load pulled it straight cracks at thousands of radians a second.
void SecondOrderStep::flyInPieces(const StepStart& start) {
  State& next = w_.result.next;
  w_.reaction.setZero();
  const bool found = taut_flight_.advance(appliedForces(start), *w_.dynamics, next.q, next.nu);
  finishPieces(start);
  w_.result.order = found ? 2 : 1;
}

/// Forces that are reported are those of the middle of the step.
void SecondOrderStep::finishPieces(const StepStart& start) {
  State& next = w_.result.next;
  const AppliedForces applied = appliedForces(start);
  FreeMotion motion(*w_.dynamics, w_.system.loops(), w_.prescribed, applied, start.springs, w_.tau, w_.bare_inertia);
  nu_middle_ = 0.5 * (start.state.nu + next.nu);
  w_.middle = start.state.q;
  integrateConfiguration(w_.model, nu_middle_, 0.5 * dt_, w_.middle);
  motion.acceleration(0.5, w_.middle, nu_middle_, acceleration_);  // for the forces of the loops, which are reported
  nu_forces_ = nu_middle_;
  const Vector6d momentum = keepsMomentum() ? momentumAtEnd(start) : Vector6d::Zero();
  if (w_.system.hasLoops()) returnToLoops(w_, next);
  if (keepsMomentum()) keeper_.enforce(momentum, next.q, next.nu, *probe_);  // last: closing loops moves masses
  forgetWarmStart(next.warm);
}

/// What nothing outside of the robot touches changes its momentum by its weight and by the pushes alone.
void SecondOrderStep::keepMomentum(const StepStart& start, State& next) {
  if (momentum_of_trees_.any()) keepMomentumOfTrees(start, next);
  if (std::any_of(island_steps_.begin(), island_steps_.end(), [](const IslandStep& i) { return i.keeps_momentum; }))
    giveMomentumBack(next);
  else if (keepsMomentum())
    keeper_.enforce(momentumAtEnd(start), next.q, next.nu, *probe_);
}

/// Of robots and objects that touch nothing in this step.
void SecondOrderStep::keepMomentumOfTrees(const StepStart& start, State& next) {
  if (slow_) {
    probe_->updateKinematics(start.state.q, start.state.nu);
    momentum_of_trees_.start(*probe_);
  }
  for (const ContactFrame& frame : w_.system.frames()) {
    momentum_of_trees_.touch(frame.link);
    if (frame.other.valid()) momentum_of_trees_.touch(frame.other);
  }
  if (w_.result.impact) {
    for (const EarlierImpulse& earlier : earlier_impulses_) {
      momentum_of_trees_.touch(earlier.link);
      if (earlier.other.valid()) momentum_of_trees_.touch(earlier.other);
    }
  }
  findPushes(start, nu_middle_);
  momentum_of_trees_.enforce(w_.external, w_.middle, dt_, *w_.dynamics, next.q, next.nu, *probe_);
}

/// A robot alone, and it may be that nothing else touches it.
bool SecondOrderStep::touchesItself() const {
  const auto& frames = w_.system.frames();
  return !slow_ && !momentum_of_trees_.any() && !frames.empty() &&
         std::all_of(frames.begin(), frames.end(), [](const ContactFrame& frame) { return frame.other.valid(); });
}

/// Of islands that keep their momentum, at the start.
void SecondOrderStep::findMomenta(const StepStart& start) {
  if (!anyAdrift()) return;
  findPushes(start, nu_middle_);
  probe_->updateKinematics(start.state.q, start.state.nu);
  rigid_parts_.resize(islands_.count());
  for (int i = 0; i < islands_.count(); ++i) {
    IslandStep& island = island_steps_[i];
    island.goes_loose = isAdrift(i) && !island.struck_others && islands_.allFloat(i);
    island.keeps_momentum = island.goes_loose && !islands_.isPushed(i, w_.external);
    if (island.keeps_momentum) rigid_parts_[i] = islands_.rigidPartOf(i, *probe_);
  }
}

/// Contacts act where they are in the middle of the step, which moves by the square of it, and so do the masses of
/// robots. What is missing of the momentum is given back by moving all as one rigid body, which no contact feels.
/// Leaves the probe there.
void SecondOrderStep::giveMomentumBack(State& next) {
  probe_->updateKinematics(next.q, next.nu);
  bool any = false;
  for (int i = 0; i < islands_.count(); ++i) {
    if (!island_steps_[i].keeps_momentum) continue;
    const RigidPart after = islands_.rigidPartOf(i, *probe_);
    const Vector3d fall = dt_ * after.inertia.mass * w_.model.gravity;
    const Vector3d missing = rigid_parts_[i].angular_momentum - after.angular_momentum;
    islands_.turn(i, after, after.turningBy(missing), next.q, next.nu);
    islands_.push(i, (rigid_parts_[i].momentum + fall - after.momentum) / after.inertia.mass, next.nu);
    any = true;
  }
  if (any) probe_->updateKinematics(next.q, next.nu);
}

bool SecondOrderStep::keepsMomentum() const {
  return w_.model.floating_base && w_.model.further_bodies == 0 && w_.system.contacts().empty() &&
         !w_.system.loops().tiesToWorld();
}

/// Needs the engine in the middle.
Vector6d SecondOrderStep::momentumAtEnd(const StepStart& start) {
  if (slow_) {
    probe_->updateKinematics(start.state.q, start.state.nu);
    momentum_ = probe_->momentum();
  }
  const AppliedForces applied = appliedForces(start);
  const FreeMotion motion(*w_.dynamics, w_.system.loops(), w_.prescribed, applied, start.springs, w_.tau,
                          w_.bare_inertia);
  return momentum_ + dt_ * motion.momentumRate(0.5, w_.middle, nu_middle_);
}

const Dynamics& SecondOrderStep::returnToStart(const StepStart& start) {
  probe_->updateKinematics(start.state.q, start.state.nu);
  return *probe_;
}

/// Something happened within the step that no smooth motion has.
bool SecondOrderStep::hadEvent() const {
  if (w_.result.impact || reverted_) return true;
  const ContactLayout layout = w_.system.layout();
  const double sticking = stickingSpeed();
  for (int i = 0; i < static_cast<int>(w_.system.contacts().size()); ++i) {
    if (w_.forces.impulse[layout.row(i, 2)] == 0.0) continue;
    const Motion& motion = motions_[i];
    if (motion.open || motion.turned) return true;
    if (slow_) continue;
    const bool slid = motion.slip_start_W.norm() > sticking, slides = motion.slip_end_W.norm() > sticking;
    if (slid != slides || (slid && !slidesThroughout(motion))) return true;  // it may have turned back
  }
  const auto rows = w_.system.jointRows();
  return std::any_of(rows.begin(), rows.end(), [&](const JointRow& row) {
    return row.kind == JointRow::Kind::friction ? stopsOrStarts(row)
                                                : reachesLimit(row, static_cast<int>(&row - rows.data()));
  });
}

/// Dry friction begins or ceases to hold the joint, or acts the other way now.
bool SecondOrderStep::stopsOrStarts(const JointRow& row) const {
  const int dof = w_.model.baseDofs() + row.dof;
  const double start = w_.nu[dof], end = w_.nu_end[dof], held = kHeldJoint * w_.settings.contact.solver.tolerance;
  const bool turned = std::abs(start) > held, turns = std::abs(end) > held;
  return turned != turns || (turns && start * end < 0.0);
}

/// The limit was open, and pushes.
bool SecondOrderStep::reachesLimit(const JointRow& row, int number) const {
  const int contact = static_cast<int>(w_.system.contacts().size()) + number;
  return isOpen(row) && w_.forces.impulse[w_.system.layout().row(contact, 2)] > 0.0;
}

}  // namespace footfall
