#pragma once

#include "footfall/block/diagram.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// Adds the robot, its stages, motors, sensors, queries of the model and controllers. They need an environment with a
/// scene: makeRobotEnvironment().
void addRobotBlocks(BlockRegistry& registry);

/// The diagram of a scene that has none: the robot with what the scene does to it by itself. Gives the same bits as
/// Simulation.
///
///     posture (holds the initial posture) → motors → robot → sensors
///                                        pushes ↗
DiagramBuilder defaultDiagram(const Scene& scene);

}  // namespace footfall
