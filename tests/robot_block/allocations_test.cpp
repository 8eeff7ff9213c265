#include "robot_block/balancing_tools.hpp"
#include "tools/count_allocations.hpp"

namespace footfall {
namespace {

using physics::sceneFile;

long allocationsDuring(const Diagram& diagram, Context& context, int steps) {
  const long before = allocations;
  for (int k = 0; k < steps; ++k) diagram.step(context);
  return allocations - before;
}

class DiagramSteps : public testing::TestWithParam<const char*> {};

TEST_P(DiagramSteps, AllocateNothing) {
  Scene scene = sceneFile(GetParam());
  for (ScenePush& push : scene.pushes) push.start = 0.1;  // begins while allocations are counted
  const Diagram diagram = defaultDiagram(scene).build({.step = scene.physics.step});
  Context context = diagram.makeContext();
  for (int k = 0; k < 50; ++k) diagram.step(context);
  EXPECT_EQ(allocationsDuring(diagram, context, 200), 0);
}

INSTANTIATE_TEST_SUITE_P(Scenes, DiagramSteps,
                         testing::Values("icub.yaml", "demo.yaml", "icub_motors.yaml", "icub_sensors.yaml",
                                         "stewart_platform.yaml"));

TEST(BalancingSteps, AllocateNothing) {
  const Scene scene = pushedScene();
  const Diagram diagram = balancingDiagram(scene).build();
  Context context = diagram.makeContext();
  for (int k = 0; k < 50; ++k) diagram.step(context);
  EXPECT_EQ(allocationsDuring(diagram, context, 200), 0);
}

}  // namespace
}  // namespace footfall
