// Several trees in one model: each as if it were alone, and contacts that couple them.

#include <gtest/gtest.h>

#include "dynamics/random_model.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "footfall/dynamics/loop_points.hpp"
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

/// What contacts and joints feel of each other, by dense algebra: G = A M⁻¹ Aᵀ, with loops closed. A row of a joint
/// that it does not take answers to its own impulses alone, as the one does that it takes, without loops.
MatrixXd writtenOut(const Dynamics& engine, int contacts, std::span<const JointMotion> joints) {
  const int all = contacts + static_cast<int>(joints.size()), base = engine.model().baseDofs();
  MatrixXd A = MatrixXd::Zero(3 * all, engine.model().nv());
  engine.contactJacobian(A.topRows(3 * contacts));
  for (int k = contacts; k < all; ++k) {
    const JointMotion& joint = joints[k - contacts];
    A(3 * k + joint.component, base + joint.dof) = joint.sign;
  }
  const int loops = loopRows(engine.model());
  VectorXd lambda(loops);
  MatrixXd G(3 * all, 3 * all);
  VectorXd mobility(3 * all);
  for (int row = 0; row < 3 * all; ++row) {
    VectorXd x = A.row(row);
    engine.solveMass(x);
    mobility[row] = A.row(row) * x;
    if (loops > 0) engine.closeLoops(VectorXd::Zero(loops), x, lambda);
    G.col(row) = A * x;
  }
  for (int k = contacts; k < all; ++k)
    for (int c = 0; c < 3; ++c)
      if (c != joints[k - contacts].component)
        G(3 * k + c, 3 * k + c) = mobility[3 * k + joints[k - contacts].component];
  return G;
}

/// The entries of G that trees stand for, and what they do to impulses.
void expectMotionsOfTheDelassusMatrix(const Dynamics& engine, int contacts, std::span<const JointMotion> joints,
                                      const TreeMotions& motions) {
  const int all = contacts + static_cast<int>(joints.size());
  ContactProblem problem;
  problem.resizeByTrees(all);
  problem.trees = motions;
  const MatrixXd G = writtenOut(engine, contacts, joints);
  const double rounding = kRounding * G.cwiseAbs().maxCoeff();
  for (int i = 0; i < all; ++i)
    for (int j = 0; j < all; ++j)
      for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c)
          EXPECT_NEAR(problem.entry(i, a, j, c), G(3 * i + a, 3 * j + c), rounding) << i << ' ' << j;

  const ContactLayout& layout = problem.layout;
  const VectorXd p = VectorXd::Random(3 * all), v = G * p, size = G.cwiseAbs() * p.cwiseAbs();
  AlignedVector impulse(layout.rows(), 0.0), velocity(layout.rows()), sizes(layout.rows());
  for (int i = 0; i < all; ++i)
    for (int c = 0; c < 3; ++c) impulse[layout.row(i, c)] = p[3 * i + c];
  std::vector<double> motion;
  problem.velocity(impulse.data(), motion, velocity.data());
  problem.sizeOfResponse(impulse.data(), motion, sizes.data());
  problem.makePaddingInert();
  for (int i = 0; i < all; ++i)
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(velocity[layout.row(i, c)], v[3 * i + c], 10.0 * all * rounding) << i;
      EXPECT_GE(sizes[layout.row(i, c)], (1.0 - 1e-9) * std::abs(v[3 * i + c]) - rounding) << i;
    }
}

/// Points of links, on the ground.
std::vector<ContactFrame> onTheGround(std::initializer_list<std::pair<int, Vector3d>> points) {
  std::vector<ContactFrame> frames;
  for (const auto& [link, p_L] : points)
    frames.push_back({LinkIndex(link), p_L, rotationFromRollPitchYaw({0.2, 0.4, -0.3})});
  return frames;
}

