// A thin disc that rolls without slip, tilted: closed forms of its steady motions.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>

#include "physics/scene_tools.hpp"
#include "tools/random_seed.hpp"

namespace footfall::physics {
namespace {

constexpr double kMass = 1.0, kRadius = 0.1;                       // of models/disc.urdf [kg, m]
constexpr double kAcross = 0.0025000833333333333, kAlong = 0.005;  // inertia about a diameter and the axis [kg m²]

/// The disc of models/disc.urdf whose edge is a circle.
Scene discScene() {
  Scene scene = freeBody("disc");
  SceneContact edge;
  edge.frame = "disc";
  edge.points = {Vector3d::Zero()};
  edge.circle = kRadius;
  edge.axis = Vector3d::UnitZ();
  scene.contacts.push_back(edge);
  scene.ground.friction = 1.0;
  scene.physics.integrator = "second_order";
  scene.robot.base_position.z() = kRadius;
  return scene;
}

/// A tilted disc whose middle goes round a circle, or rests where its radius is zero.
struct SteadyRolling {
  double tilt = 0.0;  ///< of the disc's plane against the ground [rad]
  double turn = 0.0;  ///< of the contact point about the vertical [rad/s]

  /// Of the disc about its axis, from Euler's equation about the vertical line [rad/s]:
  /// I₁ Ω² sin θ cos θ = (I₃ + m a²) ω₃ Ω sin θ + m g a cos θ.
  double spin() const {
    const double weight = kMass * kGravity * kRadius * std::cos(tilt);
    return (kAcross * turn * turn * std::sin(tilt) * std::cos(tilt) - weight) /
           ((kAlong + kMass * kRadius * kRadius) * turn * std::sin(tilt));
  }
  double speed() const { return kRadius * std::abs(spin()); }  ///< of its middle [m/s]
  double circle() const { return kRadius * spin() / turn; }    ///< radius of the middle's path, with a sign [m]
};

/// Starts with the contact at +x of the middle, which lies above the origin.
void start(const SteadyRolling& rolling, Simulation& simulation) {
  const double s = std::sin(rolling.tilt), c = std::cos(rolling.tilt);
  Matrix3d R_WD;
  R_WD << c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c;
  const Vector3d to_middle(-c, 0.0, s);  // from the contact, in the plane of the disc
  State state = simulation.state();
  state.setBasePose({R_WD, Vector3d(0.0, 0.0, kRadius * s)});
  const Vector3d omega = rolling.turn * s * to_middle + rolling.spin() * R_WD.col(2);
  state.nu << omega.cross(kRadius * to_middle), omega;
  simulation.setState(state);
}

double tiltOf(const Simulation& simulation) { return std::acos(simulation.state().basePose().R(2, 2)); }

// Ω² sin α = 4 g/a keeps the middle at rest. Nothing dissipates: real discs lose their energy to air and rolling
// friction.
TEST(EulersDisc, At20DegreesKeepsItsEnergyFor2Seconds) {
  SteadyRolling rolling{.tilt = M_PI / 9};
  rolling.turn = std::sqrt(kMass * kGravity * kRadius / (kAcross * std::sin(rolling.tilt)));
  ASSERT_NEAR(rolling.spin(), 0.0, 1e-12);
  Simulation simulation(discScene());
  start(rolling, simulation);
  const double energy = simulation.dynamics().energy().total();
  EXPECT_NEAR(energy, 1.5 * kMass * kGravity * kRadius * std::sin(rolling.tilt), 1e-4 * energy);
  int impacts = 0;
  for (int k = 0; k < 2000; ++k) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    impacts += simulation.result().impact;
  }
  EXPECT_EQ(impacts, 0);
  EXPECT_NEAR(simulation.dynamics().energy().total(), energy, 0.02 * energy);
  EXPECT_NEAR(tiltOf(simulation), rolling.tilt, 0.02 * rolling.tilt);
  EXPECT_LT(simulation.state().nu.head<3>().norm(), 0.05);
}

TEST(RollingDisc, GoesRoundTheCircleOfItsClosedForm) {
  const SteadyRolling rolling{.tilt = M_PI / 3, .turn = 2.0};
  Simulation simulation(discScene());
  start(rolling, simulation);
  const double energy = simulation.dynamics().energy().total();
  const Vector3d centre(rolling.circle(), 0.0, 0.0);  // of the path
  const int turns = 3;
  const int steps = static_cast<int>(std::lround(turns * 2.0 * M_PI / rolling.turn / 1e-3));
  double off_circle = 0.0, off_tilt = 0.0;
  for (int k = 0; k < steps; ++k) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    EXPECT_FALSE(simulation.result().impact);
    const Vector3d from_centre = simulation.state().q.head<3>() - centre;
    off_circle = std::max(off_circle, std::abs(from_centre.head<2>().norm() - std::abs(rolling.circle())));
    off_tilt = std::max(off_tilt, std::abs(tiltOf(simulation) - rolling.tilt));
  }
  EXPECT_LT(off_circle, 1e-3 * std::abs(rolling.circle()));
  EXPECT_LT(off_tilt, 1e-3);
  EXPECT_NEAR(simulation.dynamics().energy().total(), energy, 1e-4 * energy);
  // Back at the start after whole turns; the last step ends up to half a step beside it.
  EXPECT_LT(simulation.state().q.head<2>().norm(), 0.5e-3 * rolling.speed() + 0.01 * std::abs(rolling.circle()));
}

