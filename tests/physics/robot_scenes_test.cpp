// Scenes of robots with other robots and with loose bodies: what their first lines promise.

#include <gtest/gtest.h>

#include "footfall/model/tree.hpp"
#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

struct Story {
  double deepest = 0.0;          ///< [m]
  double impulse_between = 0.0;  ///< of impacts between two trees [N s]
  double force_on_robot = 0.0;   ///< vertical, of the last step, of bodies [N]
};

/// Runs, and looks at what touches what.
Story watch(Simulation& simulation, double until) {
  Story story;
  const int robot_ends = treesOf(simulation.model()).front().links_end;
  const auto ofRobot = [&](FrameIndex frame) { return simulation.model().frames[frame].link < robot_ends; };
  while (simulation.time() < until - 1e-9) {
    const StepResult& result = simulation.step();
    EXPECT_NE(result.status, SolveStatus::failed) << simulation.describeFailure();
    if (result.status == SolveStatus::failed) return story;
    story.force_on_robot = 0.0;
    for (const ContactReport& contact : result.contacts) {
      story.deepest = std::max(story.deepest, -contact.gap);
      if (!contact.other.valid() || ofRobot(contact.frame) == ofRobot(contact.other)) continue;
      story.impulse_between += contact.impulse_C.norm();
      story.force_on_robot += (ofRobot(contact.frame) ? 1.0 : -1.0) * contact.force_W.z();
    }
  }
  return story;
}

TEST(BoxingG1, RedHitsBlueAndPushesIt) {
  Simulation simulation(sceneFile("boxing_g1.yaml"));
  const double before = simulation.state().q[simulation.model().freePosition(0)];
  const Story story = watch(simulation, 0.65);
  EXPECT_GT(story.impulse_between, 1.0);
  EXPECT_LT(story.deepest, 1e-3);
  EXPECT_GT(simulation.state().q[simulation.model().freePosition(0)], before + 0.01);
}

TEST(QuadrupedOnStones, ComesToStandOnThem) {
  Simulation simulation(sceneFile("quadruped_on_stones.yaml"));
  const Story story = watch(simulation, 0.8);
  const Model& model = simulation.model();
  double mass = 0.0;
  for (int link = 0; link < treesOf(model).front().links_end; ++link) mass += model.links[link].inertia.mass;
  EXPECT_LT(story.deepest, 1e-3);
  EXPECT_NEAR(story.force_on_robot, mass * kGravity, 0.05 * mass * kGravity) << "no foot is on the ground";
  EXPECT_LT(simulation.state().nu.head<3>().norm(), 0.05);
}

}  // namespace
}  // namespace footfall::physics
