#pragma once

#include "footfall/scene/world.hpp"

namespace footfall {

/// Throws Error that names the joint where the positions and velocities of an input are not what a step can follow:
/// those of joints that nothing moves from outside, where they would be ignored, and those that forget the velocity.
///
/// @param at_rest  the input of a robot that nobody moves (Body::makeInput())
/// @param moves  the state is that of the last step: how far the input moves its joints can be told
void checkMotion(const Body& robot, const State& state, const Input& input, const Input& at_rest, double dt,
                 bool moves);

}  // namespace footfall
