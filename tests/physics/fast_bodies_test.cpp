// What flies farther within a step than others are thick still meets them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "geometry/random_points.hpp"
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

/// What whirls is pushed in all the directions that it turns to within a step, 0.6 rad: at 0.1 m from its centre, about
/// I ω̇ = 0.1 F cos(ω t). Another body makes a world of it, which keeps accounts of momentum.
TEST(FastBody, IsPushedAllTheWayAround) {
  constexpr double kSpin = 600.0, kInertia = 0.2 * 0.2 / 6.0;
  Simulation simulation(
      parseScene("physics: {gravity: [0, 0, 0]}\nbodies:\n"
                 "  - {name: box, shape: box, size: [0.2, 0.2, 0.2], mass: 1, position: [0, 0, 5],\n"
                 "     angular_velocity: [0, 0, 600]}\n"
                 "  - {name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0, 20, 5]}\n",
                 "world"));
  ExternalWrench push{.link = simulation.model().link("box"), .p_LP = {0.1, 0.0, 0.0}};
  push.wrench_W[1] = 1.0;
  simulation.input().wrenches = {push};
  for (int k = 0; k < 2; ++k) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
  const double gained = 0.1 / kInertia * std::sin(kSpin * simulation.time()) / kSpin;
  const double spin = simulation.state().nu[simulation.model().freeVelocity(0) + 5];
  EXPECT_NEAR(spin - kSpin, gained, 1e-4 * gained);  // in pieces of an eighth of a radian, of the fourth order
}

/// Thrown down turning so fast that a step is a good part of a radian, or more: the error of the step is as large as
/// the energy itself then, and all that can be had is that it makes none.
class Whirling : public testing::TestWithParam<unsigned> {
 protected:
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  template <class T>
  T oneOf(std::vector<T> choices) {
    return choices[static_cast<std::size_t>(uniform(0.0, 0.999) * static_cast<double>(choices.size()))];
  }

  Simulation throwThem() {
    const double friction = oneOf<double>({0.0, 0.3, 1.0}), restitution = oneOf<double>({0.0, 0.0, 0.5, 1.0});
    Scene scene;
    scene.physics.step = oneOf<double>({1e-3, 2e-3, 5e-3});
    scene.ground.friction = friction;
    scene.ground.restitution = restitution;
    scene.collisions.separate_start = true;
    const int count = oneOf<int>({1, 2, 3});
    for (int k = 0; k < count; ++k) {
      SceneBody body;
      body.name = "body" + std::to_string(k);
      body.shape = oneOf<std::string>({"box", "cylinder", "capsule", "sphere"});
      body.size = {uniform(0.05, 0.5), uniform(0.05, 0.5), uniform(0.05, 0.5)};
      body.radius = uniform(0.03, 0.2);
      body.length = uniform(0.05, 0.5);
      body.mass = uniform(0.1, 5.0);
      body.friction = friction;
      body.restitution = restitution;
      body.position = {0.4 * k, 0.0, uniform(0.4, 0.8)};
      for (double& angle : body.rpy) angle = uniform(-3.0, 3.0);
      body.velocity = {uniform(-3.0, 3.0), uniform(-3.0, 3.0), uniform(-5.0, 0.0)};
      const double spin = oneOf<double>({5.0, 50.0, 150.0, 400.0});
      for (double& rate : body.angular_velocity) rate = uniform(-spin, spin);
      scene.bodies.push_back(body);
    }
    return Simulation(scene);
  }

 private:
  std::mt19937 random_{randomSeed(GetParam())};
};

TEST_P(Whirling, MakesNoEnergyWhereItTouches) {
  constexpr double kShare = 1e-2;  // of its kinetic energy: what a step with an event may make
  for (int world = 0; world < 10; ++world) {
    Simulation simulation = throwThem();
    const double dt = simulation.settings().step, fall = kGravity * dt;
    double before = simulation.dynamics().energy().total();
    for (int k = 0; simulation.time() < 1.0; ++k) {
      const StepResult& result = simulation.step();
      ASSERT_NE(result.status, SolveStatus::failed) << simulation.describeFailure();
      const Energy after = simulation.dynamics().energy();
      const double accepted = kShare * after.kinetic + simulation.model().totalMass() * fall * fall;
      ASSERT_LT(after.total() - before, accepted) << "world " << world << ", step " << k;
      before = after.total();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Whirling, testing::Range(1u, 21u));

}  // namespace
}  // namespace footfall::physics