/// So many that trees that touch each other are not written out: points of link 7, of the second tree.
void addMany(std::vector<ContactFrame>& contacts) {
  constexpr int kMany = 25;
  for (int k = 0; k < kMany; ++k) contacts.push_back(onTheGround({{7, {0.01 * k, 0.02 * k * k, 0.1}}}).front());
}

TEST_F(Forest, OfFewContactsHasTheMotionsThatTheySee) {
  // The first tree has eleven motions, and points on a line of one link see five of them; the nine of the second one,
  // which it touches, are all seen.
  auto contacts = onTheGround({{3, {0.1, 0, 0}}, {3, {0.2, 0, 0}}, {3, {0.4, 0, 0}}});
  contacts[2].other = LinkIndex(8);
  contacts[2].p_OC = {0, 0.1, 0};
  addMany(contacts);
  const int count = static_cast<int>(contacts.size());
  engine->setContacts(contacts);
  TreeMotions motions;
  ASSERT_TRUE(engine->contactMotions({}, motions));
  EXPECT_EQ(motions.size[0], 5);
  EXPECT_EQ(motions.size[1], 9);
  expectMotionsOfTheDelassusMatrix(*engine, count, {}, motions);

  const std::vector<JointMotion> joint = {{DofIndex(2), 1.0, 2}};
  ASSERT_TRUE(engine->contactMotions(joint, motions));
  EXPECT_EQ(motions.size[0], 11);
  expectMotionsOfTheDelassusMatrix(*engine, count, joint, motions);
}

TEST_F(Forest, OfManyContactsHasAllOfItsMotions) {
  auto contacts = onTheGround({{1, {0.1, 0, 0}}, {3, {0, 0.2, 0}}, {4, {0, 0, 0.3}}, {5, {0.1, 0.1, 0}}});
  contacts[0].other = LinkIndex(8);
  addMany(contacts);
  engine->setContacts(contacts);
  TreeMotions motions;
  ASSERT_TRUE(engine->contactMotions({}, motions));
  EXPECT_EQ(motions.size[0], 11);
  expectMotionsOfTheDelassusMatrix(*engine, static_cast<int>(contacts.size()), {}, motions);
}

// Three of the trees touch each other in few points; the fourth is a body that touches the third.
TEST_F(Forest, OfTreesThatTouchEachOtherInFewPointsIsWrittenOut) {
  auto contacts = onTheGround({{3, {0.1, 0, 0}}, {8, {0, 0.2, 0}}, {5, {0, 0, 0.3}}, {13, {0.1, 0.1, 0}}});
  contacts[0].other = LinkIndex(7);
  contacts[2].other = LinkIndex(1);
  contacts[3].other = LinkIndex(8);
  engine->setContacts(contacts);
  TreeMotions motions;
  const std::vector<JointMotion> joints = {
      {DofIndex(6), -1.0, 2}, {DofIndex(9), 1.0, 2}, {DofIndex(3), 1.0, 0}, {DofIndex(1), 1.0, 0}};
  for (const std::size_t count : {0, 4}) {
    const auto rows = std::span(joints).first(count);
    ASSERT_TRUE(engine->contactMotions(rows, motions));
    EXPECT_TRUE(motions.isWritten(0));
    expectMotionsOfTheDelassusMatrix(*engine, 4, rows, motions);
  }
}

