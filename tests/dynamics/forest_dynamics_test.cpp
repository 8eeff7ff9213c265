// Several trees in one model: each as if it were alone, and contacts that couple them.

#include <gtest/gtest.h>

#include "dynamics/random_model.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/kinematics.hpp"
#include "footfall/model/state.hpp"
#include "footfall/model/tree.hpp"
#include "footfall/solver/contact_problem.hpp"
#include "tools/random_seed.hpp"

namespace footfall::test {
namespace {

constexpr double kRounding = 1e-11;  // a few hundred operations on numbers of order 1 to 100

/// Appends a tree behind the others.
void append(const Model& tree, bool floats, Model& forest) {
  const int links = static_cast<int>(forest.links.size()), dofs = forest.jointDofs();
  Joint root;
  root.name = "root" + std::to_string(forest.further_bodies);
  root.kind = floats ? JointKind::free : JointKind::fixed;
  root.X_PJ = {rotationFromRollPitchYaw({0.3, -0.2, 0.5}), {1.0, 2.0, 0.5}};
  if (floats) root.body = forest.free_bodies++;
  ++forest.further_bodies;
  forest.joints.push_back(root);
  for (Joint joint : tree.joints) {
    joint.parent = LinkIndex(joint.parent + links);
    joint.dof = DofIndex(joint.dof + dofs);
    forest.joints.push_back(joint);
  }
  forest.links.insert(forest.links.end(), tree.links.begin(), tree.links.end());
  forest.dofs.insert(forest.dofs.end(), tree.dofs.begin(), tree.dofs.end());
  for (const Frame& frame : tree.frames)
    forest.frames.push_back({frame.name, LinkIndex(frame.link + links), frame.X_LF});
}

class Forest : public testing::Test {
 protected:
  Forest() {
    forest = randomModel(random, {.joints = 5});
    append(randomModel(random, {.joints = 3}), true, forest);
    append(randomModel(random, {.joints = 2, .floating_base = false}), false, forest);
    append(randomModel(random, {.joints = 0}), true, forest);
    state = makeState(forest);
    state.q.setRandom();
    forFloatingBases(forest, [&](int position, int) { state.q.segment<4>(position + 3).normalize(); });
    state.nu.setRandom();
    engine = makeDynamics("native", forest);
    engine->update(state.q, state.nu);
  }

