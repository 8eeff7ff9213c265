#include <gtest/gtest.h>

#include <cstdlib>

#include "dynamics/random_model.hpp"
#include "dynamics/textbook.hpp"
#include "footfall/base/error.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "model/error_of.hpp"
#include "tools/random_seed.hpp"

namespace footfall::test {
namespace {

constexpr double kRounding = 1e-11;   // a few hundred operations on numbers of order 1 to 100
constexpr double kDifference = 2e-7;  // Textbook's central differences, times inertias of order 10

struct Robot {
  const char* name;
  RandomModelOptions options;
};

std::ostream& operator<<(std::ostream& out, const Robot& robot) { return out << robot.name; }

/// One robot in a random state, with the engine's and the textbook's view of it.
class NativeDynamics : public testing::TestWithParam<Robot> {
 protected:
  NativeDynamics() : model(randomModel(random, GetParam().options)), engine(makeDynamics("native", model)) { moveOn(); }

  void moveOn() {
    state = randomState(model, random);
    engine->update(state.q, state.nu);
  }
  MatrixXd massMatrix() const {
    MatrixXd M(model.nv(), model.nv());
    engine->massMatrix(M);
    return M;
  }
  VectorXd biasForces() const {
    VectorXd h(model.nv());
    engine->biasForces(h);
    return h;
  }

