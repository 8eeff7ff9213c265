// Problems of textbooks whose answer is one number: things that roll, slide and lean without ever being at rest.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <utility>

#include "physics/made_models.hpp"
#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

constexpr double kRadius = 0.1;  ///< of models/sphere.urdf [m]

Scene sceneOf(const std::string& text) { return parseScene(text, "textbook.yaml"); }

void run(Simulation& simulation, double duration) {
  const int steps = static_cast<int>(std::lround(duration / simulation.settings().step));
  for (int k = 0; k < steps; ++k)
    ASSERT_EQ(simulation.step().status, SolveStatus::converged) << simulation.describeFailure();
}

/// A ball of 1 kg on a plane that slides and spins as told, position and velocities in the world.
Scene ballOn(const std::string& ground) {
  Scene scene = sceneOf("robot: {model: sphere}\ncontacts: [{frame: sphere, collision: true}]\nground: " + ground);
  scene.robot.base_position = {0.0, 0.0, kRadius};
  return scene;
}

// --- turntables -----------------------------------------------------------------------------------------

/// A ball that rolls on a table turning with Ω goes round a circle of its own with 2/7 Ω, wherever and however it
/// started; on a tilted one it drifts across the slope and not down.
class Turntable : public testing::TestWithParam<double> {};

TEST_P(Turntable, LeadsABallAroundByTwoSevenths) {
  constexpr double kTable = 3.0, kDuration = 5.0;  // [rad/s], [s]
  const double tilt = GetParam();
  Scene scene =
      ballOn("{shape: plane, friction: 1, motion: {rotate: [{axis: [0, 0, 1], point: [0, 0, 0], speed: 3}]}}");
  scene.physics.gravity = {kGravity * std::sin(tilt), 0.0, -kGravity * std::cos(tilt)};
  const Vector3d velocity(0.2, 0.0, 0.0), table(0.0, -0.9, 0.0);  // of the ball, and of the table at (-0.3, 0)
  scene.robot.base_position.x() = -0.3;
  scene.robot.base_velocity = velocity;
  scene.robot.base_angular_velocity = Vector3d::UnitZ().cross(velocity - table) / kRadius;
  Simulation simulation(scene);
  run(simulation, kDuration);

  // v̇ = 2/7 Ω e_z × v + 5/7 g sin(tilt) e_x, in complex numbers
  const std::complex<double> i_rate(0.0, 2.0 / 7.0 * kTable), start = velocity.x();
  const std::complex<double> turned = std::exp(i_rate * kDuration) - 1.0;
  const std::complex<double> drift = 5.0 / 7.0 * kGravity * std::sin(tilt) / i_rate;
  const std::complex<double> end = -0.3 + (start + drift) * turned / i_rate - drift * kDuration;
  EXPECT_NEAR(simulation.state().q[0], end.real(), 2e-6);
  EXPECT_NEAR(simulation.state().q[1], end.imag(), 2e-6);
}

INSTANTIATE_TEST_SUITE_P(Tilts, Turntable, testing::Values(0.0, 0.1));

// --- billiards ------------------------------------------------------------------------------------------

/// Coriolis 1835: while a ball slides, friction keeps its direction, so the path is a parabola; it ends with
/// 5/7 v + 2/7 of the speed of its spin, and turning about the vertical does nothing.
TEST(Billiards, ABallWithSpinGoesAlongAParabolaAndThenStraight) {
  constexpr double kFriction = 0.2, kDuration = 2.0;
  Scene scene = ballOn("{shape: plane, friction: 0.2}");
  const Vector3d velocity(2.0, 0.0, 0.0), spin(15.0, -30.0, 7.0);
  scene.robot.base_velocity = velocity;
  scene.robot.base_angular_velocity = spin;
  Simulation simulation(scene);
  run(simulation, kDuration);

  const Vector3d of_spin = spin.cross(Vector3d(0.0, 0.0, kRadius)), slip = velocity - of_spin;
  const Vector3d final_velocity = 5.0 / 7.0 * velocity + 2.0 / 7.0 * of_spin;
  const double sliding = 2.0 / 7.0 * slip.norm() / (kFriction * kGravity);
  const Vector3d bend = -0.5 * kFriction * kGravity * sliding * sliding * slip.normalized();
  const Vector3d end = velocity * sliding + bend + final_velocity * (kDuration - sliding);
  EXPECT_LT((simulation.state().nu.head<3>() - final_velocity).norm(), 1e-9);
  EXPECT_LT((simulation.state().q.head<2>() - end.head<2>()).norm(), 1e-6);
  EXPECT_NEAR(simulation.state().nu[5], spin.z(), 1e-9);
}

