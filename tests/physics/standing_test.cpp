#include <gtest/gtest.h>

#include <algorithm>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

struct Case {
  const char* robot;
  const char* incline;
};

class StandingRobot : public testing::TestWithParam<Case> {};

TEST_P(StandingRobot, KeepsItsFeetStillAndTheGroundCarriesItsWeight) {
  const Case& c = GetParam();
  Scene scene = sceneFile(std::string(c.robot) + ".yaml", {{"ground.incline", c.incline}});
  Simulation simulation(scene);
  const auto run = [&](int steps) {
    for (int k = 0; k < steps; ++k)
      ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
  };
  // Soles of real robots are not parallel to the last digit of their files: the last corners come down first.
  run(500);
  std::vector<Vector3d> start;
  for (const ContactCandidate& candidate : simulation.model().candidates)
    start.push_back(simulation.dynamics().linkPose(candidate.link) * candidate.p_LC);
  run(9500);

  double moved = 0.0;
  for (std::size_t k = 0; k < start.size(); ++k) {
    const ContactCandidate& candidate = simulation.model().candidates[k];
    moved = std::max(moved, (simulation.dynamics().linkPose(candidate.link) * candidate.p_LC - start[k]).norm());
  }
  EXPECT_LT(moved, 1e-6);

  Vector3d support = Vector3d::Zero();
  double normal = 0.0;
  for (const ContactReport& contact : simulation.result().contacts) {
    support += contact.force_W;
    normal += contact.force_C.z();
  }
  const double weight = simulation.model().totalMass() * kGravity;
  EXPECT_NEAR(support.z(), weight, 1e-6 * weight);
  EXPECT_NEAR(normal, weight * std::cos(scene.ground.incline), 1e-6 * weight);
  EXPECT_LT(support.head<2>().norm(), 1e-6 * weight);
}

INSTANTIATE_TEST_SUITE_P(Robots, StandingRobot,
                         testing::Values(Case{"icub", "0 deg"}, Case{"icub", "5 deg"}, Case{"anymal_c", "0 deg"},
                                         Case{"anymal_c", "5 deg"}, Case{"g1", "0 deg"}, Case{"g1", "5 deg"},
                                         Case{"talos", "0 deg"}, Case{"talos", "5 deg"}),
                         [](const auto& test) {
                           return std::string(test.param.robot) + (test.param.incline[0] == '0' ? "_flat" : "_5deg");
                         });

TEST(PushedRobot, SwaysAndStaysOnItsFeet) {
  Simulation simulation(sceneFile("demo.yaml"));
  const double height = simulation.state().q[2];
  double sway = 0.0;
  for (int k = 0; k < 5000; ++k) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
    sway = std::max(sway, std::abs(simulation.state().q[0]));
  }
  EXPECT_GT(sway, 1e-3);
  EXPECT_NEAR(simulation.state().q[2], height, 0.01);
  EXPECT_LT(simulation.state().nu.norm(), 1e-2);
}

}  // namespace
}  // namespace footfall::physics
