#include "step/second_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "footfall/contact/gap_velocity.hpp"
#include "footfall/dynamics/point_velocity.hpp"
#include "footfall/step/integrator.hpp"
#include "step/second_order_rules.hpp"
#include "step/step_parts.hpp"
#include "step/warm_start.hpp"

namespace footfall {
namespace {

/// Of the solver, for problems that can be done without: those with gaps that contradict each other, and corrections,
/// most of which take one or two. Of a robot that lies, few problems in a thousand are not solved in the first ones:
/// nearly all of these have gaps that contradict each other, and are easy without them.
constexpr int kFirstIterations = kFewIterations, kFirstIterationsOfLying = 15, kCorrectionIterations = 12, kGlance = 2,
              kAllIterations = 0;
/// Where the solver took more than this for a step, its corrections are left out: the hardest problems of robots that
/// lie are not solved several times for the last digits.
constexpr int kMuchWork = 20, kMuchWorkOfLying = 12;
/// A robot with more contacts than this lies; with fewer an iteration costs little, and solvers that are not ours make
/// many. Where joints have rows, too, iterations cost as much as those of a robot that lies; but two feet stand.
constexpr int kContactsOfStanding = 16, kRowsOfStanding = 32, kContactsOfTwoFeet = 8;
/// The same where something has to be kept from going deep: what a correction lifts, it does not lift by all that
/// lacks.
constexpr int kMoreCorrections = 4;
/// The same where there is nothing to solve but loops: corrections cost little there.
constexpr double kGateWithoutContacts = 1e-8;
/// Cosine of the angle by which the ground's normal may turn under a contact within half a step.
constexpr double kTurnedNormal = 0.995;
/// The same of loops, as a share of the kinetic energy.
constexpr double kLoopWorkShare = 1e-4;
/// Corrections of loops below this do not tell whether they grow [m/s].
constexpr double kLoopRounding = 1e-11;
constexpr int kMaxLifts = 2;
/// How short a step becomes at most that would lift the robot out of nothing.
constexpr double kLeastWay = 1e-6;
/// That scheme loses α⁶/144 of the energy of what turns by α in a step [rad]: 7e-5 in ten seconds at 1 ms.
constexpr double kFarthestTurn = 0.1;
/// A joint that dry friction holds turns by no more than this many tolerances of the solver.
constexpr double kHeldJoint = 100.0;

/// v turned as `from` is turned into `to`, both unit vectors: how tangents of curved ground are carried along.
Vector3d transport(const Vector3d& from, const Vector3d& to, const Vector3d& v) {
  const double c = from.dot(to);
  const Vector3d k = from.cross(to);
  return c * v + k.cross(v) + k * (k.dot(v) / (1.0 + c));
}

bool goesFar(const Vector3d& lever, const Vector3d& other) {
  const double limit = kFarLever * kFarLever * std::max(lever.squaredNorm(), other.squaredNorm());
  return (other - lever).squaredNorm() > limit;
}

Vector3d along(const Vector3d& normal, const Vector3d& v) { return v - normal * normal.dot(v); }

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
      detector_(parts.model, parts.solids) {
  const Model& model = parts.model;
  keeper_.reserve(model);
  swing_.reserve(model);
  makeRoom();
  for (VectorXd* v : {&loop_shift_, &next_loop_shift_, &loop_start_, &loop_middle_, &loop_end_})
    v->setZero(parts.system.loops().impulses().size());
  for (VectorXd* v : {&h_, &next_h_, &correction_, &nu_probe_, &nu_middle_, &nu_before_, &nu_forces_, &kept_nu_forces_,
                      &kept_nu_free_, &kept_nu_end_})
    v->setZero(model.nv());
  acceleration_.setZero(model.nv());
  bounce_q_.setZero(model.nq());
  bounced_q_.setZero(model.nq());
  impact_inertia_.setZero(model.jointDofs());
  found_rows_.reserve(maxJointRows(model));
}

void SecondOrderStep::makeRoom() {
  const int contacts = w_.system.capacity(), rows = ContactLayout::of(contacts).rows();
  motions_.reserve(contacts);
  gaps_.assign(contacts, 0.0);
  for (AlignedVector* v : {&gap_shift_, &shift_, &next_shift_, &end_shift_, &middle_start_, &middle_end_})
    v->assign(rows, 0.0);
  kept_.impulse.assign(rows, 0.0);
  unlifted_.assign(rows, 0.0);
  earlier_impulses_.reserve(contacts);
  gaps_at_start_.reserve(contacts);
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

double SecondOrderStep::gate(double share) const { return gateOf(w_.model, share, dt_); }

/// Changes below this are left out, in the metric of M: √kg times [m/s].
double SecondOrderStep::smallChange() const {
  const bool cheap = w_.system.contacts().empty() && w_.system.jointRows().empty();
  return gate(cheap ? kGateWithoutContacts : kGate) * dt_ * traits_.root_mass;
}

// --- dynamics and contacts --------------------------------------------------------------------------

void SecondOrderStep::updateDynamics(const StepStart& start) {
  reverted_ = lost_ = false;
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
  if (slow_ && !comesPastSomething(start)) {
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
  w_.system.find(w_.terrain, start.state.time, {.step = dt_, .extra = extra, .extra_joint = extra_joint}, *q_start_,
                 w_.nu, *probe_);
  w_.makeRoom();
}

/// Of a slow robot gaps change linearly within a step: one look is enough.
void SecondOrderStep::findInTheMiddle(const StepStart& start) {
  w_.system.find(w_.terrain, start.state.time, {.step = dt_}, start.state.q, w_.nu, *w_.dynamics);
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
  if (w_.system.contacts().empty() && !momentum_of_trees_.any()) momentum_ = probe_->momentum();
  w_.result.impact = w_.contact_model->hasImpacts() && w_.impact_model.needed(w_.system, dt_);
  if (w_.result.impact) {
    jump(start);
    if (w_.result.status == SolveStatus::failed) return;
  }
  recordMotionAtStart(start);
  if (momentum_of_trees_.any()) momentum_of_trees_.start(*probe_);
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
  const LinkMotions links(*w_.dynamics);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Motion& motion = motions_[i];
    const ContactFrame& frame = w_.system.frames()[i];
    motion.gap_middle = gaps_[i];
    motion.lever_middle_W = links.pose(frame.link).R * frame.p_LC;
    motion.turned = motion.normal_start_W.dot(frame.R_WC.col(2)) < kTurnedNormal ||
                    goesFar(motion.lever_start_W, motion.lever_middle_W);
  }
}

void SecondOrderStep::assemble() {
  w_.system.handTo(*w_.dynamics);
  if (!w_.system.empty()) w_.system.computeDelassus(*w_.dynamics);
  findBlockedContacts(w_);
}

// --- forces -----------------------------------------------------------------------------------------

/// Open contacts and limits may be reached at the end of the step. Closed ones stay closed as velocities say; what is
/// left of a gap on either side of zero is taken back slowly: on the level of positions forces would ring.
void SecondOrderStep::setGapShift() {
  const ContactLayout layout = w_.system.layout();
  std::fill_n(gap_shift_.begin(), layout.rows(), 0.0);
  const auto shiftOf = [&](bool open, double gap_start, double gap_middle) {
    return open ? 2.0 * gap_middle / dt_ : closedGapVelocity(gap_start, dt_);
  };
  const auto contacts = w_.system.contacts();
  const int count = static_cast<int>(contacts.size());
  for (int i = 0; i < count; ++i) {
    Motion& motion = motions_[i];
    // A point that has gone far is another one in the middle, and only there it counts.
    const double gap = motion.turned ? motion.gap_middle : contacts[i].surface.gap;
    motion.open = std::min(gap, motion.gap_middle) > kTouchingGap;
    gap_shift_[layout.row(i, 2)] = shiftOf(motion.open, gap, motion.gap_middle);
  }
  const auto rows = w_.system.jointRows();
  for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
    if (rows[k].kind != JointRow::Kind::limit) continue;
    const double middle = rows[k].gap + 0.5 * dt_ * rows[k].approach;
    gap_shift_[layout.row(count + k, 2)] = shiftOf(isOpen(rows[k]), recoveredLimitGap(rows[k].gap), middle);
  }
}

/// A limit that may be reached at the end of the step.
bool SecondOrderStep::isOpen(const JointRow& limit) const {
  return std::min(limit.gap, limit.gap + 0.5 * dt_ * limit.approach) > kTouchingGap;
}

void SecondOrderStep::shiftContact(int contact, const Vector3d& shift_C, AlignedVector& shift) const {
  const ContactLayout layout = w_.system.layout();
  for (int c = 0; c < 3; ++c) shift[layout.row(contact, c)] += shift_C[c];
}

/// Before anything is known about the end: what the first half of the step does, the second half does again.
void SecondOrderStep::setFirstShift() {
  const int rows = w_.system.layout().rows();
  std::copy_n(gap_shift_.begin(), rows, shift_.begin());
  std::fill_n(end_shift_.begin(), rows, 0.0);
  loop_shift_.setZero();
  if (slow_) return;
  const ContactLayout layout = w_.system.layout();
  w_.system.contactVelocity(*w_.dynamics, w_.nu, middle_start_);
  const auto frames = w_.system.frames();
  for (int i = 0; i < static_cast<int>(frames.size()); ++i) {
    Motion& motion = motions_[i];
    const Matrix3d& R_WC = frames[i].R_WC;
    if (motion.turned) continue;
    const Vector3d start_C = R_WC.transpose() * transport(motion.normal_start_W, R_WC.col(2), motion.velocity_start_W);
    Vector3d shift_C;
    for (int c = 0; c < 3; ++c) shift_C[c] = middle_start_[layout.row(i, c)] - start_C[c];
    shiftContact(i, shift_C, shift_);
  }
  if (!w_.system.hasLoops()) return;
  w_.system.loops().velocity(*w_.dynamics, loop_middle_);
  loop_shift_ = loop_middle_ - loop_start_;
  loop_change_ = std::numeric_limits<double>::infinity();
  loops_diverge_ = false;
}

void SecondOrderStep::lookAtTheEnd() {
  w_.end = w_.middle;
  integrateConfiguration(w_.model, w_.nu_end, 0.5 * dt_, w_.end);
  nu_probe_ = w_.nu_end;
  w_.prescribed.place(1.0, w_.end, nu_probe_);
  probe_->updateKinematics(w_.end, nu_probe_);
}

/// The law holds for the velocity at the end, with points, normals and loops as they are there.
void SecondOrderStep::setEndShift(const StepStart& start) {
  const ContactLayout layout = w_.system.layout();
  std::copy_n(gap_shift_.begin(), layout.rows(), next_shift_.begin());
  std::fill_n(end_shift_.begin(), layout.rows(), 0.0);
  w_.system.contactVelocity(*w_.dynamics, w_.nu_end, middle_end_);
  const auto contacts = w_.system.contacts();
  const LinkMotions links(*probe_);
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    Motion& motion = motions_[i];
    const ActiveContact& contact = contacts[i];
    const ContactFrame& frame = w_.system.frames()[i];
    const Matrix3d& R_WC = frame.R_WC;
    const ContactPlace place = w_.system.placeOf(i, w_.terrain, start.state.time + dt_, links);
    const Vector3d normal = place.surface.R_WC.col(2);
    motion.turned =
        motion.turned || normal.dot(R_WC.col(2)) < kTurnedNormal || goesFar(motion.lever_middle_W, place.lever_W);
    motion.lift += liftOf(contact.surface.gap, place.surface.gap, dt_);
    next_shift_[layout.row(i, 2)] -= motion.lift;
    if (motion.turned) continue;
    const Vector3d velocity_W =
        w_.system.leverVelocityOf(i, links, place.lever_W, place.surface.R_WC) - place.surface.velocity_W;
    motion.slip_end_W = along(normal, velocity_W);
    // The problem takes the ground's velocity off by itself.
    Vector3d shift_C = R_WC.transpose() * (transport(normal, R_WC.col(2), velocity_W) + contact.surface.velocity_W);
    for (int c = 0; c < 3; ++c) shift_C[c] -= middle_end_[layout.row(i, c)];
    shiftContact(i, shift_C, end_shift_);
    if (motion.open) shift_C.z() *= 0.5;  // where it is at the end, and not how fast
    if (slidesThroughout(motion)) {
      // The ground's velocity of the middle is the mean of both ends, to second order.
      const Vector3d ground_C = 0.5 * R_WC.transpose() * (contact.surface.velocity_W - motion.ground_start_W);
      for (int c = 0; c < 2; ++c)
        shift_C[c] = 0.5 * (middle_start_[layout.row(i, c)] - middle_end_[layout.row(i, c)]) + ground_C[c];
    }
    shiftContact(i, shift_C, next_shift_);
  }
  if (!w_.system.hasLoops()) return;
  LoopMotion& loops = w_.system.loops();
  loops.velocity(*probe_, next_loop_shift_);
  loops.velocity(*w_.dynamics, w_.nu_end, loop_end_);
  next_loop_shift_ -= loop_end_;
  const double change = (next_loop_shift_ - loop_shift_).lpNorm<Eigen::Infinity>();
  loops_diverge_ = loops_diverge_ || change > std::max(loop_change_, kLoopRounding);
  loop_change_ = change;
}

/// Friction opposes the mean velocity of the step where a contact slides from its start to its end.
bool SecondOrderStep::slidesThroughout(const Motion& motion) const {
  const double start = motion.slip_start_W.norm(), end = motion.slip_end_W.norm();
  const double change = (motion.slip_end_W - motion.slip_start_W).norm();
  const double sticking = stickingSpeed();
  return motion.slip_start_W.dot(motion.slip_end_W) > 0.0 && std::max(change, sticking) < std::min(start, end);
}

void SecondOrderStep::solve(int max_iterations) {
  w_.contact_model->solve({*w_.dynamics, w_.system, w_.nu, w_.nu_free, dt_, &shift_, &loop_shift_, max_iterations},
                          *w_.solver, w_.forces);
}

void SecondOrderStep::solveForces(const StepStart& start) {
  loadWarmStart(start.state.warm, w_.model, w_.system, w_.forces);
  setGapShift();
  setFirstShift();
  if (!slow_) takeBiasOfTheStart(start);
  solve(lies() ? kFirstIterationsOfLying : kFirstIterations);
  if (w_.forces.status != SolveStatus::converged) solveWithoutGaps(start);
  recordSolution(w_.forces, w_);
  if (slow_ || reverted_ || w_.forces.status == SolveStatus::failed) return;
  w_.nu_end = w_.nu_free;
  applyImpulses(w_.forces, w_, w_.nu_end);
  // A correction changes the next one by what links turn within a step: it shrinks by that factor each time.
  const double shrinks = dt_ * slow_motion_.turning(w_.nu_end);
  double change = 0.0;
  for (int k = 0; k < kMaxCorrections + (lifts() ? kMoreCorrections : 0); ++k) {
    change = correct(start);
    if (change == 0.0) break;
    if (w_.result.iterations > (lies() ? kMuchWorkOfLying : kMuchWork) && !lifts()) {
      dropCorrection();
      break;
    }
    if (!resolve()) break;
    if (change * shrinks <= smallChange()) {
      change = 0.0;
      break;
    }
  }
  lost_ = change > 0.0 && isLost(change);
  w_.end_known = true;
  if (makesEnergy() || loopsDoWork()) solvePlainly(start);
  if (w_.forces.status != SolveStatus::failed && lifts() && ownsItsEnergy()) lowerLift(start);
}

/// There is one rigid body that moves, and nothing that works on it is guessed: springs and dampers of joints are taken
/// implicitly.
bool SecondOrderStep::ownsItsEnergy() const {
  const Model& model = w_.model;
  const bool alone = model.nv() == 6 && model.jointDofs() == 0;
  return alone && !w_.system.hasLoops() && !groundMoves();
}

/// A point that runs around a rim, or comes into play within the step, is lifted where it would end deeper: it may be
/// lifted by no more than the energy at hand. Impulses are then a mean of those with the lift and those without, which
/// only lose energy.
void SecondOrderStep::lowerLift(const StepStart& start) {
  constexpr int kHalvings = 12;
  probe_->updateKinematics(*q_start_, w_.nu);
  const double before = probe_->energy().total();
  const auto makesEnergyNow = [&] {
    w_.nu_end = w_.nu_free;
    applyImpulses(w_.forces, w_, w_.nu_end);
    const double allowed = before + workOfInputs(start);
    lookAtTheEnd();
    return probe_->energy().total() > allowed;
  };
  if (!makesEnergyNow()) return;
  const int rows = w_.system.layout().rows();
  std::swap(kept_, w_.forces);
  startFromKept();
  std::copy_n(gap_shift_.begin(), rows, shift_.begin());
  std::fill_n(end_shift_.begin(), rows, 0.0);
  solve(kAllIterations);
  if (w_.forces.status == SolveStatus::failed) {
    std::swap(kept_, w_.forces);
    makesEnergyNow();
    return;
  }
  reverted_ = true;
  recordSolution(w_.forces, w_);
  unlifted_.assign(w_.forces.impulse.begin(), w_.forces.impulse.begin() + rows);
  double low = 0.0, high = 1.0;  // shares of the lift that make no energy, and some
  const auto setShare = [&](double share) {
    for (int row = 0; row < rows; ++row)
      w_.forces.impulse[row] = unlifted_[row] + share * (kept_.impulse[row] - unlifted_[row]);
  };
  for (int k = 0; k < kHalvings; ++k) {
    const double share = 0.5 * (low + high);
    setShare(share);
    (makesEnergyNow() ? high : low) = share;
  }
  setShare(low);
  makesEnergyNow();
}

/// Contacts that push along with the motion, more than to take a gap back, have been asked for the impossible: a point
/// or an edge came into play that is not where it was.
bool SecondOrderStep::makesEnergy() {
  const ContactLayout layout = w_.system.layout();
  const auto contacts = w_.system.contacts();
  if (contacts.empty()) return false;
  w_.system.contactVelocity(*w_.dynamics, w_.nu_end, middle_end_);
  double work = 0.0, accepted = 0.0;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const int row = layout.row(i, 2);
    const Vector3d ground_W = 0.5 * (motions_[i].ground_start_W + contacts[i].surface.velocity_W);
    const double ground = w_.system.frames()[i].R_WC.col(2).dot(ground_W);
    const double recovery = std::min(gap_shift_[row], 0.0) - motions_[i].lift;
    const double start = middle_start_[row] - ground, end = middle_end_[row] - ground;
    work += w_.forces.impulse[row] * (0.5 * (start + end) + recovery);
    accepted += w_.forces.impulse[row] * (kGravityShare * w_.model.gravity.norm() * dt_ +
                                          kTurningShare * 0.5 * (std::abs(start) + std::abs(end)));
  }
  return work > accepted;
}

