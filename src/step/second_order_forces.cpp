#include <algorithm>
#include <cmath>
#include <limits>

#include "footfall/contact/gap_velocity.hpp"
#include "footfall/dynamics/point_velocity.hpp"
#include "step/second_order.hpp"
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
/// Work of loops that is accepted, as a share of the kinetic energy.
constexpr double kLoopWorkShare = 1e-4;
/// Corrections of loops below this do not tell whether they grow [m/s].
constexpr double kLoopRounding = 1e-11;
constexpr int kMaxLifts = 2;
/// A correction is made if it changes velocities by more than this, as kGate, where there is nothing to solve but
/// loops: corrections cost little there.
constexpr double kGateWithoutContacts = 1e-8;

/// v turned as `from` is turned into `to`, both unit vectors: how tangents of curved ground are carried along.
Vector3d transport(const Vector3d& from, const Vector3d& to, const Vector3d& v) {
  const double c = from.dot(to);
  const Vector3d k = from.cross(to);
  return c * v + k.cross(v) + k * (k.dot(v) / (1.0 + c));
}

}  // namespace

double SecondOrderStep::gate(double share) const { return gateOf(w_.model, share, dt_); }

// --- what is asked of contacts and loops ------------------------------------------------------------

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
    const double gap = motion.turned ? motion.gap_middle : motion.gap_start;
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
  for (int row = 0; row < layout.contacts; ++row) {
    if (isSettled(row)) continue;
    for (int c = 0; c < 3; ++c) end_shift_[layout.row(row, c)] = 0.0;
  }
  w_.system.contactVelocity(*w_.dynamics, w_.nu_end, middle_end_);
  const auto contacts = w_.system.contacts();
  const LinkMotions links(*probe_);
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    if (isSettled(i)) continue;
    Motion& motion = motions_[i];
    const ActiveContact& contact = contacts[i];
    const ContactFrame& frame = w_.system.frames()[i];
    const Matrix3d& R_WC = frame.R_WC;
    const ContactPlace place = w_.system.placeOf(i, w_.terrain, start.state.time + dt_, links);
    const Vector3d normal = place.surface.R_WC.col(2);
    motion.turned =
        motion.turned || normal.dot(R_WC.col(2)) < kTurnedNormal || goesFar(motion.lever_middle_W, place.lever_W);
    motion.lift += liftOf(motion.gap_start, place.surface.gap, dt_);
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
  if (!w_.system.hasLoops() || island_steps_[islands_.ofLoops()].settled) return;
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

// --- islands ----------------------------------------------------------------------------------------

/// Of the contacts and limits that this step has; nothing is known about any of them.
void SecondOrderStep::findIslands() {
  islands_.find(w_.system.frames());
  island_steps_.assign(islands_.count(), IslandStep{});
  if (islands_.count() == 1) {
    island_of_row_.assign(w_.system.layout().contacts, 0);
    island_steps_[0].touched = !island_of_row_.empty();
    return;
  }
  island_of_row_.clear();
  for (const ContactFrame& frame : w_.system.frames()) island_of_row_.push_back(islands_.ofContact(frame));
  for (const JointRow& row : w_.system.jointRows()) island_of_row_.push_back(islands_.ofDof(row.dof));
  for (const int island : island_of_row_) island_steps_[island].touched = true;
}

bool SecondOrderStep::isSettled(int row) const { return island_steps_[island_of_row_[row]].settled; }

bool SecondOrderStep::allSettled() const {
  return std::all_of(island_steps_.begin(), island_steps_.end(), [](const IslandStep& i) { return i.settled; });
}

bool SecondOrderStep::anyLost() const {
  return std::any_of(island_steps_.begin(), island_steps_.end(), [](const IslandStep& i) { return i.lost; });
}

void SecondOrderStep::copyRow(int row, const AlignedVector& from, AlignedVector& to) const {
  const ContactLayout layout = w_.system.layout();
  for (int c = 0; c < 3; ++c) to[layout.row(row, c)] = from[layout.row(row, c)];
}

