#pragma once

#include "footfall/scene/internal/scene_setup.hpp"

namespace footfall {

/// The file of a robot or a body of a scene, looked for beside it, too. Throws Error: inside of the file with its line,
/// otherwise with the place in the scene that names it.
LoadedModel loadModelOf(const Scene& scene, const std::string& model, const std::string& where, UrdfOptions options);

/// One of the bodies that an entry of the scene stands for.
struct BodyCopy {
  const SceneBody* entry;
  std::string name;
  Pose X_WB;
};

std::vector<BodyCopy> bodiesOf(const Scene& scene);

/// Adds the bodies of a scene behind its robot: links, joints, coordinates, frames and geometries, with the body's name
/// in front of theirs.
void addBodies(const Scene& scene, LoadedModel& loaded);

/// Puts the bodies where the scene says.
void placeBodies(const Scene& scene, const Model& model, State& state);

/// The place in the scene of the robot or body that a link belongs to.
const std::string& whereOf(const Scene& scene, const Model& model, LinkIndex link);

/// Throws Error that names the two and how deep they are where bodies start inside of each other.
void refuseOverlap(const Scene& scene, const State& state, const Model& model, Dynamics& dynamics);

}  // namespace footfall
