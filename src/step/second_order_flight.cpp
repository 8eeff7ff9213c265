#include <algorithm>
#include <cmath>

#include "footfall/step/integrator.hpp"
#include "step/second_order.hpp"
#include "step/second_order_rules.hpp"
#include "step/step_parts.hpp"
#include "step/warm_start.hpp"

// What touches nothing, or nothing but its own loops.

namespace footfall {
namespace {

/// That scheme loses α⁶/144 of the energy of what turns by α in a step [rad]: 7e-5 in ten seconds at 1 ms.
constexpr double kFarthestTurn = 0.1;
/// A body that turns by more than that in a step [rad] flies in pieces: in second order its energy swings by 2 %.
constexpr double kTurnsFar = 0.5;

}  // namespace

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

/// A body that whirls: corrections of its bias forces may settle, and its energy swings all the same.
bool SecondOrderStep::turnsFar(int island) const {
  return islands_.moves(island) && islands_.isOfLooseBodies(island) && dt_ * turningWithin(island) > kTurnsFar;
}

/// The faster of the start and the end [rad/s].
double SecondOrderStep::turningWithin(int island) const {
  return std::max(turningOf(island, w_.nu), turningOf(island, w_.nu_end));
}

bool SecondOrderStep::anyTurnsFar() const {
  for (int i = 0; i < islands_.count() && !slow_; ++i)
    if (turnsFar(i)) return true;
  return false;
}

/// What cracks or whirls beside others that touch something goes in pieces, too, as in a world of its own.
void SecondOrderStep::flyBeside(const StepStart& start, State& next) {
  if (w_.prescribed.any() || w_.system.hasLoops() || taut_) return;
  const auto flies = [&](int i) {
    const IslandStep& island = island_steps_[i];
    return !island.touched && !island.struck_others && (island.lost || turnsFar(i)) && !islands_.hasAny(i, w_.implicit);
  };
  double turning = 0.0;
  for (int i = 0; i < islands_.count(); ++i)
    if (flies(i)) turning = std::max(turning, turningWithin(i));
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
  if (momentum_of_trees_.any() && w_.system.hasLoops()) {
    findIslands();
    lookAtIslands(start);
    findMomenta(start);
    giveMomentumBack(&IslandStep::keeps_momentum, next);  // not what is pushed: pieces know better how that turned
  }
  forgetWarmStart(next.warm);
}

}  // namespace footfall
