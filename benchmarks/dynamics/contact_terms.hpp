#pragma once

#include <random>
#include <string>
#include <vector>

#include "footfall/dynamics/batch_dynamics.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/state.hpp"
#include "footfall/scene/scene.hpp"
#include "tools/source_dir.hpp"

namespace footfall::bench {

/// The robot of a scene with all its contact points on the ground, near its initial posture and moving a little.
struct StandingRobot {
  Model model;
  std::vector<State> states;  ///< different ones, so that no measurement runs on remembered branches
  std::vector<ContactFrame> contacts;
};

inline State initialState(const Model& model, const Scene& scene) {
  State state = makeState(model);
  for (int i = 0; i < model.jointDofs(); ++i) {
    const auto initial = scene.robot.initial.find(model.dofs[i].name);
    if (initial != scene.robot.initial.end()) state.joints()[i] = initial->second;
  }
  return state;
}

inline StandingRobot standingRobot(const std::string& scene_file) {
  const Scene scene = loadScene(sourceDir() + "/scenes/" + scene_file);
  UrdfOptions options;
  options.joints = scene.robot.joints;
  options.positions = scene.robot.initial;
  StandingRobot robot{loadUrdf(scene.robot.model, options).model, {}, {}};
  for (const SceneContact& contact : scene.contacts) {
    const Frame& sole = robot.model.frames[robot.model.frame(contact.frame)];
    for (const Vector3d& p : contact.points) robot.contacts.push_back({sole.link, sole.X_LF * p, Matrix3d::Identity()});
  }
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int i = 0; i < 64; ++i) {
    State state = initialState(robot.model, scene);
    for (double& s : state.joints()) s += 0.2 * uniform(random);
    for (double& v : state.nu) v = 0.2 * uniform(random);
    robot.states.push_back(state);
  }
  return robot;
}

/// The first eight states side by side.
struct PackedStates {
  explicit PackedStates(const StandingRobot& robot) : q(robot.model.nq()), nu(robot.model.nv()) {
    for (int r = 0; r < BatchVector::kRobots; ++r) {
      q.robot(r) = robot.states[r].q;
      nu.robot(r) = robot.states[r].nu;
    }
  }
  BatchVector q, nu;
};

/// All terms of a contact problem, by any engine: kinematics, M and its factors, h, M⁻¹h, J, J̇ν, G.
class ContactTerms {
 public:
  explicit ContactTerms(const StandingRobot& robot)
      : robot_(robot),
        layout_(ContactLayout::of(static_cast<int>(robot.contacts.size()))),
        x_(robot.model.nv()),
        J_(3 * layout_.contacts, robot.model.nv()),
        bias_(layout_.rows()),
        G_(layout_.rows() * layout_.rows()) {}

  const double* compute(Dynamics& engine, const State& state) {
    engine.update(state.q, state.nu);
    engine.biasForces(x_);
    engine.solveMass(x_);
    engine.setContacts(robot_.contacts);
    engine.contactJacobian(J_);
    engine.contactBiasAcceleration(bias_.data());
    engine.delassus(G_.data());
    return G_.data();
  }

 private:
  const StandingRobot& robot_;
  ContactLayout layout_;
  VectorXd x_;
  MatrixXd J_;
  AlignedVector bias_, G_;
};

}  // namespace footfall::bench
