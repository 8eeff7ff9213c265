#include <gtest/gtest.h>

#include "batch/batch_tools.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr int kSteps = 60;

Scene quietQuadruped() {
  Scene scene = physics::sceneFile("quadruped.yaml");
  scene.pushes.clear();
  return scene;
}

/// World 1 of three, after some steps with whatever `set` has set; the others must not notice.
template <class Set>
State worldAfter(const Scene& scene, Set set, int longest_delay = 0) {
  BatchSimulation batch(scene, {.copies = 3, .threads = 1, .longest_delay = longest_delay});
  set(batch);
  batch.step(kSteps);
  Simulation other(scene);
  for (int k = 0; k < kSteps; ++k) other.step();
  EXPECT_TRUE(alike(batch.state(0), other.state(), kSteps));
  EXPECT_TRUE(sameBits(batch.state(2), batch.state(0)));
  return batch.state(1);
}

template <class Set>
State simulationAfter(const Scene& scene, Set set) {
  Simulation simulation(scene);
  set(simulation);
  for (int k = 0; k < kSteps; ++k) simulation.step();
  return simulation.state();
}

TEST(BatchParameter, FrictionIsThatOfAGroundWithSoMuchOfIt) {
  const auto scene = [](const char* friction) {
    Scene pushed = physics::sceneFile("quadruped.yaml", {{"ground.friction", friction}});
    pushed.pushes[0].start = 0.0;
    return pushed;
  };
  const State world = worldAfter(scene("0.5"), [](BatchSimulation& b) { b.values("friction")(1, 0) = 0.5; });
  EXPECT_TRUE(alike(world, simulationAfter(scene("0.25"), [](Simulation&) {}), kSteps));
}

TEST(BatchParameter, GainsAndTargetsAreThoseOfSprings) {
  const State world = worldAfter(quietQuadruped(), [](BatchSimulation& b) {
    b.values("stiffness").row(1) *= 0.7;
    b.values("damping").row(1) *= 1.3;
    b.values("target")(1, 4) += 0.1;
  });
  const State alone = simulationAfter(quietQuadruped(), [](Simulation& s) {
    s.springs()->stiffness *= 0.7;
    s.springs()->damping *= 1.3;
    s.springs()->target[4] += 0.1;
  });
  EXPECT_TRUE(alike(world, alone, kSteps));
}

TEST(BatchParameter, TorquesAndPushesAreThoseOfInputs) {
  const Vector6d push{3.0, 20.0, -5.0, 0.2, 0.0, 1.0};
  const State world = worldAfter(quietQuadruped(), [&](BatchSimulation& b) {
    b.values("tau")(1, 2) = 1.5;
    b.values("push").row(1) = push;
    b.values("generalized")(1, 7) = -0.5;
  });
  const State alone = simulationAfter(quietQuadruped(), [&](Simulation& s) {
    s.input().tau[2] = 1.5;
    s.input().wrenches.push_back({LinkIndex(0), Vector3d::Zero(), push});
    s.input().generalized = VectorXd::Zero(s.model().nv());
    s.input().generalized[7] = -0.5;
  });
  EXPECT_TRUE(alike(world, alone, kSteps));
}

TEST(BatchParameter, MotorStrengthIsTheShareOfATorqueThatArrives) {
  const auto torque = [](double value) {
    return [value](BatchSimulation& b) { b.values("tau").row(1).setConstant(value); };
  };
  Scene scene = quietQuadruped();
  scene.hold.gravity_compensation = false;  // it would be weaker, too
  const State weak = worldAfter(scene, [&](BatchSimulation& b) {
    torque(1.0)(b);
    b.values("motor_strength").row(1).setConstant(0.5);
  });
  EXPECT_TRUE(sameBits(weak, worldAfter(scene, torque(0.5))));
}

