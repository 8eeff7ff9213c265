#pragma once

#include "footfall/contact/contact.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// Moves what starts inside of each other, or inside the ground, apart along the shortest way
/// (collisions.separate_start). Bases are shifted and not turned; bodies give way to the robot, and everything to what
/// is fixed or held by loops. Where that does not separate all of them, some overlap is left for those who look for it.
void separateStart(const Model& model, const Terrain& terrain, Dynamics& dynamics, State& state);

}  // namespace footfall
