// A body that floats by itself, which worlds compute in closed form, beside the engine for any tree.

#include <gtest/gtest.h>

#include <array>

#include "dynamics/random_model.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/tree.hpp"
#include "tools/random_seed.hpp"

namespace footfall::test {
namespace {

constexpr double kRounding = 1e-12;

/// A world of two bodies: the second one is computed as those of worlds are, and alone.
class FloatingBody : public testing::Test {
 protected:
  FloatingBody() {
    world = randomModel(random, {.joints = 0});
    alone = randomModel(random, {.joints = 0});
    alone.gravity = world.gravity;
    Joint root;
    root.name = "root";
    root.kind = JointKind::free;
    root.body = world.free_bodies++;
    ++world.further_bodies;
    world.joints.push_back(root);
    world.links.push_back(alone.links[0]);
    for (const Frame& frame : alone.frames) world.frames.push_back({frame.name, LinkIndex(1), frame.X_LF});
    state = randomState(alone, random);
    engine = makeDynamics("native", alone);
    forest = makeDynamics("native", world);
    update();
  }

  Dynamics& body() { return forest->tree(1); }

  void update() {
    engine->update(state.q, state.nu);
    body().update(state.q, state.nu);
  }

  template <class F>
  void compare(F read, const char* what) {
    const VectorXd start = randomVector(6, random);
    VectorXd found = start, expected = start;
    read(body(), start, found);
    read(*engine, start, expected);
    EXPECT_LT(relativeError(found, expected), kRounding) << what;
  }

  void expectSameTerms() {
    MatrixXd M(6, 6), M_expected(6, 6);
    body().massMatrix(M);
    engine->massMatrix(M_expected);
    EXPECT_LT(relativeError(M, M_expected), kRounding);
    compare([](const Dynamics& d, const VectorXd&, VectorXd& x) { d.biasForces(x); }, "bias forces");
    compare([](const Dynamics& d, const VectorXd&, VectorXd& x) { d.gravityForces(x); }, "gravity");
    compare([](const Dynamics& d, const VectorXd&, VectorXd& x) { d.solveMass(x); }, "solve");
    compare([](const Dynamics& d, const VectorXd& y, VectorXd& x) { d.multiplyMass(y, x); }, "multiply");
    compare([](const Dynamics& d, const VectorXd&, VectorXd& x) { x = d.momentum(); }, "momentum");
    compare([](const Dynamics& d, const VectorXd&, VectorXd& x) { x = d.linkVelocity(LinkIndex(0)); }, "velocity");
    compare([](const Dynamics& d, const VectorXd&, VectorXd& x) { x = d.linkBiasAcceleration(LinkIndex(0)); }, "bias");
    compare(
        [](const Dynamics& d, const VectorXd& y, VectorXd& x) {
          d.addWrench(LinkIndex(0), {0.1, -0.2, 0.3}, Vector6d(y), x);
        },
        "wrench");
    EXPECT_LT((body().centerOfMass() - engine->centerOfMass()).norm(), kRounding);
    EXPECT_NEAR(body().energy().kinetic, engine->energy().kinetic, kRounding * (1.0 + engine->energy().kinetic));
    EXPECT_NEAR(body().energy().potential, engine->energy().potential,
                kRounding * (1.0 + std::abs(engine->energy().potential)));
    EXPECT_LT((body().linkPose(LinkIndex(0)).R - engine->linkPose(LinkIndex(0)).R).norm(), kRounding);
    EXPECT_LT((body().linkPose(LinkIndex(0)).p - engine->linkPose(LinkIndex(0)).p).norm(), kRounding);
  }

