// Links that weigh something else than the model says: as an engine of a model that weighs so.

#include "footfall/dynamics/link_mass.hpp"

#include <gtest/gtest.h>

#include "dynamics/random_model.hpp"
#include "footfall/dynamics/batch_dynamics.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "tools/random_seed.hpp"

namespace footfall::test {
namespace {

constexpr double kRounding = 1e-11;  // a few hundred operations on numbers of order 1 to 100
constexpr double kSolve = 1e-9;      // rounding times the condition number of M

/// A half to twice the mass and the inertia, each by itself, and a centre of mass somewhere else.
std::vector<LinkMass> randomMasses(const Model& model, std::mt19937& random) {
  std::uniform_real_distribution<double> factor(0.5, 2.0), shift(-0.1, 0.1);
  std::vector<LinkMass> masses;
  for (const Link& link : model.links) {
    LinkMass mass = LinkMass::of(link);
    mass.mass *= factor(random);
    mass.turning = factor(random);
    for (int c = 0; c < 3; ++c) mass.com[c] += shift(random);
    if (link.inertia.mass == 0.0) mass = LinkMass::of(link);  // inside of a ball joint
    masses.push_back(mass);
  }
  return masses;
}

Model withMasses(const Model& model, const std::vector<LinkMass>& masses) {
  Model other = model;
  for (std::size_t k = 0; k < masses.size(); ++k) other.links[k].inertia = masses[k].inertiaOf(model.links[k]);
  return other;
}

void expectSame(const Dynamics& actual, const Dynamics& expected, std::mt19937& random) {
  const int nv = expected.model().nv();
  MatrixXd M(nv, nv), M_expected = M;
  actual.massMatrix(M);
  expected.massMatrix(M_expected);
  EXPECT_LT(relativeError(M, M_expected), kRounding);
  VectorXd a(nv), b(nv);
  actual.biasForces(a), expected.biasForces(b);
  EXPECT_LT(relativeError(a, b), kRounding);
  actual.gravityForces(a), expected.gravityForces(b);
  EXPECT_LT(relativeError(a, b), kRounding);
  a = b = randomVector(nv, random);
  actual.solveMass(a), expected.solveMass(b);
  EXPECT_LT(relativeError(a, b), kSolve);
  EXPECT_LT(relativeError(actual.momentum(), expected.momentum()), kRounding);
  EXPECT_LT(relativeError(actual.centerOfMass(), expected.centerOfMass()), kRounding);
  EXPECT_NEAR(actual.energy().kinetic, expected.energy().kinetic, kRounding * (1.0 + expected.energy().kinetic));
  EXPECT_NEAR(actual.energy().potential, expected.energy().potential,
              kRounding * (1.0 + std::abs(expected.energy().potential)));
}

class LinkMasses : public testing::TestWithParam<RandomModelOptions> {};

TEST_P(LinkMasses, AreThoseOfAModelThatWeighsSo) {
  std::mt19937 random(randomSeed(5));
  const Model model = randomModel(random, GetParam());
  const State state = randomState(model, random);
  const auto engine = makeDynamics("native", model);
  for (int turn = 0; turn < 3; ++turn) {  // one after the other, and not one on top of the other
    const std::vector<LinkMass> masses = randomMasses(model, random);
    const Model other = withMasses(model, masses);
    const auto expected = makeDynamics("native", other);
    ASSERT_TRUE(engine->setLinkMasses(masses));
    engine->update(state.q, state.nu);
    expected->update(state.q, state.nu);
    expectSame(*engine, *expected, random);
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, LinkMasses,
                         testing::Values(RandomModelOptions{.joints = 17, .couplings = 3},
                                         RandomModelOptions{.joints = 9, .floating_base = false},
                                         RandomModelOptions{.joints = 12, .ball_joints = true},
                                         RandomModelOptions{.joints = 12, .mimic_joints = 4}));

/// Robots that are told nothing stay as they are.
TEST(LinkMassesOfAPack, BelongToOneRobotEach) {
  constexpr int kTold = 5;
  std::mt19937 random(randomSeed(6));
  const Model model = randomModel(random, {.joints = 14, .ball_joints = true, .couplings = 2});
  BatchDynamics batch(model);
  BatchVector q(model.nq()), nu(model.nv()), h(model.nv()), g(model.nv()), x(model.nv()), y(model.nv());
  std::vector<Model> models(BatchVector::kRobots, model);
  for (int r = 0; r < BatchVector::kRobots; ++r) {
    const State state = randomState(model, random);
    q.robot(r) = state.q, nu.robot(r) = state.nu, x.robot(r) = randomVector(model.nv(), random);
    if (r >= kTold) continue;
    const std::vector<LinkMass> masses = randomMasses(model, random);
    models[r] = withMasses(model, masses);
    batch.setLinkMasses(r, masses);
  }
  batch.update(q, nu);
  batch.biasForces(h);
  batch.gravityForces(g);
  batch.multiplyMass(x, y);
  BatchVector slower = nu, h_slower(model.nv());
  for (int k = 0; k < model.nv() * BatchVector::kRobots; ++k) slower.data()[k] *= 0.5;
  MatrixXd M(model.nv(), model.nv()), M_expected = M;
  VectorXd v(model.nv());
  for (int r = 0; r < BatchVector::kRobots; ++r) {
    SCOPED_TRACE(r);
    const auto engine = makeDynamics("native", models[r]);
    engine->update(q.robot(r), nu.robot(r));
    batch.massMatrix(r, M);
    engine->massMatrix(M_expected);
    EXPECT_LT(relativeError(M, M_expected), kRounding);
    engine->biasForces(v);
    EXPECT_LT(relativeError(h.robot(r), v), kRounding);
    engine->gravityForces(v);
    EXPECT_LT(relativeError(g.robot(r), v), kRounding);
    engine->multiplyMass(x.robot(r), v);
    EXPECT_LT(relativeError(y.robot(r), v), kRounding);
  }
  batch.updateVelocity(slower);
  batch.biasForces(h_slower);
  for (int r = 0; r < BatchVector::kRobots; ++r) {
    SCOPED_TRACE(r);
    const auto engine = makeDynamics("native", models[r]);
    engine->update(q.robot(r), slower.robot(r));
    engine->biasForces(v);
    EXPECT_LT(relativeError(h_slower.robot(r), v), kRounding);
    VectorXd solved = y.robot(r);
    engine->solveMass(solved);
    BatchVector back = y;
    batch.solveMass(back);
    EXPECT_LT(relativeError(back.robot(r), solved), kSolve);
  }
}

}  // namespace
}  // namespace footfall::test