void SecondOrderStep::copyRows(int island, const AlignedVector& from, AlignedVector& to) const {
  for (int row = 0; row < static_cast<int>(island_of_row_.size()); ++row)
    if (island_of_row_[row] == island) copyRow(row, from, to);
}

/// What each island touches, and what holds or drives it.
void SecondOrderStep::lookAtIslands(const StepStart& start) {
  for (IslandStep& island : island_steps_)
    island.in_contact = island.on_ground = island.ground_moves = island.held = island.driven = false;
  const auto contacts = w_.system.contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    IslandStep& island = island_steps_[island_of_row_[i]];
    island.in_contact = true;
    island.on_ground = island.on_ground || !islands_.moveBoth(w_.system.frames()[i]);
    island.ground_moves = island.ground_moves || !contacts[i].surface.velocity_W.isZero(0.0);
  }
  for (const DofIndex dof : w_.prescribed.dofs()) island_steps_[islands_.ofDof(dof)].driven = true;
  if (start.springs == nullptr) return;
  const VectorXd& stiffness = start.springs->stiffness;
  for (int dof = 0; dof < static_cast<int>(stiffness.size()); ++dof)
    if (stiffness[dof] > 0.0) island_steps_[islands_.ofDof(DofIndex(dof))].held = true;
}

/// A robot or an object that touches nothing.
bool SecondOrderStep::fliesAlone(int island) const {
  return islands_.treesOf(island).size() == 1 && island != islands_.ofLoops() && islands_.floats(island) &&
         !island_steps_[island].in_contact;
}

/// Several robots or objects that touch each other and nothing else: whatever they do, they keep their momentum.
bool SecondOrderStep::isAdrift(int island) const {
  return islands_.treesOf(island).size() > 1 && island != islands_.ofLoops() && !island_steps_[island].on_ground;
}

/// Which islands have a contact that has to be kept from going deep. Returns whether any has.
bool SecondOrderStep::findLifts() {
  bool any = false;
  for (IslandStep& island : island_steps_) island.lifts = false;
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    if (!(motions_[i].lift > 0.0)) continue;
    island_steps_[island_of_row_[i]].lifts = any = true;
  }
  return any;
}

double SecondOrderStep::rootMass(int island) const {
  return islands_.count() == 1 ? traits_.root_mass : islands_.rootMass(island);
}

/// Changes below this are left out, in the metric of M: √kg times [m/s].
double SecondOrderStep::smallChange(int island) const {
  const bool cheap = islands_.count() == 1 ? w_.system.contacts().empty() && w_.system.jointRows().empty()
                                           : !island_steps_[island].touched;
  return gate(cheap ? kGateWithoutContacts : kGate) * dt_ * rootMass(island);
}

// --- forces -----------------------------------------------------------------------------------------

void SecondOrderStep::leaveSettledAlone() {
  settled_rows_.clear();
  for (const int island : island_of_row_) settled_rows_.push_back(island_steps_[island].settled);
  const auto is_settled = [](char settled) { return settled != 0; };
  if (std::any_of(settled_rows_.begin(), settled_rows_.end(), is_settled)) island_solver_->leaveAlone(settled_rows_);
}

/// Of the islands that are not settled.
void SecondOrderStep::solve(int max_iterations) {
  if (islands_.count() > 1) leaveSettledAlone();
  w_.contact_model->solve({*w_.dynamics, w_.system, w_.nu, w_.nu_free, dt_, &shift_, &loop_shift_, max_iterations},
                          *w_.solver, w_.forces);
  takeOutcomes();
}

