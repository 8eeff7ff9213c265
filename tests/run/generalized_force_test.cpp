#include <gtest/gtest.h>

#include "footfall/base/error.hpp"
#include "model/error_of.hpp"
#include "physics/scene_tools.hpp"

namespace footfall {
namespace {

using physics::sceneFile;

/// One second of a robot under a wrench at its base and a torque in its first joint, given in one of two ways.
State runUnderForce(Scene scene, bool generalized) {
  scene.pushes.clear();
  Simulation simulation(scene);
  const Model& model = simulation.model();
  Vector6d wrench;
  wrench << 3.0, -2.0, 5.0, 0.4, 0.3, -0.2;
  if (generalized) {
    simulation.input().generalized = VectorXd::Zero(model.nv());
    simulation.input().generalized.head<6>() = wrench;
    simulation.input().generalized[6] = 0.7;
  } else {
    simulation.input().wrenches.push_back({LinkIndex(0), Vector3d::Zero(), wrench});
    simulation.input().tau[0] += 0.7;
  }
  for (int k = 0; k < 200; ++k) simulation.step();
  return simulation.state();
}

class GeneralizedForce : public testing::TestWithParam<const char*> {};

TEST_P(GeneralizedForce, DoesWhatTheSameWrenchAtTheBaseAndTheSameJointTorqueDo) {
  for (const bool stands : {true, false}) {  // falling limp, the integrator is on its own
    Scene scene = sceneFile("demo.yaml", {{"physics.integrator", GetParam()}});
    scene.robot.on_ground = stands;
    if (!stands) scene.robot.base_position.z() = 3.0;
    scene.hold.enabled = stands;
    const State a = runUnderForce(scene, true), b = runUnderForce(scene, false);
    EXPECT_LT((a.q - b.q).norm(), 1e-9);
    EXPECT_LT((a.nu - b.nu).norm(), 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, GeneralizedForce,
                         testing::Values("second_order", "semi_implicit_euler", "rk4", "midpoint"));

TEST(GeneralizedForce, OfTheWrongSizeIsRefused) {
  Simulation simulation(sceneFile("demo.yaml"));
  simulation.input().generalized = VectorXd::Zero(3);
  expectError("input.generalized has 3 entries", [&] { simulation.step(); });
}

}  // namespace
}  // namespace footfall
