// Joints that follow another one: all terms are those of the tree with free joints, projected by ν_tree = E ν.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "dynamics/native/coordinate_tree.hpp"
#include "dynamics/random_model.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "tools/random_seed.hpp"

namespace footfall::test {
namespace {

constexpr double kRounding = 1e-11;  // a few hundred operations on numbers of order 1 to 100
constexpr double kSolve = 1e-9;      // rounding times the condition number of M

/// Joint `joint` moves as joint `leader` does; both count from 0.
struct Follower {
  int joint, leader;
  double multiplier, offset = 0.1;
};

struct Limbs {
  const char* name;
  std::vector<int> parents;  ///< link that each joint hangs on; joint j moves link j + 1
  std::vector<Follower> followers;
};

std::ostream& operator<<(std::ostream& out, const Limbs& limbs) { return out << limbs.name; }

Model freeTree(const Limbs& limbs, bool floating_base, std::mt19937& random) {
  Model model = randomModel(random, {.joints = static_cast<int>(limbs.parents.size()), .floating_base = floating_base});
  for (std::size_t j = 0; j < limbs.parents.size(); ++j) model.joints[j].parent = LinkIndex(limbs.parents[j]);
  return model;
}

Model withFollowers(const Model& free, const std::vector<Follower>& followers) {
  Model model = free;
  std::vector<int> leader(free.joints.size());
  for (std::size_t j = 0; j < leader.size(); ++j) leader[j] = static_cast<int>(j);
  for (const Follower& f : followers) {
    leader[f.joint] = f.leader;
    model.joints[f.joint].multiplier = f.multiplier;
    model.joints[f.joint].offset = f.offset;
  }
  model.dofs.clear();
  for (std::size_t j = 0; j < leader.size(); ++j) {
    if (leader[j] != static_cast<int>(j)) continue;
    model.joints[j].dof = DofIndex(static_cast<int>(model.dofs.size()));
    model.dofs.push_back(free.dofs[j]);
  }
  for (std::size_t j = 0; j < leader.size(); ++j) model.joints[j].dof = model.joints[leader[j]].dof;
  return model;
}

/// Two arms of four joints, a tail of two, a hand of three fingers on the first arm; the last has two joints.
const std::vector<int> kBody = {0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 4, 4, 4, 13};

const Limbs kLimbs[] = {
    {"FingersOfAHand", kBody, {{11, 10, -1.0}, {12, 10, 0.5}, {13, 10, -0.7}}},
    {"ArmsAsOne", kBody, {{4, 0, 1.0}, {5, 1, -1.0}, {6, 2, 2.0}, {7, 3, 1.0}}},
    {"OneJointOfBothArms", kBody, {{7, 3, -1.5}}},
    {"LeaderIsDeeper", kBody, {{0, 3, 0.8}, {4, 13, -0.4}}},
    {"OthersBetween", kBody, {{3, 0, -2.0}, {7, 5, 0.3}}},
    {"HandTailAndArm", kBody, {{12, 9, 1.2}, {6, 9, -0.6}}},
    {"AllAsOne", {0, 1, 0, 3, 1}, {{1, 0, -1.0}, {2, 0, 0.5}, {3, 0, 2.0}, {4, 0, 1.0}}},
    {"ScaledAlone", {0, 1, 2, 0}, {}},
};

class Mimics : public testing::TestWithParam<std::tuple<Limbs, bool>> {
 protected:
  Mimics() : free(freeTree(limbs(), std::get<1>(GetParam()), random)), model(withFollowers(free, limbs().followers)) {
    if (limbs().followers.empty()) model.joints[1].multiplier = -3.0;
    const int base = model.baseDofs();
    E = MatrixXd::Zero(free.nv(), model.nv());
    E.topLeftCorner(base, base).setIdentity();
    for (std::size_t j = 0; j < model.joints.size(); ++j)
      E(base + static_cast<int>(j), base + model.joints[j].dof) = model.joints[j].multiplier;
    for (Dof& dof : free.dofs) dof.reflected_inertia = 0.0;  // motors turn with the coordinates
    state = randomState(model, random);
    of_joints = makeState(free);
    of_joints.q.head<7>() = state.q.head<7>();
    for (std::size_t j = 0; j < model.joints.size(); ++j)
      of_joints.q[7 + static_cast<int>(j)] =
          model.joints[j].multiplier * state.q[7 + model.joints[j].dof] + model.joints[j].offset;
    of_joints.nu = E * state.nu;
    engine = makeDynamics("native", model);
    tree = makeDynamics("native", free);
    engine->update(state.q, state.nu);
    tree->update(of_joints.q, of_joints.nu);
  }