/// Where a mechanism could go another way, loops at the end of a step can hardly be reached by forces of its middle:
/// corrections grow, and forces get out of hand.
bool SecondOrderStep::loopsDoWork() {
  if (!w_.system.hasLoops()) return false;
  if (loops_diverge_) return true;
  const double work = 0.5 * w_.system.loopImpulses().dot(loop_middle_ - loop_shift_);
  w_.dynamics->multiplyMass(w_.nu_end, correction_);
  return std::abs(work) > kLoopWorkShare * 0.5 * w_.nu_end.dot(correction_);
}

/// The step without looking ahead: contacts and loops hold where they are in its middle. First order, and only loses
/// energy.
void SecondOrderStep::solvePlainly(const StepStart& start) {
  reverted_ = true;
  const int rows = w_.system.layout().rows();
  std::copy_n(gap_shift_.begin(), rows, shift_.begin());
  std::fill_n(end_shift_.begin(), rows, 0.0);
  loop_shift_.setZero();
  for (Motion& motion : motions_) motion.lift = 0.0;
  for (int k = 0; k <= kMaxLifts; ++k) {
    w_.forces.minimum_norm = false;
    solve(kAllIterations);
    recordSolution(w_.forces, w_);
    w_.nu_end = w_.nu_free;
    applyImpulses(w_.forces, w_, w_.nu_end);
    if (w_.forces.status == SolveStatus::failed || k == kMaxLifts || !liftWhatIsDeep(start)) return;
  }
}

