#include "footfall/scene/internal/prescribed_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/base/error.hpp"
#include "footfall/contact/loop_motion.hpp"
#include "footfall/step/internal/joint_forces.hpp"
#include "scene/at_place.hpp"
#include "scene/time_law_setup.hpp"

namespace footfall {
namespace {

constexpr double kSamePlace = 1e-9;  ///< rounding of numbers in files [rad or m]

const char* unitOf(const Dof& dof) { return dof.kind == JointKind::revolute ? "rad" : "m"; }

TimeFunction lawOf(const ScenePrescribed& prescribed) {
  try {
    return buildTimeFunction(prescribed.law);
  } catch (const Error& e) {
    throw Error(prescribed.where,
                fmt::format("prescribed joint '{}': {}: {}", prescribed.joint, e.where(), e.problem()), e.hint());
  }
}

[[noreturn]] void refuse(const ScenePrescribed& prescribed, const std::string& what, const std::string& hint) {
  throw Error(prescribed.where, fmt::format("prescribed joint '{}' {}", prescribed.joint, what), hint);
}

void refuseMotor(const ScenePrescribed& prescribed, DofIndex dof, const Model& model) {
  for (const Transmission& transmission : model.transmissions)
    if (std::find(transmission.dofs.begin(), transmission.dofs.end(), dof) != transmission.dofs.end())
      refuse(prescribed, "has a motor too (actuators)",
             "its motion is given, so a motor has nothing to do: remove one");
}

void refuseHold(const ScenePrescribed& prescribed, const SceneHold& hold) {
  const std::string& name = prescribed.joint;
  if (std::find(hold.joints.begin(), hold.joints.end(), name) != hold.joints.end() ||
      hold.joint_stiffness.contains(name) || hold.joint_damping.contains(name))
    refuse(prescribed, "is held by a spring too (hold)",
           "its motion is given, so a spring has nothing to do: remove one");
}

}  // namespace

Scene placePrescribedJoints(const Scene& scene) {
  Scene placed = scene;
  for (const ScenePrescribed& prescribed : scene.prescribed) {
    if (prescribed.law.kind.empty()) continue;
    const double start = prescribed.offset + lawOf(prescribed).value(0.0);
    const auto given = scene.robot.initial.find(prescribed.joint);
    if (given != scene.robot.initial.end() && std::abs(given->second - start) > kSamePlace)
      refuse(prescribed,
             fmt::format("starts at {:.9g} by its motion, and at {:.9g} by robot.initial", start, given->second),
             "leave it out of robot.initial, or give the motion an offset");
    placed.robot.initial[prescribed.joint] = start;
  }
  return placed;
}

void markPrescribedJoints(const Scene& scene, Model& model) {
  for (const ScenePrescribed& prescribed : scene.prescribed) {
    const DofIndex dof = atPlace(prescribed.where, [&] { return model.dof(prescribed.joint); });
    if (model.dofs[dof].prescribed) refuse(prescribed, "is named twice", "a joint has one motion");
    refuseMotor(prescribed, dof, model);
    if (scene.hold.enabled) refuseHold(prescribed, scene.hold);
    model.dofs[dof].prescribed = true;
  }
}

PrescribedJoints::PrescribedJoints(const Scene& scene, const Model& model) : model_(model) {
  for (const ScenePrescribed& prescribed : scene.prescribed) {
    if (prescribed.law.kind.empty()) continue;
    followers_.push_back({model.dof(prescribed.joint), prescribed.offset, lawOf(prescribed)});
    checkRun(prescribed, followers_.back(), scene);
  }
}

void PrescribedJoints::checkRun(const ScenePrescribed& prescribed, const Follower& follower, const Scene& scene) const {
  const Dof& dof = model_.dofs[follower.dof];
  const long long steps = std::llround(scene.run.duration / scene.physics.step);
  for (long long k = 0; k <= steps; ++k) {
    const double time = static_cast<double>(k) * scene.physics.step;
    const double position = follower.position(time), rate = follower.law.rate(time);
    if (!std::isfinite(position) || !std::isfinite(rate))
      refuse(
          prescribed,
          fmt::format("is at {} with the velocity {} at t = {:.6g} s, expected finite numbers", position, rate, time),
          "change its motion, or make run.duration shorter");
    if (position < dof.lower - kSamePlace || position > dof.upper + kSamePlace)
      refuse(prescribed,
             fmt::format("is at {:.6g} {} at t = {:.6g} s, outside of its limits {:.6g} to {:.6g}", position,
                         unitOf(dof), time, dof.lower, dof.upper),
             "a given motion cannot be stopped by a limit: change one of them");
  }
}

void PrescribedJoints::moveTo(double time, Input& input) const {
  for (const Follower& follower : followers_) {
    input.position[follower.dof] = follower.position(time);
    input.velocity[follower.dof] = follower.law.rate(time);
  }
}

void PrescribedJoints::start(State& state, Dynamics& dynamics) const {
  for (const Follower& follower : followers_) {
    state.joints()[follower.dof] = follower.position(state.time);
    state.nu[model_.baseDofs() + follower.dof] = follower.law.rate(state.time);
  }
  LoopMotion loops(model_);
  if (!loops.any()) return;
  VectorXd inertia = VectorXd::Zero(model_.jointDofs());
  for (int i = 0; i < model_.jointDofs(); ++i)
    if (model_.dofs[i].prescribed) inertia[i] = kImmovableInertia;
  dynamics.setImplicitInertia(inertia);
  dynamics.update(state.q, state.nu);
  dynamics.prepareLoops();
  loops.constrainVelocity(dynamics, state.nu);
  dynamics.setImplicitInertia(VectorXd::Zero(model_.jointDofs()));
}

void PrescribedJoints::check(const State& state) const {
  for (const Follower& follower : followers_) {
    const double expected = follower.position(state.time), found = state.joints()[follower.dof];
    if (std::abs(found - expected) <= kSamePlace) continue;
    const Dof& dof = model_.dofs[follower.dof];
    throw Error(
        "state",
        fmt::format("the prescribed joint '{}' is at {:.9g} {}, but its motion has it at {:.9g} at t = {:.6g} s",
                    dof.name, found, unitOf(dof), expected, state.time),
        "set the time of the state that belongs to this position");
  }
}

}  // namespace footfall