void SecondOrderStep::takeOutcomes() {
  const IslandSolver::Outcome whole{w_.forces.status, w_.forces.iterations, w_.forces.residual,
                                    w_.forces.worst_contact};
  const bool apart = islands_.count() > 1 && island_solver_->outcomes().size() == island_of_row_.size();
  const auto before = [&](const IslandStep& island) {
    return islands_.count() == 1 || (island.touched && !apart) ? whole : IslandSolver::Outcome{};
  };
  for (IslandStep& island : island_steps_)
    if (!island.settled) island.outcome = before(island);
  for (std::size_t row = 0; row < island_of_row_.size() && apart; ++row) {
    IslandStep& island = island_steps_[island_of_row_[row]];
    if (island.settled) continue;
    const IslandSolver::Outcome& outcome = island_solver_->outcomes()[row];
    IslandSolver::Outcome& worst = island.outcome;
    worst.status = std::max(worst.status, outcome.status);
    worst.iterations = std::max(worst.iterations, outcome.iterations);
    if (!(outcome.residual > worst.residual)) continue;  // not-a-number is infinity here
    worst.residual = outcome.residual;
    worst.worst_contact = outcome.worst_contact;
  }
  for (IslandStep& island : island_steps_)
    if (!island.settled) island.iterations += island.outcome.iterations;
  combineOutcomes();
}

/// All islands as one solution.
void SecondOrderStep::combineOutcomes() {
  if (islands_.count() == 1) return;
  w_.forces.status = SolveStatus::converged;
  w_.forces.residual = 0.0;
  for (const IslandStep& island : island_steps_) {
    w_.forces.status = std::max(w_.forces.status, island.outcome.status);
    if (!(island.outcome.residual > w_.forces.residual)) continue;
    w_.forces.residual = island.outcome.residual;
    w_.forces.worst_contact = island.outcome.worst_contact;
  }
}

void SecondOrderStep::solveForces(const StepStart& start) {
  loadWarmStart(start.state.warm, w_.model, w_.system, w_.forces);
  findIslands();
  setGapShift();
  setFirstShift();
  if (!slow_) takeBiasOfTheStart(start);
  solve(lies() ? kFirstIterationsOfLying : kFirstIterations);
  if (w_.forces.status != SolveStatus::converged) solveWithoutGaps(start);
  recordSolution(w_.forces, w_);
  if (slow_ || allSettled() || w_.forces.status == SolveStatus::failed) return;
  w_.nu_end = w_.nu_free;
  applyImpulses(w_.forces, w_, w_.nu_end);
  for (int i = 0; i < islands_.count(); ++i) island_steps_[i].shrinks = dt_ * turningOf(i, w_.nu_end);
  for (int k = 0; k < kMaxCorrections + kMoreCorrections; ++k) {
    if (k >= kMaxCorrections)
      for (IslandStep& island : island_steps_) island.settled = island.settled || !island.lifts;
    if (allSettled()) break;
    correct(start);
    leaveOutMuchWork();
    if (allSettled()) break;
    resolve();
    settleWhatShrinks();
  }
  findLost();
  w_.end_known = true;
  if (findEnergyMakers()) solvePlainly(start);
  if (w_.forces.status != SolveStatus::failed) lowerLift(start);
}

double SecondOrderStep::turningOf(int island, const VectorXd& nu) const {
  return islands_.count() == 1 ? slow_motion_.turning(nu) : slow_motion_.turning(islands_.treesOf(island), nu);
}

/// Where the solver took much work, corrections are left out, unless something has to be kept from going deep.
void SecondOrderStep::leaveOutMuchWork() {
  findLifts();
  for (int i = 0; i < islands_.count(); ++i) {
    const int iterations = island_steps_[i].iterations;
    if (island_steps_[i].settled || iterations <= (lies() ? kMuchWorkOfLying : kMuchWork) || island_steps_[i].lifts)
      continue;
    dropCorrection(i);
  }
}

/// A correction changes the next one by what links turn within a step: it shrinks by that factor each time.
void SecondOrderStep::settleWhatShrinks() {
  for (int i = 0; i < islands_.count(); ++i) {
    IslandStep& island = island_steps_[i];
    if (island.settled || (islands_.count() > 1 && !island.touched && i != islands_.ofLoops())) continue;
    if (island.change * island.shrinks > smallChange(i)) continue;
    island.settled = true;
    island.change = 0.0;
  }
}