  std::mt19937 random{randomSeed(7)};
  Model forest;
  State state;
  std::unique_ptr<Dynamics> engine;
};

TEST_F(Forest, OfLinksThatWeighSomethingElseIsThatOfSuchAModel) {
  Model heavier = forest;
  std::vector<LinkMass> masses;
  for (std::size_t k = 0; k < forest.links.size(); ++k) {
    const double factor = 0.5 + 0.1 * static_cast<double>(k);
    masses.push_back({factor * forest.links[k].inertia.mass, factor, forest.links[k].inertia.com});
    heavier.links[k].inertia = masses.back().inertiaOf(forest.links[k]);
  }
  ASSERT_TRUE(engine->setLinkMasses(masses));
  engine->update(state.q, state.nu);
  const auto expected = makeDynamics("native", heavier);
  expected->update(state.q, state.nu);
  MatrixXd M(forest.nv(), forest.nv()), M_expected = M;
  engine->massMatrix(M);
  expected->massMatrix(M_expected);
  EXPECT_LT((M - M_expected).norm(), kRounding * (1.0 + M.norm()));
  EXPECT_LT((engine->centerOfMass() - expected->centerOfMass()).norm(), kRounding);
  EXPECT_LT((engine->momentum() - expected->momentum()).norm(), kRounding * (1.0 + expected->momentum().norm()));
  EXPECT_NEAR(engine->energy().total(), expected->energy().total(),
              kRounding * (1.0 + std::abs(expected->energy().total())));
}

TEST_F(Forest, IsAsManyTreesAsItWasMadeOf) {
  const std::vector<Tree> trees = treesOf(forest);
  ASSERT_EQ(trees.size(), 4u);
  EXPECT_EQ(engine->treeCount(), 4);
  EXPECT_EQ(trees[1].base, 6);
  EXPECT_EQ(trees[3].links(), 1);
  EXPECT_FALSE(trees[2].floats);
  EXPECT_EQ(forest.nv(), static_cast<int>(state.nu.size()));
}

TEST_F(Forest, HasTheLinksWhereTheyAreByKinematicsAlone) {
  std::vector<Pose> poses;
  forwardKinematics(forest, state.q, poses);
  for (int k = 0; k < static_cast<int>(forest.links.size()); ++k) {
    EXPECT_LT((engine->linkPose(LinkIndex(k)).p - poses[k].p).norm(), kRounding) << k;
    EXPECT_LT((engine->linkPose(LinkIndex(k)).R - poses[k].R).norm(), kRounding) << k;
  }
}

TEST_F(Forest, MovesEachTreeAsIfItWereAlone) {
  VectorXd h(forest.nv());
  engine->biasForces(h);
  for (const Tree& tree : treesOf(forest)) {
    const Model alone = modelOf(forest, tree);
    const std::unique_ptr<Dynamics> own = makeDynamics("native", alone);
    VectorXd q(alone.nq()), nu(alone.nv()), expected(alone.nv()), found(alone.nv());
    takePositions(tree, state.q, q);
    takeVelocities(forest, tree, state.nu, nu);
    own->update(q, nu);
    own->biasForces(expected);
    takeVelocities(forest, tree, h, found);
    if (tree.floats && tree.links() == 1)  // in closed form
      EXPECT_LT((found - expected).norm(), kRounding * (1.0 + expected.norm()));
    else
      EXPECT_TRUE(found == expected);
  }
}

TEST_F(Forest, ContactsOfTwoLinksAreRelative) {
  // Two trees, one tree with itself, a tree with a fixed one, and the ground.
  const Matrix3d R = rotationFromRollPitchYaw({0.2, 0.4, -0.3});
  const auto between = [&](int a, int b) {
    const Vector3d p_W = Vector3d::Random();
    ContactFrame frame{LinkIndex(a), engine->linkPose(LinkIndex(a)).inverse() * p_W, R};
    if (b < 0) return frame;
    frame.other = LinkIndex(b);
    frame.p_OC = engine->linkPose(LinkIndex(b)).inverse() * p_W;
    return frame;
  };
  const std::vector<ContactFrame> contacts = {between(2, 8), between(5, 1), between(11, 7), between(3, -1),
                                              between(13, 4)};
  engine->setContacts(contacts);
  const ContactLayout layout = ContactLayout::of(static_cast<int>(contacts.size()));
  MatrixXd J(3 * layout.contacts, forest.nv());
  engine->contactJacobian(J);

  AlignedVector v(layout.rows()), p(layout.rows(), 0.0), G(static_cast<std::size_t>(layout.rows()) * layout.rows());
  engine->contactVelocity(state.nu, v.data());
  engine->delassus(G.data());
  const VectorXd Jnu = J * state.nu;
  MatrixXd X = J.transpose();
  for (Eigen::Index c = 0; c < X.cols(); ++c) {
    VectorXd column = X.col(c);
    engine->solveMass(column);
    X.col(c) = column;
  }
  const MatrixXd expected = J * X;
  VectorXd impulse = VectorXd::Random(3 * layout.contacts);
  for (int i = 0; i < layout.contacts; ++i) {
    const LinkIndex link = contacts[i].link, other = contacts[i].other;
    const auto at = [&](LinkIndex l, const Vector3d& p_L) -> Vector3d {
      const Vector6d V = engine->linkVelocity(l);
      return V.head<3>() + V.tail<3>().cross(engine->linkPose(l).R * p_L);
    };
    Vector3d relative = at(link, contacts[i].p_LC);
    if (other.valid()) relative -= at(other, contacts[i].p_OC);
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(v[layout.row(i, c)], R.col(c).dot(relative), kRounding);
      EXPECT_NEAR(v[layout.row(i, c)], Jnu[3 * i + c], kRounding);
      p[layout.row(i, c)] = impulse[3 * i + c];
      for (int j = 0; j < layout.contacts; ++j)
        for (int d = 0; d < 3; ++d)
          EXPECT_NEAR(G[static_cast<std::size_t>(layout.row(i, c)) * layout.rows() + layout.row(j, d)],
                      expected(3 * i + c, 3 * j + d), 1e-9);
    }
  }
  VectorXd tau = VectorXd::Zero(forest.nv());
  engine->addContactImpulse(p.data(), tau);
  EXPECT_LT((tau - J.transpose() * impulse).norm(), kRounding);
}

/// The entries of G that trees stand for, beside those of the engine.
void expectMotionsOfTheDelassusMatrix(const Dynamics& engine, int contacts, const TreeMotions& motions) {
  ContactProblem problem;
  problem.resizeByTrees(contacts);
  problem.trees = motions;
  const ContactLayout layout = ContactLayout::of(contacts);
  AlignedVector G(static_cast<std::size_t>(layout.rows()) * layout.rows());
  engine.delassus(G.data());
  double largest = 0.0;
  for (const double entry : G) largest = std::max(largest, std::abs(entry));
  for (int i = 0; i < contacts; ++i)
    for (int j = 0; j < contacts; ++j)
      for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c)
          EXPECT_NEAR(problem.entry(i, a, j, c),
                      G[static_cast<std::size_t>(layout.row(i, a)) * layout.rows() + layout.row(j, c)],
                      kRounding * largest)
              << i << ' ' << j;
}

