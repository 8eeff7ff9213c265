#include <algorithm>
#include <cmath>

#include "footfall/step/integrator.hpp"
#include "step/second_order.hpp"
#include "step/second_order_rules.hpp"
#include "step/step_parts.hpp"

// What an island has at the end of a step, of energy and of momentum, and what it may have (docs/decisions/0033).

namespace footfall {
namespace {

/// How short a step becomes at most that would lift the robot out of nothing.
constexpr double kLeastWay = 1e-6;
/// What a step with an event may make, as a share of the kinetic energy: more than its error is.
constexpr double kMadeByEvents = 1e-2;

}  // namespace

// --- energy ------------------------------------------------------------------------------------------

/// Where bias forces were not found, and the step cannot be made in pieces, the energy of an island may be anything. So
/// may it after an event, in links that turn by a good part of a radian within the step. What it has more than before,
/// and than all that acts on it has worked, is taken from its velocities; where it has been lifted by more than they
/// have, it goes less far.
void SecondOrderStep::takeMadeEnergy(const StepStart& start, State& next) {
  for (int i = 0; i < islands_.count(); ++i) {
    IslandStep& island = island_steps_[i];
    if (!islands_.moves(i)) continue;
    // The work of a joint's springs is not known well enough within a step with an event.
    island.accepted_share = island.lost ? kLost : island.held || !island.had_event ? 0.0 : kMadeByEvents;
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
    giveMomentumBack(&IslandStep::lost, next);
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
  if (!island_steps_[island].struck_others) {
    add(island);
    return sum;
  }
  for (int i = 0; i < islands_.count(); ++i)
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
  giveMomentumBack(&IslandStep::slowed, next);
  for (int i = 0; i < islands_.count(); ++i) {
    if (!island_steps_[i].slowed || slowToItsEnergy(i, next) != Slowed::not_enough) continue;
    islands_.copyPositions(i, slowed_q_, next.q);
    islands_.copyVelocities(i, slowed_nu_, next.nu);
  }
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

// --- momentum ----------------------------------------------------------------------------------------

/// What nothing outside of the robot touches changes its momentum by its weight and by the pushes alone.
void SecondOrderStep::keepMomentum(const StepStart& start, State& next) {
  if (momentum_of_trees_.any()) keepMomentumOfTrees(start, next);
  if (std::any_of(island_steps_.begin(), island_steps_.end(), [](const IslandStep& i) { return i.keeps_momentum; }))
    giveMomentumBack(&IslandStep::keeps_momentum, next);
  else if (keepsMomentum())
    keeper_.enforce(momentumAtEnd(start), next.q, next.nu, *probe_);
}

/// Of robots and objects that touch nothing in this step.
void SecondOrderStep::keepMomentumOfTrees(const StepStart& start, State& next) {
  for (const ContactFrame& frame : w_.system.frames()) {
    momentum_of_trees_.touch(frame.link);
    if (frame.other.valid()) momentum_of_trees_.touch(frame.other);
  }
  for (const EarlierImpulse& earlier : earlier_impulses_) {
    momentum_of_trees_.touch(earlier.link);
    if (earlier.other.valid()) momentum_of_trees_.touch(earlier.other);
  }
  if (!momentum_of_trees_.anyFree()) return;
  if (slow_) {
    probe_->updateKinematics(start.state.q, start.state.nu);
    momentum_of_trees_.start(*probe_);
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
/// @param which islands, of those that keep their momentum: what is done to one is not done to others
void SecondOrderStep::giveMomentumBack(bool IslandStep::*which, State& next) {
  probe_->updateKinematics(next.q, next.nu);
  bool any = false;
  for (int i = 0; i < islands_.count(); ++i) {
    if (!island_steps_[i].keeps_momentum || !(island_steps_[i].*which)) continue;
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

}  // namespace footfall