/// The last correction still changes velocities by a share of what they are: bias forces were not found.
void SecondOrderStep::findLost() {
  const auto changes = [](const IslandStep& island) { return island.change > 0.0; };
  if (std::none_of(island_steps_.begin(), island_steps_.end(), changes)) return;
  w_.dynamics->multiplyMass(w_.nu_end, nu_probe_);
  islands_.dots(w_.nu_end, nu_probe_, sums_);
  for (int i = 0; i < islands_.count(); ++i) {
    IslandStep& island = island_steps_[i];
    island.lost = island.change * island.change > kLost * kLost * sums_[i];
  }
}

/// A point that runs around a rim, or comes into play within the step, is lifted where it would end deeper: bodies may
/// be lifted by no more than the energy at hand. Impulses are then a mean of those with the lift and those without,
/// which only lose energy.
void SecondOrderStep::lowerLift(const StepStart& start) {
  constexpr int kHalvings = 12;
  if (!findLifts()) return;
  lookAtIslands(start);
  // Of rigid bodies nothing that works on them is guessed: springs and dampers of joints are taken implicitly.
  for (int i = 0; i < islands_.count(); ++i) {
    IslandStep& island = island_steps_[i];
    island.settled = !island.lifts || island.ground_moves || !islands_.isOfLooseBodies(i);
  }
  if (allSettled()) return;
  findEnergies(*q_start_, w_.nu);
  const auto findMakers = [&] {
    w_.nu_end = w_.nu_free;
    applyImpulses(w_.forces, w_, w_.nu_end);
    findWorkOfInputs(start);
    lookAtTheEnd();
    for (int i = 0; i < islands_.count(); ++i)
      if (!island_steps_[i].settled)
        island_steps_[i].makes_energy = islands_.energyOf(i, *probe_).total() > energies_[i] + sums_[i];
  };
  findMakers();
  for (IslandStep& island : island_steps_) island.settled = island.settled || !island.makes_energy;
  if (allSettled()) return;
  const int rows = w_.system.layout().rows();
  std::swap(kept_, w_.forces);
  startFromKept();
  for (int i = 0; i < islands_.count(); ++i)
    if (!island_steps_[i].settled) askForNothing(i);
  solve(kAllIterations);
  if (w_.forces.status == SolveStatus::failed) {
    std::swap(kept_, w_.forces);
    findMakers();
    return;
  }
  reverted_ = true;
  recordSolution(w_.forces, w_);
  unlifted_.assign(w_.forces.impulse.begin(), w_.forces.impulse.begin() + rows);
  for (IslandStep& island : island_steps_) island.low = 0.0, island.high = 1.0;
  const auto setShares = [&](auto shareOf) {
    const ContactLayout layout = w_.system.layout();
    for (int k = 0; k < layout.contacts; ++k) {
      const IslandStep& island = island_steps_[island_of_row_[k]];
      if (island.settled) continue;
      for (int c = 0; c < 3; ++c) {
        const int row = layout.row(k, c);
        w_.forces.impulse[row] = unlifted_[row] + shareOf(island) * (kept_.impulse[row] - unlifted_[row]);
      }
    }
  };
  for (int k = 0; k < kHalvings; ++k) {
    setShares([](const IslandStep& island) { return 0.5 * (island.low + island.high); });
    findMakers();
    for (IslandStep& island : island_steps_)
      (island.makes_energy ? island.high : island.low) = 0.5 * (island.low + island.high);
  }
  setShares([](const IslandStep& island) { return island.low; });
  findMakers();
}

/// Contacts and loops hold where they are in the middle of the step.
void SecondOrderStep::askForNothing(int island) {
  const ContactLayout layout = w_.system.layout();
  copyRows(island, gap_shift_, shift_);
  for (int row = 0; row < layout.contacts; ++row)
    for (int c = 0; c < 3 && island_of_row_[row] == island; ++c) end_shift_[layout.row(row, c)] = 0.0;
}