/// Points of links, on the ground.
std::vector<ContactFrame> onTheGround(std::initializer_list<std::pair<int, Vector3d>> points) {
  std::vector<ContactFrame> frames;
  for (const auto& [link, p_L] : points)
    frames.push_back({LinkIndex(link), p_L, rotationFromRollPitchYaw({0.2, 0.4, -0.3})});
  return frames;
}

TEST_F(Forest, OfFewContactsHasTheMotionsThatTheySee) {
  // The first tree has eleven motions, and points on a line of one link see five of them; with the joint of the second
  // one all of its nine count.
  const auto contacts = onTheGround({{3, {0.1, 0, 0}}, {3, {0.2, 0, 0}}, {3, {0.4, 0, 0}}, {8, {0, 0.1, 0}}});
  engine->setContacts(contacts);
  TreeMotions motions;
  ASSERT_TRUE(engine->contactMotions({}, motions));
  EXPECT_EQ(motions.size[0], 5);
  EXPECT_EQ(motions.size[1], 3);
  expectMotionsOfTheDelassusMatrix(*engine, 4, motions);

  const JointMotion joint{DofIndex(6), 1.0, 2};
  ASSERT_TRUE(engine->contactMotions(std::span(&joint, 1), motions));
  EXPECT_EQ(motions.size[0], 5);
  EXPECT_EQ(motions.size[1], 9);
  expectMotionsOfTheDelassusMatrix(*engine, 4, motions);
}

TEST_F(Forest, OfManyContactsHasAllOfItsMotions) {
  const auto contacts = onTheGround({{1, {0.1, 0, 0}}, {3, {0, 0.2, 0}}, {4, {0, 0, 0.3}}, {5, {0.1, 0.1, 0}}});
  engine->setContacts(contacts);
  TreeMotions motions;
  ASSERT_TRUE(engine->contactMotions({}, motions));
  EXPECT_EQ(motions.size[0], 11);
  expectMotionsOfTheDelassusMatrix(*engine, 4, motions);
}

}  // namespace
}  // namespace footfall::test