// --- slopes ---------------------------------------------------------------------------------------------

/// A block on a slope at its friction angle, kicked across. Friction takes as much speed as the slope gives it down the
/// slope: |v| + v_down stays, so it ends straight downhill with half of its speed.
TEST(BlockAcrossASlope, EndsDownhillWithHalfOfItsSpeed) {
  constexpr double kSlope = 0.4, kSpeed = 2.0;
  Scene scene = sceneOf(
      "bodies: [{name: tile, shape: box, size: [0.2, 0.2, 0.002], mass: 1, position: [0, 0, 0.001], velocity: [0, 2, "
      "0]}]");
  scene.physics.gravity = {kGravity * std::sin(kSlope), 0.0, -kGravity * std::cos(kSlope)};
  scene.ground.friction = std::tan(kSlope);
  Simulation simulation(scene);
  const int first = simulation.model().freeVelocity(0);
  for (int k = 0; k < 2000; ++k) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    const Vector3d velocity = simulation.state().nu.segment<3>(first);
    ASSERT_NEAR(velocity.norm() + velocity.x(), kSpeed, 1e-5) << k;
  }
  EXPECT_NEAR(simulation.state().nu[first], kSpeed / 2.0, 1e-4);
}

/// A tile creeps along a table that is shaken with two frequencies. It slides all the time and turns back in the middle
/// of steps: they are of first order, and say so. Each step is Coulomb's law in one dimension.
TEST(Ratchet, CreepsAsCoulombsLawSaysAndTellsOfEveryStepInWhichItTurnsBack) {
  constexpr double kFriction = 0.3, kStep = 1e-3;
  const auto table = [](double t) { return -0.4 * std::sin(20.0 * t) - 0.35 * std::sin(40.0 * t + 0.7); };
  Simulation simulation(sceneOf(R"(
bodies: [{name: tile, shape: box, size: [0.2, 0.2, 0.02], mass: 1, position: [0, 0, 0.01], velocity: [-0.22547619, 0, 0]}]
ground:
  shape: plane
  friction: 0.3
  motion: {translate: [{direction: [1, 0, 0], formula: "0.02*cos(20*t) + 0.00875*cos(40*t + 0.7) - 0.02669237"}]}
)"));
  const int first = simulation.model().freeVelocity(0);
  double velocity = simulation.state().nu[first];
  int turns = 0;
  for (int k = 1; k <= 2000; ++k) {
    const StepResult& result = simulation.step();
    ASSERT_EQ(result.status, SolveStatus::converged);
    const double most = kFriction * kGravity * kStep, before = velocity - table((k - 1) * kStep);
    velocity = std::clamp(table(k * kStep), velocity - most, velocity + most);
    ASSERT_NEAR(simulation.state().nu[first], velocity, 1e-9) << k;
    const double after = velocity - table(k * kStep);
    if (before * after >= 0.0 || std::min(std::abs(before), std::abs(after)) < 1e-3) continue;
    EXPECT_EQ(result.order, 1) << k;
    ++turns;
  }
  EXPECT_EQ(turns, 8);
  EXPECT_LT(simulation.state().q[simulation.model().freePosition(0)], -0.1);  // it creeps
}

/// A tile that slides on a table which is led around a circle, against the equation of its motion, by steps that are
/// halved. Friction opposes the velocity relative to a table whose velocity turns, too.
TEST(CircledTable, CarriesATileToSecondOrder) {
  const std::string scene = R"yaml(
bodies: [{name: tile, shape: box, size: [0.2, 0.2, 0.002], mass: 1, position: [0, 0, 0.001], velocity: [-0.5, 0, 0]}]
ground:
  shape: plane
  friction: 0.2
  motion:
    translate:
      - {direction: [1, 0, 0], formula: "0.05*cos(15*t) - 0.05"}
      - {direction: [0, 1, 0], formula: "0.05*sin(15*t)"}
physics: {step: )yaml";
  const auto table = [](double t) { return Eigen::Vector2d(-0.75 * std::sin(15.0 * t), 0.75 * std::cos(15.0 * t)); };
  const auto rate = [&](double t, const Eigen::Vector2d& v) {
    return Eigen::Vector2d(-0.2 * kGravity * (v - table(t)).normalized());
  };
  constexpr double kDuration = 0.5, kFine = 1e-5;
  Eigen::Vector2d exact(-0.5, 0.0);  // the velocity, by Heun's method
  for (int k = 0; k < std::lround(kDuration / kFine); ++k) {
    const Eigen::Vector2d before = rate(k * kFine, exact);
    exact += 0.5 * kFine * (before + rate((k + 1) * kFine, exact + kFine * before));
  }
  double last = 0.0;
  for (const char* step : {"4 ms", "2 ms", "1 ms"}) {
    Simulation simulation(sceneOf(scene + step + "}"));
    run(simulation, kDuration);
    const double error = (simulation.state().nu.segment<2>(simulation.model().freeVelocity(0)) - exact).norm();
    if (last > 0.0) {
      EXPECT_GT(std::log2(last / error), 1.8) << step;
    }
    last = error;
  }
}

// --- round bodies ---------------------------------------------------------------------------------------

/// A small ball on a large one that stays: where it leaves, as a cosine of the angle from the top. It starts at rest.
double cosineWhereABallLeaves(double friction, double start) {
  constexpr double kDistance = 1.1;
  Scene scene = sceneOf(R"(
bodies:
  - {name: large, shape: sphere, radius: 1, position: [0, 0, 0], fixed: true}
  - {name: small, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 1.1]}
ground: {shape: plane, point: [0, 0, -9]}
)");
  for (SceneBody& body : scene.bodies) body.friction = friction;
  scene.bodies[1].position = kDistance * Vector3d(std::sin(start), 0.0, std::cos(start));
  Simulation simulation(scene);
  const int first = simulation.model().freePosition(0);
  while (simulation.time() < 3.0) {
    const StepResult& result = simulation.step();
    EXPECT_EQ(result.status, SolveStatus::converged);
    EXPECT_FALSE(result.impact) << simulation.time();
    if (result.contacts.empty() || result.contacts[0].force_C.z() <= 0.0)
      return simulation.state().q.segment<3>(first).normalized().z();
  }
  return 0.0;
}