  void expectSameContacts(bool world_axes) {
    constexpr int kContacts = 5;
    const std::vector<ContactFrame> contacts = randomContacts(alone, kContacts, world_axes, random);
    const ContactLayout layout = ContactLayout::of(kContacts);
    const auto rows = static_cast<std::size_t>(layout.rows());
    const VectorXd nu = randomVector(6, random);
    AlignedVector p(rows, 0.0);
    for (int i = 0; i < kContacts; ++i)
      for (int c = 0; c < 3; ++c) p[layout.row(i, c)] = randomVector(1, random)[0];
    std::array<VectorXd, 2> velocity, bias, tau, G;
    std::array<MatrixXd, 2> J;
    for (int k = 0; k < 2; ++k) {
      Dynamics& d = k == 0 ? body() : *engine;
      d.setContacts(contacts);
      for (VectorXd* v : {&velocity[k], &bias[k]}) v->setZero(layout.rows());
      d.contactVelocity(nu, velocity[k].data());
      d.contactBiasAcceleration(bias[k].data());
      tau[k] = nu;
      d.addContactImpulse(p.data(), tau[k]);
      AlignedVector entries(rows * rows);
      d.delassus(entries.data());
      G[k] = Eigen::Map<const VectorXd>(entries.data(), static_cast<Eigen::Index>(entries.size()));
      J[k].setZero(3 * kContacts, 6);
      d.contactJacobian(J[k]);
    }
    EXPECT_LT(relativeError(velocity[0], velocity[1]), kRounding);
    EXPECT_LT(relativeError(bias[0], bias[1]), kRounding);
    EXPECT_LT(relativeError(tau[0], tau[1]), kRounding);
    EXPECT_LT(relativeError(G[0], G[1]), kRounding);
    EXPECT_LT(relativeError(J[0], J[1]), kRounding);
  }

  std::mt19937 random{randomSeed(11)};
  Model world, alone;
  State state;
  std::unique_ptr<Dynamics> engine, forest;
};

TEST_F(FloatingBody, HasTheTermsOfTheEngine) {
  for (int k = 0; k < 20; ++k) {
    state = randomState(alone, random);
    update();
    expectSameTerms();
  }
}

TEST_F(FloatingBody, HasTheTermsOfTheEngineAfterAnImpact) {
  state.nu = randomVector(6, random);
  engine->updateVelocity(state.nu);
  body().updateVelocity(state.nu);
  expectSameTerms();
}

TEST_F(FloatingBody, TouchesAsTheEngineDoes) {
  for (const bool world_axes : {true, false}) {
    expectSameContacts(world_axes);
    state = randomState(alone, random);
    update();  // points go with the body
    expectSameContacts(world_axes);
  }
}

TEST_F(FloatingBody, ResistsTurningAsTheEngineDoes) {
  const Matrix3d root = Matrix3d::Random();
  const Matrix3d resistance = root * root.transpose();
  ASSERT_TRUE(engine->addTurningInertia(std::span(&resistance, 1)));
  ASSERT_TRUE(body().addTurningInertia(std::span(&resistance, 1)));
  compare([](const Dynamics& d, const VectorXd& y, VectorXd& x) { d.multiplyTurningInertia(y, x); }, "turning");
  expectSameTerms();
  expectSameContacts(false);
  update();  // which ends it
  expectSameTerms();
}

TEST_F(FloatingBody, WeighsSomethingElse) {
  const LinkMass mass{3.0 * alone.links[0].inertia.mass, 2.0, {0.1, 0.2, -0.3}};
  ASSERT_TRUE(engine->setLinkMasses(std::span(&mass, 1)));
  ASSERT_TRUE(body().setLinkMasses(std::span(&mass, 1)));
  update();
  expectSameTerms();
  expectSameContacts(false);
}

TEST_F(FloatingBody, HasFramesWhereTheyAre) {
  for (int f = 0; f < static_cast<int>(alone.frames.size()); ++f) {
    MatrixXd J(6, 6), expected(6, 6);
    body().frameJacobian(FrameIndex(f), J);
    engine->frameJacobian(FrameIndex(f), expected);
    EXPECT_LT(relativeError(J, expected), kRounding);
    EXPECT_LT(relativeError(body().frameBiasAcceleration(FrameIndex(f)), engine->frameBiasAcceleration(FrameIndex(f))),
              kRounding);
  }
}

}  // namespace
}  // namespace footfall::test
