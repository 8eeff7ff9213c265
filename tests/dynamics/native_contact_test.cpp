#include <gtest/gtest.h>

#include "dynamics/random_model.hpp"
#include "dynamics/textbook.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "tools/random_seed.hpp"

namespace footfall::test {
namespace {

constexpr double kRounding = 1e-11;   // a few hundred operations on numbers of order 1 to 100
constexpr double kDifference = 2e-7;  // Textbook's central differences
constexpr double kSolve = 1e-9;       // rounding times the condition number of M

struct Scene {
  const char* name;
  RandomModelOptions options;
  int contacts;
  bool world_axes;
};

std::ostream& operator<<(std::ostream& out, const Scene& scene) { return out << scene.name; }

class NativeContacts : public testing::TestWithParam<Scene> {
 protected:
  NativeContacts()
      : model(randomModel(random, GetParam().options)),
        contacts(randomContacts(model, GetParam().contacts, GetParam().world_axes, random)),
        layout(ContactLayout::of(GetParam().contacts)),
        engine(makeDynamics("native", model)),
        state(randomState(model, random)) {
    engine->update(state.q, state.nu);
    engine->setContacts(contacts);
  }

  /// Contact Jacobian of the textbook, with rows in the order of the layout and zero rows in its padding.
  MatrixXd expectedJacobian() const {
    const Textbook textbook(model, state.q);
    MatrixXd J = MatrixXd::Zero(layout.rows(), model.nv());
    for (int i = 0; i < layout.contacts; ++i) {
      const MatrixXd J_W = textbook.jacobian(contacts[i].link, contacts[i].p_LC).topRows<3>();
      for (int c = 0; c < 3; ++c) J.row(layout.row(i, c)) = contacts[i].R_WC.col(c).transpose() * J_W;
    }
    return J;
  }
  MatrixXd delassus() const {
    AlignedVector G(layout.rows() * layout.rows(), std::nan(""));
    engine->delassus(G.data());
    return Eigen::Map<Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(G.data(), layout.rows(), layout.rows());
  }
  VectorXd contactVelocity(const VectorXd& nu) const {
    VectorXd v = VectorXd::Constant(layout.rows(), std::nan(""));
    engine->contactVelocity(nu, v.data());
    return v;
  }

