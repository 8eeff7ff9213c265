#pragma once

#include <vector>

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/scene/scene.hpp"
#include "footfall/step/step.hpp"

namespace footfall {

/// Gives the model the motors of a scene.
void addActuators(const std::vector<SceneActuator>& actuators, Model& model);

/// Joints whose motors do not deliver every command at once. A spring at such a joint would bypass its motor: postures
/// are held by commands to the motor instead.
std::vector<DofIndex> jointsWithRealMotors(const Model& model);

/// Gains that the scene leaves open, lowered for these joints to what their motors can follow: the posture control of a
/// joint must be slower than its motor and than the step. The engine must stand at the initial state.
void lowerGainsToMotors(const SceneHold& hold, const Model& model, double dt, const RobotDynamics& dynamics,
                        JointSprings& springs);

}  // namespace footfall
