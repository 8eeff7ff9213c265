#pragma once

#include "footfall/scene/scene.hpp"
#include "footfall/scene/timed_tie.hpp"

namespace footfall {

/// The loops of a scene that are always there, with their names resolved; their directions, and frames fixed to the
/// world, are as at `start`.
void addLoops(const std::vector<SceneLoop>& loops, const State& start, Model& model);

/// Those of them that are made and released while it runs. Throws Error for names that the model does not know.
std::vector<TimedTie> resolveTies(const std::vector<SceneLoop>& loops, const Model& model);

/// Some loop ties the robot to the world.
bool tiedToWorld(const Model& model);

/// Closes the loops at the start, as robot.assemble says; throws Error that names the loop and its gap when they stay
/// open.
void closeAtStart(const SceneRobot& robot, const Model& model, State& state);

/// Velocities of the joints at the start. Where the robot has loops, joints that the scene does not name and the base
/// follow so that these stay closed; throws Error that names the loop when they cannot.
void setInitialVelocities(const SceneRobot& robot, const Model& model, State& state);

}  // namespace footfall
