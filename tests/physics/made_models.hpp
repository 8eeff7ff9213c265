#pragma once

#include <cmath>
#include <string>
#include <utility>

#include "footfall/model/ball_joint.hpp"
#include "footfall/step/step.hpp"

namespace footfall::physics {

inline SpatialInertia bodyInertia(double mass, const Vector3d& com, const Vector3d& moments) {
  return {mass, com, moments.asDiagonal()};
}

/// One free rigid body; its frame is at the origin of its link.
inline Model freeBodyModel(const SpatialInertia& inertia) {
  Model model;
  model.name = "body";
  model.links.push_back({"body", inertia});
  model.frames.push_back({"body", LinkIndex(0), {}});
  return model;
}

/// A fixed base without mass that joints can hang on.
inline Model fixedBaseModel() {
  Model model = freeBodyModel({});
  model.name = "mechanism";
  model.floating_base = false;
  return model;
}

inline LinkIndex addLink(Model& model, LinkIndex parent, JointKind kind, const Vector3d& axis, const Pose& X_PJ,
                         const SpatialInertia& inertia) {
  const int number = static_cast<int>(model.links.size());
  const std::string name = "link" + std::to_string(number);
  Joint joint;
  joint.name = "joint" + std::to_string(number);
  joint.kind = kind;
  joint.parent = parent;
  joint.X_PJ = X_PJ;
  joint.axis = axis;
  joint.dof = DofIndex(static_cast<int>(model.dofs.size()));
  Dof dof;
  dof.name = joint.name;
  dof.kind = kind;
  model.joints.push_back(joint);
  model.dofs.push_back(dof);
  model.links.push_back({name, inertia});
  model.frames.push_back({name, LinkIndex(number), {}});
  return LinkIndex(number);
}

inline LinkIndex addHinge(Model& model, LinkIndex parent, const Vector3d& axis, const Vector3d& p_PJ,
                          const SpatialInertia& inertia) {
  return addLink(model, parent, JointKind::revolute, axis, {Matrix3d::Identity(), p_PJ}, inertia);
}

inline LinkIndex addBall(Model& model, LinkIndex parent, const Pose& X_PJ, const SpatialInertia& inertia) {
  const LinkIndex x = addLink(model, parent, JointKind::ball, Vector3d::UnitX(), X_PJ, {});
  const LinkIndex y = addLink(model, x, JointKind::ball, Vector3d::UnitY(), {}, {});
  const LinkIndex link = addLink(model, y, JointKind::ball, Vector3d::UnitZ(), {}, inertia);
  model.balls = ballsOf(model);
  return link;
}

inline void addContactPoint(Model& model, LinkIndex link, const Vector3d& p_LC, double radius = 0.0) {
  ContactCandidate candidate;
  candidate.name = "point[" + std::to_string(model.candidates.size()) + "]";
  candidate.frame = FrameIndex(static_cast<int>(link));
  candidate.link = link;
  candidate.p_LC = p_LC;
  candidate.radius = radius;
  model.candidates.push_back(candidate);
}

inline void addBallLoop(Model& model, LinkIndex link_a, const Vector3d& p_A, LinkIndex link_b, const Vector3d& p_B) {
  Loop loop;
  loop.name = "loop" + std::to_string(model.loops.size());
  loop.kind = LoopKind::ball;
  loop.link_a = link_a;
  loop.link_b = link_b;
  loop.X_AF.p = p_A;
  loop.X_BF.p = p_B;
  model.loops.push_back(loop);
}

/// A model, a ground and a state that goes on from step to step.
class Motion {
 public:
  Motion(const Model& model, double dt, double friction = 0.6, double restitution = 0.0,
         const std::string& integrator = "second_order")
      : model_(model),
        ground_(Vector3d::Zero(), Vector3d::UnitZ(), friction, restitution),
        settings_(makeSettings(dt, integrator)),
        workspace_(model_, ground_, settings_),
        state(makeState(model_)),
        input(makeInput(model_)) {}

  const StepResult& step() {
    result_ = &footfall::step(state, input, springs.stiffness.size() > 0 ? &springs : nullptr, workspace_);
    if (result_->status != SolveStatus::failed) state = result_->next;
    return *result_;
  }
  const StepResult& result() const { return *result_; }
  void setForceField(ForceField field) { workspace_.setForceField(std::move(field)); }
  const Model& model() const { return model_; }

  Dynamics& dynamics() {
    workspace_.dynamics().update(state.q, state.nu);
    return workspace_.dynamics();
  }
  double energy() { return dynamics().energy().total(); }

 private:
  static Settings makeSettings(double dt, const std::string& integrator) {
    Settings settings;
    settings.step = dt;
    settings.integrator = integrator;
    return settings;
  }

  Model model_;
  Plane ground_;
  Settings settings_;
  Workspace workspace_;
  const StepResult* result_ = nullptr;

 public:
  State state;
  Input input;
  JointSprings springs;
};

}  // namespace footfall::physics