  std::mt19937 random{randomSeed(20240611)};
  Model model;
  std::unique_ptr<Dynamics> engine;
  State state;
};

TEST_P(NativeDynamics, MassMatrixIsTheSumOverTheBodies) {
  for (int i = 0; i < 5; ++i, moveOn()) {
    EXPECT_LT(relativeError(massMatrix(), Textbook(model, state.q).massMatrix()), kRounding);
  }
}

TEST_P(NativeDynamics, BiasForcesObeyNewtonAndEuler) {
  for (int i = 0; i < 5; ++i, moveOn()) {
    EXPECT_LT(relativeError(biasForces(), Textbook::biasForces(model, state.q, state.nu)), kDifference);
  }
}

TEST_P(NativeDynamics, GravityForcesAreTheBiasForcesAtRest) {
  VectorXd g(model.nv());
  engine->gravityForces(g);
  engine->update(state.q, VectorXd::Zero(model.nv()));
  EXPECT_LT(relativeError(g, biasForces()), kRounding);
}

TEST_P(NativeDynamics, SolvingUndoesMultiplying) {
  for (int i = 0; i < 5; ++i, moveOn()) {
    const VectorXd x = randomVector(model.nv(), random);
    VectorXd y(model.nv());
    engine->multiplyMass(x, y);
    EXPECT_LT(relativeError(y, massMatrix() * x), kRounding);
    engine->solveMass(y);
    // the error grows with the condition number of M, 1e4 at most here
    EXPECT_LT(relativeError(y, x), 1e-9);
  }
}

TEST_P(NativeDynamics, ImplicitInertiaEntersSolvesOnly) {
  const VectorXd implicit = (randomVector(model.jointDofs(), random).array() + 2.0).matrix();
  const MatrixXd M = massMatrix();
  engine->setImplicitInertia(implicit);
  engine->update(state.q, state.nu);
  EXPECT_LT(relativeError(massMatrix(), M), kRounding);
  MatrixXd with = M;
  with.diagonal().tail(model.jointDofs()) += implicit;
  const VectorXd x = randomVector(model.nv(), random);
  VectorXd y = with * x;
  engine->solveMass(y);
  EXPECT_LT(relativeError(y, x), 1e-9);
}

TEST_P(NativeDynamics, UpdatingTheVelocityAloneEqualsAFreshUpdate) {
  const VectorXd nu = randomVector(model.nv(), random);
  engine->updateVelocity(nu);
  const auto fresh = makeDynamics("native", model);
  fresh->update(state.q, nu);
  VectorXd h(model.nv());
  fresh->biasForces(h);
  EXPECT_LT(relativeError(biasForces(), h), kRounding);
  EXPECT_LT(relativeError(engine->momentum(), fresh->momentum()), kRounding);
  EXPECT_NEAR(engine->energy().kinetic, fresh->energy().kinetic, kRounding * (1.0 + fresh->energy().kinetic));
  const FrameIndex last(static_cast<int>(model.frames.size()) - 1);
  EXPECT_LT(relativeError(engine->frameBiasAcceleration(last), fresh->frameBiasAcceleration(last)), kRounding);
}

TEST_P(NativeDynamics, UpdatingTheKinematicsAloneGivesTheSameBitsToThoseWhoWatch) {
  const auto watcher = makeDynamics("native", model);
  for (int i = 0; i < 5; ++i, moveOn()) {
    watcher->updateKinematics(state.q, state.nu);
    EXPECT_EQ(watcher->momentum(), engine->momentum());
    EXPECT_EQ(watcher->centerOfMass(), engine->centerOfMass());
    EXPECT_EQ(watcher->energy().kinetic, engine->energy().kinetic);
    EXPECT_EQ(watcher->energy().potential, engine->energy().potential);
    for (int k = 0; k < static_cast<int>(model.links.size()); ++k) {
      const LinkIndex link(k);
      EXPECT_EQ(watcher->linkPose(link).R, engine->linkPose(link).R);
      EXPECT_EQ(watcher->linkPose(link).p, engine->linkPose(link).p);
      EXPECT_EQ(watcher->linkVelocity(link), engine->linkVelocity(link));
    }
  }
}

TEST_P(NativeDynamics, UpdatingTheKinematicsAloneGivesTheSameBitsWhateverLinksAreAskedForBefore) {
  const auto watcher = makeDynamics("native", model);
  const int links = static_cast<int>(model.links.size());
  for (int i = 0; i < 12; ++i, moveOn()) {
    watcher->updateKinematics(state.q, state.nu);
    for (int k = links - 1; k >= 0; k -= 1 + (i + k) % 3) {  // from the tips, and others in each turn
      const LinkIndex link(k);
      EXPECT_EQ(watcher->linkVelocity(link), engine->linkVelocity(link));
      EXPECT_EQ(watcher->linkPose(link).R, engine->linkPose(link).R);
      EXPECT_EQ(watcher->linkPose(link).p, engine->linkPose(link).p);
      if (i % 4 == 3 && k < links / 2) {
        EXPECT_EQ(watcher->momentum(), engine->momentum());
      }
    }
    if (i % 5 == 4) watcher->update(randomState(model, random).q, state.nu);
  }
}

TEST_P(NativeDynamics, AFreshEngineGivesTheSameBits) {
  const auto fresh = makeDynamics("native", model);
  fresh->update(state.q, state.nu);
  MatrixXd M(model.nv(), model.nv());
  fresh->massMatrix(M);
  EXPECT_EQ(massMatrix(), M);
  VectorXd x = randomVector(model.nv(), random), y = x;
  engine->solveMass(x);
  fresh->solveMass(y);
  EXPECT_EQ(x, y);
}

TEST_P(NativeDynamics, MomentumCenterOfMassAndEnergyAreThoseOfTheBodies) {
  const Textbook textbook(model, state.q);
  EXPECT_LT(relativeError(engine->momentum(), textbook.momentum(state.nu)), kRounding);
  EXPECT_LT(relativeError(engine->centerOfMass(), textbook.centerOfMass()), kRounding);
  EXPECT_NEAR(engine->energy().potential, textbook.potentialEnergy(), 1e-10);
  EXPECT_NEAR(engine->energy().kinetic, 0.5 * state.nu.dot(textbook.massMatrix() * state.nu), 1e-10);
}

TEST_P(NativeDynamics, FramesAreWhereTheTextbookPutsThem) {
  const Textbook textbook(model, state.q);
  for (std::size_t i = 0; i < model.frames.size(); ++i) {
    const FrameIndex frame(static_cast<int>(i));
    const Frame& F = model.frames[i];
    const Pose expected = textbook.linkPose(F.link) * F.X_LF;
    EXPECT_LT(relativeError(engine->framePose(frame).R, expected.R), kRounding);
    EXPECT_LT(relativeError(engine->framePose(frame).p, expected.p), kRounding);
    MatrixXd J(6, model.nv());
    engine->frameJacobian(frame, J);
    EXPECT_LT(relativeError(J, textbook.jacobian(F.link, F.X_LF.p)), kRounding);
    EXPECT_LT(relativeError(engine->linkVelocity(F.link), textbook.jacobian(F.link, Vector3d::Zero()) * state.nu),
              kRounding);
  }
}

TEST_P(NativeDynamics, BiasAccelerationIsTheRateOfTheJacobianTimesVelocity) {
  for (std::size_t i = 0; i < model.frames.size(); ++i) {
    const Frame& F = model.frames[i];
    const Vector6d expected = Textbook::biasAcceleration(model, state.q, state.nu, F.link, F.X_LF.p);
    EXPECT_LT(relativeError(engine->frameBiasAcceleration(FrameIndex(static_cast<int>(i))), expected), kDifference);
  }
}

TEST_P(NativeDynamics, WrenchesActThroughTheTransposedJacobian) {
  const Textbook textbook(model, state.q);
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Vector6d wrench = randomVector(6, random);
    const Vector3d p_LP = randomVector(3, random);
    const VectorXd start = randomVector(model.nv(), random);
    VectorXd tau = start;
    engine->addWrench(LinkIndex(static_cast<int>(i)), p_LP, wrench, tau);
    EXPECT_LT(relativeError(tau - start, textbook.jacobian(i, p_LP).transpose() * wrench), kRounding);
  }
}

TEST_P(NativeDynamics, EnergyGrowsByThePowerOfTheGeneralizedForces) {
  const VectorXd tau = randomVector(model.nv(), random);
  VectorXd acceleration = tau - biasForces();
  engine->solveMass(acceleration);
  constexpr double kStep = 1e-5;
  const auto energyAt = [&](double dt) {
    VectorXd q = state.q;
    integrateConfiguration(model, state.nu + 0.5 * dt * acceleration, dt, q);
    engine->update(q, state.nu + dt * acceleration);
    return engine->energy().total();
  };
  const double rate = (energyAt(kStep) - energyAt(-kStep)) / (2.0 * kStep);
  const double power = state.nu.dot(tau);
  // second-order differences of an energy of order 100 J whose third derivative is of order 1e4
  EXPECT_NEAR(rate, power, 1e-5 * (1.0 + std::abs(power)));
}

INSTANTIATE_TEST_SUITE_P(
    RandomTrees, NativeDynamics,
    testing::Values(Robot{"humanoid_like", {.joints = 23, .prismatic_joints = false}},
                    Robot{"floating_branched", {.joints = 12}},
                    Robot{"fixed_branched", {.joints = 9, .floating_base = false}},
                    Robot{"deep_chain", {.joints = 40, .straightness = 1.0}},
                    Robot{"fixed_deep_chain", {.joints = 40, .floating_base = false, .straightness = 1.0}},
                    Robot{"bush", {.joints = 30, .straightness = 0.0}}, Robot{"single_body", {.joints = 0}},
                    Robot{"coupled_motors", {.joints = 23, .couplings = 8}},
                    Robot{"fixed_coupled_motors", {.joints = 12, .floating_base = false, .couplings = 6}},
                    Robot{"motors_across_branches", {.joints = 12, .couplings = 6, .across_branches = true}},
                    Robot{"balls_floating", {.joints = 12, .ball_joints = true}},
                    Robot{"balls_fixed", {.joints = 9, .floating_base = false, .ball_joints = true}},
                    Robot{"balls_and_mimics", {.joints = 12, .ball_joints = true, .mimic_joints = 3}},
                    Robot{"mimic_floating", {.joints = 12, .mimic_joints = 4}},
                    Robot{"mimic_fixed", {.joints = 8, .floating_base = false, .mimic_joints = 3}}),
    [](const auto& robot) { return robot.param.name; });

TEST(NativeEngine, JointsThatHaveTurnedManyTimesAreNotLost) {
  std::mt19937 random(randomSeed(3));
  const Model model = randomModel(random, {.joints = 6, .prismatic_joints = false});
  State state = randomState(model, random);
  state.joints() << 12345.678, -9.0e5, 3.0e7, -2.0e10, 1.5707963267948966, 0.0;
  const auto engine = makeDynamics("native", model);
  engine->update(state.q, state.nu);
  const Textbook textbook(model, state.q);
  for (int i = 0; i < 7; ++i) {
    EXPECT_LT(relativeError(engine->linkPose(LinkIndex(i)).R, textbook.linkPose(i).R), 1e-12);
  }
}

TEST(NativeEngine, EveryInstructionSetGivesTheSamePhysics) {
  std::mt19937 random(randomSeed(4));
  const Model model = randomModel(random, {.joints = 23});
  const State state = randomState(model, random);
  const Textbook textbook(model, state.q);
  for (const char* isa : {"baseline", "avx2", "avx512"}) {
    setenv("FOOTFALL_ISA", isa, 1);
    try {
      const auto engine = makeDynamics("native", model);
      engine->update(state.q, state.nu);
      MatrixXd M(model.nv(), model.nv());
      engine->massMatrix(M);
      EXPECT_LT(relativeError(M, textbook.massMatrix()), kRounding) << isa;
      VectorXd x = randomVector(model.nv(), random);
      const VectorXd b = x;
      engine->solveMass(x);
      EXPECT_LT(relativeError(M * x, b), 1e-9) << isa;
    } catch (const Error& error) {
      EXPECT_NE(error.problem().find("this processor has no"), std::string::npos) << error.what();
    }
  }
  unsetenv("FOOTFALL_ISA");
}

TEST(NativeDynamics, RefusesVectorsThatDoNotFitItsMemory) {
  std::mt19937 random(randomSeed(3));
  const Model model = randomModel(random, {.joints = 4});
  const auto dynamics = makeDynamics("native", model);
  const VectorXd q = makeState(model).q, nu = VectorXd::Zero(model.nv());
  const VectorXd short_q = q.head(q.size() - 1), long_nu = VectorXd::Zero(model.nv() + 1);
  expectError("engine 'native': q has 10 entries, expected 11", [&] { dynamics->update(short_q, nu); });
  expectError("nu has 11 entries, expected 10", [&] { dynamics->update(q, long_nu); });
  dynamics->update(q, nu);
  VectorXd short_x = VectorXd::Zero(3);
  expectError("x has 3 entries, expected 10", [&] { dynamics->solveMass(short_x); });
}

}  // namespace
}  // namespace footfall::test
