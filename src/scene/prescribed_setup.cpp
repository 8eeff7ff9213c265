#include "scene/prescribed_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/base/error.hpp"
#include "scene/at_place.hpp"
#include "scene/time_law_setup.hpp"

namespace footfall {
namespace {

void refuseMotor(const ScenePrescribed& prescribed, DofIndex dof, const Model& model) {
  for (const Transmission& transmission : model.transmissions)
    if (std::find(transmission.dofs.begin(), transmission.dofs.end(), dof) != transmission.dofs.end())
      refusePrescribed(prescribed, "has a motor too (actuators)",
                       "its motion is given, so a motor has nothing to do: remove one");
}

void refuseHold(const ScenePrescribed& prescribed, const SceneHold& hold) {
  const std::string& name = prescribed.joint;
  if (std::find(hold.joints.begin(), hold.joints.end(), name) != hold.joints.end() ||
      hold.joint_stiffness.contains(name) || hold.joint_damping.contains(name) || hold.target.contains(name))
    refusePrescribed(prescribed, "is held by a spring too (hold)",
                     "its motion is given, so a spring has nothing to do: remove one");
}

}  // namespace

TimeFunction lawOfPrescribed(const ScenePrescribed& prescribed) {
  try {
    return buildTimeFunction(prescribed.law);
  } catch (const Error& e) {
    throw Error(prescribed.where,
                fmt::format("prescribed joint '{}': {}: {}", prescribed.joint, e.where(), e.problem()), e.hint());
  }
}

void refusePrescribed(const ScenePrescribed& prescribed, const std::string& what, const std::string& hint) {
  throw Error(prescribed.where, fmt::format("prescribed joint '{}' {}", prescribed.joint, what), hint);
}

Scene placePrescribedJoints(const Scene& scene) {
  Scene placed = scene;
  for (const ScenePrescribed& prescribed : scene.prescribed) {
    if (prescribed.law.kind.empty()) continue;
    const double start = prescribed.offset + lawOfPrescribed(prescribed).value(0.0);
    const auto given = scene.robot.initial.find(prescribed.joint);
    if (given != scene.robot.initial.end() && std::abs(given->second - start) > kSamePosition)
      refusePrescribed(
          prescribed,
          fmt::format("starts at {:.9g} by its motion, and at {:.9g} by robot.initial", start, given->second),
          "leave it out of robot.initial, or give the motion an offset");
    placed.robot.initial[prescribed.joint] = start;
  }
  return placed;
}

void markPrescribedJoints(const Scene& scene, Model& model) {
  for (const ScenePrescribed& prescribed : scene.prescribed) {
    const DofIndex dof = atPlace(prescribed.where, [&] { return model.dof(prescribed.joint); });
    if (model.dofs[dof].prescribed) refusePrescribed(prescribed, "is named twice", "a joint has one motion");
    if (model.dofs[dof].kind == JointKind::ball)
      refusePrescribed(prescribed, "is a part of a ball joint, whose velocities are not the rates of its coordinates",
                       "hold the ball joint where it is to be (hold.target), or use hinges");
    refuseMotor(prescribed, dof, model);
    if (scene.hold.enabled) refuseHold(prescribed, scene.hold);
    model.dofs[dof].prescribed = true;
  }
}

}  // namespace footfall
