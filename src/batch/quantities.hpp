#pragma once

#include <vector>

#include "batch/worlds.hpp"
#include "footfall/batch/batch_simulation.hpp"

namespace footfall {

/// A quantity by name, where its numbers are, and what they are before anybody sets them.
struct StoredQuantity {
  BatchQuantity about;
  BatchArray Worlds::*array;
  VectorXd initial;  ///< of each world, (width)
};

/// Those that a batch of this scene has.
std::vector<StoredQuantity> quantitiesOf(Simulation& prototype, bool has_push_link);

/// Gives the quantity its memory if it has none yet.
BatchArray& enable(const StoredQuantity& quantity, Worlds& worlds);

/// The row of a world of which nobody has written anything down so far. Results of steps that were made unseen are
/// NaN until the next one; of a world that has made none they are zero: nothing has acted on it.
/// @param made steps of the world
void setAtFirst(const StoredQuantity& quantity, int world, const StepCount& made, Worlds& worlds);

}  // namespace footfall
