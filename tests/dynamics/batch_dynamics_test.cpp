#include "footfall/dynamics/batch_dynamics.hpp"

#include <gtest/gtest.h>

#include "dynamics/random_model.hpp"
#include "footfall/base/error.hpp"
#include "model/error_of.hpp"
#include "tools/random_seed.hpp"

namespace footfall::test {
namespace {

// Both ways add the same numbers in another order: rounding, times the condition number of M where it is inverted.
constexpr double kRounding = 1e-12;
constexpr double kSolve = 1e-10;

/// Eight robots in a pack, and the same eight one by one.
class Batch : public testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  Batch()
      : model(randomModel(random, {.joints = 17,
                                   .floating_base = std::get<0>(GetParam()),
                                   .ball_joints = std::get<1>(GetParam()),
                                   .couplings = 4})),
        contacts(randomContacts(model, kContacts, /*world_axes=*/std::get<0>(GetParam()), random)),
        q(model.nq()),
        nu(model.nv()),
        batch(model) {
    for (int r = 0; r < BatchVector::kRobots; ++r) {
      const State state = randomState(model, random);
      q.robot(r) = state.q;
      nu.robot(r) = state.nu;
    }
    batch.update(q, nu);
    batch.setContacts(contacts);
  }

  std::unique_ptr<Dynamics> single(int robot) const {
    auto engine = makeDynamics("native", model);
    engine->update(q.robot(robot), nu.robot(robot));
    engine->setContacts(contacts);
    return engine;
  }
  VectorXd inBatchOrder(const VectorXd& padded) const {
    const ContactLayout layout = ContactLayout::of(kContacts);
    VectorXd v(3 * kContacts);
    for (int c = 0; c < 3; ++c) v.segment(c * kContacts, kContacts) = padded.segment(layout.row(0, c), kContacts);
    return v;
  }