  const Limbs& limbs() const { return std::get<0>(GetParam()); }
  MatrixXd massMatrix() const {
    MatrixXd M(free.nv(), free.nv());
    tree->massMatrix(M);
    MatrixXd projected = E.transpose() * M * E;
    for (int i = 0; i < model.jointDofs(); ++i)
      projected.diagonal()[model.baseDofs() + i] += model.dofs[i].reflected_inertia;
    return projected;
  }

  std::mt19937 random{randomSeed(5)};
  Model free, model;
  MatrixXd E;
  State state, of_joints;
  std::unique_ptr<Dynamics> engine, tree;
};

TEST_P(Mimics, MassAndBiasForcesAreThoseOfTheTreeProjected) {
  MatrixXd M(model.nv(), model.nv());
  engine->massMatrix(M);
  EXPECT_LT(relativeError(M, massMatrix()), kRounding);
  VectorXd h(model.nv()), h_tree(free.nv());
  engine->biasForces(h), tree->biasForces(h_tree);
  EXPECT_LT(relativeError(h, E.transpose() * h_tree), kRounding);
  engine->gravityForces(h), tree->gravityForces(h_tree);
  EXPECT_LT(relativeError(h, E.transpose() * h_tree), kRounding);
  EXPECT_NEAR(engine->energy().kinetic, 0.5 * state.nu.dot(M * state.nu), kRounding * engine->energy().kinetic);
  EXPECT_LT(relativeError(engine->momentum(), tree->momentum()), kRounding);
}

TEST_P(Mimics, FactorsBelongToTheMassMatrixWithImplicitInertia) {
  const VectorXd implicit = (randomVector(model.jointDofs(), random).array() + 2.0).matrix();
  engine->setImplicitInertia(implicit);
  engine->update(state.q, state.nu);
  MatrixXd M = massMatrix();
  const VectorXd b = randomVector(model.nv(), random);
  VectorXd x = b, y(model.nv());
  engine->multiplyMass(b, y);
  EXPECT_LT(relativeError(y, M * b), kRounding);
  M.diagonal().tail(model.jointDofs()) += implicit;
  engine->solveMass(x);
  EXPECT_LT(relativeError(x, M.llt().solve(b)), kSolve);
}

/// On every link, a few and many, with a link that has several.
TEST_P(Mimics, ContactsAreThoseOfTheTreeProjected) {
  for (const int count : {1, 4, 30}) {
    const std::vector<ContactFrame> contacts = randomContacts(model, count, count == 4, random);
    engine->setContacts(contacts), tree->setContacts(contacts);
    MatrixXd J(3 * count, model.nv()), J_tree(3 * count, free.nv());
    engine->contactJacobian(J), tree->contactJacobian(J_tree);
    EXPECT_LT(relativeError(J, J_tree * E), kRounding);
    const ContactLayout layout = ContactLayout::of(count);
    AlignedVector G(layout.rows() * layout.rows());
    engine->delassus(G.data());
    MatrixXd in_order(3 * count, 3 * count);
    for (int a = 0; a < 3 * count; ++a)
      for (int b = 0; b < 3 * count; ++b)
        in_order(a, b) = G[layout.row(a / 3, a % 3) * layout.rows() + layout.row(b / 3, b % 3)];
    EXPECT_LT(relativeError(in_order, J * massMatrix().llt().solve(J.transpose())), kSolve) << count;
  }
}

INSTANTIATE_TEST_SUITE_P(NativeEngine, Mimics, testing::Combine(testing::ValuesIn(kLimbs), testing::Bool()),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param).name) +
                                  (std::get<1>(test.param) ? "_floating" : "_fixed");
                         });

/// Joints between the base and each coordinate, in the tree along which M is factorised.
std::vector<int> depths(const Limbs& limbs) {
  std::mt19937 random(randomSeed(5));
  const Model free = freeTree(limbs, true, random);
  const Model model = withFollowers(free, limbs.followers);
  const native::TreeStorage links(free);
  const native::CoordinateTree coordinates(model, links);
  std::vector<int> depths;
  for (int i = 0; i < model.jointDofs(); ++i)
    depths.push_back(coordinates.tree().depth[coordinates.number(DofIndex(i))]);
  return depths;
}

TEST(CoordinateTree, AHandThatMovesAsOneMakesNoLimbLonger) {
  // the arms, the tail, and one coordinate for the hand at the end of the first arm
  EXPECT_EQ(depths(kLimbs[0]), (std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 4}));
}

TEST(CoordinateTree, AJointOfBothArmsComesBeforeThemAndLeavesThemApart) {
  // the joint itself first, then three of each arm behind it; the tail has nothing to do with it
  EXPECT_EQ(depths(kLimbs[2]), (std::vector<int>{1, 2, 3, 0, 1, 2, 3, 0, 1, 4, 4, 4, 5}));
}

}  // namespace
}  // namespace footfall::test
