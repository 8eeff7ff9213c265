#include "footfall/scene/prescribed_joints.hpp"

#include <fmt/format.h>

#include <cmath>

#include "footfall/base/error.hpp"
#include "footfall/contact/loop_motion.hpp"
#include "footfall/step/internal/joint_forces.hpp"
#include "scene/prescribed_setup.hpp"

namespace footfall {
namespace {

/// Looks at every step of the run.
template <class Position>
void checkRun(const ScenePrescribed& prescribed, const Dof& dof, const Position& position_at, const TimeFunction& law,
              const Scene& scene) {
  const long long steps = std::llround(scene.run.duration / scene.physics.step);
  for (long long k = 0; k <= steps; ++k) {
    const double time = static_cast<double>(k) * scene.physics.step;
    const double position = position_at(time), rate = law.rate(time);
    if (!std::isfinite(position) || !std::isfinite(rate))
      refusePrescribed(
          prescribed,
          fmt::format("is at {} with the velocity {} at t = {:.6g} s, expected finite numbers", position, rate, time),
          "change its motion, or make run.duration shorter");
    if (position < dof.lower - kSamePosition || position > dof.upper + kSamePosition)
      refusePrescribed(prescribed,
                       fmt::format("is at {:.6g} {} at t = {:.6g} s, outside of its limits {:.6g} to {:.6g}", position,
                                   traitsOf(dof.kind).position_unit, time, dof.lower, dof.upper),
                       "a given motion cannot be stopped by a limit: change one of them");
  }
}

}  // namespace

PrescribedJoints::PrescribedJoints(const Scene& scene, const Model& model) {
  for (const ScenePrescribed& prescribed : scene.prescribed) {
    const DofIndex index = model.dof(prescribed.joint);
    if (prescribed.law.kind.empty()) {
      moved_from_outside_.push_back(index);
      continue;
    }
    const Dof& dof = model.dofs[index];
    followers_.push_back(
        {index, dof.name, traitsOf(dof.kind).position_unit, prescribed.offset, lawOfPrescribed(prescribed)});
    const Follower& follower = followers_.back();
    checkRun(
        prescribed, dof, [&](double time) { return follower.position(time); }, follower.law, scene);
  }
}

void PrescribedJoints::moveTo(double time, Input& input) const {
  for (const Follower& follower : followers_) {
    input.position[follower.dof] = follower.position(time);
    input.velocity[follower.dof] = follower.law.rate(time);
  }
}

void PrescribedJoints::start(State& state, Dynamics& dynamics) const {
  const Model& model = dynamics.model();
  for (const Follower& follower : followers_) {
    state.joints()[follower.dof] = follower.position(state.time);
    state.nu[model.baseDofs() + follower.dof] = follower.law.rate(state.time);
  }
  LoopMotion loops(model);
  if (!loops.any()) return;
  VectorXd inertia = VectorXd::Zero(model.jointDofs());
  for (int i = 0; i < model.jointDofs(); ++i)
    if (model.dofs[i].prescribed) inertia[i] = kImmovableInertia;
  dynamics.setImplicitInertia(inertia);
  dynamics.update(state.q, state.nu);
  dynamics.prepareLoops();
  loops.constrainVelocity(dynamics, state.nu);
  dynamics.setImplicitInertia(VectorXd::Zero(model.jointDofs()));
}

void PrescribedJoints::check(const State& state) const {
  for (const Follower& follower : followers_) {
    const double expected = follower.position(state.time), found = state.joints()[follower.dof];
    if (std::abs(found - expected) <= kSamePosition) continue;
    throw Error(
        "state",
        fmt::format("the prescribed joint '{}' is at {:.9g} {}, but its motion has it at {:.9g} at t = {:.6g} s",
                    follower.name, found, follower.unit, expected, state.time),
        "set the time of the state that belongs to this position");
  }
}

}  // namespace footfall