/// Contacts that push along with the motion, more than to take a gap back, have been asked for the impossible: a point
/// or an edge came into play that is not where it was. Returns whether any island has such.
bool SecondOrderStep::findEnergyMakers() {
  const ContactLayout layout = w_.system.layout();
  const auto contacts = w_.system.contacts();
  w_.system.contactVelocity(*w_.dynamics, w_.nu_end, middle_end_);
  sums_.assign(islands_.count(), 0.0);
  accepted_.assign(islands_.count(), 0.0);
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const int row = layout.row(i, 2);
    const Vector3d ground_W = 0.5 * (motions_[i].ground_start_W + contacts[i].surface.velocity_W);
    const double ground = w_.system.frames()[i].R_WC.col(2).dot(ground_W);
    const double recovery = std::min(gap_shift_[row], 0.0) - motions_[i].lift;
    const double start = middle_start_[row] - ground, end = middle_end_[row] - ground;
    sums_[island_of_row_[i]] += w_.forces.impulse[row] * (0.5 * (start + end) + recovery);
    accepted_[island_of_row_[i]] += w_.forces.impulse[row] * (kGravityShare * w_.model.gravity.norm() * dt_ +
                                                              kTurningShare * 0.5 * (std::abs(start) + std::abs(end)));
  }
  bool any = false;
  for (int i = 0; i < islands_.count(); ++i) {
    IslandStep& island = island_steps_[i];
    island.makes_energy = !island.without_gaps && sums_[i] > accepted_[i];
    any = any || island.makes_energy;
  }
  if (!loopsDoWork()) return any;
  island_steps_[islands_.ofLoops()].makes_energy = true;
  return true;
}

/// Where a mechanism could go another way, loops at the end of a step can hardly be reached by forces of its middle:
/// corrections grow, and forces get out of hand.
bool SecondOrderStep::loopsDoWork() {
  if (!w_.system.hasLoops() || island_steps_[islands_.ofLoops()].without_gaps) return false;
  if (loops_diverge_) return true;
  const double work = 0.5 * w_.system.loopImpulses().dot(loop_middle_ - loop_shift_);
  w_.dynamics->multiplyMass(w_.nu_end, correction_);
  islands_.dots(w_.nu_end, correction_, sums_);
  return std::abs(work) > kLoopWorkShare * 0.5 * sums_[islands_.ofLoops()];
}

/// Islands that would make energy make the step without looking ahead: contacts and loops hold where they are in its
/// middle. First order, and only loses energy.
void SecondOrderStep::solvePlainly(const StepStart& start) {
  reverted_ = true;
  for (int i = 0; i < islands_.count(); ++i) {
    island_steps_[i].settled = !island_steps_[i].makes_energy;
    if (island_steps_[i].settled) continue;
    askForNothing(i);
    if (i == islands_.ofLoops()) loop_shift_.setZero();
  }
  for (std::size_t i = 0; i < motions_.size(); ++i)
    if (!isSettled(static_cast<int>(i))) motions_[i].lift = 0.0;
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
    if (isSettled(i)) continue;
    const ContactPlace place = w_.system.placeOf(i, w_.terrain, start.state.time + dt_, *probe_);
    const double lift = liftOf(motions_[i].gap_start, place.surface.gap, dt_);
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
  for (IslandStep& island : island_steps_) {
    island.settled = island.outcome.status == SolveStatus::converged;
    island.without_gaps = !island.settled;
    island.kept_outcome = island.outcome;
  }
  for (int i = 0; i < count; ++i)
    if (!isSettled(i) && !motions_[i].open)
      for (int c = 0; c < 3; ++c) shift_[layout.row(i, c)] = 0.0;
  const auto rows = w_.system.jointRows();
  for (int k = 0; k < static_cast<int>(rows.size()); ++k)
    if (!isSettled(count + k) && rows[k].kind == JointRow::Kind::limit && !isOpen(rows[k]))
      shift_[layout.row(count + k, 2)] = 0.0;
  if (w_.system.hasLoops() && !island_steps_[islands_.ofLoops()].settled) loop_shift_.setZero();
  reverted_ = true;
  std::swap(kept_, w_.forces);
  loadWarmStart(start.state.warm, w_.model, w_.system, w_.forces);
  for (int row = 0; row < layout.contacts; ++row)
    if (isSettled(row)) copyRow(row, kept_.impulse, w_.forces.impulse);
  const bool looks_first = isAlone() && std::isfinite(kept_.residual);
  solve(looks_first ? kGlance : kAllIterations);
  if (looks_first && w_.forces.status != SolveStatus::converged) {
    w_.result.iterations += w_.forces.iterations;
    w_.result.counters += w_.forces.counters;
    startFromKept();
    solve(kAllIterations);
  }
  w_.result.iterations += kept_.iterations;
  w_.result.counters += kept_.counters;
  for (int i = 0; i < islands_.count() && !w_.system.hasLoops(); ++i) {
    IslandStep& island = island_steps_[i];
    if (island.settled || !(island.outcome.residual > island.kept_outcome.residual)) continue;
    takeKept(i);
  }
  combineOutcomes();
  // What holds as it is in the middle is not corrected; the others go on.
  for (IslandStep& island : island_steps_) island.settled = island.without_gaps;
}

