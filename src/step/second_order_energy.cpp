#include <algorithm>
#include <cmath>

#include "step/second_order.hpp"
#include "step/second_order_rules.hpp"
#include "step/step_parts.hpp"

// Forces that would make energy are found, and made again so that they lose some.

namespace footfall {
namespace {

/// Work of loops that is accepted, as a share of the kinetic energy.
constexpr double kLoopWorkShare = 1e-4;
constexpr int kMaxLifts = 2;

}  // namespace

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
  for (IslandStep& island : island_steps_) island.reverted = island.reverted || !island.settled;
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
  for (int i = 0; i < islands_.count(); ++i) {
    island_steps_[i].settled = !island_steps_[i].makes_energy;
    if (island_steps_[i].settled) continue;
    island_steps_[i].reverted = true;
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

/// Returns whether anything is. Loops that hold in the middle are open at the end by the square of the step; they are
/// closed there, which moves what touches.
bool SecondOrderStep::liftWhatIsDeep(const StepStart& start) {
  lookAtTheEnd();
  if (w_.system.hasLoops()) {
    w_.system.loops().closeConfiguration(*w_.dynamics, w_.end);
    probe_->updateKinematics(w_.end, nu_probe_);
  }
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

}  // namespace footfall