/// Returns whether anything is.
bool SecondOrderStep::liftWhatIsDeep(const StepStart& start) {
  lookAtTheEnd();
  bool any = false;
  const ContactLayout layout = w_.system.layout();
  for (int i = 0; i < static_cast<int>(motions_.size()); ++i) {
    const ActiveContact& contact = w_.system.contacts()[i];
    const ContactPlace place = w_.system.placeOf(i, w_.terrain, start.state.time + dt_, *probe_);
    const double lift = liftOf(contact.surface.gap, place.surface.gap, dt_);
    shift_[layout.row(i, 2)] -= lift;
    motions_[i].lift += lift;
    any = any || lift > 0.0;
  }
  return any;
}

/// What many points of one link are asked for may contradict each other by nanometres a second
/// (docs/contact_solver.md), which makes the hardest problems. Where no impulses were found that satisfy all of it,
/// closed contacts hold as they are in the middle, which a rigid link can, and take their gaps back in a later step. So
/// do closed limits and the loops themselves: limits of a loop's joints may ask for turns that the loop does not allow,
/// and a joint at a dead centre cannot follow what the end of the step asks of its loop. To stay is always possible.
/// A robot that has come to rest so gives its gaps up in every step, and the impulses of the last step are those of
/// this one: a glance tells. Else those that were found so far are nearly those of the easier problem, too, of a robot
/// alone.
void SecondOrderStep::solveWithoutGaps(const StepStart& start) {
  const ContactLayout layout = w_.system.layout();
  const int count = static_cast<int>(w_.system.contacts().size());
  for (int i = 0; i < count; ++i)
    if (!motions_[i].open)
      for (int c = 0; c < 3; ++c) shift_[layout.row(i, c)] = 0.0;
  const auto rows = w_.system.jointRows();
  for (int k = 0; k < static_cast<int>(rows.size()); ++k)
    if (rows[k].kind == JointRow::Kind::limit && !isOpen(rows[k])) shift_[layout.row(count + k, 2)] = 0.0;
  loop_shift_.setZero();
  reverted_ = true;
  std::swap(kept_, w_.forces);
  loadWarmStart(start.state.warm, w_.model, w_.system, w_.forces);
  const bool looks_first = isAlone() && std::isfinite(kept_.residual);
  solve(looks_first ? kGlance : kAllIterations);
  if (looks_first && w_.forces.status != SolveStatus::converged) {
    w_.result.iterations += w_.forces.iterations;
    w_.result.counters += w_.forces.counters;
    startFromKept();
    solve(kAllIterations);
  }
  if (!w_.system.hasLoops() && w_.forces.residual > kept_.residual) std::swap(kept_, w_.forces);
  w_.result.iterations += kept_.iterations;
  w_.result.counters += kept_.counters;
}

