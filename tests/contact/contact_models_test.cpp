#include <gtest/gtest.h>

#include <cmath>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

Scene slidingBlock(const std::string& contact, double speed) {
  Scene scene = boxScene();
  scene.physics.contact = contact;
  scene.robot.on_ground = true;
  scene.robot.base_velocity = {speed, 0.0, 0.0};
  scene.ground.friction = 0.5;
  return scene;
}

TEST(GaussModel, HoldsABlockAtRest) {
  Simulation simulation(slidingBlock("gauss", 0.0));
  const Vector3d start = simulation.state().q.head<3>();
  for (int k = 0; k < 1000; ++k) simulation.step();
  EXPECT_LT((simulation.state().q.head<3>() - start).norm(), 1e-6);
}

// The published QP minimises over forces and velocities together: inside the cone's dual, a sliding contact may trade
// tangential motion for a normal one, so that v_n = μ |v_t| instead of 0. Coulomb's law says v_n = 0.
TEST(GaussModel, LiftsASlidingBlockWhereCoulombsLawDoesNot) {
  const double speed = 2.0, friction = 0.5;
  Simulation gauss(slidingBlock("gauss", speed));
  gauss.step();
  EXPECT_NEAR(gauss.state().nu[2], friction * gauss.state().nu[0], 1e-6);
  EXPECT_GT(gauss.state().nu[2], 0.1);

  Simulation rigid(slidingBlock("rigid", speed));
  rigid.step();
  EXPECT_NEAR(rigid.state().nu[2], 0.0, 1e-9);
  EXPECT_NEAR(rigid.state().nu[0], speed - friction * kGravity * 1e-3, 1e-9);
}

TEST(CompliantModel, SinksByTheWeightOverTheStiffness) {
  Scene scene = slidingBlock("compliant", 0.0);
  Simulation simulation(scene);
  const double height = simulation.state().q[2];
  for (int k = 0; k < 3000; ++k) simulation.step();
  const double weight = simulation.model().totalMass() * kGravity;
  // Four points carry the weight; 1e-3 of the depth: the model's dissipation vanishes only with the speed.
  const double depth = weight / (4.0 * scene.physics.stiffness);
  EXPECT_NEAR(height - simulation.state().q[2], depth, 1e-3 * depth);
}

TEST(CompliantModel, SlidesLikeCoulomb) {
  Simulation simulation(slidingBlock("compliant", 2.0));
  for (int k = 0; k < 1000; ++k) simulation.step();
  const double distance = 4.0 / (2.0 * 0.5 * kGravity);
  EXPECT_NEAR(simulation.state().q[0], distance, 0.02 * distance);
}

TEST(PyramidLaw, IsNotIsotropicAndTheConeIs) {
  // Along the diagonal the square of the pyramid allows √2 times the friction of the disc.
  const auto diagonalDistance = [](const std::string& law) {
    Scene scene = slidingBlock("rigid", 0.0);
    scene.physics.friction_law = law;
    scene.robot.base_velocity = Vector3d(1.0, 1.0, 0.0) * std::sqrt(2.0);
    Simulation simulation(scene);
    for (int k = 0; k < 1000; ++k) simulation.step();
    return simulation.state().q.head<2>().norm();
  };
  const double coulomb = 4.0 / (2.0 * 0.5 * kGravity);
  EXPECT_NEAR(diagonalDistance("cone"), coulomb, 2e-3);
  EXPECT_NEAR(diagonalDistance("pyramid"), coulomb / std::sqrt(2.0), 2e-3);
}

}  // namespace
}  // namespace footfall::physics
