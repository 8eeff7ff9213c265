#include <gtest/gtest.h>

#include "solver/problems.hpp"

namespace footfall::test {
namespace {

/// Twelve points under a flat foot, not symmetric: the centre of mass is off their middle.
std::vector<Eigen::Vector3d> flatFoot() {
  std::vector<Eigen::Vector3d> points;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j) points.push_back({-0.06 + 0.05 * i, -0.035 + 0.04 * j, -0.3});
  return points;
}

Eigen::VectorXd twistOfOneStep(double push) {
  Eigen::VectorXd twist = Eigen::VectorXd::Zero(6);
  twist.head<3>() << push, 0.3 * push, -9.81e-3;
  return twist;
}

Eigen::VectorXd asVector(const AlignedVector& v) { return Eigen::Map<const Eigen::VectorXd>(v.data(), v.size()); }

/// Pseudo-inverse solution of G p = -b: the smallest impulses that stop every point.
Eigen::VectorXd smallestStickingImpulses(const ContactProblem& problem) {
  const int rows = problem.layout.rows();
  const Eigen::MatrixXd G = Eigen::Map<const Eigen::MatrixXd>(problem.G.data(), rows, rows);
  Eigen::VectorXd b = asVector(problem.b);
  for (int i = problem.layout.contacts; i < problem.layout.stride; ++i) b[problem.layout.row(i, 2)] = 0.0;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-10);
  return -decomposition.compute(G).solve(b);
}

/// Solves again and again from the latest solution until it is called minimal; returns the number of solves.
int settle(ContactSolver& solver, const ContactProblem& problem, ContactSolution& solution, int most = 200) {
  int solves = 0;
  while (!solution.minimum_norm && solves < most) {
    solver.solve(problem, {}, solution);
    EXPECT_EQ(solution.status, SolveStatus::converged) << "after " << solves;
    ++solves;
  }
  return solves;
}

class FlatFoot : public testing::TestWithParam<FrictionLaw> {
 protected:
  std::unique_ptr<ContactSolver> solver_ = makeContactSolver("native");
};

/// With Coulomb's law, where impulses are those of equally compliant contacts in every step.
class CoulombFoot : public FlatFoot {};
/// With the convex law, where they approach the smallest ones from step to step.
class ConvexFoot : public testing::Test {
 protected:
  std::unique_ptr<ContactSolver> solver_ = makeContactSolver("native");
};

TEST_P(FlatFoot, SettlesAtTheMinimumNorm) {
  const ContactProblem problem = boxOnPoints(flatFoot(), twistOfOneStep(1e-4), 0.6, GetParam());
  ContactSolution solution = solveCold(*solver_, problem);
  const Eigen::VectorXd smallest = smallestStickingImpulses(problem);
  settle(*solver_, problem, solution);
  EXPECT_TRUE(solution.minimum_norm);
  EXPECT_LT((asVector(solution.impulse) - smallest).norm(), 1e-5 * smallest.norm());
}

/// The smallest solution plus a self-stress between two points, inside the cones.
ContactSolution stressed(const ContactProblem& problem, const Eigen::VectorXd& smallest) {
  ContactSolution solution;
  solution.impulse.assign(problem.layout.rows(), 0.0);
  Eigen::VectorXd::Map(solution.impulse.data(), solution.impulse.size()) = smallest;
  const double stress = 0.2 * smallest[problem.layout.row(0, 2)];
  solution.impulse[problem.layout.row(0, 1)] += stress;
  solution.impulse[problem.layout.row(1, 1)] -= stress;
  EXPECT_LT(contactResidual(problem, solution.impulse.data()), 1e-10);
  return solution;
}

TEST_P(CoulombFoot, LeavesASelfStressAtOnce) {
  const ContactProblem problem = boxOnPoints(flatFoot(), twistOfOneStep(1e-4), 0.6, GetParam());
  const Eigen::VectorXd smallest = smallestStickingImpulses(problem);
  ContactSolution solution = stressed(problem, smallest);
  solver_->solve(problem, {}, solution);
  EXPECT_EQ(solution.status, SolveStatus::converged);
  EXPECT_TRUE(solution.minimum_norm);
  EXPECT_LT((asVector(solution.impulse) - smallest).norm(), 1e-5 * smallest.norm());
}

TEST_F(ConvexFoot, ApproachesTheMinimumNormGeometricallyAndKeepsTheResidual) {
  const ContactProblem problem = boxOnPoints(flatFoot(), twistOfOneStep(1e-4), 0.6, FrictionLaw::convex_pyramid);
  const Eigen::VectorXd smallest = smallestStickingImpulses(problem);
  ContactSolution solution = stressed(problem, smallest);
  double distance = (asVector(solution.impulse) - smallest).norm();
  for (int k = 0; k < 10; ++k) {
    solver_->solve(problem, {}, solution);
    EXPECT_EQ(solution.status, SolveStatus::converged);
    const double now = (asVector(solution.impulse) - smallest).norm();
    EXPECT_LT(now, 0.97 * distance);
    EXPECT_GT(now, 0.3 * distance) << "forces must not jump";
    distance = now;
  }
}

