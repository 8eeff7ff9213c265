#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "footfall/keys/internal/scene_field.hpp"
#include "footfall/scene/scene.hpp"
#include "footfall/terrain/terrain.hpp"

namespace footfall {

/// A shape of the ground: all that files and scenes need to know about it. How it is touched and what it looks like is
/// the Terrain that it builds. A file of this folder makes one, ground_kinds.cpp lists it.
struct GroundKind {
  std::string name;                    ///< ground: {shape: name}
  FieldTable<SceneGround> keys;        ///< of its own; the schema comes from here
  std::vector<std::string> placed_by;  ///< which of `position` and `rpy` it takes
  /// Throws Error where keys are missing or contradict each other; may be empty.
  std::function<void(const SceneValue&, const SceneGround&)> check;
  /// At rest, without belt; throws Error.
  std::function<std::shared_ptr<const Terrain>(const SceneGround&)> build;
};

/// Of the keys that grounds share.
inline Material materialOf(const SceneGround& ground) { return {ground.friction, ground.restitution}; }
inline Pose poseOf(const SceneGround& ground) { return {rotationFromRollPitchYaw(ground.rpy), ground.position}; }

GroundKind planeGround();
GroundKind boxGround();
GroundKind stairsGround();
GroundKind heightFieldGround();

/// The built-in ones; the first is the default.
const std::vector<GroundKind>& groundKinds();
/// Null: it is a plug-in.
const GroundKind* findGroundKind(const std::string& name);

}  // namespace footfall
