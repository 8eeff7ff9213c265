#include <algorithm>

#include "step/second_order.hpp"
#include "step/second_order_rules.hpp"

// What is known of the islands of a step, and asked of them.

namespace footfall {
namespace {

/// A correction is made if it changes velocities by more than this, as kGate, where there is nothing to solve but
/// loops: corrections cost little there.
constexpr double kGateWithoutContacts = 1e-8;

}  // namespace

double SecondOrderStep::gate(double share) const { return gateOf(w_.model, share, dt_); }

/// Of the contacts and limits that this step has; nothing is known about any of them.
void SecondOrderStep::findIslands() {
  islands_.find(w_.system.frames());
  island_steps_.assign(islands_.count(), IslandStep{});
  if (islands_.count() == 1) {
    island_of_row_.assign(w_.system.layout().contacts, 0);
    island_steps_[0].touched = !island_of_row_.empty();
    island_steps_[0].rows = static_cast<int>(island_of_row_.size());
    return;
  }
  island_of_row_.clear();
  for (const ContactFrame& frame : w_.system.frames()) island_of_row_.push_back(islands_.ofContact(frame));
  for (const JointRow& row : w_.system.jointRows()) island_of_row_.push_back(islands_.ofDof(row.dof));
  for (const int island : island_of_row_) {
    island_steps_[island].touched = true;
    ++island_steps_[island].rows;
  }
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
    island.in_contact = island.on_ground = island.ground_moves = island.held = island.driven = island.struck_others =
        false;
  const auto contacts = w_.system.contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    IslandStep& island = island_steps_[island_of_row_[i]];
    island.in_contact = true;
    island.on_ground = island.on_ground || !islands_.moveBoth(w_.system.frames()[i]);
    island.ground_moves = island.ground_moves || !contacts[i].surface.velocity_W.isZero(0.0);
  }
  for (const EarlierImpulse& earlier : earlier_impulses_) {
    const bool is_ground = !earlier.other.valid();
    const int a = islands_.ofLink(earlier.link), b = is_ground ? a : islands_.ofLink(earlier.other);
    for (const int island : {a, b})
      if (is_ground || a != b) island_steps_[island].struck_others = true;
    island_steps_[a].ground_moves = island_steps_[a].ground_moves || earlier.ground_moves;
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
         !island_steps_[island].in_contact && !island_steps_[island].struck_others;
}

/// Robots or objects that touch themselves, or each other, or are tied to each other, and to nothing else: whatever
/// they do, they keep their momentum.
bool SecondOrderStep::isAdrift(int island) const {
  const bool is_tied_down = island == islands_.ofLoops() && w_.system.loops().tiesToWorld();
  return (islands_.treesOf(island).size() > 1 || island_steps_[island].in_contact) && !is_tied_down &&
         !island_steps_[island].on_ground;
}

bool SecondOrderStep::anyAdrift() const {
  for (int i = 0; i < islands_.count(); ++i)
    if (isAdrift(i)) return true;
  return false;
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

double SecondOrderStep::turningOf(int island, const VectorXd& nu) const {
  return islands_.count() == 1 ? slow_motion_.turning(nu) : slow_motion_.turning(islands_.treesOf(island), nu);
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

}  // namespace footfall
