// J̇ν and h of every engine against differences along the motion: a mistake that all engines shared would show here.

#include <gtest/gtest.h>

#include "dynamics/random_model.hpp"
#include "dynamics/textbook.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "oracle/robots.hpp"
#include "tools/random_seed.hpp"

namespace footfall::test {
namespace {

/// Central differences over 1e-5 s: 1e-10 of truncation, and 1e-16/1e-5 of rounding, times the size of the terms.
constexpr double kTolerance = 1e-6;

double scaled(double error, double size) { return error / std::max(size, 1.0); }

void expectRatesOfMotion(const Model& model, Dynamics& engine, const State& state) {
  engine.update(state.q, state.nu);
  VectorXd h(model.nv());
  engine.biasForces(h);
  const VectorXd expected_h = Textbook::biasForces(model, state.q, state.nu);
  EXPECT_LE(scaled((h - expected_h).norm(), expected_h.norm()), kTolerance) << "h";
  for (int f = 0; f < static_cast<int>(model.frames.size()); f += 5) {  // every fifth: iCub has a hundred
    const Frame& frame = model.frames[f];
    const Vector6d expected = Textbook::biasAcceleration(model, state.q, state.nu, frame.link, frame.X_LF.p);
    const Vector6d found = engine.frameBiasAcceleration(FrameIndex(f));
    EXPECT_LE(scaled((found - expected).norm(), expected.norm()), kTolerance) << frame.name;
  }
}

class FiniteDifferences : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!hasPlugin("engine", GetParam())) GTEST_SKIP() << "engine " << GetParam() << " was not built";
  }
  void expectRates(const Model& model) {
    std::mt19937 random(randomSeed(7));
    const auto engine = makeDynamics(GetParam(), model);
    for (int trial = 0; trial < 3; ++trial) expectRatesOfMotion(model, *engine, randomState(model, random));
  }
  void expectRates(const std::string& robot_name) {
    for (const Robot& robot : robots()) {
      if (robot.name != robot_name) continue;
      const auto model = load(robot);
      if (!model) GTEST_SKIP() << robot.file << " is not installed";
      return expectRates(*model);
    }
    FAIL() << robot_name << " is not in the list of robots";
  }
};

TEST_P(FiniteDifferences, ConfirmTheBiasTermsOfAHumanoid) { expectRates("iCub"); }
TEST_P(FiniteDifferences, ConfirmTheBiasTermsOfAQuadruped) { expectRates("Quadruped"); }
TEST_P(FiniteDifferences, ConfirmTheBiasTermsOfAnArm) { expectRates("Ur5"); }
TEST_P(FiniteDifferences, ConfirmTheBiasTermsWithMimicAndPrismaticJoints) { expectRates("FlyingSliderGripper"); }
TEST_P(FiniteDifferences, ConfirmTheBiasTermsOfARandomTree) {
  std::mt19937 random(randomSeed(3));
  expectRates(randomModel(random, {.mimic_joints = 3}));
}
TEST_P(FiniteDifferences, ConfirmTheBiasTermsWithBallJoints) {
  if (std::string(GetParam()) == "idyntree") GTEST_SKIP() << "idyntree refuses ball joints";
  std::mt19937 random(randomSeed(3));
  expectRates(randomModel(random, {.ball_joints = true, .mimic_joints = 2}));
}
INSTANTIATE_TEST_SUITE_P(Oracle, FiniteDifferences, testing::Values("native", "pinocchio", "idyntree"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace footfall::test