/// Also around a step in which feet strike the ground, which is begun in a pack and made alone.
TEST(BatchParameter, DelayedCommandsArriveSoManyStepsLate) {
  constexpr int kDelay = 7, kStrike = 20;
  BatchSimulation batch(quietQuadruped(), {.copies = 3, .threads = 1, .longest_delay = 10});
  batch.values("delay")(1, 0) = kDelay;
  Simulation late(quietQuadruped()), prompt(quietQuadruped());
  const auto command = [](int k) { return k < 3 ? 0.0 : 0.1 * (k % 5); };
  const auto strike = [](Simulation& simulation) {
    State state = simulation.state();
    state.nu[2] = -0.5;
    simulation.setState(state);
  };
  for (int k = 0; k < kSteps; ++k) {
    if (k == kStrike) {
      for (const int world : {0, 1}) batch.values("nu")(world, 2) = -0.5;
      strike(prompt);
      strike(late);
    }
    batch.values("tau").row(0).setConstant(command(k));
    batch.values("tau").row(1).setConstant(command(k));
    batch.step();
    prompt.input().tau.setConstant(command(k));
    late.input().tau.setConstant(command(std::max(k - kDelay, 0)));
    prompt.step();
    late.step();
  }
  EXPECT_TRUE(alike(batch.state(0), prompt.state(), kSteps));
  EXPECT_TRUE(alike(batch.state(1), late.state(), kSteps));
}

TEST(BatchParameter, ResultsAreThoseOfTheStep) {
  BatchSimulation batch(quietQuadruped(), {.copies = 2, .threads = 1});
  const BatchArray& wrench = batch.values("sole_wrench");
  const BatchArray& torque = batch.values("joint_torque");
  batch.step(kSteps);
  Simulation alone(quietQuadruped());
  alone.setState(batch.state(1));
  alone.step();
  batch.step();
  // An impulse is to velocities as tenths of kilograms are to one, a force a thousand times that; and a velocity that
  // differs by 1e-9 is another one by 1e-6 in a step's acceleration.
  constexpr double kForce = 1e-6;
  const auto& soles = alone.result().soles;
  ASSERT_EQ(wrench.width(), static_cast<int>(6 * soles.size()));
  for (std::size_t k = 0; k < soles.size(); ++k)
    EXPECT_LT((wrench.row(1).segment(6 * k, 6) - soles[k].wrench_F).lpNorm<Eigen::Infinity>(), kForce);
  EXPECT_LT((torque.row(1) - alone.result().joint_torque).lpNorm<Eigen::Infinity>(), kForce);
}

/// Zeros of a robot that stands would pass for a flight.
TEST(BatchParameter, ResultsOfStepsThatNobodyHasSeenAreNoNumbers) {
  BatchSimulation batch(quietQuadruped(), {.copies = 2, .threads = 1});
  batch.step(kSteps);
  const std::vector<std::uint8_t> first{1, 0};
  batch.reset(first);
  const BatchArray& wrench = batch.values("sole_wrench");
  EXPECT_TRUE(wrench.row(0).isZero(0.0)) << "of this episode no step was made";
  EXPECT_TRUE(wrench.row(1).array().isNaN().all());
  batch.step();
  EXPECT_GT(wrench.row(1).norm(), 1.0);
}

TEST(BatchParameter, ResultsOfAnEpisodeEndWithIt) {
  BatchSimulation batch(quietQuadruped(), {.copies = 2, .threads = 1, .auto_reset = true});
  const BatchArray& wrench = batch.values("sole_wrench");
  const BatchArray& torque = batch.values("joint_torque");
  batch.step(kSteps);
  ASSERT_GT(wrench.row(0).norm(), 1.0);
  const std::vector<std::uint8_t> first{1, 0};
  batch.reset(first);
  EXPECT_TRUE(wrench.row(0).isZero(0.0) && torque.row(0).isZero(0.0));
  EXPECT_GT(wrench.row(1).norm(), 1.0) << "it goes on";
  batch.values("q")(1, 2) = std::numeric_limits<double>::quiet_NaN();
  batch.step();
  ASSERT_EQ(batch.autoResets()[1], 1);
  EXPECT_TRUE(wrench.row(1).isZero(0.0) && torque.row(1).isZero(0.0)) << "it was started anew";
}

