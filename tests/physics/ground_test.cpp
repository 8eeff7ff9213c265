// Grounds that move: belts, lifts, shaking and tilting tables, against closed forms.

#include <gtest/gtest.h>

#include "physics/ground_tools.hpp"

namespace footfall::physics {
namespace {

constexpr double kStep = 1e-3;  ///< the default of a scene [s]

class ConveyorBelt : public testing::TestWithParam<double> {};

TEST_P(ConveyorBelt, BringsABlockToItsSpeedAfterTheTimeAndDistanceOfCoulombsLaw) {
  const double speed = 1.0, friction = 0.5, heading = GetParam() * kDegree;
  const Vector3d direction(std::cos(heading), std::sin(heading), 0.0);
  Scene scene = crateOn(friction);
  scene.ground.conveyor.direction = 3.0 * direction;  // only its direction counts
  scene.ground.conveyor.law = constantSpeed(speed);
  Simulation simulation(scene);
  const auto behind = [&] { return (simulation.state().nu.head<3>() - speed * direction).norm(); };
  while (behind() > 1e-6 && simulation.time() < 1.0) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
  const double time = speed / (friction * kGravity);
  EXPECT_NEAR(simulation.time(), time, 2.0 * kStep);
  // Semi-implicit Euler moves with the speed at the end of a step: half a step of the final speed too far; and the
  // last step may carry it on by up to one more.
  const Vector3d way = simulation.state().q.head<3>() - Vector3d(0.0, 0.0, 0.1);
  EXPECT_NEAR(way.dot(direction), 0.5 * speed * time, 2.0 * speed * kStep);
  EXPECT_LT((way - way.dot(direction) * direction).norm(), 1e-8);
  // From now on it rides. The solver leaves 1e-10 m/s.
  for (int k = 0; k < 500; ++k) simulation.step();
  EXPECT_LT(behind(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Headings, ConveyorBelt, testing::Values(0.0, 37.0, -120.0));

/// Goes up with 1 m/s until it brakes at t = 2 s.
struct Lift {
  double speed = 1.0;        ///< [m/s]
  double brake_start = 2.0;  ///< [s]
  double brake;              ///< deceleration [m/s²]

  SceneTimeLaw law() const {
    return speedTable({{0.0, 0.0}, {1.0, speed}, {brake_start, speed}, {brake_start + speed / brake, 0.0}});
  }
  double heightAtBrakeStart() const { return 0.5 * speed + speed * (brake_start - 1.0); }
  double topHeight() const { return heightAtBrakeStart() + 0.5 * speed * speed / brake; }
};

Scene crateOnLift(const Lift& lift) {
  Scene scene = crateOn(0.6);
  scene.ground.translations.push_back({"", Vector3d::UnitZ(), lift.law()});
  return scene;
}

/// Up and down with an acceleration of up to 0.9 g, which is no impact however short the steps are.
TEST(LiftPlatform, CarriesABoxWithTheForceOfItsAcceleration) {
  constexpr double kFrequency = 2.0, kOmega = 2.0 * M_PI * kFrequency, kShare = 0.9;
  for (const double step : {1e-3, 1e-4}) {
    Scene scene = crateOn(0.6);
    scene.physics.step = step;
    scene.ground.translations.push_back(
        {"", Vector3d::UnitZ(), cosine(kShare * kGravity / (kOmega * kOmega), kFrequency)});
    Simulation simulation(scene);
    const double mass = simulation.model().totalMass();
    while (simulation.time() < 0.5) {
      const double middle = simulation.time() + 0.5 * step;
      const StepResult& result = simulation.step();
      ASSERT_EQ(result.status, SolveStatus::converged);
      ASSERT_FALSE(result.impact) << "at " << simulation.time();
      ASSERT_EQ(result.order, 2);
      const double expected = mass * kGravity * (1.0 - kShare * std::cos(kOmega * middle));
      // The mean over a step, (ω Δt)²/24 of it.
      ASSERT_NEAR(groundForce(result).z(), expected, mass * kGravity * 1e-4) << "at " << simulation.time();
    }
  }
}

TEST(LiftPlatform, CarriesABoxUpWithoutEverLosingIt) {
  const Lift lift{.brake = 0.9 * kGravity};
  Simulation simulation(crateOnLift(lift));
  while (simulation.time() < lift.brake_start - 0.5 * kStep) {
    simulation.step();
    const double t = simulation.time();
    const double height = t < 1.0 ? 0.5 * lift.speed * t * t : lift.speed * (t - 0.5);
    // Contacts move with the mean velocity of the step, so that no step leaves an error behind.
    ASSERT_NEAR(simulation.state().q[2], 0.1 + height, 1e-8) << t;
  }
  while (simulation.time() < 2.5) {
    simulation.step();
    ASSERT_GT(groundForce(simulation.result()).z(), 0.0) << "left the lift at " << simulation.time();
  }
  EXPECT_NEAR(simulation.state().q[2], 0.1 + lift.topHeight(), 1e-8);
}

TEST(LiftPlatform, ThatBrakesFasterThanGravityThrowsTheBoxAndCatchesItAgain) {
  const Lift lift{.brake = 3.0 * kGravity};
  Simulation simulation(crateOnLift(lift));
  double left = 0.0, landed = 0.0;
  while (simulation.time() < 2.5) {
    const double start = simulation.time();
    const StepResult& result = simulation.step();
    if (left == 0.0 && groundForce(result).z() <= 0.0) left = start;
    if (left > 0.0 && landed == 0.0 && result.impact) landed = start;
  }
  EXPECT_NEAR(left, lift.brake_start, 1.5 * kStep);
  // Thrown from the height where braking starts, caught at the height where the lift stands:
  // v t − g t²/2 = v²/(2a).
  const double flight = lift.speed / kGravity * (1.0 + std::sqrt(1.0 - kGravity / lift.brake));
  EXPECT_NEAR(landed - left, flight, 2.0 * kStep);
  EXPECT_NEAR(simulation.state().q[2], 0.1 + lift.topHeight(), 1e-6);
  EXPECT_LT(simulation.state().nu.norm(), 1e-9);
}

/// The fastest slip on a table that shakes for two seconds with this share of the acceleration that friction holds.
double slipOnShakingTable(double share_of_friction) {
  const double friction = 0.5, frequency = 2.0, turn_rate = 2.0 * M_PI * frequency;
  Scene scene = crateOn(friction);
  const double amplitude = share_of_friction * friction * kGravity / (turn_rate * turn_rate);
  scene.ground.translations.push_back({"", Vector3d(0.6, 0.8, 0.0), cosine(amplitude, frequency)});
  Simulation simulation(scene);
  double fastest = 0.0;
  while (simulation.time() < 2.0) fastest = std::max(fastest, fastestSlip(simulation.step()));
  return fastest;
}

TEST(ShakingTable, HoldsTheBlockJustBelowTheAccelerationOfFriction) {
  // The largest change of the mean velocity from step to step is a (1 − (ω dt)²/12): 1e-5 less than a.
  EXPECT_LT(slipOnShakingTable(0.9995), 1e-9);
}

TEST(ShakingTable, LetsTheBlockSlipJustAboveTheAccelerationOfFriction) {
  // While cos ωt > 1/1.0005 the table runs away: for 2.5 ms on each side, which makes about 1e-5 m/s.
  const double slip = slipOnShakingTable(1.0005);
  EXPECT_GT(slip, 1e-6);
  EXPECT_LT(slip, 1e-4);
}

TEST(TiltingTable, LetsTheBlockSlideAtTheFrictionAngle) {
  const double friction = 0.5, rate = 2.0 * kDegree;
  Scene scene = crateOn(friction);
  // It starts softly: the angle is rate · (t − 0.5 s) after one second.
  const SceneTimeLaw law = speedTable({{0.0, 0.0}, {1.0, rate}});
  scene.ground.rotations.push_back({"", Vector3d::UnitY(), Vector3d(0.0, 0.0, -0.3), law});
  Simulation simulation(scene);
  while (fastestSlip(simulation.step()) < 1e-6 && simulation.time() < 15.0) {
  }
  // After the friction angle the slip grows with ½ g rate t²: 1e-6 m/s takes 2.3 ms, or 8e-5 rad; a step is 3.5e-5 rad.
  EXPECT_NEAR(rate * (simulation.time() - 0.5), std::atan(friction), 2e-4);
  EXPECT_GT(simulation.state().nu[0], 0.0);  // tilted about +y, downhill is +x
}

}  // namespace
}  // namespace footfall::physics
