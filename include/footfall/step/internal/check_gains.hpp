#pragma once

#include "footfall/step/step.hpp"

namespace footfall {

/// Throws Error that names the joint where a spring or damper has a negative gain, or where there are not as many as
/// joints. A negative stiffness pushes away from its target and a negative damping speeds up: both
/// make energy, and the implicit step that keeps springs stable has no meaning for them.
void checkGains(const Model& model, const JointSprings& springs);

/// The same of what the model says about its joints and about springs between points.
void checkGains(const Model& model);

}  // namespace footfall