/// There is one robot, and nothing else that moves.
bool SecondOrderStep::isAlone() const { return w_.model.further_bodies == 0; }

bool SecondOrderStep::lies() const {
  const int contacts = static_cast<int>(w_.system.contacts().size());
  const bool many_rows = w_.system.layout().contacts > kRowsOfStanding;
  return isAlone() && contacts > (many_rows ? kContactsOfTwoFeet : kContactsOfStanding);
}

AppliedForces SecondOrderStep::appliedForces(const StepStart& start) const {
  return {start.input, w_.force_field, start.state.time, dt_};
}

void SecondOrderStep::takeBiasOfTheStart(const StepStart& start) {
  biasAndField(appliedForces(start), 0.5, w_.middle, nu_middle_, w_, h_);
  spinning_.takeMiddle(*w_.dynamics);
}

/// How much the bias forces of the mean velocity change velocities, in the metric of M: √kg times [m/s].
double SecondOrderStep::biasChange(const StepStart& start) {
  nu_middle_ = 0.5 * (w_.nu + w_.nu_end);
  w_.prescribed.place(0.5, w_.end, nu_middle_);
  w_.dynamics->updateVelocity(nu_middle_);
  biasAndField(appliedForces(start), 0.5, w_.middle, nu_middle_, w_, next_h_);
  spinning_.correct(*w_.dynamics, *probe_, dt_, next_h_);
  w_.tau = dt_ * (next_h_ - h_);
  correction_ = w_.tau;
  w_.dynamics->solveMass(correction_);
  return std::sqrt(std::max(w_.tau.dot(correction_), 0.0));
}

