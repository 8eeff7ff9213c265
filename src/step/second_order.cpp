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
  carries_ = false;
  if (farther_ == 0.0) std::fill(farther_links_.begin(), farther_links_.end(), 0);
  met_trees_.clear();
  earlier_impulses_.clear();
  island_steps_.clear();
  momentum_of_trees_.touchNothing();
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
  motions_.assign(contacts.size(), Motion{});
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
  if (!taut_links_.any()) {
    taut_ = false;
  } else if (w_.system.hasLoops()) {
    w_.dynamics->prepareLoops();
    limitLoopRank();
    taut_ = taut_links_.hold(dt_, w_.torque, w_.system.loops(), *w_.dynamics);
  } else {
    taut_ = taut_links_.hold(dt_, *w_.dynamics);
  }
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

/// Loops are closed where the step starts: there it shows which rows depend on others.
void SecondOrderStep::limitLoopRank() {
  LoopMotion& loops = w_.system.loops();
  if (loops.limitRank(*w_.dynamics)) return;
  probe_->update(*q_start_, w_.nu);
  loops.prepare(*probe_, true);
  probe_->updateKinematics(*q_start_, w_.nu);
  loops.limitRank(*w_.dynamics);
}

void SecondOrderStep::assemble() {
  w_.system.handTo(*w_.dynamics);
  if (w_.system.hasLoops()) limitLoopRank();
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
  if (static_cast<int>(island_steps_.size()) != islands_.count()) findIslands();
  const bool is_world = momentum_of_trees_.any(), had_event = findEvents(), touches_itself = touchesItself();
  if (is_world || had_event || touches_itself || anyLost()) lookAtIslands(start);
  if (is_world && !slow_) flyBeside(start, next);
  const bool smooth = !had_event && !anyLost();
  if (is_world || touches_itself || !smooth) findMomenta(start);
  if (!smooth) takeMadeEnergy(start, next);
  keepMomentum(start, next);
  if (!smooth) slowJoints(start, next);
  if (carries_) addCarried();
  w_.result.order = smooth ? 2 : 1;
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

const Dynamics& SecondOrderStep::returnToStart(const StepStart& start) {
  probe_->updateKinematics(start.state.q, start.state.nu);
  return *probe_;
}

/// In which islands something happened within the step that no smooth motion has. Returns whether in any.
bool SecondOrderStep::findEvents() {
  bool any = false;
  const auto mark = [&](int island) { island_steps_[island].had_event = any = true; };
  for (int i = 0; i < islands_.count(); ++i)
    if (island_steps_[i].reverted || (w_.result.impact && islands_.count() == 1)) mark(i);
  for (const int tree : met_trees_) mark(islands_.ofTree(tree));
  for (const EarlierImpulse& earlier : earlier_impulses_) {
    mark(islands_.ofLink(earlier.link));
    if (earlier.other.valid()) mark(islands_.ofLink(earlier.other));
  }
  const int rows = static_cast<int>(island_of_row_.size()), contacts = static_cast<int>(w_.system.contacts().size());
  for (int row = 0; row < rows && w_.result.impact; ++row)
    if (wasStruck(row)) mark(island_of_row_[row]);
  const double sticking = stickingSpeed();
  for (int i = 0; i < contacts; ++i)
    if (changedItsMode(i, sticking)) mark(island_of_row_[i]);
  for (int k = contacts; k < rows; ++k) {
    const JointRow& row = w_.system.jointRows()[k - contacts];
    const bool is_friction = row.kind == JointRow::Kind::friction;
    if (is_friction ? stopsOrStarts(row) : reachesLimit(row, k - contacts)) mark(island_of_row_[k]);
  }
  return any;
}

bool SecondOrderStep::wasStruck(int row) const {
  const ContactLayout layout = w_.system.layout();
  for (int c = 0; c < 3; ++c)
    if (w_.impacts.impulse[layout.row(row, c)] != 0.0) return true;
  return false;
}

/// The contact has closed within the step, or began or ceased to slide.
bool SecondOrderStep::changedItsMode(int contact, double sticking) const {
  if (w_.forces.impulse[w_.system.layout().row(contact, 2)] == 0.0) return false;
  const Motion& motion = motions_[contact];
  if (motion.open || motion.turned) return true;
  if (slow_) return false;
  const bool slid = motion.slip_start_W.norm() > sticking, slides = motion.slip_end_W.norm() > sticking;
  return slid != slides || (slid && !slidesThroughout(motion));  // it may have turned back
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
