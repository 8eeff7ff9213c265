#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solver/problems.hpp"

namespace footfall::test {
namespace {

constexpr FrictionLaw kLaws[] = {FrictionLaw::cone, FrictionLaw::pyramid, FrictionLaw::convex_pyramid};
constexpr double kMass = 2.0;  // [kg]

// Impulses follow from velocities by the mass; the solver guarantees velocities to 1e-10 m/s.
constexpr double kTolerance = 1e-10 * kMass * 2.0;

class OneContact : public testing::Test {
 protected:
  ContactSolution solve(const ContactProblem& problem) { return solveCold(*solver_, problem); }
  std::unique_ptr<ContactSolver> solver_ = makeContactSolver("native");
};

TEST_F(OneContact, ThatRecedesCarriesNothing) {
  for (FrictionLaw law : kLaws) {
    const ContactProblem problem = pointMass(kMass, 0.5, {0.1, 0.0, 0.2}, law);
    const ContactSolution solution = solve(problem);
    EXPECT_EQ(solution.status, SolveStatus::converged);
    EXPECT_EQ(contactOf(problem, solution.impulse, 0), Eigen::Vector3d::Zero());
  }
}

TEST_F(OneContact, SticksWhenFrictionSuffices) {
  for (FrictionLaw law : kLaws) {
    const ContactProblem problem = pointMass(kMass, 0.5, {0.1, -0.05, -0.3}, law);
    const ContactSolution solution = solve(problem);
    EXPECT_EQ(solution.status, SolveStatus::converged);
    EXPECT_TRUE(contactOf(problem, solution.impulse, 0).isApprox(kMass * Eigen::Vector3d(-0.1, 0.05, 0.3), 1e-9));
  }
}

TEST_F(OneContact, SlidesAgainstItsMotionInEveryHeading) {
  constexpr double mu = 0.5, closing = 0.3, speed = 2.0;
  for (int hour = 0; hour < 12; ++hour) {
    const double angle = 2.0 * M_PI * hour / 12.0;
    const Eigen::Vector3d heading(std::cos(angle), std::sin(angle), 0.0);
    const ContactProblem problem = pointMass(kMass, mu, speed * heading - Eigen::Vector3d(0, 0, closing));
    const ContactSolution solution = solve(problem);
    EXPECT_EQ(solution.status, SolveStatus::converged);
    const Eigen::Vector3d expected = kMass * closing * (Eigen::Vector3d::UnitZ() - mu * heading);
    EXPECT_LT((contactOf(problem, solution.impulse, 0) - expected).norm(), kTolerance) << "heading " << angle;
  }
}

TEST_F(OneContact, OnThePyramidSlidesOnEachAxisByItself) {
  // The x axis slides, the y axis sticks.
  const ContactProblem problem = pointMass(kMass, 0.5, {2.0, 0.1, -0.3}, FrictionLaw::pyramid);
  const Eigen::Vector3d expected = kMass * Eigen::Vector3d(-0.5 * 0.3, -0.1, 0.3);
  EXPECT_LT((contactOf(problem, solve(problem).impulse, 0) - expected).norm(), kTolerance);
}

TEST_F(OneContact, OnTheConvexPyramidIsLiftedWhileItSlides) {
  // KKT of the QP on the face p_x = -mu p_n: p_n = m (closing + mu v_x) / (1 + mu²), here mu = 0.5.
  const ContactProblem problem = pointMass(kMass, 0.5, {2.0, 0.0, -0.3}, FrictionLaw::convex_pyramid);
  const double p_n = kMass * (0.3 + 0.5 * 2.0) / 1.25;
  const ContactSolution solution = solve(problem);
  EXPECT_LT((contactOf(problem, solution.impulse, 0) - p_n * Eigen::Vector3d(-0.5, 0.0, 1.0)).norm(), 10 * kTolerance);
  EXPECT_GT(contactOf(problem, velocityOf(problem, solution.impulse), 0).z(), 0.2);
}

TEST_F(OneContact, WithoutFrictionStopsOnlyTheApproach) {
  for (FrictionLaw law : kLaws) {
    const ContactProblem problem = pointMass(kMass, 0.0, {1.0, -2.0, -0.3}, law);
    const ContactSolution solution = solve(problem);
    EXPECT_EQ(solution.status, SolveStatus::converged);
    EXPECT_LT((contactOf(problem, solution.impulse, 0) - Eigen::Vector3d(0, 0, 0.3 * kMass)).norm(), kTolerance);
  }
}

TEST_F(OneContact, WithACoupledBlockMeetsTheLaw) {
  // A rod that leans: pressing on its end also moves it sideways.
  ContactProblem problem = pointMass(1.0, 0.4, {0.5, 0.2, -1.0});
  problem(0, 0, 0, 2) = problem(0, 2, 0, 0) = 0.6;
  problem(0, 1, 0, 2) = problem(0, 2, 0, 1) = -0.3;
  const ContactSolution solution = solve(problem);
  EXPECT_EQ(solution.status, SolveStatus::converged);
  const Eigen::Vector3d p = contactOf(problem, solution.impulse, 0);
  const Eigen::Vector3d v = contactOf(problem, velocityOf(problem, solution.impulse), 0);
  EXPECT_NEAR(v.z(), 0.0, 1e-10);
  EXPECT_NEAR(p.head<2>().norm(), 0.4 * p.z(), 1e-10);
  EXPECT_NEAR(p.x() * v.y() - p.y() * v.x(), 0.0, 1e-10);  // friction and sliding are parallel …
  EXPECT_LT(p.head<2>().dot(v.head<2>()), 0.0);            // … and opposite
}

TEST_F(OneContact, ThatCannotMoveIsReportedIfItWouldHaveTo) {
  for (FrictionLaw law : kLaws) {
    ContactProblem problem = pointMass(1.0, 0.5, {0.0, 0.0, 0.1}, law);
    std::fill(problem.G.begin(), problem.G.end(), 0.0);
    EXPECT_EQ(solve(problem).status, SolveStatus::converged);
    problem.b[problem.layout.row(0, 2)] = -0.1;
    const ContactSolution solution = solve(problem);
    EXPECT_EQ(solution.status, SolveStatus::failed);
    EXPECT_DOUBLE_EQ(solution.residual, 0.1);
  }
}

TEST_F(OneContact, WithAFixedTangentStillCarriesLoad) {
  // A slider that moves up and down only.
  for (FrictionLaw law : kLaws) {
    ContactProblem problem = pointMass(kMass, 0.5, {0.0, 0.0, -0.3}, law);
    problem(0, 0, 0, 0) = problem(0, 1, 0, 1) = 0.0;
    const ContactSolution solution = solve(problem);
    EXPECT_EQ(solution.status, SolveStatus::converged);
    EXPECT_NEAR(contactOf(problem, solution.impulse, 0).z(), 0.3 * kMass, kTolerance);
  }
}

}  // namespace
}  // namespace footfall::test