TEST_P(FlatFoot, OnceSettledCostsNothing) {
  const ContactProblem problem = boxOnPoints(flatFoot(), twistOfOneStep(1e-4), 0.6, GetParam());
  ContactSolution solution = solveCold(*solver_, problem);
  settle(*solver_, problem, solution);
  const AlignedVector settled = solution.impulse;
  solver_->solve(problem, {}, solution);
  EXPECT_EQ(solution.iterations, 0);
  EXPECT_TRUE(solution.minimum_norm);
  EXPECT_EQ(solution.impulse, settled);
}

TEST_P(CoulombFoot, HasTheSmallestImpulsesInTheStepInWhichTheLoadChanges) {
  ContactProblem problem = boxOnPoints(flatFoot(), twistOfOneStep(1e-4), 0.6, GetParam());
  ContactSolution solution = solveCold(*solver_, problem);
  EXPECT_TRUE(solution.minimum_norm);
  problem = boxOnPoints(flatFoot(), twistOfOneStep(1e-3), 0.6, GetParam());
  solver_->solve(problem, {}, solution);
  EXPECT_EQ(solution.status, SolveStatus::converged);
  EXPECT_TRUE(solution.minimum_norm);
  const Eigen::VectorXd smallest = smallestStickingImpulses(problem);
  EXPECT_LT((asVector(solution.impulse) - smallest).norm(), 1e-5 * smallest.norm());
}

TEST_F(ConvexFoot, IsNotCalledMinimalAfterTheLoadHasChanged) {
  ContactProblem problem = boxOnPoints(flatFoot(), twistOfOneStep(1e-4), 0.6, FrictionLaw::convex_pyramid);
  ContactSolution solution = solveCold(*solver_, problem);
  settle(*solver_, problem, solution);
  problem = boxOnPoints(flatFoot(), twistOfOneStep(1e-3), 0.6, FrictionLaw::convex_pyramid);
  solver_->solve(problem, {}, solution);
  EXPECT_EQ(solution.status, SolveStatus::converged);
  EXPECT_FALSE(solution.minimum_norm);
}

TEST_P(FlatFoot, SharesTheLoadWithPointsThatCarriedNone) {
  // Three points carry the box, the fourth touches with zero force: a solution, but not the smallest.
  const std::vector<Eigen::Vector3d> corners = {
      {0.1, 0.1, -0.3}, {-0.1, 0.1, -0.3}, {-0.1, -0.1, -0.3}, {0.1, -0.1, -0.3}};
  const ContactProblem problem = boxOnPoints(corners, twistOfOneStep(0.0), 0.6, GetParam());
  ContactSolution solution;
  solution.impulse.assign(problem.layout.rows(), 0.0);
  const double weight = 10.0 * 9.81e-3;  // [N s]
  solution.impulse[problem.layout.row(0, 2)] = solution.impulse[problem.layout.row(2, 2)] = 0.5 * weight;
  ASSERT_LT(contactResidual(problem, solution.impulse.data()), 1e-12);
  settle(*solver_, problem, solution);
  EXPECT_TRUE(solution.minimum_norm);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(contactOf(problem, solution.impulse, i).z(), 0.25 * weight, 1e-6 * weight);
}

TEST_P(FlatFoot, ThatSlidesSharesItsFrictionInTheSlidingDirection) {
  const ContactProblem problem = boxOnPoints(flatFoot(), twistOfOneStep(0.5), 0.2, GetParam());
  ContactSolution solution = solveCold(*solver_, problem);
  ASSERT_EQ(solution.status, SolveStatus::converged);
  const double first = asVector(solution.impulse).norm();
  settle(*solver_, problem, solution);
  EXPECT_LE(asVector(solution.impulse).norm(), first * (1.0 + 1e-12));
  EXPECT_LT(contactResidual(problem, solution.impulse.data()), 1.001e-10);
}

INSTANTIATE_TEST_SUITE_P(ForEachLaw, CoulombFoot, testing::Values(FrictionLaw::cone, FrictionLaw::pyramid));
INSTANTIATE_TEST_SUITE_P(ForEachLaw, FlatFoot,
                         testing::Values(FrictionLaw::cone, FrictionLaw::pyramid, FrictionLaw::convex_pyramid));

}  // namespace
}  // namespace footfall::test
