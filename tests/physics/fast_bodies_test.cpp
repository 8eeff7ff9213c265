// What flies farther within a step than others are thick still meets them.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

constexpr double kPlateHalf = 2.5e-3, kRadius = 0.01;  // [m]
constexpr double kDeepest = 50e-6;                     // the promise of README [m]

/// A ball that flies along x towards a plate around x = 0, without gravity.
std::string ballAndPlate(double gap, double speed, const std::string& plate, double restitution = 0.0) {
  const auto text = [](double value) { return std::to_string(value); };  // to a micrometre
  return "physics: {gravity: [0, 0, 0]}\n"
         "bodies:\n"
         "  - {name: ball, shape: sphere, mass: 1, radius: " +
         text(kRadius) + ", restitution: " + text(restitution) + ", position: [" + text(-kPlateHalf - kRadius - gap) +
         ", 0, 1], velocity: [" + text(speed) +
         ", 0, 0]}\n"
         "  - {name: plate, shape: box, position: [0, 0, 1], size: [" +
         text(2.0 * kPlateHalf) + ", 0.2, 0.2], " + plate + "}\n";
}

/// Along x [m], [m/s].
double placeOf(const Simulation& simulation, int body) {
  return simulation.state().q[simulation.model().freePosition(body)];
}
double speedOf(const Simulation& simulation, int body) {
  return simulation.state().nu[simulation.model().freeVelocity(body)];
}
constexpr int kBall = 0, kPlate = 1;

struct Flight {
  double gap;    ///< at the start [m]
  double speed;  ///< [m/s]
};

class FastBall : public testing::TestWithParam<Flight> {};

TEST_P(FastBall, DoesNotPassThroughAPlateThatIsThinnerThanItsStep) {
  Simulation simulation(parseScene(ballAndPlate(GetParam().gap, GetParam().speed, "fixed: true"), "plate.yaml"));
  for (int k = 0; k < 200; ++k) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    ASSERT_LT(placeOf(simulation, kBall), -kPlateHalf - kRadius + kDeepest) << "step " << k;
  }
  EXPECT_NEAR(speedOf(simulation, kBall), 0.0, 1e-9) << "it has met the plate: inelastic";
}

TEST_P(FastBall, TakesAPlateThatFliesAlong) {
  Simulation simulation(parseScene(ballAndPlate(GetParam().gap, GetParam().speed, "mass: 3"), "plate.yaml"));
  for (int k = 0; k < 200; ++k) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    ASSERT_LT(placeOf(simulation, kBall), placeOf(simulation, kPlate) - kPlateHalf - kRadius + kDeepest)
        << "step " << k;
  }
  const double together = GetParam().speed / 4.0;
  EXPECT_NEAR(speedOf(simulation, kBall), together, 1e-9 * GetParam().speed);
  EXPECT_NEAR(speedOf(simulation, kPlate), together, 1e-9 * GetParam().speed);
}

TEST_P(FastBall, BouncesBackFromAnElasticPlate) {
  Simulation simulation(
      parseScene(ballAndPlate(GetParam().gap, GetParam().speed, "fixed: true, restitution: 1", 1.0), "plate.yaml"));
  for (int k = 0; k < 200; ++k) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
  EXPECT_NEAR(speedOf(simulation, kBall), -GetParam().speed, 1e-9 * GetParam().speed);
}

std::string nameOf(const testing::TestParamInfo<Flight>& flight) {
  return std::to_string(std::lround(flight.param.speed)) + "MetresASecondFrom" +
         std::to_string(std::lround(1e6 * flight.param.gap)) + "Micrometres";
}

INSTANTIATE_TEST_SUITE_P(Plates, FastBall,
                         testing::Values(Flight{1e-6, 20}, Flight{1e-6, 30}, Flight{1e-3, 50}, Flight{0.01, 50},
                                         Flight{0.01, 100}, Flight{0.0275, 150}, Flight{0.14, 300}, Flight{0.5, 1000}),
                         nameOf);

/// A point is thinner than all: what counts is the board.
TEST(FastRobot, LandsOnABoardThatItsPointsWouldPassInAStep) {
  for (const double speed : {5.0, 30.0, 100.0}) {
    Simulation simulation(parseScene(R"(
contacts: [{frame: box, footprint: [[-0.1, -0.1, -0.1], [0.1, -0.1, -0.1], [0.1, 0.1, -0.1], [-0.1, 0.1, -0.1]]}]
ground: [{shape: box, position: [0, 0, 1], size: [1, 1, 0.004]}, {shape: plane}]
robot: {model: box, base: {position: [0, 0, 2], velocity: [0, 0, )" +
                                         std::to_string(-speed) + "]}}\n",
                                     "board.yaml"));
    for (int k = 0; k < 300; ++k) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    EXPECT_NEAR(simulation.state().q[2], 1.002 + 0.1, kDeepest) << speed << " m/s";
  }
}

}  // namespace
}  // namespace footfall::physics