/// To what a step of 1 ms turns it by there: 4 mrad.
TEST(BallOnABall, LeavesItAtTwoThirdsOfItsHeightOrTenSeventeenths) {
  EXPECT_NEAR(cosineWhereABallLeaves(0.0, 0.1), 2.0 / 3.0 * std::cos(0.1), 0.004);
  EXPECT_NEAR(cosineWhereABallLeaves(1000.0, 0.1), 10.0 / 17.0 * std::cos(0.1), 0.004);
}

// --- bounces that follow each other -----------------------------------------------------------------------

/// Newton's cradle in flight: gaps so small that all of it happens within one step. Each ball gives what it has to the
/// next one; every pair takes one impulse of 1 N s.
class Cradle : public testing::TestWithParam<double> {};

TEST_P(Cradle, HandsTheSpeedOfTheFirstBallToTheLast) {
  constexpr int kBalls = 5;
  Scene scene =
      sceneOf("bodies: [{name: b, shape: sphere, radius: 0.05, mass: 1, restitution: 1, position: [0, 0, 1]}]");
  const SceneBody ball = scene.bodies[0];
  scene.bodies.clear();
  for (int k = 0; k < kBalls; ++k) {
    scene.bodies.push_back(ball);
    scene.bodies[k].name += std::to_string(k);
    scene.bodies[k].position.x() = k == 0 ? -0.0505 : k * (0.1 + GetParam());
  }
  scene.bodies[0].velocity.x() = 1.0;
  scene.physics.gravity.setZero();
  Simulation simulation(scene);
  double impulses = 0.0;
  while (simulation.time() < 0.1) {
    const StepResult& result = simulation.step();
    ASSERT_EQ(result.status, SolveStatus::converged);
    for (const ContactReport& contact : result.contacts) {
      impulses += contact.impulse_W.norm();
      EXPECT_GE(contact.gap, 0.0);
    }
  }
  for (int k = 0; k < kBalls; ++k)
    EXPECT_NEAR(simulation.state().nu[simulation.model().freeVelocity(k)], k == kBalls - 1 ? 1.0 : 0.0, 1e-9) << k;
  EXPECT_NEAR(impulses, kBalls - 1, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Gaps, Cradle, testing::Values(5e-3, 1e-3, 1e-4, 1e-5));

/// Equal balls without friction that meet askew part at a right angle: the one that was hit goes along the line of the
/// centres as they touch, 0.5 mm later than at the start of the step.
TEST(BilliardBalls, PartAtARightAngleAlongTheLineOfTheirCentres) {
  constexpr double kSpeed = 2.0;
  Simulation simulation(sceneOf(R"(
bodies:
  - {name: cue, shape: sphere, radius: 0.05, mass: 1, restitution: 1, friction: 0, position: [-0.5, 0.03, 1], velocity: [2, 0, 0]}
  - {name: hit, shape: sphere, radius: 0.05, mass: 1, restitution: 1, friction: 0, position: [0, 0, 1]}
physics: {gravity: [0, 0, 0]}
)"));
  run(simulation, 0.5);
  const Vector3d cue = simulation.state().nu.segment<3>(simulation.model().freeVelocity(0));
  const Vector3d hit = simulation.state().nu.segment<3>(simulation.model().freeVelocity(1));
  const double along = kSpeed * std::sqrt(1.0 - 0.3 * 0.3);  // the line of the centres is askew by 0.03/0.1
  EXPECT_LT((hit - along * Vector3d(std::sqrt(1.0 - 0.3 * 0.3), -0.3, 0.0)).norm(), 1e-5);
  EXPECT_NEAR(cue.dot(hit), 0.0, 1e-12);
}

/// A light ball above one of three times its mass fall together: the heavy one stays at the ground, the light one
/// leaves with twice its speed, up to four times its height. All of it within one step.
TEST(FallingBalls, OfOneAndThreeKilogramsLeaveAllToTheLightOne) {
  constexpr double kHeight = 1.0;
  Scene scene = sceneOf(R"(
bodies:
  - {name: heavy, shape: sphere, radius: 0.1, mass: 3, restitution: 1, position: [0, 0, 1.1]}
  - {name: light, shape: sphere, radius: 0.05, mass: 1, restitution: 1, position: [0, 0, 1.2502]}
ground: {shape: plane, restitution: 1}
)");
  Simulation simulation(scene);
  const double start = simulation.dynamics().energy().total();
  double highest = 0.0;
  while (simulation.time() < 1.5) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    highest = std::max(highest, simulation.state().q[simulation.model().freePosition(1) + 2]);
  }
  EXPECT_NEAR(simulation.dynamics().energy().total(), start, 1e-6);
  EXPECT_NEAR(highest - 0.25, 4.0 * kHeight, 2e-3);  // the gap of 0.2 mm, ten times
}

// --- pendulums and chains ---------------------------------------------------------------------------------

/// What pulls at the hinge of a pendulum is m l (g/l cos θ + θ̇²), with the speed of its energy. Forces of a step are
/// compared where the step says that they belong.
TEST(Pendulum, PullsWithTheSpeedOfItsEnergy) {
  constexpr double kStart = 1.0;
  Model model = fixedBaseModel();
  addHinge(model, LinkIndex(0), Vector3d::UnitY(), Vector3d::Zero(),
           bodyInertia(2.0, {0.0, 0.0, -1.0}, Vector3d::Zero()));
  Motion run(model, 1e-3);
  run.state.joints() << kStart;
  for (int k = 0; k < 3000; ++k) {
    const StepResult& result = run.step();
    const double angle = result.q_forces[7], speed = result.nu_forces[0];
    // The energy of a scheme of second order swings by (Δt ω)²/4 of itself, here 2.5e-6 of 9 (rad/s)².
    ASSERT_NEAR(speed * speed, 2.0 * kGravity * (std::cos(angle) - std::cos(kStart)), 1e-4) << k;
  }
}

/// A chain hangs on both ends at one place, and one is let go: the fold runs down and cracks like a whip, at 800 rad/s.
/// Nothing may come of it that was not there, least of all energy; until then its end falls faster than free
/// (Calkin and March 1989).
TEST(FoldedChain, FallsFasterThanFreeAndGainsNoEnergy) {
  constexpr int kLinks = 24;
  constexpr double kLength = 1.0 / kLinks, kMass = 1.0 / kLinks;
  const SpatialInertia link =
      bodyInertia(kMass, {0.0, 0.0, -0.5 * kLength}, kMass * kLength * kLength / 12.0 * Vector3d(1.0, 1.0, 0.01));
  Model model = fixedBaseModel();
  LinkIndex last(0);
  for (int k = 0; k < kLinks; ++k)
    last = addHinge(model, last, Vector3d::UnitY(), {0.0, 0.0, k == 0 ? 0.0 : -kLength}, link);
  Motion run(model, 1e-3);
  run.state.joints()[kLinks / 2] = M_PI - 0.3;
  const auto height = [&] { return (run.dynamics().linkPose(last) * Vector3d(0.0, 0.0, -kLength)).z(); };
  const double start = run.energy(), top = height();
  for (int k = 0; k < 600; ++k) {
    ASSERT_EQ(run.step().status, SolveStatus::converged);
    ASSERT_LT(run.energy() - start, 1e-4) << k;  // of 2.4 J that it falls by
    if (k + 1 == 300) {
      EXPECT_GT(top - height(), 1.05 * 0.5 * kGravity * 0.3 * 0.3);
    }
  }
}

// --- a ladder -------------------------------------------------------------------------------------------

/// models/rod.urdf leans against a wall at x = 0 with its foot on the floor, at this angle to the floor.
Scene ladderAt(double angle, double floor_friction, double wall_friction) {
  Scene scene = sceneOf(R"(
robot: {model: rod}
contacts: [{frame: rod, footprint: [[-0.5, 0, 0], [0.5, 0, 0]]}]
ground:
  - {shape: plane}
  - {shape: box, position: [-0.5, 0, 1], size: [1, 4, 4]}
)");
  scene.robot.base_position = {0.5 * std::cos(angle), 0.0, 0.5 * std::sin(angle)};
  scene.robot.base_rpy = {0.0, angle, 0.0};  // its x points at the foot
  scene.ground.friction = floor_friction;
  scene.more_ground[0].friction = wall_friction;
  return scene;
}

double wayOfALadder(double angle, double floor_friction, double wall_friction) {
  Simulation simulation(ladderAt(angle, floor_friction, wall_friction));
  const double start = simulation.state().q[0];
  run(simulation, 1.0);
  return simulation.state().q[0] - start;
}

TEST(Ladder, StandsWhereFrictionOfFloorAndWallCarryItAndSlidesBelow) {
  for (const auto& [floor, wall] : {std::pair{0.4, 0.0}, {0.4, 0.4}, {0.3, 0.8}}) {
    const double least = std::atan((1.0 - floor * wall) / (2.0 * floor));
    EXPECT_LT(std::abs(wayOfALadder(least + 1e-4, floor, wall)), 1e-9);
    EXPECT_GT(wayOfALadder(least - 1e-4, floor, wall), 1e-4);
  }
}

/// Without friction it leaves the wall when its top has come down by a third. To what it turns by in two steps of 1 ms.
TEST(Ladder, WithoutFrictionLeavesTheWallAtTwoThirdsOfItsHeight) {
  constexpr double kStart = 1.2;
  Simulation simulation(ladderAt(kStart, 0.0, 0.0));
  const auto pushedByWall = [](const ContactReport& c) { return c.R_WC(0, 2) > 0.9 && c.force_C.z() > 0.0; };
  const StepResult* result = nullptr;
  do {
    result = &simulation.step();
    ASSERT_EQ(result->status, SolveStatus::converged);
  } while (std::any_of(result->contacts.begin(), result->contacts.end(), pushedByWall));
  const double top = simulation.dynamics().framePose(simulation.model().frame("end_a")).p.z();
  EXPECT_NEAR(top, 2.0 / 3.0 * std::sin(kStart), 0.004);
}

}  // namespace
}  // namespace footfall::physics
