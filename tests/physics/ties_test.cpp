// Joints that are made and released while a simulation runs, against closed forms.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <utility>

#include "footfall/base/error.hpp"
#include "model/error_of.hpp"
#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

Scene worldOf(const std::string& text) { return parseScene(text, "world.yaml"); }

Vector3d velocity(const Simulation& simulation, int body) {
  return simulation.state().nu.segment<3>(simulation.model().freeVelocity(body));
}
Vector3d spin(const Simulation& simulation, int body) {
  return simulation.state().nu.segment<3>(simulation.model().freeVelocity(body) + 3);
}
Vector3d position(const Simulation& simulation, int body) {
  return simulation.state().q.segment<3>(simulation.model().freePosition(body));
}

void run(Simulation& simulation, int steps) {
  for (int k = 0; k < steps; ++k) {
    const StepResult& result = simulation.step();
    ASSERT_EQ(result.status, SolveStatus::converged) << "step " << k << ": " << simulation.describeFailure();
  }
}

bool sameBits(const State& a, const State& b) {
  return a.q == b.q && a.nu == b.nu && a.ties == b.ties && a.warm.impulse == b.warm.impulse && a.time == b.time;
}

/// Two balls that touch, of 1 and 3 kg; the first moves with 2 m/s.
const char* const kTwoBalls = R"(
physics: {gravity: [0, 0, 0]}
bodies:
  - {name: a, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 1], velocity: [2, 0, 0]}
  - {name: b, shape: sphere, radius: 0.1, mass: 3, position: [0.2, 0, 1]}
)";

TEST(Ties, OfTwoBallsAreAnInelasticImpact) {
  Simulation simulation(worldOf(kTwoBalls));
  const TieImpact impact = simulation.tie({.between = {"a", "b"}});
  EXPECT_EQ(impact.name, "a-b");
  EXPECT_NEAR(velocity(simulation, 0).x(), 0.5, 1e-14);
  EXPECT_NEAR(velocity(simulation, 1).x(), 0.5, 1e-14);
  EXPECT_NEAR(impact.impulse.head<3>().norm(), 1.5, 1e-14);  // 3 kg from rest to 0.5 m/s
  EXPECT_NEAR(impact.lost_energy, 2.0 - 0.5, 1e-14);
  run(simulation, 1000);
  EXPECT_NEAR(velocity(simulation, 0).x(), 0.5, 1e-12);
  EXPECT_NEAR((position(simulation, 1) - position(simulation, 0)).x(), 0.2, 1e-12);
}