  static constexpr int kContacts = 7;
  std::mt19937 random{randomSeed(99)};
  Model model;
  std::vector<ContactFrame> contacts;
  BatchVector q, nu;
  BatchDynamics batch;
};

TEST_P(Batch, MassMatrixBiasAndPosesEqualThoseOfSingleRobots) {
  BatchVector h(model.nv()), g(model.nv());
  batch.biasForces(h);
  batch.gravityForces(g);
  MatrixXd M(model.nv(), model.nv()), M_single = M;
  VectorXd v(model.nv());
  const LinkIndex tip(static_cast<int>(model.links.size()) - 1);
  for (int r = 0; r < BatchVector::kRobots; ++r) {
    const auto engine = single(r);
    batch.massMatrix(r, M);
    engine->massMatrix(M_single);
    EXPECT_LT(relativeError(M, M_single), kRounding);
    engine->biasForces(v);
    EXPECT_LT(relativeError(h.robot(r), v), kRounding);
    engine->gravityForces(v);
    EXPECT_LT(relativeError(g.robot(r), v), kRounding);
    EXPECT_LT(relativeError(batch.linkPose(r, tip).R, engine->linkPose(tip).R), kRounding);
    EXPECT_LT(relativeError(batch.linkPose(r, tip).p, engine->linkPose(tip).p), kRounding);
  }
}

TEST_P(Batch, SolvingAndMultiplyingEqualThoseOfSingleRobots) {
  BatchVector x(model.nv()), y(model.nv());
  for (int r = 0; r < BatchVector::kRobots; ++r) x.robot(r) = randomVector(model.nv(), random);
  batch.multiplyMass(x, y);
  for (int r = 0; r < BatchVector::kRobots; ++r) {
    VectorXd expected(model.nv());
    single(r)->multiplyMass(x.robot(r), expected);
    EXPECT_LT(relativeError(y.robot(r), expected), kRounding);
  }
  batch.solveMass(y);
  for (int r = 0; r < BatchVector::kRobots; ++r) EXPECT_LT(relativeError(y.robot(r), x.robot(r)), 1e-9);
}

TEST_P(Batch, ContactTermsEqualThoseOfSingleRobots) {
  constexpr int kRows = 3 * kContacts;
  const ContactLayout layout = ContactLayout::of(kContacts);
  BatchVector v(kRows), a(kRows), G(kRows * kRows), J(kRows * model.nv());
  batch.contactVelocity(nu, v);
  batch.contactBiasAcceleration(a);
  batch.delassus(G);
  batch.contactJacobian(J);
  VectorXd padded(layout.rows());
  MatrixXd G_padded(layout.rows(), layout.rows()), J_single(kRows, model.nv());
  for (int r = 0; r < BatchVector::kRobots; ++r) {
    const auto engine = single(r);
    engine->contactVelocity(nu.robot(r), padded.data());
    EXPECT_LT(relativeError(v.robot(r), inBatchOrder(padded)), kRounding);
    engine->contactBiasAcceleration(padded.data());
    EXPECT_LT(relativeError(a.robot(r), inBatchOrder(padded)), kRounding);
    engine->contactJacobian(J_single);
    EXPECT_LT(relativeError(J.robot(r), J_single.reshaped()), kRounding);
    engine->delassus(G_padded.data());
    for (int row = 0; row < kRows; ++row) {
      const VectorXd expected = inBatchOrder(G_padded.col(layout.row(row % kContacts, row / kContacts)));
      EXPECT_LT(relativeError(VectorXd(G.robot(r)).segment(row * kRows, kRows), expected), kSolve);
    }
  }
}

/// G of one robot in the order of a batch, whose contact vectors have no padding.
MatrixXd delassusWithoutPadding(const Dynamics& engine, int contacts) {
  const ContactLayout layout = ContactLayout::of(contacts);
  MatrixXd padded(layout.rows(), layout.rows()), G(3 * contacts, 3 * contacts);
  engine.delassus(padded.data());
  for (int row = 0; row < G.rows(); ++row) {
    for (int col = 0; col < G.cols(); ++col) {
      G(row, col) = padded(layout.row(row % contacts, row / contacts), layout.row(col % contacts, col / contacts));
    }
  }
  return G;
}

TEST_P(Batch, DelassusMatrixEqualsThatOfSingleRobotsHoweverContactsShareLinks) {
  const std::vector<int> in_turns = {17, 3, 17, 3, 3}, each_its_own = {17, 11, 3};
  for (const std::vector<int>& links : {in_turns, each_its_own}) {
    const int count = static_cast<int>(links.size());
    std::vector<ContactFrame> chosen(contacts.begin(), contacts.begin() + count);
    for (int i = 0; i < count; ++i) chosen[i].link = LinkIndex(links[i]);
    batch.setContacts(chosen);
    BatchVector G(9 * count * count);
    batch.delassus(G);
    for (int r = 0; r < BatchVector::kRobots; ++r) {
      const auto engine = single(r);
      engine->setContacts(chosen);
      const MatrixXd expected = delassusWithoutPadding(*engine, count);
      EXPECT_LT(relativeError(G.robot(r), expected.reshaped()), kSolve);
    }
  }
}

TEST_P(Batch, ImpulsesActThroughTheTransposedJacobian) {
  constexpr int kRows = 3 * kContacts;
  BatchVector p(kRows), tau(model.nv()), v(kRows);
  for (int r = 0; r < BatchVector::kRobots; ++r) p.robot(r) = randomVector(kRows, random);
  batch.addContactImpulse(p, tau);
  batch.contactVelocity(nu, v);
  // the power of impulses is the same seen from the contacts and from the joints
  for (int r = 0; r < BatchVector::kRobots; ++r) {
    EXPECT_NEAR(tau.robot(r).dot(nu.robot(r)), p.robot(r).dot(v.robot(r)), 1e-12 * (1.0 + tau.robot(r).norm()));
  }
}

TEST_P(Batch, UpdatingTheVelocityAloneEqualsAFreshUpdate) {
  BatchVector other(model.nv()), h(model.nv()), h_fresh(model.nv());
  for (int r = 0; r < BatchVector::kRobots; ++r) other.robot(r) = randomVector(model.nv(), random);
  batch.updateVelocity(other);
  batch.biasForces(h);
  batch.update(q, other);
  batch.biasForces(h_fresh);
  for (int r = 0; r < BatchVector::kRobots; ++r) EXPECT_LT(relativeError(h.robot(r), h_fresh.robot(r)), kRounding);
}

/// The places and velocities of points of links, from the kinematics alone.
TEST_P(Batch, PlacesOfContactsAreThoseOfTheirLinks) {
  std::vector<double> radii(kContacts, 0.0);
  radii[2] = 0.1;
  BatchVector p(3 * kContacts), v(3 * kContacts);
  BatchDynamics kinematics(model);
  kinematics.updateKinematics(q, nu);
  kinematics.setContacts(contacts, radii);
  kinematics.contactPlaces(p, v);
  for (int r = 0; r < BatchVector::kRobots; ++r) {
    const auto engine = single(r);
    for (int i = 0; i < kContacts; ++i) {
      const ContactFrame& contact = contacts[i];
      const Pose X_WL = engine->linkPose(contact.link);
      const Vector6d V = engine->linkVelocity(contact.link);
      const Vector3d lever = X_WL.R * contact.p_LC - radii[i] * contact.R_WC.col(2);
      const Vector3d place = X_WL.p + lever, velocity = V.head<3>() + V.tail<3>().cross(lever);
      Vector3d p_i, v_i;
      for (int c = 0; c < 3; ++c) p_i[c] = p(c * kContacts + i, r), v_i[c] = v(c * kContacts + i, r);
      EXPECT_LT(relativeError(p_i, place), kRounding);
      EXPECT_LT(relativeError(v_i, contact.R_WC.transpose() * velocity), kRounding);
    }
  }
}

TEST_P(Batch, ImplicitInertiaEntersTheFactorsOfEachRobot) {
  BatchVector inertia(model.jointDofs()), x(model.nv());
  for (int i = 0; i < inertia.size(); ++i)
    for (int r = 0; r < BatchVector::kRobots; ++r) inertia(i, r) = 0.1 * i + r;
  for (int r = 0; r < BatchVector::kRobots; ++r) x.robot(r).setOnes();
  batch.setImplicitInertia(inertia);
  batch.update(q, nu);
  batch.solveMass(x);
  for (int r = 0; r < BatchVector::kRobots; ++r) {
    auto engine = makeDynamics("native", model);
    engine->setImplicitInertia(inertia.robot(r));
    engine->update(q.robot(r), nu.robot(r));
    VectorXd expected = VectorXd::Ones(model.nv());
    engine->solveMass(expected);
    EXPECT_LT(relativeError(x.robot(r), expected), kSolve);
  }
}

INSTANTIATE_TEST_SUITE_P(Bases, Batch, testing::Combine(testing::Values(true, false), testing::Bool()),
                         [](const auto& robot) {
                           return std::string(std::get<0>(robot.param) ? "floating" : "fixed") +
                                  (std::get<1>(robot.param) ? "_with_balls" : "");
                         });

TEST(BatchOfMimics, IsRefusedWithAHint) {
  std::mt19937 random(randomSeed(6));
  const Model model = randomModel(random, {.joints = 5, .mimic_joints = 1});
  expectError("mimic joints", [&] { BatchDynamics{model}; });
  expectError("lock the mimic joints", [&] { BatchDynamics{model}; });
}

}  // namespace
}  // namespace footfall::test
