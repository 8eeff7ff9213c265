#include <algorithm>
#include <cmath>

#include "step/second_order.hpp"
#include "step/second_order_rules.hpp"
#include "step/step_parts.hpp"
#include "step/warm_start.hpp"

// Forces of a step: the first solve, what is given up where it fails, and corrections.

namespace footfall {
namespace {

/// Of the solver, for problems that can be done without: those with gaps that contradict each other, and corrections,
/// most of which take one or two. Of a robot that lies, few problems in a thousand are not solved in the first ones:
/// nearly all of these have gaps that contradict each other, and are easy without them.
constexpr int kFirstIterations = kFewIterations, kFirstIterationsOfLying = 15, kCorrectionIterations = 12, kGlance = 2;
/// Where the solver took more than this for a step, its corrections are left out: the hardest problems of robots that
/// lie are not solved several times for the last digits.
constexpr int kMuchWork = 20, kMuchWorkOfLying = 12;
/// A robot with more contacts than this lies; with fewer an iteration costs little, and solvers that are not ours make
/// many. Where joints have rows, too, iterations cost as much as those of a robot that lies; but two feet stand.
constexpr int kContactsOfStanding = 16, kRowsOfStanding = 32, kContactsOfTwoFeet = 8;
/// What the forces of a robot that lies may take in a step, in iterations times its velocities and rows: less than a
/// millisecond (docs/decisions/0029). The last solve is granted this many iterations in any case.
constexpr int kWorkInTime = 2800, kLastIterations = 6, kEasyImpact = 5;
/// The same where something has to be kept from going deep: what a correction lifts, it does not lift by all that
/// lacks.
constexpr int kMoreCorrections = 4;

}  // namespace

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
  solve(firstIterations());
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

/// Where the solver took much work, corrections are left out, unless something has to be kept from going deep.
void SecondOrderStep::leaveOutMuchWork() {
  findLifts();
  if (hasFeetAlone()) return;
  for (int i = 0; i < islands_.count(); ++i) {
    const int iterations = island_steps_[i].iterations;
    const bool much_work = iterations > (lies() ? kMuchWorkOfLying : kMuchWork) || endedInTime(i);
    if (much_work && !island_steps_[i].settled && !island_steps_[i].lifts) dropCorrection(i);
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
  for (int i = 0; i < islands_.count(); ++i) {
    IslandStep& island = island_steps_[i];
    island.settled = island.outcome.status == SolveStatus::converged || endedInTime(i);
    island.without_gaps = !island.settled;
    island.reverted = island.reverted || island.without_gaps;
    island.kept_outcome = island.outcome;
  }
  if (allSettled()) {
    for (IslandStep& island : island_steps_) island.settled = false;
    return;
  }
  for (int i = 0; i < count; ++i)
    if (!isSettled(i) && !motions_[i].open)
      for (int c = 0; c < 3; ++c) shift_[layout.row(i, c)] = 0.0;
  const auto rows = w_.system.jointRows();
  for (int k = 0; k < static_cast<int>(rows.size()); ++k)
    if (!isSettled(count + k) && rows[k].kind == JointRow::Kind::limit && !isOpen(rows[k]))
      shift_[layout.row(count + k, 2)] = 0.0;
  if (w_.system.hasLoops() && !island_steps_[islands_.ofLoops()].settled) loop_shift_.setZero();
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
    solve(iterationsInTime());
  }
  w_.result.iterations += kept_.iterations;
  w_.result.counters += kept_.counters;
  takeKeptWhereBetter();
  if (looks_first && lies() && w_.forces.status == SolveStatus::failed) endInTime();
  if (anyDeep() && w_.forces.status != SolveStatus::failed) liftWithoutGaps(start);
  // What holds as it is in the middle is not corrected; the others go on.
  for (IslandStep& island : island_steps_) island.settled = island.without_gaps;
}

/// A contact of what holds as it is in the middle is deeper than what the next steps take back.
bool SecondOrderStep::anyDeep() const {
  for (std::size_t i = 0; i < motions_.size(); ++i)
    if (!isSettled(static_cast<int>(i)) && motions_[i].gap_start < -2.0 * kDeep) return true;
  return false;
}

/// What slides around something round goes a little deeper in each step that is not corrected, and what lies in a heap
/// may give its gaps up in a hundred steps.
void SecondOrderStep::liftWithoutGaps(const StepStart& start) {
  w_.nu_end = w_.nu_free;
  applyImpulses(w_.forces, w_, w_.nu_end);
  if (!liftWhatIsDeep(start)) return;
  w_.result.iterations += w_.forces.iterations;
  w_.result.counters += w_.forces.counters;
  std::swap(kept_, w_.forces);
  startFromKept();
  for (IslandStep& island : island_steps_) island.kept_outcome = island.outcome;
  solve(kCorrectionIterations);
  for (int i = 0; i < islands_.count(); ++i) {
    if (island_steps_[i].settled) continue;
    if (!isNoWorse(island_steps_[i])) takeKept(i);
  }
  combineOutcomes();
}

/// Than before its last solve.
bool SecondOrderStep::isNoWorse(const IslandStep& island) const {
  const double accepted = std::max(island.kept_outcome.residual, w_.settings.contact.solver.tolerance);
  return island.outcome.status <= island.kept_outcome.status && island.outcome.residual <= accepted;
}

void SecondOrderStep::takeKeptWhereBetter() {
  for (int i = 0; i < islands_.count() && !w_.system.hasLoops(); ++i) {
    const IslandStep& island = island_steps_[i];
    if (!island.settled && island.outcome.residual > island.kept_outcome.residual) takeKept(i);
  }
  combineOutcomes();
}

/// A heap whose impulses are good enough, after more work than they are worth.
bool SecondOrderStep::endedInTime(int island) const {
  const IslandStep& step = island_steps_[island];
  return step.outcome.status == SolveStatus::inaccurate && step.rows > IslandSolver::kContactsOfAHeap &&
         islands_.treesOf(island).size() > 1 && island != islands_.ofLoops();
}

/// Of a robot that lies, a hard impact leaves less to the forces of its step.
int SecondOrderStep::firstIterations() const {
  if (!lies()) return kFirstIterations;
  const int hard = std::max(w_.result.iterations - kEasyImpact, 0);
  return std::max(kFirstIterationsOfLying - hard, kGlance);
}

/// For the last solve of a step, of a robot alone: what the work of a step leaves where it lies.
int SecondOrderStep::iterationsInTime() const {
  if (!lies()) return kAllIterations;
  const int size = w_.model.nv() + w_.system.layout().contacts;
  return std::max(kWorkInTime / size - w_.result.iterations - kept_.iterations, kLastIterations);
}

/// A few steps in a hundred thousand of a robot that lies find no impulses in time. They end with those found so far,
/// as `inaccurate`, unless these do harm; then the step takes whatever time it needs.
void SecondOrderStep::endInTime() {
  if (!doesHarm()) {
    for (IslandStep& island : island_steps_)
      island.outcome.status = std::min(island.outcome.status, SolveStatus::inaccurate);
    w_.forces.status = SolveStatus::inaccurate;
    return;
  }
  w_.result.iterations += w_.forces.iterations;
  w_.result.counters += w_.forces.counters;
  solve(kAllIterations);
  takeKeptWhereBetter();
}

/// Impulses that are not those of the law may let points in, or make energy.
bool SecondOrderStep::doesHarm() {
  if (!(w_.forces.residual * dt_ <= kDeep)) return true;
  const ContactProblem& problem = w_.system.problem();
  problem.velocity(w_.forces.impulse.data(), sums_, middle_end_.data());
  double work = 0.0;
  for (int row = 0; row < problem.layout.rows(); ++row) work += w_.forces.impulse[row] * middle_end_[row];
  return work > 0.0;
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

/// All it can touch with are the points of two feet: its problems are small, and corrections are made however hard they
/// are. Robots of a batch step so, too.
bool SecondOrderStep::hasFeetAlone() const {
  const Model& model = w_.model;
  return isAlone() && model.loops.empty() && model.shapes.empty() && !model.has_faces &&
         static_cast<int>(model.candidates.size()) <= kContactsOfTwoFeet;
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
  copyRows(island, next_shift_, shift_);
  if (island == islands_.ofLoops()) loop_shift_.swap(next_loop_shift_);
  islands_.copyVelocities(island, kept_nu_free_, w_.nu_free);
  islands_.copyVelocities(island, kept_nu_forces_, nu_forces_);
  island_steps_[island].settled = island_steps_[island].reverted = true;
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
  solve(hasFeetAlone() ? kFewIterations : kCorrectionIterations);
  if (!all) w_.forces.minimum_norm = w_.forces.minimum_norm && kept_.minimum_norm;
  bool any_taken = false;
  for (int i = 0; i < islands_.count(); ++i) {
    IslandStep& island = island_steps_[i];
    if (island.settled) continue;
    island.dropped = !isNoWorse(island);
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