/// Off centre: both turn about their common centre of mass with the angular momentum that they had about it.
TEST(Ties, KeepLinearAndAngularMomentumAndLoseEnergy) {
  Simulation simulation(worldOf(R"(
physics: {gravity: [0, 0, 0]}
bodies:
  - {name: a, shape: box, size: [0.2, 0.2, 0.2], mass: 1, position: [0, 0, 1], velocity: [1, 0.3, -0.2], angular_velocity: [1, 2, 3]}
  - {name: b, shape: box, size: [0.2, 0.4, 0.2], mass: 2, position: [0.2, 0.1, 1.05], velocity: [-1, 0, 0.5], angular_velocity: [0, -2, 1]}
)"));
  const Vector6d before = simulation.dynamics().momentum();
  const double energy = simulation.dynamics().energy().kinetic;
  const TieImpact impact = simulation.tie({.between = {"a", "b"}});
  const Vector6d after = simulation.dynamics().momentum();
  EXPECT_LT((after - before).norm(), 1e-13);
  EXPECT_NEAR(simulation.dynamics().energy().kinetic, energy - impact.lost_energy, 1e-13);
  EXPECT_GT(impact.lost_energy, 0.1);
  EXPECT_LT((spin(simulation, 0) - spin(simulation, 1)).norm(), 1e-12);
  run(simulation, 1000);
  EXPECT_LT((simulation.dynamics().momentum() - before).norm(), 1e-9);
}

/// A ball in the axis of the hinge that two links have takes nothing from it. Its rows are rounding, and were taken for
/// rows that something moves: momentum jumped, by impulses of 1e14 N s.
TEST(Ties, ThatAJointGivesAlreadyChangeNothing) {
  Simulation simulation(worldOf(R"(
physics: {gravity: [0, 0, 0]}
robot: {model: slider_gripper, base: {position: [0, 0, 1], angular_velocity: [1, 2, 0.5]}}
hold: {enabled: false}
bodies: [{name: far, shape: box, size: [0.1, 0.1, 0.1], position: [5, 0, 1]}]
)"));
  State state = simulation.state();
  simulation.model().jointVelocities(state.nu).setConstant(0.5);
  simulation.setState(state);
  const VectorXd nu = simulation.state().nu;
  const Vector6d momentum = simulation.dynamics().momentum();
  const TieImpact impact = simulation.tie({.between = {"arm", "carriage"}, .joint = LoopKind::ball});
  EXPECT_LT(impact.impulse.norm(), 1e-12);
  EXPECT_LT((simulation.state().nu - nu).norm(), 1e-12);
  run(simulation, 300);
  EXPECT_LT((simulation.dynamics().momentum() - momentum).head<3>().norm(), 1e-10);
}

/// Three boxes, each tied to both others by ball joints. The first two share two points, so that they turn about the
/// line between these, and one of the nine rows depends on the others: where all are closed, and nearly where they are
/// open by what they move in half a step.
TEST(Ties, InARingKeepTheirEnergyWhereOneDependsOnTheOthers) {
  std::mt19937_64 random(1);
  const auto number = [&](double size) { return size * (static_cast<double>(random() >> 11) * 0x1p-52 - 1.0); };
  for (int world = 0; world < 40; ++world) {
    std::ostringstream text;
    text << "physics: {gravity: [0, 0, 0], step: 0.002}\nbodies:\n";
    const char* const places[] = {"[0, 0, 5]", "[0.2, 0.05, 5.02]", "[0.1, 0.2, 5.01]"};
    for (int body = 0; body < 3; ++body) {
      text << "  - {name: "
           << "abc"[body] << ", shape: box, size: [0.1, 0.08, 0.06], mass: " << std::exp(number(1.5))
           << ", position: " << places[body];
      for (const auto& [key, size] : {std::pair{"rpy", 3.0}, {"velocity", 0.5}, {"angular_velocity", 5.0}}) {
        const double x = number(size), y = number(size), z = number(size);
        text << ", " << key << ": [" << x << ", " << y << ", " << z << "]";
      }
      text << "}\n";
    }
    Simulation simulation(worldOf(text.str()));
    for (const auto& [a, b] : {std::pair{"a", "b"}, {"c", "a"}, {"c", "b"}})
      simulation.tie({.between = {a, b}, .joint = LoopKind::ball, .within = 1.0});
    const double energy = simulation.dynamics().energy().kinetic;
    const Vector6d momentum = simulation.dynamics().momentum();
    double largest = 0.0;
    for (int k = 0; k < 500; ++k) {
      run(simulation, 1);
      largest = std::max(largest, std::abs(simulation.dynamics().energy().kinetic / energy - 1.0));
    }
    // A hundredth of a radian in a step of flight that is exact to the fourth order; rings that took the row for one of
    // its own gained up to three times their energy.
    EXPECT_LT(largest, 1e-5) << "world " << world;
    EXPECT_LT((simulation.dynamics().momentum() - momentum).norm(), 1e-12 * momentum.norm()) << "world " << world;
  }
}

/// A box that is pushed through its centre, with two bodies beside it that are tied to each other: ties make a world
/// fly as mechanisms do.
TEST(Ties, OfOthersDoNotTurnWhatIsPushed) {
  Simulation simulation(
      worldOf("physics: {gravity: [0, 0, 0]}\nbodies:\n"
              "  - {name: box, shape: box, size: [0.2, 0.2, 0.2], position: [0, 0, 5], mass: 1,\n"
              "     velocity: [10, 0, 0]}\n"
              "  - {name: a, shape: sphere, radius: 0.1, mass: 1, position: [0, 20, 5]}\n"
              "  - {name: b, shape: sphere, radius: 0.1, mass: 1, position: [0.2, 20, 5]}\n"));
  simulation.tie({.between = {"a", "b"}, .joint = LoopKind::ball});
  ExternalWrench push{.link = simulation.model().link("box")};
  push.wrench_W[2] = 1.0;
  simulation.input().wrenches = {push};
  run(simulation, 1000);
  EXPECT_LT((velocity(simulation, 0) - Vector3d(10.0, 0.0, 1.0)).norm(), 1e-11);
  EXPECT_LT(spin(simulation, 0).norm(), 1e-11);
}

/// A shelf on a box that is fixed, with a cup on it: the wall holds both, and nothing falls.
TEST(Ties, ToAFixedBodyHoldAsTheWorldDoes) {
  Simulation simulation(
      worldOf("bodies:\n"
              "  - {name: hook, shape: box, size: [0.1, 0.1, 0.1], position: [0, 0, 5], fixed: true}\n"
              "  - {name: shelf, shape: box, size: [0.4, 0.4, 0.05], mass: 2, position: [0.26, 0, 5]}\n"
              "  - {name: cup, shape: box, size: [0.1, 0.1, 0.1], mass: 1, position: [0.26, 0, 5.075]}\n"));
  simulation.tie({.between = {"hook", "shelf"}, .within = 1.0});
  run(simulation, 500);
  EXPECT_LT(simulation.state().nu.norm(), 1e-10);
  EXPECT_NEAR(simulation.step().loop_wrenches[0][2], 3.0 * 9.81, 1e-6);
}

TEST(Ties, OfABallJointLeaveRotationsFree) {
  Simulation simulation(worldOf(R"(
bodies:
  - {name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 1], angular_velocity: [0, 0, 5]}
)"));
  simulation.tie({.between = {"ball", "world"}, .joint = LoopKind::ball});
  run(simulation, 500);
  EXPECT_LT((position(simulation, 0) - Vector3d(0, 0, 1)).norm(), 1e-12);
  EXPECT_NEAR(spin(simulation, 0).z(), 5.0, 1e-9);
  EXPECT_NEAR(simulation.result().loop_wrenches.at(0).head<3>().norm(), 9.81, 1e-9);
}

TEST(Ties, LetGoAndTheBodyFallsAsItWasMoving) {
  Simulation simulation(worldOf(R"(
bodies: [{name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 2]}]
)"));
  simulation.tie({.between = {"world", "ball"}, .name = "magnet"});
  run(simulation, 100);
  simulation.release("magnet");
  EXPECT_TRUE(simulation.ties().empty());
  run(simulation, 300);
  EXPECT_NEAR(position(simulation, 0).z(), 2.0 - 0.5 * 9.81 * 0.3 * 0.3, 1e-9);
}

/// A ball of 1 kg falls on a box of 2 kg on the ground and sticks to it: together they stand.
TEST(Ties, OfABodyOnTheGroundTakeTheGroundIntoTheImpact) {
  Simulation simulation(worldOf(R"(
bodies:
  - {name: box, shape: box, size: [0.4, 0.4, 0.2], mass: 2, position: [0, 0, 0.1]}
  - {name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 0.301], velocity: [0, 0, -3]}
)"));
  const TieImpact impact = simulation.tie({.between = {"box", "ball"}});
  EXPECT_LT(velocity(simulation, 0).norm(), 1e-9);  // the ground holds it at once
  EXPECT_LT(velocity(simulation, 1).norm(), 1e-9);
  EXPECT_NEAR(impact.lost_energy, 4.5, 1e-9);
  const VectorXd start = simulation.state().q;
  run(simulation, 1000);
  EXPECT_LT((simulation.state().q - start).lpNorm<Eigen::Infinity>(), 1e-9);
}

/// What is welded does not touch: forces between them would not be determined.
TEST(Ties, HoldWhatTouchesAndWhatStandsOnTheGround) {
  Simulation simulation(worldOf(R"(
bodies:
  - {name: lower, shape: box, size: [0.2, 0.2, 0.2], mass: 1, position: [0, 0, 0.1]}
  - {name: upper, shape: box, size: [0.2, 0.2, 0.2], mass: 1, position: [0.05, 0, 0.3]}
  - {name: beside, shape: box, size: [0.2, 0.2, 0.2], mass: 1, position: [0.2, 0, 0.1]}
)"));
  run(simulation, 10);
  simulation.tie({.between = {"lower", "upper"}});
  run(simulation, 50);
  simulation.tie({.between = {"world", "lower"}});
  run(simulation, 50);
  EXPECT_NEAR(simulation.result().loop_wrenches.at(1).head<3>().norm(), 2 * 9.81, 1e-6);
  simulation.release("world-lower");
  simulation.release("lower-upper");
  const VectorXd start = simulation.state().q;
  run(simulation, 500);
  EXPECT_LT((simulation.state().q - start).lpNorm<Eigen::Infinity>(), 1e-9);
}

TEST(Ties, OfSavedStatesGoOnBitForBit) {
  Simulation simulation(worldOf(kTwoBalls));
  run(simulation, 0);
  simulation.tie({.between = {"a", "b"}, .joint = LoopKind::hinge, .axis = Vector3d(0, 1, 1)});
  run(simulation, 100);
  std::stringstream file;
  saveState(simulation.state(), simulation.model(), file);
  Simulation other(worldOf(kTwoBalls));
  other.setState(loadState(other.model(), file, "state"));
  for (int k = 0; k < 100; ++k) {
    simulation.step();
    other.step();
    ASSERT_TRUE(sameBits(simulation.state(), other.state())) << "after step " << k;
  }
  // A workspace that was made for other ties gives the same bits, too.
  State untied = simulation.state();
  untied.ties.clear();
  const State tied = other.state();
  other.setState(untied);
  other.step();
  other.setState(tied);
  simulation.step();
  other.step();
  EXPECT_TRUE(sameBits(simulation.state(), other.state()));
}

TEST(Ties, LeaveTheResultOfTheLastStepAsItIs) {
  Simulation simulation(worldOf(R"(
bodies: [{name: box, shape: box, size: [0.2, 0.2, 0.2], mass: 1, position: [0, 0, 0.1]}]
)"));
  run(simulation, 3);
  const StepResult* const result = &simulation.result();
  const std::size_t contacts = result->contacts.size();
  ASSERT_EQ(contacts, 4u);
  simulation.tie({.between = {"world", "box"}});
  EXPECT_EQ(&simulation.result(), result);
  EXPECT_EQ(simulation.result().contacts.size(), contacts);
  EXPECT_TRUE(simulation.result().loop_wrenches.empty());
}

TEST(Ties, OfASceneAreMadeAndReleasedAtTheirTimes) {
  const std::string text = R"(
bodies: [{name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 5]}]
loops:
  - {name: catch, between: [world, ball], joint: weld, from: 0.2 s, until: 0.5 s}
)";
  Simulation simulation(worldOf(text));
  run(simulation, 200);
  EXPECT_EQ(simulation.ties().size(), 1u);  // made at the end of the step that leads there
  EXPECT_EQ(velocity(simulation, 0).norm(), 0.0);
  const double height = position(simulation, 0).z();
  EXPECT_NEAR(height, 5.0 - 0.5 * 9.81 * 0.04, 1e-9);
  run(simulation, 299);
  EXPECT_EQ(simulation.ties().size(), 1u);
  EXPECT_NEAR(position(simulation, 0).z(), height, 1e-12);
  run(simulation, 1);
  EXPECT_TRUE(simulation.ties().empty());
  run(simulation, 100);
  EXPECT_NEAR(position(simulation, 0).z(), height - 0.5 * 9.81 * 0.01, 1e-9);
}

TEST(Ties, WithoutAStartAreThereFromTheStart) {
  Simulation simulation(worldOf(R"(
bodies: [{name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 5]}]
loops: [{frame: ball, fixed: true, until: 0.1 s}]
)"));
  EXPECT_EQ(simulation.ties().size(), 1u);
  run(simulation, 100);
  EXPECT_EQ(position(simulation, 0).z(), 5.0);
  run(simulation, 100);
  EXPECT_NEAR(position(simulation, 0).z(), 5.0 - 0.5 * 9.81 * 0.01, 1e-9);
}

/// A robot that hangs is held by what it hangs on, and not by the ground.
TEST(Ties, OfTheStartCarryARobotThatHoldsItsPosture) {
  Simulation simulation(worldOf(R"(
robot: {model: quadruped, base: {position: [0, 0, 1.5]}}
loops: [{frame: trunk, fixed: true, until: 1 s}]
)"));
  const VectorXd start = simulation.state().q;
  run(simulation, 500);
  EXPECT_LT((simulation.state().q - start).lpNorm<Eigen::Infinity>(), 1e-6);
}

TEST(Ties, ThatCannotBeMadeNameTheField) {
  Simulation simulation(worldOf(R"(
bodies:
  - {name: a, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 1]}
  - {name: b, shape: sphere, radius: 0.1, mass: 1, position: [0.2, 0, 1]}
  - {name: c, shape: sphere, radius: 0.1, mass: 1, position: [0.1, 0.173206, 1]}
  - {name: far, shape: sphere, radius: 0.1, mass: 1, position: [1, 0, 1]}
  - {name: table, shape: box, size: [1, 1, 0.1], position: [0, 5, 1], fixed: true}
)"));
  const auto problem = [&](const TieRequest& request) {
    const State before = simulation.state();
    const std::string text = errorOf([&] { simulation.tie(request); }).what();
    EXPECT_TRUE(sameBits(before, simulation.state()));
    return text;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(problem({.between = {"a", "d"}}), "between: ");
  has(problem({.between = {"a", "a"}}), "between: 'a' and 'a' are parts of one link");
  has(problem({.between = {"a", "far"}}), "between: 'a' and 'far' are 800 mm apart, farther than `within`, 10 mm");
  has(problem({.between = {"a", "far"}, .within = -1.0}), "within: ");
  has(problem({.between = {"world", "table"}}), "do not move, neither of them");
  has(problem({.between = {"a", "b"}, .joint = LoopKind::hinge, .axis = Vector3d::Zero()}), "axis: ");
  simulation.tie({.between = {"a", "b"}});
  has(problem({.between = {"a", "b"}}), "name: there is a tie 'a-b' already");
  simulation.tie({.between = {"b", "c"}});
  has(problem({.between = {"c", "a"}}), "between: 'c' and 'a' are held together by welds already");
  simulation.tie({.between = {"a", "far"}, .within = 1.0});
  expectError("there is no tie 'b-d'", [&] { simulation.release("b-d"); });
}

TEST(Ties, ThatGroundPressesAgainstCannotBeMade) {
  Simulation lift(worldOf(R"(
bodies:
  - {name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 0.1], velocity: [0, 0, 0.2]}
ground: {shape: plane, motion: {translate: [{direction: [0, 0, 1], speed: 0.2}]}}
loops: [{name: pin, between: [world, ball], joint: ball, from: 5 ms}]
)"));
  const Error error = errorOf([&] { run(lift, 10); });
  EXPECT_EQ(error.where(), "world.yaml:5: loops.0");
  EXPECT_EQ(error.problem(), "at t = 0.005 s: the impact of making it was not solved, residual 0.2 m/s");
  EXPECT_NE(error.hint().find("ground that moves"), std::string::npos);
  EXPECT_TRUE(lift.ties().empty());
}

TEST(Ties, OfScenesThatAreWrongNameTheirEntry) {
  const auto problem = [](const std::string& loop) {
    const std::string text =
        "bodies: [{name: a, shape: sphere, radius: 0.1, position: [0, 0, 1]}, {name: b, shape: "
        "sphere, radius: 0.1, position: [1, 0, 1]}]\nphysics: {gravity: [0, 0, 0]}\nloops: [" +
        loop + "]";
    const Error error = errorOf([&] {
      Simulation simulation(worldOf(text));
      for (int k = 0; k < 20; ++k) simulation.step();
    });
    return std::string(error.what());
  };
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(problem("{between: [a, d], joint: weld, from: 1}"), "world.yaml:3");
  has(problem("{between: [a, b], joint: weld, from: 1, until: 1}"), "loops.0 is released at `until`");
  has(problem("{between: [a, b], joint: weld, from: 0.01}"), "loops.0: at t = 0.01 s: between: 'a' and 'b' are 800 mm");
  has(problem("{between: [a, b], joint: weld, until: 0.01}"), "loops.0: at t = 0 s: between: 'a' and 'b' are 800 mm");
  has(problem("{between: [a, b], joint: weld, from: -1}"), "before the start");
  has(problem("{between: [a, b], joint: weld, from: 1, commanded: true}"), "loops.0 is `commanded` and has times");
  has(problem("{between: [a, b], joint: weld, from: 1}, {between: [a, b], joint: weld, from: 2}"),
      "loops.1: there are two ties 'a-b'");
}

/// A ball that is let go with the speed v of a hand comes back after 2 v / g: with the hand's speed, if that is half a
/// period of its stroke. Taking it is then no impact but for what the robot sways.
TEST(Ties, LetARobotJuggle) {
  Simulation simulation(sceneFile("juggle_g1.yaml"));
  int caught = 0;
  std::vector<Loop> ties = simulation.ties();
  double highest = 0.0, lowest = 1.0;
  while (simulation.time() < 1.3) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
    caught += simulation.ties() != ties;
    ties = simulation.ties();
    for (const int ball : {0, 1}) {
      highest = std::max(highest, position(simulation, ball).z());
      lowest = std::min(lowest, position(simulation, ball).z());
    }
  }
  EXPECT_EQ(caught, 4);  // at each of them one hand takes its ball, and the other lets go
  EXPECT_NEAR(highest, 0.8876 + 1.5009 * 1.5009 / (2 * 9.81), 0.01);
  EXPECT_GT(lowest, 0.7);
}

/// Two robots of several links, one of which takes the other by its foot: contacts, limits, motors' inertia and all.
TEST(Ties, BetweenRobotsLoseEnergyAndKeepMomentum) {
  Simulation simulation(worldOf(R"(
physics: {gravity: [0, 0, 0]}
robot: {model: quadruped, base: {position: [0, 0, 2], velocity: [0.5, 0, 0]}}
bodies: [{name: other, model: quadruped, position: [0.2, 0, 3], velocity: [0, 0, -1]}]
hold: {enabled: false}
)"));
  const Vector6d before = simulation.dynamics().momentum();
  const TieImpact impact =
      simulation.tie({.between = {"trunk", "other/lf_foot"}, .joint = LoopKind::ball, .within = 2});
  EXPECT_GT(impact.lost_energy, 0.0);
  EXPECT_LT((simulation.dynamics().momentum() - before).norm(), 1e-11);
  const double energy = simulation.dynamics().energy().kinetic;
  run(simulation, 300);
  EXPECT_LT(simulation.dynamics().energy().kinetic, energy);  // joints are damped
}

}  // namespace
}  // namespace footfall::physics