  std::mt19937 random{randomSeed(77)};
  Model model;
  std::vector<ContactFrame> contacts;
  ContactLayout layout;
  std::unique_ptr<Dynamics> engine;
  State state;
};

TEST_P(NativeContacts, JacobianIsThatOfTheTextbook) {
  MatrixXd J(3 * layout.contacts, model.nv());
  engine->contactJacobian(J);
  const MatrixXd expected = expectedJacobian();
  for (int i = 0; i < layout.contacts; ++i) {
    for (int c = 0; c < 3; ++c) EXPECT_LT(relativeError(J.row(3 * i + c), expected.row(layout.row(i, c))), kRounding);
  }
}

TEST_P(NativeContacts, VelocityIsTheJacobianTimesAnyVelocity) {
  const VectorXd nu = randomVector(model.nv(), random);
  EXPECT_LT(relativeError(contactVelocity(nu), expectedJacobian() * nu), kRounding);
}

TEST_P(NativeContacts, ImpulsesActThroughTheTransposedJacobian) {
  VectorXd p = randomVector(layout.rows(), random);
  const VectorXd start = randomVector(model.nv(), random);
  VectorXd tau = start;
  engine->addContactImpulse(p.data(), tau);
  EXPECT_LT(relativeError(tau - start, expectedJacobian().transpose() * p), kRounding);
}

TEST_P(NativeContacts, BiasAccelerationIsTheRateOfTheJacobianTimesVelocity) {
  VectorXd a = VectorXd::Constant(layout.rows(), std::nan(""));
  engine->contactBiasAcceleration(a.data());
  VectorXd expected = VectorXd::Zero(layout.rows());
  for (int i = 0; i < layout.contacts; ++i) {
    const Vector6d a_W = Textbook::biasAcceleration(model, state.q, state.nu, contacts[i].link, contacts[i].p_LC);
    const Vector3d a_C = contacts[i].R_WC.transpose() * a_W.head<3>();
    for (int c = 0; c < 3; ++c) expected[layout.row(i, c)] = a_C[c];
  }
  EXPECT_LT(relativeError(a, expected), kDifference);
}

TEST_P(NativeContacts, DelassusIsTheResponseOfContactVelocitiesToImpulses) {
  const MatrixXd J = expectedJacobian();
  const MatrixXd M = Textbook(model, state.q).massMatrix();
  const MatrixXd G = delassus();
  EXPECT_LT(relativeError(G, J * M.llt().solve(J.transpose())), kSolve);
  EXPECT_LT(relativeError(G, G.transpose()), kRounding);
}

TEST_P(NativeContacts, DelassusHasTheImplicitInertia) {
  const VectorXd implicit = (randomVector(model.jointDofs(), random).array() + 2.0).matrix();
  engine->setImplicitInertia(implicit);
  engine->update(state.q, state.nu);
  MatrixXd M = Textbook(model, state.q).massMatrix();
  M.diagonal().tail(model.jointDofs()) += implicit;
  const MatrixXd J = expectedJacobian();
  EXPECT_LT(relativeError(delassus(), J * M.llt().solve(J.transpose())), kSolve);
}

/// Limits and friction: rows of the joints' own velocities behind those of the contacts.
TEST_P(NativeContacts, JointRowsAnswerImpulsesAsTheInverseOfMSays) {
  const VectorXd implicit = (randomVector(model.jointDofs(), random).array() + 2.0).matrix();
  engine->setImplicitInertia(implicit);
  engine->update(state.q, state.nu);
  std::vector<JointMotion> joints;
  for (int i = 0; i < model.jointDofs(); ++i)
    joints.push_back({DofIndex(i), i % 3 == 0 ? -1.0 : 1.0, i % 2 == 0 ? 2 : 0});
  const int count = layout.contacts, all = count + static_cast<int>(joints.size());
  const ContactLayout both = ContactLayout::of(all);
  AlignedVector of_contacts(layout.rows() * layout.rows()), G(both.rows() * both.rows(), 0.0);
  engine->delassus(of_contacts.data());
  ASSERT_TRUE(engine->addJointRows(joints, G.data()));

  MatrixXd J = MatrixXd::Zero(both.rows(), model.nv());
  const MatrixXd J_contacts = expectedJacobian();
  for (int i = 0; i < count; ++i)
    for (int c = 0; c < 3; ++c) J.row(both.row(i, c)) = J_contacts.row(layout.row(i, c));
  for (int k = 0; k < static_cast<int>(joints.size()); ++k)
    J(both.row(count + k, joints[k].component), model.baseDofs() + joints[k].dof) = joints[k].sign;
  MatrixXd M = Textbook(model, state.q).massMatrix();
  M.diagonal().tail(model.jointDofs()) += implicit;
  MatrixXd expected = J * M.llt().solve(J.transpose());
  // the contacts' own part is delassus()'; rows that a joint does not take have its mobility
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      for (int c = 0; c < 9; ++c) expected(both.row(i, c / 3), both.row(j, c % 3)) = 0.0;
  for (int k = 0; k < static_cast<int>(joints.size()); ++k) {
    const int own = both.row(count + k, joints[k].component);
    for (int c = 0; c < 3; ++c) expected(both.row(count + k, c), both.row(count + k, c)) = expected(own, own);
  }
  const Eigen::Map<const MatrixXd> found(G.data(), both.rows(), both.rows());
  EXPECT_LT(relativeError(found, expected), kSolve);
}

TEST_P(NativeContacts, ContactsFollowTheRobotToItsNextConfiguration) {
  state = randomState(model, random);
  engine->update(state.q, state.nu);
  EXPECT_LT(relativeError(contactVelocity(state.nu), expectedJacobian() * state.nu), kRounding);
}

TEST_P(NativeContacts, AnotherSetOfContactsReplacesTheFirst) {
  contacts = randomContacts(model, layout.contacts + 9, false, random);
  layout = ContactLayout::of(layout.contacts + 9);
  engine->setContacts(contacts);
  const MatrixXd J = expectedJacobian();
  EXPECT_LT(relativeError(delassus(), J * Textbook(model, state.q).massMatrix().llt().solve(J.transpose())), kSolve);
}

INSTANTIATE_TEST_SUITE_P(
    RandomTrees, NativeContacts,
    testing::Values(Scene{"two_soles", {.joints = 23, .prismatic_joints = false}, 4, true},
                    Scene{"eight_points", {.joints = 23}, 8, true},
                    Scene{"eight_points_inclined", {.joints = 23}, 8, false},
                    Scene{"one_point", {.joints = 12}, 1, false}, Scene{"five_points", {.joints = 12}, 5, true},
                    Scene{"thirty_points", {.joints = 20}, 30, false},
                    Scene{"fixed_base", {.joints = 9, .floating_base = false}, 6, true},
                    Scene{"deep_chain", {.joints = 40, .straightness = 1.0}, 8, false},
                    Scene{"balls", {.joints = 12, .ball_joints = true}, 8, false},
                    Scene{"balls_of_mimics", {.joints = 9, .ball_joints = true, .mimic_joints = 2}, 8, true},
                    Scene{"single_body", {.joints = 0}, 12, true},
                    Scene{"mimic", {.joints = 12, .mimic_joints = 4}, 7, false}),
    [](const auto& scene) { return scene.param.name; });

TEST(NativeEngine, NoContactsAreNoError) {
  std::mt19937 random(randomSeed(5));
  const Model model = randomModel(random, {.joints = 5});
  const State state = randomState(model, random);
  const auto engine = makeDynamics("native", model);
  engine->update(state.q, state.nu);
  engine->setContacts({});
  VectorXd tau = VectorXd::Zero(model.nv());
  AlignedVector v(ContactLayout::of(0).rows()), G(v.size() * v.size(), 1.0);
  engine->contactVelocity(state.nu, v.data());
  engine->addContactImpulse(v.data(), tau);
  engine->delassus(G.data());
  EXPECT_EQ(tau.norm(), 0.0);
  EXPECT_EQ(Eigen::Map<VectorXd>(G.data(), G.size()).norm(), 0.0);
}

}  // namespace
}  // namespace footfall::test
