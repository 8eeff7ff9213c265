// Bodies side by side, of one height: what slides over their seams must not feel them.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

constexpr double kSpeed = 2.0;  // [m/s]

/// Three slabs along x, with their upper faces at z = 0.2 and seams at x = 0.5 and 1.5.
std::string slabs(double friction, const std::string& more) {
  std::string text = "bodies:\n";
  for (int i = 0; i < 3; ++i)
    text += "  - {name: slab_" + std::to_string(i) + ", shape: box, size: [1, 2, 0.2], mass: 100, position: [" +
            std::to_string(i) + ", 0, 0.1], friction: " + std::to_string(friction) + more + "}\n";
  return text;
}

struct Slider {
  std::string name, shape;
  double turn = 0.0;   ///< [rad]
  double step = 1e-3;  ///< [s]
  std::string integrator = "second_order";
};

Scene sceneOf(const Slider& slider, double friction, const std::string& slab) {
  Scene scene = parseScene(slabs(friction, slab) + "  - {name: slider, mass: 1, velocity: [2, 0, 0], friction: " +
                               std::to_string(friction) + ", rpy: [0, 0, " + std::to_string(slider.turn) +
                               "], position: [0, 0.01, 0.25], " + slider.shape + "}\nground: {shape: plane}\n",
                           "seams.yaml");
  scene.physics.step = slider.step;
  scene.physics.integrator = slider.integrator;
  return scene;
}

class Seams : public testing::TestWithParam<Slider> {};

TEST_P(Seams, OfFixedBodiesAreNotFelt) {
  Simulation simulation(sceneOf(GetParam(), 0.0, ", fixed: true"));
  const int first = simulation.model().freeVelocity(0), place = simulation.model().freePosition(0);
  while (simulation.time() < 0.9) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged) << simulation.describeFailure();
    ASSERT_FALSE(simulation.result().impact) << simulation.time();
  }
  const auto velocity = simulation.state().nu.segment<6>(first);
  EXPECT_NEAR(velocity[0], kSpeed, 1e-9);
  EXPECT_LT(velocity.tail<5>().norm(), 1e-8);
  EXPECT_NEAR(simulation.state().q[place], 0.9 * kSpeed, 1e-8);
  EXPECT_NEAR(simulation.state().q[place + 2], 0.25, 1e-9);
}

/// The slabs stand on the ground, and what slides is braked by their friction alone.
TEST_P(Seams, OfBodiesThatMayMoveAreNotFelt) {
  constexpr double kFriction = 0.2;
  Simulation simulation(sceneOf(GetParam(), kFriction, ""));
  const int first = simulation.model().freeVelocity(3);
  while (simulation.time() < 0.9) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged) << simulation.describeFailure();
    ASSERT_FALSE(simulation.result().impact) << simulation.time();
    ASSERT_NEAR(simulation.state().nu[first], kSpeed - kFriction * kGravity * simulation.time(), 1e-7);
  }
}

const std::string kBox = "shape: box, size: [0.2, 0.2, 0.1]";
const std::string kCylinder = "shape: cylinder, radius: 0.1, length: 0.1";

INSTANTIATE_TEST_SUITE_P(Shapes, Seams,
                         testing::Values(Slider{"Box", kBox}, Slider{"BoxThatIsTurned", kBox, 0.3},
                                         Slider{"BoxOf4Ms", kBox, 0.0, 4e-3},
                                         Slider{"BoxOfAQuarter", kBox, 0.0, 2.5e-4},
                                         Slider{"BoxByEuler", kBox, 0.3, 1e-3, "semi_implicit_euler"},
                                         Slider{"LongBox", "shape: box, size: [0.9, 0.2, 0.1]"},
                                         Slider{"Cylinder", kCylinder}, Slider{"CylinderOf4Ms", kCylinder, 0.0, 4e-3}),
                         [](const auto& slider) { return slider.param.name; });

/// A brick falls between two others, as wide as the gap that they leave, and comes to lie on the ground.
TEST(Seams, LetABrickFallBetweenTwoOthers) {
  Simulation simulation(parseScene(
      "bodies:\n"
      "  - {name: left, shape: box, size: [0.2, 0.1, 0.1], mass: 1, position: [-0.2, 0, 0.05], fixed: true}\n"
      "  - {name: right, shape: box, size: [0.2, 0.1, 0.1], mass: 1, position: [0.2, 0, 0.05], fixed: true}\n"
      "  - {name: brick, shape: box, size: [0.2, 0.1, 0.1], mass: 1, position: [0, 0, 0.3], friction: 0}\n",
      "brick.yaml"));
  while (simulation.time() < 0.4)
    ASSERT_EQ(simulation.step().status, SolveStatus::converged) << simulation.describeFailure();
  EXPECT_NEAR(simulation.state().q[simulation.model().freePosition(0) + 2], 0.05, 1e-6);
}

/// A step of a hundredth of a millimetre is one.
TEST(Seams, OfDifferentHeightStopWhatSlides) {
  Simulation simulation(parseScene(
      "bodies:\n"
      "  - {name: low, shape: box, size: [1, 1, 0.1], position: [0, 0, 0.05], fixed: true, friction: 0}\n"
      "  - {name: high, shape: box, size: [1, 1, 0.10001], position: [1, 0, 0.050005], fixed: true, friction: 0}\n"
      "  - {name: slider, shape: box, size: [0.2, 0.2, 0.1], mass: 1, position: [0, 0, 0.15], velocity: [2, 0, 0], "
      "friction: 0}\n",
      "step.yaml"));
  while (simulation.time() < 0.5)
    ASSERT_EQ(simulation.step().status, SolveStatus::converged) << simulation.describeFailure();
  EXPECT_LT(simulation.state().q[simulation.model().freePosition(0)], 0.401);
}

}  // namespace
}  // namespace footfall::physics