/// The impulses of an island before its last solve, and what was reached by them.
void SecondOrderStep::takeKept(int island) {
  IslandStep& step = island_steps_[island];
  copyRows(island, kept_.impulse, w_.forces.impulse);
  step.outcome = step.kept_outcome;
  w_.forces.minimum_norm = kept_.minimum_norm && (islands_.count() == 1 || w_.forces.minimum_norm);
  if (islands_.count() > 1) return;
  w_.forces.status = kept_.status;
  w_.forces.residual = kept_.residual;
  w_.forces.worst_contact = kept_.worst_contact;
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

/// How much the bias forces of the mean velocity change velocities of each island, in the metric of M: √kg times [m/s].
void SecondOrderStep::findBiasChanges(const StepStart& start) {
  nu_middle_ = 0.5 * (w_.nu + w_.nu_end);
  w_.prescribed.place(0.5, w_.end, nu_middle_);
  w_.dynamics->updateVelocity(nu_middle_);
  biasAndField(appliedForces(start), 0.5, w_.middle, nu_middle_, w_, next_h_);
  spinning_.correct(*w_.dynamics, *probe_, dt_, next_h_);
  w_.tau = dt_ * (next_h_ - h_);
  correction_ = w_.tau;
  w_.dynamics->solveMass(correction_);
  islands_.dots(w_.tau, correction_, sums_);
  for (int i = 0; i < islands_.count(); ++i)
    if (!island_steps_[i].settled) island_steps_[i].change = std::sqrt(std::max(sums_[i], 0.0));
}

/// The same for what the end asks of contacts and loops.
void SecondOrderStep::addShiftChanges() {
  const ContactLayout layout = w_.system.layout();
  const ContactProblem& problem = w_.system.problem();
  sums_.assign(islands_.count(), 0.0);
  for (int i = 0; i < static_cast<int>(w_.system.contacts().size()); ++i) {
    if (isSettled(i) || (motions_[i].open && w_.forces.impulse[layout.row(i, 2)] == 0.0)) continue;
    double& change = sums_[island_of_row_[i]];
    for (int c = 0; c < 3; ++c) {
      const int row = layout.row(i, c);
      const double difference = next_shift_[row] - shift_[row];
      change = std::max(change, difference * difference / problem.own(i, c, c));
    }
  }
  for (int i = 0; i < islands_.count(); ++i) {
    IslandStep& island = island_steps_[i];
    if (island.settled) continue;
    const double loops = i == islands_.ofLoops() ? traits_.root_mass * loop_change_ : 0.0;
    island.change += std::sqrt(sums_[i]) + loops;
  }
}

/// Islands that the correction would hardly change keep what they have.
void SecondOrderStep::settleWhatIsFound() {
  for (int i = 0; i < islands_.count(); ++i) {
    IslandStep& island = island_steps_[i];
    if (island.settled || island.change > smallChange(i)) continue;
    island.settled = true;
    island.change = 0.0;
  }
}

void SecondOrderStep::takeCorrectedBias(const StepStart& start) {
  for (int i = 0; i < islands_.count(); ++i) {
    if (!island_steps_[i].settled) continue;
    islands_.copyVelocities(i, h_, next_h_);
    islands_.copyVelocities(i, nu_forces_, nu_middle_);
    islands_.scaleVelocities(i, 0.0, correction_);
  }
  h_.swap(next_h_);
  nu_forces_ = nu_middle_;
  if (w_.prescribed.any()) {
    freeVelocity(h_, start.input, w_);
    dampTautLinks();
  } else {
    w_.nu_free -= correction_;
  }
}

/// Prepares a better problem from what is known about the end, for islands whose forces are not found yet.
void SecondOrderStep::correct(const StepStart& start) {
  lookAtTheEnd();
  findBiasChanges(start);
  setEndShift(start);
  addShiftChanges();
  settleWhatIsFound();
  if (allSettled()) return;
  kept_nu_free_ = w_.nu_free;
  kept_nu_forces_ = nu_forces_;
  takeCorrectedBias(start);
  for (int row = 0; row < w_.system.layout().contacts; ++row)
    if (isSettled(row)) copyRow(row, shift_, next_shift_);
  shift_.swap(next_shift_);
  if (w_.system.hasLoops() && !island_steps_[islands_.ofLoops()].settled) loop_shift_.swap(next_loop_shift_);
}

/// The problem of the island is again that before correct(), and stays so.
void SecondOrderStep::dropCorrection(int island) {
  reverted_ = true;
  copyRows(island, next_shift_, shift_);
  if (island == islands_.ofLoops()) loop_shift_.swap(next_loop_shift_);
  islands_.copyVelocities(island, kept_nu_free_, w_.nu_free);
  islands_.copyVelocities(island, kept_nu_forces_, nu_forces_);
  island_steps_[island].settled = true;
}

/// The next solve starts from the impulses of the last one, which are kept.
void SecondOrderStep::startFromKept() {
  w_.forces.impulse.resize(kept_.impulse.size());
  std::copy_n(kept_.impulse.begin(), w_.system.layout().rows(), w_.forces.impulse.begin());
  w_.forces.minimum_norm = false;
}

/// Solves the corrected problem. Islands where that does not succeed stay without this correction.
void SecondOrderStep::resolve() {
  kept_nu_end_ = w_.nu_end;
  std::swap(kept_, w_.forces);
  startFromKept();
  for (IslandStep& island : island_steps_) island.kept_outcome = island.outcome;
  const bool all =
      std::none_of(island_steps_.begin(), island_steps_.end(), [](const IslandStep& i) { return i.settled; });
  solve(kCorrectionIterations);
  if (!all) w_.forces.minimum_norm = w_.forces.minimum_norm && kept_.minimum_norm;
  bool any_taken = false;
  for (int i = 0; i < islands_.count(); ++i) {
    IslandStep& island = island_steps_[i];
    const double accepted = std::max(island.kept_outcome.residual, w_.settings.contact.solver.tolerance);
    if (island.settled) continue;
    island.dropped = island.outcome.status > island.kept_outcome.status || island.outcome.residual > accepted;
    any_taken = any_taken || !island.dropped;
    if (!island.dropped) continue;
    takeKept(i);
    dropCorrection(i);
  }
  combineOutcomes();
  if (!any_taken) {
    w_.result.counters += w_.forces.counters;
    return;
  }
  recordSolution(w_.forces, w_);
  w_.nu_end = w_.nu_free;
  applyImpulses(w_.forces, w_, w_.nu_end);
  for (int i = 0; i < islands_.count(); ++i)
    if (island_steps_[i].dropped) islands_.copyVelocities(i, kept_nu_end_, w_.nu_end);
}

}  // namespace footfall
