// Bodies that rock from edge to edge: each impact leaves the share of the angular velocity that the conservation of
// angular momentum about the new edge says.

#include <gtest/gtest.h>

#include "physics/ground_tools.hpp"

namespace footfall::physics {
namespace {

constexpr double kWidth = 0.1, kHeight = 0.4;  ///< half of the rocking block's [m]
constexpr double kSpoke = 0.5;                 ///< of the rimless wheel [m]
constexpr double kSpokeHalfAngle = M_PI / 8.0;

/// The share that Housner found for a homogeneous block: 1 − (3/2) sin²α.
double housnersRatio() {
  const double sine = kWidth / std::hypot(kWidth, kHeight);
  return 1.0 - 1.5 * sine * sine;
}

struct Wheel {
  double mass, inertia;  ///< about y, through the centre

  explicit Wheel(const Model& model) {
    const SpatialInertia& whole = model.links[0].inertia;
    mass = whole.mass;
    inertia = whole.I_com(1, 1);
  }
  double aboutTip() const { return inertia + mass * kSpoke * kSpoke; }
  /// (cos 2α + r²)/(1 + r²) with r² = I/(m l²)
  double ratio() const {
    const double r2 = inertia / (mass * kSpoke * kSpoke);
    return (std::cos(2.0 * kSpokeHalfAngle) + r2) / (1.0 + r2);
  }
};

/// Angular velocity about y right after the impact of the first step, over that before.
double ratioOfFirstImpact(Simulation& simulation) {
  const double before = simulation.state().nu[4], dt = simulation.settings().step;
  const StepResult& result = simulation.step();
  EXPECT_EQ(result.status, SolveStatus::converged);
  EXPECT_TRUE(result.impact);
  return (simulation.state().nu[4] - dt * result.nu_dot[4]) / before;
}

/// Ratios of all impacts of a run; an impact that takes several steps is one.
std::vector<double> ratiosOfImpacts(Simulation& simulation, double duration) {
  std::vector<double> ratios;
  double before = 0.0;
  bool during = false;
  while (simulation.time() < duration) {
    const double start = simulation.state().nu[4];
    const bool impact = simulation.step().impact;
    if (impact && !during) before = start;
    if (!impact && during) ratios.push_back(start / before);
    during = impact;
  }
  return ratios;
}

TEST(RockingBlock, KeepsHousnersRatioWhenItChangesItsEdge) {
  Scene scene = freeBody("rocking_block");
  scene.contacts = sceneFile("rocking_block.yaml").contacts;
  scene.ground.friction = 0.8;
  const double turn = 1.0;
  // Upright, turning about the edge at x = −b; that at x = +b comes down.
  scene.robot.base_position = {0.0, 0.0, kHeight};
  scene.robot.base_velocity = {turn * kHeight, 0.0, -turn * kWidth};
  scene.robot.base_angular_velocity = {0.0, turn, 0.0};
  Simulation simulation(scene);
  // The solver leaves 1e-10 m/s at a lever of 0.1 m.
  EXPECT_NEAR(ratioOfFirstImpact(simulation), housnersRatio(), 1e-8);
}

TEST(RockingBlock, LosesTheSameShareAtEachImpactUntilItStands) {
  Simulation simulation(sceneFile("rocking_block.yaml", {{"physics.step", "0.1 ms"}}));
  const std::vector<double> ratios = ratiosOfImpacts(simulation, 3.0);
  ASSERT_GE(ratios.size(), 4u);
  // Gravity turns it by 4.3 rad/s²: over the two steps of an impact at 1 rad/s, 0.1 % of its velocity.
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(ratios[k], housnersRatio(), 3e-3) << k;
  while (simulation.time() < 8.0) simulation.step();
  EXPECT_NEAR(simulation.state().q[2], kHeight, 1e-6);
  EXPECT_LT(simulation.state().nu.norm(), 1e-6);
}

TEST(RimlessWheel, KeepsTheShareOfItsSpeedWhenTheNextSpokeHits) {
  Scene scene = freeBody("rimless_wheel");
  scene.contacts = sceneFile("rimless_wheel.yaml").contacts;
  scene.ground.friction = 2.0;
  const double turn = 2.0, s = std::sin(kSpokeHalfAngle), c = std::cos(kSpokeHalfAngle);
  // On two spokes, turning about the one behind.
  scene.robot.base_position = {0.0, 0.0, kSpoke * c};
  scene.robot.base_rpy = {0.0, kSpokeHalfAngle, 0.0};
  scene.robot.base_velocity = {turn * kSpoke * c, 0.0, -turn * kSpoke * s};
  scene.robot.base_angular_velocity = {0.0, turn, 0.0};
  Simulation simulation(scene);
  EXPECT_NEAR(ratioOfFirstImpact(simulation), Wheel(simulation.model()).ratio(), 1e-8);
}

TEST(RimlessWheel, RollsDownhillWithTheSpeedThatBalancesItsImpacts) {
  Simulation simulation(sceneFile("rimless_wheel.yaml", {{"physics.step", "0.1 ms"}}));
  const Wheel wheel(simulation.model());
  const std::vector<double> ratios = ratiosOfImpacts(simulation, 6.0);
  ASSERT_GE(ratios.size(), 10u);
  // Gravity turns it by 8 rad/s² at most: over the two steps of an impact, 0.08 % of 2 rad/s.
  for (double ratio : ratios) EXPECT_NEAR(ratio, wheel.ratio(), 2e-3);

  // From impact to impact the centre sinks by 2 l sin α sin γ; the impact takes 1 − ratio² of the energy.
  const double slope = simulation.scene().ground.incline;
  const double gain =
      2.0 * wheel.mass * kGravity * 2.0 * kSpoke * std::sin(kSpokeHalfAngle) * std::sin(slope) / wheel.aboutTip();
  const double ratio2 = wheel.ratio() * wheel.ratio();
  const double expected = std::sqrt(ratio2 * gain / (1.0 - ratio2));
  bool impact = false;
  while (!impact) impact = simulation.step().impact;
  while (simulation.step().impact) {
  }
  EXPECT_NEAR(simulation.state().nu[4], expected, 0.005 * expected);
}

}  // namespace
}  // namespace footfall::physics