void SecondOrderStep::takeCorrectedBias(const StepStart& start) {
  h_.swap(next_h_);
  nu_forces_ = nu_middle_;
  if (w_.prescribed.any()) {
    freeVelocity(h_, start.input, w_);
    dampTautLinks();
  } else {
    w_.nu_free -= correction_;
  }
}

/// The same for what the end asks of contacts and loops.
double SecondOrderStep::shiftChange() const {
  const ContactLayout layout = w_.system.layout();
  const ContactProblem& problem = w_.system.problem();
  double change = 0.0;
  for (int i = 0; i < static_cast<int>(w_.system.contacts().size()); ++i) {
    if (motions_[i].open && w_.forces.impulse[layout.row(i, 2)] == 0.0) continue;
    for (int c = 0; c < 3; ++c) {
      const int row = layout.row(i, c);
      const double difference = next_shift_[row] - shift_[row];
      change = std::max(change, difference * difference / problem.own(i, c, c));
    }
  }
  return std::sqrt(change) + traits_.root_mass * loop_change_;
}

/// Prepares a better problem from what is known about the end, and returns by how much it is another one; 0: the one
/// that was solved is good enough.
double SecondOrderStep::correct(const StepStart& start) {
  lookAtTheEnd();
  const double bias = biasChange(start);
  setEndShift(start);
  const double change = bias + shiftChange();
  if (change <= smallChange()) return 0.0;
  kept_nu_free_ = w_.nu_free;
  kept_nu_forces_ = nu_forces_;
  takeCorrectedBias(start);
  shift_.swap(next_shift_);
  loop_shift_.swap(next_loop_shift_);
  return change;
}

