#pragma once

#include <random>
#include <string>
#include <vector>

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model_io/scene.hpp"
#include "footfall/simulate/simulation.hpp"

namespace footfall::bench {

/// The robot of a scene with all its contact points on the ground, near its initial posture and moving a little.
struct StandingRobot {
  Model model;
  std::vector<State> states;  ///< different ones, so that no measurement runs on remembered branches
  std::vector<ContactFrame> contacts;
};

inline StandingRobot standingRobot(const std::string& scene) {
  Simulation simulation(loadScene(FOOTFALL_SOURCE_DIR "/scenes/" + scene));
  StandingRobot robot{simulation.model(), {}, {}};
  for (const ContactCandidate& candidate : robot.model.candidates) {
    robot.contacts.push_back({candidate.link, candidate.p_LC, Matrix3d::Identity()});
  }
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int i = 0; i < 64; ++i) {
    State state = simulation.state();
    for (double& s : state.joints()) s += 0.2 * uniform(random);
    for (double& v : state.nu) v = 0.2 * uniform(random);
    robot.states.push_back(state);
  }
  return robot;
}

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
