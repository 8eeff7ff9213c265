// Motions of prescribed joints that a program gives: what would be ignored, or pushes nothing, is refused by name.

#include <gtest/gtest.h>

#include <cmath>

#include "footfall/base/error.hpp"
#include "footfall/run/linearize.hpp"
#include "footfall/run/simulation.hpp"
#include "physics/scene_tools.hpp"

namespace footfall {
namespace {

constexpr double kAmplitude = 0.1, kFrequency = 12.0;

/// A cart that code moves, with a pole that hangs on it; `law`: the scene moves it.
Scene cart(bool law = false) {
  Scene scene = physics::freeBody("cart_pole");
  scene.robot.fixed_base = true;
  ScenePrescribed motion;
  motion.joint = "cart";
  if (law) {
    motion.law.kind = "sine";
    motion.law.amplitude = kAmplitude;
    motion.law.frequency = 1.0;
  }
  scene.prescribed = {motion};
  return scene;
}

std::string errorOfStep(Simulation& simulation) {
  try {
    simulation.step();
  } catch (const Error& error) {
    EXPECT_FALSE(error.hint().empty());
    return error.where() + ": " + error.problem();
  }
  return "no error";
}

void sway(Simulation& simulation, bool with_velocity) {
  const double end = simulation.state().timeAfter(simulation.settings().step);
  simulation.input().position[0] = kAmplitude * std::sin(kFrequency * end);
  if (with_velocity) simulation.input().velocity[0] = kAmplitude * kFrequency * std::cos(kFrequency * end);
}

void expectNamed(const std::string& message, const std::vector<std::string>& words) {
  for (const std::string& word : words) EXPECT_NE(message.find(word), std::string::npos) << word << " in: " << message;
}

TEST(MotionFromCode, WithoutItsVelocityIsRefusedByName) {
  Simulation simulation(cart());
  sway(simulation, false);
  expectNamed(errorOfStep(simulation), {"input.velocity", "'cart'", "since t = 0 s", "from 0 to 0.00119"});
  EXPECT_EQ(simulation.time(), 0.0);
  sway(simulation, true);  // mended, it goes on
  EXPECT_EQ(simulation.step().status, SolveStatus::converged);
  EXPECT_NE(simulation.state().nu[1], 0.0) << "the pole feels the cart";
}

TEST(MotionFromCode, ThatLosesItsVelocityOnTheWayIsRefusedToo) {
  Simulation simulation(cart());
  for (int k = 0; k < 10; ++k) {
    sway(simulation, true);
    ASSERT_EQ(errorOfStep(simulation), "no error");
  }
  simulation.input().velocity[0] = 0.0;
  sway(simulation, false);
  EXPECT_EQ(errorOfStep(simulation), "no error");  // one step may brake
  sway(simulation, false);
  expectNamed(errorOfStep(simulation), {"input.velocity", "'cart'"});
}

TEST(MotionFromCode, DoesNotJumpFromRest) {
  Simulation simulation(cart());
  simulation.input().position[0] = 5.0;
  expectNamed(errorOfStep(simulation), {"'cart'", "from 0 to 5 m", "is 5000 m/s"});
}

/// Velocities that a filter gives 3 ms late; positions of five digits with velocities of three; ticks of an encoder,
/// with no velocity below some speed.
TEST(MotionFromCode, MayBeMeasured) {
  const auto rounded = [](double x, double unit) { return unit * std::round(x / unit); };
  for (const int kind : {0, 1, 2}) {
    Simulation simulation(cart());
    for (int k = 1; k <= 2000; ++k) {
      const double t = 1e-3 * k, late = std::max(t - 3e-3, 0.0), rate = 0.7;
      const auto position = [&](double at) { return 0.05 * (1.0 - std::cos(rate * at)); };
      const auto velocity = [&](double at) { return 0.05 * rate * std::sin(rate * at); };
      simulation.input().position[0] = kind == 0 ? position(t) : rounded(position(t), kind == 1 ? 1e-5 : 1e-4);
      simulation.input().velocity[0] = kind == 0   ? velocity(late)
                                       : kind == 1 ? rounded(velocity(t), 1e-3)
                                                   : (velocity(t) < 2e-3 ? 0.0 : velocity(t));
      ASSERT_EQ(errorOfStep(simulation), "no error") << kind << ", step " << k;
    }
  }
}

TEST(MotionFromCode, MayStopBrakeAndBePutElsewhereWithItsState) {
  Simulation simulation(cart());
  for (int k = 0; k < 5; ++k) {
    sway(simulation, true);
    ASSERT_EQ(errorOfStep(simulation), "no error");
  }
  EXPECT_EQ(errorOfStep(simulation), "no error");  // nothing is written: where it was
  simulation.input().velocity[0] = 0.0;
  EXPECT_EQ(errorOfStep(simulation), "no error");
  EXPECT_EQ(errorOfStep(simulation), "no error");
  State elsewhere = simulation.state();
  elsewhere.joints()[0] = simulation.input().position[0] = 0.4;
  simulation.setState(elsewhere);
  EXPECT_EQ(errorOfStep(simulation), "no error");
}

/// Positions of single precision, and first steps of motions that start at rest.
TEST(MotionFromCode, IsNotRefusedForRounding) {
  Scene scene = cart();
  scene.robot.initial = {{"cart", 0.1}};
  Simulation simulation(scene);
  simulation.input().position[0] = static_cast<double>(0.1F);
  EXPECT_EQ(errorOfStep(simulation), "no error");
  const double t = simulation.settings().step;
  simulation.input().position[0] += 0.5 * 9.0 * t * t;
  simulation.input().velocity[0] = 9.0 * t;
  EXPECT_EQ(errorOfStep(simulation), "no error");
}

TEST(MotionFromCode, IsRefusedWhereNothingFollowsIt) {
  Simulation simulation(cart());
  simulation.input().position[1] = 0.25;
  expectNamed(errorOfStep(simulation), {"input.position", "'pole'", "0.25", "not prescribed", "expected 0"});
  simulation.input().position[1] = 0.0;
  simulation.input().velocity[1] = -2.0;
  expectNamed(errorOfStep(simulation), {"input.velocity", "'pole'", "-2"});
  simulation.input().velocity[1] = 0.0;
  EXPECT_EQ(errorOfStep(simulation), "no error");

  Simulation follows(cart(true));
  EXPECT_EQ(errorOfStep(follows), "no error");
  follows.input().position[0] = 3.0;
  expectNamed(errorOfStep(follows), {"input.position", "'cart'", "a law"});

  Simulation stands(physics::sceneFile("quadruped.yaml"));
  stands.input().position[3] = 1.0;
  expectNamed(errorOfStep(stands), {"'" + stands.model().dofs[3].name + "'", "not prescribed"});
}

TEST(MotionFromCode, LetsLinearizationMoveTheState) {  // its trials change a state that the input holds
  Simulation simulation(cart());
  EXPECT_NO_THROW(linearizeStep(simulation));
}

}  // namespace
}  // namespace footfall
