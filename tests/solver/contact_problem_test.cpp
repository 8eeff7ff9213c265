#include "footfall/solver/contact_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solver/problems.hpp"

namespace footfall::test {
namespace {

TEST(ContactProblem, PadsToWholeRegisters) {
  EXPECT_EQ(ContactLayout::of(1).stride, 4);
  EXPECT_EQ(ContactLayout::of(4).stride, 4);
  EXPECT_EQ(ContactLayout::of(5).stride, 8);
  EXPECT_EQ(ContactLayout::of(17).stride, 24);
}

TEST(ContactProblem, ReserveMakesRoomForAllSmallerProblems) {
  ContactProblem problem;
  problem.reserve(8);
  const double* G = problem.G.data();
  problem.resize(8);
  problem.resize(3);
  EXPECT_EQ(problem.G.data(), G);
}

TEST(ContactProblem, ResizeMakesThePaddingInert) {
  ContactProblem problem;
  problem.resize(8);
  std::fill(problem.G.begin(), problem.G.end(), 7.0);
  problem.resize(5);
  for (int i = 5; i < 8; ++i) {
    EXPECT_EQ(problem.mu[i], 0.0);
    EXPECT_EQ(contactOf(problem, problem.b, i), Eigen::Vector3d(0, 0, 1));
    for (int j = 0; j < 8; ++j) {
      EXPECT_EQ(problem(i, 0, j, 2), 0.0);
      EXPECT_EQ(problem(j, 1, i, 0), 0.0);
    }
  }
}

TEST(ContactResidual, OfAnUntouchedClosingContactIsItsSpeed) {
  const ContactProblem problem = pointMass(2.0, 0.5, {0.0, 0.0, -0.3});
  const AlignedVector zero(problem.layout.rows(), 0.0);
  int worst = -1;
  EXPECT_DOUBLE_EQ(contactResidual(problem, zero.data(), &worst), 0.3);
  EXPECT_EQ(worst, 0);
}

TEST(ContactResidual, VanishesForTheClosedFormOfSliding) {
  // 2 kg, closing at 0.3 m/s and sliding at 1 m/s: p_n = 0.6 N s, friction 0.5 · 0.6 N s against the motion.
  const ContactProblem problem = pointMass(2.0, 0.5, {0.6, 0.8, -0.3});
  AlignedVector p(problem.layout.rows(), 0.0);
  p[problem.layout.row(0, 0)] = -0.3 * 0.6;
  p[problem.layout.row(0, 1)] = -0.3 * 0.8;
  p[problem.layout.row(0, 2)] = 0.6;
  EXPECT_NEAR(contactResidual(problem, p.data()), 0.0, 1e-15);
  p[problem.layout.row(0, 0)] *= -1.0;
  EXPECT_GT(contactResidual(problem, p.data()), 0.1);
}

TEST(ContactResidual, OfTheConvexPyramidLiftsWhatSlides) {
  // v = (1, 0, mu) satisfies the published QP with no impulse, though the contact recedes by mu |v_t| only.
  ContactProblem problem = pointMass(1.0, 0.5, {1.0, 0.0, 0.5}, FrictionLaw::convex_pyramid);
  const AlignedVector zero(problem.layout.rows(), 0.0);
  EXPECT_NEAR(contactResidual(problem, zero.data()), 0.0, 1e-15);
  problem.b[problem.layout.row(0, 2)] = 0.4;
  EXPECT_NEAR(contactResidual(problem, zero.data()), 0.1, 1e-15);
}

TEST(ContactResidual, OfNotANumberIsInfinite) {
  for (int component = 0; component < 3; ++component) {
    for (FrictionLaw law : {FrictionLaw::cone, FrictionLaw::pyramid, FrictionLaw::convex_pyramid}) {
      ContactProblem problem = pointMass(1.0, 0.5, {0.1, 0.2, -0.3}, law);
      problem.b[problem.layout.row(0, component)] = std::numeric_limits<double>::quiet_NaN();
      const AlignedVector zero(problem.layout.rows(), 0.0);
      EXPECT_TRUE(std::isinf(contactResidual(problem, zero.data())));
    }
  }
}

}  // namespace
}  // namespace footfall::test