/// Thin discs that fall nearly flat onto a slope. The place where such a disc touches runs around its rim by
/// centimetres in a step, farther than any step can follow: what ends deeper for that is lifted, by no more than its
/// energy allows.
TEST(FallingDisc, GainsNoEnergyWhereItsContactRunsAroundTheRim) {
  for (const char* const scene : {R"(
ground: {shape: plane, incline: 0.498, heading: -1.47, friction: 2}
bodies: [{name: disc, shape: cylinder, mass: 0.168, radius: 0.0549, length: 0.00463, position: [-0.291, 0.164, 0.9], rpy: [1.82, -1.44, 0.157],
          velocity: [-0.272, -0.395, -2.71], angular_velocity: [8.8, -4.06, 8.64], friction: 1}]
physics: {step: 0.5 ms}
)",
                                  R"(
ground: {shape: plane, incline: 0.448, heading: -2.19, friction: 0}
bodies: [{name: disc, shape: cylinder, mass: 2.58, radius: 0.13, length: 0.00285, position: [0.0268, -0.137, 0.9], rpy: [-2.0, 0.676, -1.23],
          velocity: [-0.28, -0.043, -1.6], angular_velocity: [3.77, 4.22, 9.57]}]
physics: {step: 1 ms}
)"}) {
    Simulation simulation(parseScene(scene, "disc.yaml"));
    const int steps = static_cast<int>(std::lround(1.5 / simulation.settings().step));
    for (int k = 0; k < steps; ++k) {
      const Energy before = simulation.dynamics().energy();
      ASSERT_NE(simulation.step().status, SolveStatus::failed);
      // Of the order of (ω Δt)², of what turns at up to 10 rad/s before it strikes, and faster afterwards.
      const double turn = std::max(simulation.state().nu.tail<3>().norm() * simulation.settings().step, 0.01);
      double deepest = 0.0;  // what has struck is lifted to the ground again
      for (const ContactReport& contact : simulation.result().contacts) deepest = std::max(deepest, -contact.gap);
      const double lifted = simulation.model().links.back().inertia.mass * kGravity * deepest;
      ASSERT_LT(simulation.dynamics().energy().total() - before.total(),
                2.0 * turn * turn * before.kinetic + lifted + 1e-12 * before.total())
          << "step " << k;
    }
  }
}

/// Thrown cylinders that tumble: within a step another part of the rim becomes the lowest one, and the part that
/// strikes was not near the ground when the step began (3.7 mm deep until it was looked for). What is left is what the
/// path of a point bends by in a step, ½ r (ω Δt)², where one end sets the other in motion.
TEST(TumblingCylinder, DoesNotFallThroughTheGroundBetweenTwoSteps) {
  const char* const grounds[] = {"{shape: plane, friction: 0.3}",
                                 "{shape: height_field, formula: 0.052 * sin(5.39 * x) * cos(1.09 * y), extent: [20, "
                                 "20], friction: 0.2}"};
  std::mt19937 random(randomSeed(3));
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int k = 0; k < 60; ++k) {
    const double radius = between(0.03, 0.15), turn = between(10.0, 120.0), about = between(0.0, 2.0 * M_PI);
    std::ostringstream scene;
    scene << "ground: " << grounds[k % 2] << "\nbodies:\n  - {name: a, shape: cylinder, mass: 1, radius: " << radius
          << ", length: " << between(0.1, 2.0) * radius << ", position: [0, 0, 0.5], rpy: [" << between(-3.0, 3.0)
          << ", " << between(-1.5, 1.5) << ", 0], velocity: [" << between(-2.0, 2.0) << ", " << between(-2.0, 2.0)
          << ", " << between(-5.0, 0.0) << "], angular_velocity: [" << turn * std::cos(about) << ", "
          << turn * std::sin(about) << ", " << between(-20.0, 20.0) << "]}\n";
    SCOPED_TRACE(scene.str());
    Simulation simulation(parseScene(scene.str(), "cylinder.yaml"));
    for (int step = 0; step < 600; ++step) {
      const double bend = 0.5 * radius * std::pow(simulation.state().nu.tail<3>().norm() * 1e-3, 2);
      ASSERT_NE(simulation.step().status, SolveStatus::failed);
      for (const ContactReport& contact : simulation.result().contacts)
        ASSERT_GT(contact.gap, -(50e-6 + bend)) << "step " << step;
    }
  }
}

}  // namespace
}  // namespace footfall::physics
