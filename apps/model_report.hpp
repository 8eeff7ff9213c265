#pragma once

#include <string>
#include <vector>

#include "footfall/model/model.hpp"
#include "footfall/scene/internal/collision_filter.hpp"

namespace footfall::command {

/// A readable report of a robot: size, tree with masses, loops, coordinates with limits, frames, contact points.
std::string describe(const Model& model);

/// Which links pass through each other, by the reason for it; empty where no links could touch each other.
std::string describeCollisions(const Scene& scene, const Model& model);

/// Numbers that can be used but are probably not meant.
std::vector<std::string> suspicions(const Model& model);

/// What is wrong with the zero posture: joints outside of their limits, motions that no inertia resists.
std::vector<std::string> zeroPostureSuspicions(const Model& model);

}  // namespace footfall::command
