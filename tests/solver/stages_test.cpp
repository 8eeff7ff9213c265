// Which stages of the native solver did the work, and that leaving one out leaves it out.

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string>

#include "solver/native/native_solver.hpp"
#include "solver/ncp_file.hpp"
#include "solver/problems.hpp"
#include "tools/source_dir.hpp"

namespace footfall::test {
namespace {

const std::vector<Eigen::Vector3d> kFourCorners = {
    {0.2, 0.1, -0.3}, {0.2, -0.1, -0.3}, {-0.2, 0.1, -0.3}, {-0.2, -0.1, -0.3}};

/// Pressed down and pushed sideways, so that it slides and tilts.
Eigen::VectorXd slidingTwist() {
  Eigen::VectorXd twist(6);
  twist << 0.5, 0.2, -0.01, 0.0, 0.0, 0.3;
  return twist;
}

int stepsOf(const SolverCounters& counters) { return std::accumulate(counters.steps.begin(), counters.steps.end(), 0); }

TEST(SolverStages, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (int k = 0; k < kSolverStages; ++k) names.insert(nameOf(static_cast<SolverStage>(k)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kSolverStages));
}

TEST(SolverCounters, OfUniqueImpulsesAreSweepsAlone) {
  const auto solver = makeNativeSolver();
  const ContactSolution solution = solveCold(*solver, pointMass(2.0, 0.5, {0.3, 0.0, -0.1}));
  EXPECT_EQ(solution.counters.solves, 1);
  EXPECT_GE(solution.counters[SolverStage::sweeps], 1);
  EXPECT_EQ(stepsOf(solution.counters), solution.counters[SolverStage::sweeps]);
}

TEST(SolverCounters, OfABoxOnFourPointsAreCompliantContacts) {
  const auto solver = makeNativeSolver();
  const ContactSolution solution = solveCold(*solver, boxOnPoints(kFourCorners, slidingTwist(), 0.5));
  EXPECT_EQ(solution.status, SolveStatus::converged);
  EXPECT_GE(solution.counters[SolverStage::compliant], 1);
  EXPECT_EQ(solution.counters[SolverStage::sweeps], 0);
}

TEST(SolverCounters, OfAProblemThatIsSolvedAlreadyAreZero) {
  const auto solver = makeNativeSolver();
  const ContactProblem problem = boxOnPoints(kFourCorners, slidingTwist(), 0.5);
  ContactSolution solution = solveCold(*solver, problem);
  solver->solve(problem, {}, solution);
  EXPECT_EQ(solution.counters.solves, 1);
  EXPECT_EQ(stepsOf(solution.counters), 0);
}

TEST(SolverCounters, AddUpOverSolves) {
  SolverCounters sum, one;
  one.solves = 1;
  one.steps[static_cast<std::size_t>(SolverStage::compliant_path)] = 7;
  sum += one;
  sum += one;
  EXPECT_EQ(sum.solves, 2);
  EXPECT_EQ(sum[SolverStage::compliant_path], 14);
  EXPECT_EQ(stepsOf(sum), 14);
}

/// What is known from the last step is used: the hardest drops, solved, and then again a little harder.
TEST(Rounds, FromAWarmStartAreTheShorterWay) {
  const auto solver = makeNativeSolver(),
             without_rounds = makeNativeSolver(1u << static_cast<int>(SolverStage::proximal_path));
  int with = 0, without = 0;
  for (RecordedProblem& record : readFamily(sourceDir() + "/tests/data/contact_problems", "drops")) {
    ContactSolution solution = solveCold(*solver, record.problem), other = solution;
    for (double& b : record.problem.b) b *= 1.01;
    solver->solve(record.problem, {}, solution);
    without_rounds->solve(record.problem, {}, other);
    EXPECT_EQ(solution.status, SolveStatus::converged);
    with += stepsOf(solution.counters) - solution.counters[SolverStage::sweeps];
    without += stepsOf(other.counters) - other.counters[SolverStage::sweeps];
  }
  EXPECT_LT(1.5 * with, without);
}

/// The path goes through soft contacts wherever the solution is; sweeps are near it for robots that lie on many points.
TEST(Rounds, FromNothingAreTheShorterWayForRobotsThatLie) {
  const auto solver = makeNativeSolver(),
             without_rounds = makeNativeSolver(1u << static_cast<int>(SolverStage::proximal_path));
  int with = 0, without = 0;
  for (const RecordedProblem& record : readFamily(sourceDir() + "/tests/data/contact_problems", "fallen")) {
    const ContactSolution solution = solveCold(*solver, record.problem),
                          other = solveCold(*without_rounds, record.problem);
    EXPECT_EQ(solution.status, SolveStatus::converged);
    with += stepsOf(solution.counters) - solution.counters[SolverStage::sweeps];
    without += stepsOf(other.counters) - other.counters[SolverStage::sweeps];
  }
  EXPECT_LT(with, without);
}

TEST(LeftOutStage, IsReplacedByTheNext) {
  const ContactProblem problem = boxOnPoints(kFourCorners, slidingTwist(), 0.5);
  const auto solver = makeNativeSolver(1u << static_cast<int>(SolverStage::compliant));
  const ContactSolution solution = solveCold(*solver, problem);
  EXPECT_EQ(solution.status, SolveStatus::converged);
  EXPECT_EQ(solution.counters[SolverStage::compliant], 0);
  EXPECT_GE(solution.counters[SolverStage::compliant_path], 1);
}

}  // namespace
}  // namespace footfall::test