TEST(BatchParameter, AskingForAQuantityChangesNothing) {
  BatchSimulation asked(quietQuadruped(), {.copies = 2, .longest_delay = 3});
  for (const BatchQuantity& quantity : asked.quantities()) {
    EXPECT_EQ(asked.values(quantity.name).width(), quantity.width) << quantity.name;
    EXPECT_FALSE(quantity.unit.empty() || quantity.meaning.empty()) << quantity.name;
  }
  BatchSimulation plain(quietQuadruped(), {.copies = 2});
  asked.step(kSteps);
  plain.step(kSteps);
  EXPECT_TRUE(sameBits(asked.state(1), plain.state(1)));
}

TEST(BatchParameter, NumbersThatAWorldCannotHaveFailInItAndAreNamed) {
  const auto problem = [](const std::string& name, double value) {
    BatchSimulation batch(quietQuadruped(), {.copies = 3, .threads = 1, .longest_delay = 4});
    batch.values(name).row(1).setConstant(value);
    batch.step(2);
    EXPECT_EQ(batch.status()[0], SolveStatus::converged) << name << " " << value;
    EXPECT_EQ(batch.status()[1], SolveStatus::failed) << name << " " << value;
    return batch.describeFailure(1);
  };
  const std::string delay = "expected a whole number from 0 to 4";
  for (const double steps : {5.0, -1.0, 1.5, std::nan("")})
    EXPECT_NE(problem("delay", steps).find(delay), std::string::npos) << steps;
  for (const double strength : {-1.0, std::nan("")})
    EXPECT_NE(problem("motor_strength", strength).find("motor_strength: that of the joint 'lf_haa' is"),
              std::string::npos)
        << strength;
}

/// Nothing that has no effect is taken without a word, and nothing ends the process.
TEST(BatchParameter, WhatASceneOfBodiesCannotHaveIsRefused) {
  const Scene ball = parseScene("bodies: [{name: ball, shape: sphere, radius: 0.1, position: [0, 0, 1]}]\n", "scene");
  const auto problem = [](BatchSimulation& batch, const char* name) -> std::string {
    try {
      batch.values(name);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  BatchSimulation batch(ball, {.copies = 2, .longest_delay = 4});
  EXPECT_NE(problem(batch, "delay").find("nothing is commanded"), std::string::npos);
  EXPECT_NE(problem(batch, "push").find("push_link"), std::string::npos);
  EXPECT_THROW(BatchSimulation(ball, {.copies = 1, .push_link = Simulation(ball).model().links[0].name}), Error);
  const Scene wall = parseScene("bodies: [{name: wall, shape: sphere, radius: 0.1, fixed: true}]\n", "scene");
  EXPECT_THROW(BatchSimulation(wall, {.copies = 1, .push_link = "wall"}), Error);
  BatchSimulation pushed(ball, {.copies = 1, .push_link = "ball"});
  pushed.values("push")(0, 0) = 1.0;
  pushed.step();
  EXPECT_GT(pushed.values("nu")(0, 0), 0.0);
}

TEST(BatchParameter, UnknownNamesAreRefusedWithTheNearest) {
  BatchSimulation batch(quietQuadruped(), {.copies = 1});
  try {
    batch.values("frictoin");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("friction"), std::string::npos);
  }
  EXPECT_THROW(batch.values("delay"), Error);  // no room for it was asked for
  Scene limp = quietQuadruped();
  limp.hold.enabled = false;
  EXPECT_THROW(BatchSimulation(limp, {.copies = 1}).values("stiffness"), Error);
}

}  // namespace
}  // namespace footfall
