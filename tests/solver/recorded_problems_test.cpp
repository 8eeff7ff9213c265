#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/ncp_file.hpp"
#include "solver/problems.hpp"
#include "tools/source_dir.hpp"

namespace footfall::test {
namespace {

struct Tally {
  int solved = 0, above_tolerance = 0;
};

/// Of velocities: each is a sum of as many products as there are rows [m/s].
double roundingOf(const ContactProblem& problem, const ContactSolution& solution) {
  const int rows = problem.layout.rows();
  double largest = 0.0;
  for (int row = 0; row < rows; ++row) {
    double size = std::abs(problem.b[row]);
    for (int k = 0; k < rows; ++k) size += std::abs(problem.G[row * rows + k] * solution.impulse[k]);
    largest = std::max(largest, size);
  }
  return rows * std::numeric_limits<double>::epsilon() * largest;
}

/// Solves a family along its chains, each record from the solution of the one before.
Tally solveChains(const std::string& family, FrictionLaw law) {
  std::vector<RecordedProblem> records = readFamily(sourceDir() + "/tests/data/contact_problems", family);
  const auto solver = makeContactSolver("native");
  Tally tally;
  ContactSolution solution;
  for (std::size_t k = 0; k < records.size(); ++k) {
    records[k].problem.law = law;
    solution.minimum_norm = solution.minimum_norm && records[k].follows;
    solution.impulse = warmStart(records[k], k > 0 ? &records[k - 1] : nullptr, solution.impulse);
    solver->solve(records[k].problem, {}, solution);
    const double residual = contactResidual(records[k].problem, solution.impulse.data());
    // The kernel and this function add in another order: equal to rounding.
    EXPECT_NEAR(solution.residual, residual, 1e-11 + roundingOf(records[k].problem, solution))
        << family << " record " << k;
    tally.solved += residual <= 1e-10 * (1.0 + 1e-3);
    tally.above_tolerance += residual > 1e-10 * (1.0 + 1e-3);
  }
  return tally;
}

class RecordedProblems : public testing::TestWithParam<FrictionLaw> {};

TEST_P(RecordedProblems, OfRobotsThatStandWalkAndSlideAreSolvedExactly) {
  for (const char* family : {"icub_stand", "icub_slide", "anymal_stand", "anymal_trot", "anymal_slide"})
    EXPECT_EQ(solveChains(family, GetParam()).above_tolerance, 0) << family;
}

TEST_P(RecordedProblems, OfImpactsAreSolvedExactly) { EXPECT_EQ(solveChains("impact", GetParam()).above_tolerance, 0); }

TEST_P(RecordedProblems, OfBoxStacksWithMassRatiosUpTo10000AreSolvedExactly) {
  EXPECT_EQ(solveChains("boxes", GetParam()).above_tolerance, 0);
}

TEST_P(RecordedProblems, OfRobotsLyingOnManyPointsAreSolvedExactly) {
  EXPECT_EQ(solveChains("fallen", GetParam()).above_tolerance, 0);
}

// The hardest steps of random drops, each by itself: points that contradict each other, duplicated points, rows of
// joints.
TEST(RecordedDrops, AreSolvedExactlyFromAColdStart) {
  EXPECT_EQ(solveChains("drops", FrictionLaw::cone).above_tolerance, 0);
}

TEST_P(RecordedProblems, OfRandomJacobiansAreMostlySolved) {
  // No robot looks like these; Coulomb friction need not even have a solution for them, the convex QP has.
  const Tally tally = solveChains("random", GetParam());
  EXPECT_GE(tally.solved, GetParam() == FrictionLaw::pyramid ? 57 : 60);
}

std::string lawName(const testing::TestParamInfo<FrictionLaw>& law) {
  constexpr const char* kNames[] = {"Cone", "Pyramid", "ConvexPyramid"};
  return kNames[static_cast<int>(law.param)];
}

INSTANTIATE_TEST_SUITE_P(ForEachLaw, RecordedProblems,
                         testing::Values(FrictionLaw::cone, FrictionLaw::pyramid, FrictionLaw::convex_pyramid),
                         lawName);

}  // namespace
}  // namespace footfall::test
