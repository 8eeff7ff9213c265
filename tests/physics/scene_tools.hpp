#pragma once

#include <string>
#include <vector>

#include "footfall/run/simulation.hpp"
#include "tools/source_dir.hpp"

namespace footfall::physics {

inline Scene sceneFile(const std::string& name, const std::vector<SceneOverride>& overrides = {}) {
  return loadScene((sourceDir() + "/scenes/").append(name), overrides);
}

/// One of our own models, free and alone: no contacts, nothing held.
inline Scene freeBody(const std::string& model) {
  Scene scene;
  scene.source = sourceDir() + "/scenes/test";
  scene.robot.model = model;
  scene.hold.enabled = false;
  return scene;
}

/// One of our own models that touches with the collision shapes of its file.
inline Scene shapedBody(const std::string& model) {
  Scene scene = freeBody(model);
  SceneContact contact;
  contact.frame = "all";
  contact.collision = true;
  scene.contacts.push_back(contact);
  return scene;
}

/// The cube of models/box.urdf with its eight corners as contacts.
inline Scene boxScene() {
  Scene scene = freeBody("box");
  SceneContact corners;
  corners.frame = "box";
  for (double z : {-0.1, 0.1})
    for (double y : {-0.1, 0.1})
      for (double x : {-0.1, 0.1}) corners.points.emplace_back(x, y, z);
  scene.contacts.push_back(corners);
  return scene;
}

inline constexpr double kGravity = 9.81;  ///< [m/s²]

}  // namespace footfall::physics
