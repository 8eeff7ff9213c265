// Two bodies that float, pressed together face on face, of which one spins: nothing from outside holds them upright.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

constexpr double kPress = 10.0, kSpin = 30.0, kFriction = 0.3;  // [N], [rad/s], [-]

const std::string kDisc = "shape: cylinder, radius: 0.1, length: 0.02";
const std::string kLargeDisc = "shape: cylinder, radius: 0.15, length: 0.02";
const std::string kBox = "shape: box, size: [0.2, 0.2, 0.02]";
const std::string kLargerBox = "shape: box, size: [0.22, 0.22, 0.02]";
const std::string kPlate = "shape: box, size: [0.5, 0.5, 0.02]";

struct Faces {
  std::string name, lower, upper;
  double step;           ///< [s]
  double gravity = 0.0;  ///< both fall freely [m/s²]
};

Scene pressed(const Faces& faces) {
  const std::string push = ", duration: 5 s}", press = std::to_string(kPress);
  Scene scene = parseScene(
      "bodies:\n  - {name: lower, mass: 1, position: [0, 0, 10], friction: 0.3, angular_velocity: "
      "[0, 0, 30], " +
          faces.lower +
          "}\n  - {name: upper, mass: 2, position: [0, 0, 10.02], "
          "friction: 0.3, " +
          faces.upper + "}\npushes:\n  - {link: lower, force: [0, 0, " + press + "]" + push +
          "\n  - {link: upper, force: [0, 0, -" + press + "]" + push + "\n",
      "pressed_faces.yaml");
  scene.physics.step = faces.step;
  scene.physics.gravity = {0.0, 0.0, -faces.gravity};
  return scene;
}

Vector3d turning(const Simulation& simulation, int body) {
  return simulation.state().nu.segment<3>(simulation.model().freeVelocity(body) + 3);
}

class PressedFaces : public testing::TestWithParam<Faces> {};

/// The pressure is even and friction has no part across: the bodies slip until both turn as fast, upright and in place.
TEST_P(PressedFaces, SlipOnEachOtherWithoutWobbling) {
  Simulation simulation(pressed(GetParam()));
  const int first = simulation.model().freeVelocity(0);
  double wobble = 0.0, drift = 0.0;
  while (simulation.time() < 0.45) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged) << simulation.describeFailure();
    ASSERT_FALSE(simulation.result().impact) << simulation.time();
    wobble = std::max(wobble, turning(simulation, 0).head<2>().norm());
    drift = std::max(drift, simulation.state().nu.segment<2>(first).norm());
  }
  EXPECT_LT(wobble, 1e-4);  // [rad/s]
  EXPECT_LT(drift, 1e-5);   // [m/s]
}

INSTANTIATE_TEST_SUITE_P(Shapes, PressedFaces,
                         testing::Values(Faces{"DiscsOf2Ms", kDisc, kDisc, 2e-3},
                                         Faces{"DiscsOf1Ms", kDisc, kDisc, 1e-3},
                                         Faces{"DiscsThatFall", kDisc, kDisc, 1e-3, kGravity},
                                         Faces{"DiscOnALargerOneOf2Ms", kDisc, kLargeDisc, 2e-3},
                                         Faces{"DiscOnALargerOneOf1Ms", kDisc, kLargeDisc, 1e-3},
                                         Faces{"DiscOnAPlate", kDisc, kPlate, 1e-3},
                                         Faces{"BoxesOf2Ms", kBox, kBox, 2e-3}, Faces{"BoxesOf1Ms", kBox, kBox, 1e-3},
                                         Faces{"BoxesThatFall", kBox, kBox, 1e-3, kGravity},
                                         Faces{"BoxOnALargerOneOf2Ms", kBox, kLargerBox, 2e-3},
                                         Faces{"BoxOnALargerOneOf1Ms", kBox, kLargerBox, 1e-3},
                                         Faces{"BoxOnALargerOneOfHalfAMs", kBox, kLargerBox, 5e-4}),
                         [](const auto& shapes) { return shapes.param.name; });

/// Four corners at the radius r, each with a quarter of the force: ω₁ − ω₂ falls by μ F r (1/I₁ + 1/I₂) t.
TEST(PressedFaces, LoseTheirSpinToEachOther) {
  Simulation simulation(pressed({"", kBox, kPlate, 1e-3}));
  const double of_box = 1.0 / 12.0 * 2.0 * 0.2 * 0.2, of_plate = 2.0 / 12.0 * 2.0 * 0.5 * 0.5;  // [kg m²]
  const double torque = kFriction * kPress * 0.1 * std::sqrt(2.0);                              // [N m]
  while (simulation.time() < 0.4) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged) << simulation.describeFailure();
    const double lower = turning(simulation, 0).z(), upper = turning(simulation, 1).z();
    ASSERT_NEAR(lower, kSpin - torque / of_box * simulation.time(), 1e-6);
    ASSERT_NEAR(of_box * lower + of_plate * upper, of_box * kSpin, 1e-13);
  }
}

}  // namespace
}  // namespace footfall::physics