TEST_F(Forest, OfTreesThatTouchNothingElseIsWrittenOut) {
  // The first tree touches the ground, and itself; the second one touches the ground alone, as the fourth does, which
  // is a body; the third touches nothing, and strikes a limit.
  auto contacts = onTheGround({{3, {0.1, 0, 0}}, {8, {0, 0.2, 0}}, {5, {0, 0, 0.3}}, {13, {0.1, 0.1, 0}}});
  contacts[2].other = LinkIndex(1);
  contacts[2].p_OC = {0.2, 0, 0.1};
  engine->setContacts(contacts);
  TreeMotions motions;
  ASSERT_TRUE(engine->contactMotions({}, motions));
  for (const int tree : {0, 1, 3}) EXPECT_TRUE(motions.isWritten(tree));
  expectMotionsOfTheDelassusMatrix(*engine, 4, {}, motions);

  const std::vector<JointMotion> joints = {
      {DofIndex(1), -1.0, 2}, {DofIndex(9), 1.0, 2}, {DofIndex(3), 1.0, 0}, {DofIndex(6), 1.0, 0}};
  ASSERT_TRUE(engine->contactMotions(joints, motions));
  for (int tree = 0; tree < 4; ++tree) EXPECT_TRUE(motions.isWritten(tree));
  expectMotionsOfTheDelassusMatrix(*engine, 4, joints, motions);

  // What touched in the last step does not any more.
  engine->setContacts({});
  ASSERT_TRUE(engine->contactMotions(joints, motions));
  expectMotionsOfTheDelassusMatrix(*engine, 0, joints, motions);
}

/// The first two trees are tied together, the third one to itself, and the fourth one to the world.
class TiedForest : public Forest {
 protected:
  TiedForest() {
    const auto tie = [&](LoopKind kind, LinkIndex a, LinkIndex b) {
      forest.loops.push_back({"", kind, a, b, {rotationFromRollPitchYaw({0.1, 0.2, 0.3}), {0.1, 0.0, 0.2}}, {}});
    };
    tie(LoopKind::hinge, LinkIndex(4), LinkIndex(9));
    tie(LoopKind::ball, LinkIndex(10), LinkIndex(12));
    tie(LoopKind::slider, {}, LinkIndex(13));
    engine = makeDynamics("native", forest);
    engine->update(state.q, state.nu);
    engine->prepareLoops();
    contacts = onTheGround({{3, {0.1, 0, 0}}, {8, {0, 0.2, 0}}, {5, {0, 0, 0.3}}, {13, {0.1, 0.1, 0}}});
    contacts[2].other = LinkIndex(7);  // of the same group
    contacts[2].p_OC = {0.2, 0, 0.1};
  }

  std::vector<ContactFrame> contacts;
  const std::vector<JointMotion> joints = {
      {DofIndex(1), -1.0, 2}, {DofIndex(9), 1.0, 2}, {DofIndex(3), 1.0, 0}, {DofIndex(6), 1.0, 0}};
};

TEST_F(TiedForest, OfGroupsThatTouchNothingElseIsWrittenOut) {
  engine->setContacts(contacts);
  TreeMotions motions;
  for (const std::size_t count : {0, 4}) {
    const auto rows = std::span(joints).first(count);
    ASSERT_TRUE(engine->contactMotions(rows, motions));
    ASSERT_EQ(motions.size.size(), 3u);
    EXPECT_TRUE(motions.isWritten(0));
    EXPECT_TRUE(motions.isWritten(2));
    expectMotionsOfTheDelassusMatrix(*engine, 4, rows, motions);
  }
}

/// @param many contacts of the first group that no party has
void touchOthers(std::vector<ContactFrame>& contacts, bool many) {
  contacts[0].other = LinkIndex(12);  // of another group
  contacts[1].other = LinkIndex(13);
  if (many) addMany(contacts);
}

TEST_F(TiedForest, OfGroupsThatTouchOthersHasTheMotionsThatTheySee) {
  for (const bool many : {false, true}) {
    std::vector<ContactFrame> touching = contacts;
    touchOthers(touching, many);
    const int all = static_cast<int>(touching.size());
    engine->setContacts(touching);
    TreeMotions motions;
    for (const std::size_t count : {0, 4}) {
      const auto rows = std::span(joints).first(count);
      ASSERT_TRUE(engine->contactMotions(rows, motions));
      ASSERT_EQ(motions.size.size(), many ? 3u : 1u);
      for (int tree = 0; tree < static_cast<int>(motions.size.size()); ++tree) EXPECT_NE(motions.isWritten(tree), many);
      expectMotionsOfTheDelassusMatrix(*engine, all, rows, motions);
    }
  }
}

}  // namespace
}  // namespace footfall::test