/// The problem is again that before correct().
void SecondOrderStep::dropCorrection() {
  reverted_ = true;
  shift_.swap(next_shift_);
  loop_shift_.swap(next_loop_shift_);
  w_.nu_free = kept_nu_free_;
  nu_forces_ = kept_nu_forces_;
}

/// Whether a contact has to be kept from going deep.
bool SecondOrderStep::lifts() const {
  return std::any_of(motions_.begin(), motions_.end(), [](const Motion& motion) { return motion.lift > 0.0; });
}

/// The next solve starts from the impulses of the last one, which are kept.
void SecondOrderStep::startFromKept() {
  w_.forces.impulse.resize(kept_.impulse.size());
  std::copy_n(kept_.impulse.begin(), w_.system.layout().rows(), w_.forces.impulse.begin());
  w_.forces.minimum_norm = false;
}

/// Solves the corrected problem; false: that did not succeed, and the step stays without this correction.
bool SecondOrderStep::resolve() {
  kept_nu_end_ = w_.nu_end;
  std::swap(kept_, w_.forces);
  startFromKept();
  solve(kCorrectionIterations);
  reverted_ = w_.forces.status > kept_.status ||
              w_.forces.residual > std::max(kept_.residual, w_.settings.contact.solver.tolerance);
  if (reverted_) {
    std::swap(kept_, w_.forces);
    w_.result.counters += kept_.counters;
    w_.nu_end = kept_nu_end_;
    dropCorrection();
    return false;
  }
  recordSolution(w_.forces, w_);
  w_.nu_end = w_.nu_free;
  applyImpulses(w_.forces, w_, w_.nu_end);
  return true;
}

