// Robots of the packages whose zero posture lies outside of their joints' limits.

#include <gtest/gtest.h>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

const std::string kRobots = "package://example-robot-data/robots/";

class StartOutsideLimits : public testing::TestWithParam<const char*> {};

TEST_P(StartOutsideLimits, MakesNoEnergy) {
  const std::string file = kRobots + GetParam();
  if (!ResourcePath::standard().find(file)) GTEST_SKIP() << "the Python package example-robot-data is not installed";
  Scene scene = freeBody(file);
  scene.physics.gravity.setZero();
  Simulation simulation(scene);
  ASSERT_EQ(simulation.warnings().empty(), false);
  EXPECT_NE(simulation.warnings().back().find("outside of"), std::string::npos);
  for (int k = 0; k < 1000; ++k) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
    ASSERT_LT(simulation.dynamics().energy().kinetic, 1e-9) << "t = " << simulation.time();
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, StartOutsideLimits,
                         testing::Values("go2_description/urdf/go2.urdf", "kinova_description/robots/kinova.urdf",
                                         "hyq_description/robots/hyq_no_sensors.urdf",
                                         "panda_description/urdf/panda.urdf"));

}  // namespace
}  // namespace footfall::physics
