#pragma once

#include "footfall/scene/scene.hpp"
#include "footfall/step/step.hpp"

namespace footfall {

/// Throws Error for names of joints that are not there, are given twice, or are not held. Also where nothing is held.
void checkHold(const SceneHold& hold, const Model& model);

/// Springs that hold the posture of `state`, by the gains of the scene or by gains chosen from mass and size.
/// The engine must stand at the state.
JointSprings holdingSprings(const SceneHold& hold, const Model& model, const State& state, const Dynamics& dynamics);

/// Torques of the held joints that keep the robot still at the engine's last update, the ground carrying its weight at
/// the contacts that are set there with the smallest forces that can (friction and unilaterality are not looked at).
/// Sets other contacts if there are loops.
VectorXd holdingTorque(const SceneHold& hold, const Model& model, int contacts, Dynamics& dynamics);

}  // namespace footfall