// --- the end ----------------------------------------------------------------------------------------

void SecondOrderStep::integrateMotion(const StepStart& start) {
  State& next = w_.result.next;
  if (swings()) return swing(1, start);
  if (w_.system.empty()) {
    if (!fly(start) && !w_.prescribed.any() && w_.implicit.isZero(0.0))
      return taut_ ? flyInPieces(start) : swing(piecesOfAWhip(), start);
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
  next.q = w_.middle;
  integrateConfiguration(w_.model, w_.nu_end, 0.5 * dt_, next.q);
  w_.prescribed.place(1.0, next.q, w_.nu_end);
  if (w_.system.hasLoops()) w_.result.loop_gap = w_.system.loops().closeConfiguration(*w_.dynamics, next.q);
  next.nu = w_.nu_end;
  if (w_.system.empty()) {
    forgetWarmStart(next.warm);
  } else {
    storeWarmStart(w_.forces, w_.model, w_.system, next.warm);
  }
  if (lost_) takeMadeEnergy(start, next);
  keepMomentum(start, next);
  w_.result.order = hadEvent() || lost_ ? 1 : 2;
}

/// Where bias forces were not found, and the step cannot be made in pieces, its energy may be anything. What it has
/// more than before, and than all that acts on the robot has worked, is taken from its velocities; where it has been
/// lifted by more than they have, it goes less far.
void SecondOrderStep::takeMadeEnergy(const StepStart& start, State& next) {
  if (w_.prescribed.any() || groundMoves()) return;
  probe_->updateKinematics(*q_start_, w_.nu);
  const double before = probe_->energy().total() + workOfInputs(start);
  for (double share = 1.0; share > kLeastWay; share *= 0.5) {
    if (share < 1.0) {
      next.q = *q_start_;
      integrateConfiguration(w_.model, nu_probe_, share * dt_, next.q);
      next.nu = share * w_.nu_end;
    }
    probe_->updateKinematics(next.q, next.nu);
    const Energy after = probe_->energy();
    const double made = after.total() - before;
    if (made <= kLost * after.kinetic) return;
    if (made > after.kinetic) continue;
    next.nu *= std::sqrt(1.0 - made / after.kinetic);
    return;
  }
  next.q = *q_start_;
  next.nu.setZero();
}

/// Of torques, springs, dampers and pushes in this step [J]; nu_probe_ is its mean velocity.
double SecondOrderStep::workOfInputs(const StepStart& start) {
  nu_probe_ = 0.5 * (w_.nu + w_.nu_end);
  w_.external.setZero();
  appliedForces(start).addTo(0.5, w_.middle, nu_probe_, *w_.dynamics, w_.external);
  w_.model.jointVelocities(w_.external) +=
      w_.torque - w_.implicit.cwiseProduct(w_.model.jointVelocities(w_.nu_end) - w_.model.jointVelocities(w_.nu)) / dt_;
  return dt_ * w_.external.dot(nu_probe_);
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
  takeBiasOfTheStart(start);
  double change = 0.0;
  for (int k = 0; k < kMaxCorrections; ++k) {
    lookAtTheEnd();
    change = biasChange(start);
    if (change <= smallChange()) {
      // Forces in joints depend on it where the motion does not: what swings pulls with m r ω².
      nu_forces_ = nu_middle_;
      return true;
    }
    takeCorrectedBias(start);
    w_.nu_end = w_.nu_free;
  }
  lost_ = isLost(change);
  return !lost_;
}

/// The last correction still changes velocities by a share of what they are: bias forces were not found.
bool SecondOrderStep::isLost(double change) {
  w_.dynamics->multiplyMass(w_.nu_end, nu_probe_);
  return change * change > kLost * kLost * w_.nu_end.dot(nu_probe_);
}

/// A chain that cracks like a whip goes around within a step, and corrections of its bias forces lead nowhere.
int SecondOrderStep::piecesOfAWhip() const {
  constexpr int kMost = 100;
  const double turn = dt_ * std::max(slow_motion_.turning(w_.nu), slow_motion_.turning(w_.nu_end));
  return turn < kMost * kFarthestTurn ? std::max(2, static_cast<int>(std::ceil(turn / kFarthestTurn))) : kMost;
}

bool SecondOrderStep::swings() const {
  return w_.system.onlyLoops() && !taut_ && !w_.prescribed.any() && w_.implicit.isZero(0.0) &&
         dt_ * slow_motion_.turning(w_.nu) <= kFarthestTurn;
}

/// Mechanisms go far between two looks at them: four looks are worth two more orders.
/// @param pieces that the step is made in
void SecondOrderStep::swing(int pieces, const StepStart& start) {
  State& next = w_.result.next;
  w_.reaction.setZero();
  const double piece = dt_ / pieces;
  for (int k = 0; k < pieces; ++k) {
    const AppliedForces then{start.input, w_.force_field, start.state.time + k * piece, piece};
    FreeMotion part(*w_.dynamics, w_.system.loops(), w_.prescribed, then, start.springs, w_.tau, w_.bare_inertia);
    swing_.advance({part, w_.nu_free, piece}, next.q, next.nu);
  }
  finishPieces(start);
  w_.result.order = swing_.order();
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
  if (momentum_of_trees_.any()) return keepMomentumOfTrees(start, next);
  if (keepsMomentum()) keeper_.enforce(momentumAtEnd(start), next.q, next.nu, *probe_);
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
  w_.external.setZero();
  appliedForces(start).addTo(0.5, w_.middle, nu_middle_, *w_.dynamics, w_.external);
  momentum_of_trees_.enforce(w_.external, w_.middle, dt_, *w_.dynamics, next.q, next.nu, *probe_);
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
