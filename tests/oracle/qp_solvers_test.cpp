// The published contact law is a quadratic program: five solvers of different kinds must find the same answer.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "footfall/base/error.hpp"
#include "footfall/solver/contact_solver.hpp"
#include "oracle/robots.hpp"
#include "solver/ncp_file.hpp"
#include "tools/source_dir.hpp"

namespace footfall::test {
namespace {

constexpr double kStep = 1e-3;  ///< of the recorded simulations [s]

struct Solver {
  std::string name;
  double acceleration_tolerance;  ///< [m/s²]
};
void PrintTo(const Solver& solver, std::ostream* out) { *out << solver.name; }

/// 1,040 problems with flat feet, where G is singular, standing, sliding and trotting.
std::vector<RecordedProblem> recordedProblems() {
  std::vector<RecordedProblem> all;
  for (const char* family : {"icub_stand", "icub_slide", "anymal_trot"}) {
    for (RecordedProblem& record : readFamily(sourceDir() + "/tests/data/contact_problems", family)) {
      record.problem.law = FrictionLaw::convex_pyramid;
      all.push_back(std::move(record));
    }
  }
  return all;
}

ContactSolution solveCold(ContactSolver& solver, const ContactProblem& problem, double tolerance = 1e-10) {
  ContactSolution solution;
  solution.impulse.assign(problem.layout.rows(), 0.0);
  SolverSettings settings;
  settings.tolerance = tolerance;
  solver.solve(problem, settings, solution);
  return solution;
}

AlignedVector velocities(const ContactProblem& problem, const AlignedVector& impulse) {
  const int rows = problem.layout.rows();
  AlignedVector v = problem.b;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < rows; ++c) v[r] += problem.G[static_cast<std::size_t>(r) * rows + c] * impulse[c];
  }
  return v;
}

double largestDifference(const AlignedVector& a, const AlignedVector& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// A body of 2 kg on one point, sliding along x with this speed, after a step of free fall.
ContactProblem slidingBody(double mass, double mu, double speed, FrictionLaw law) {
  ContactProblem problem;
  problem.resize(1);
  problem.law = law;
  problem.mu[0] = mu;
  for (int a = 0; a < 3; ++a) {
    for (int c = 0; c < 3; ++c) problem(0, a, 0, c) = a == c ? 1.0 / mass : 0.0;
  }
  problem.b[problem.layout.row(0, 0)] = speed;
  problem.b[problem.layout.row(0, 1)] = 0.0;
  problem.b[problem.layout.row(0, 2)] = -9.81 * kStep;
  return problem;
}

class Solvers : public testing::TestWithParam<Solver> {
 protected:
  void SetUp() override {
    if (!hasPlugin("solver", GetParam().name)) GTEST_SKIP() << "solver " << GetParam().name << " was not built";
    solver = makeContactSolver(GetParam().name);
  }
  bool isNative() const { return GetParam().name == "native"; }
  std::unique_ptr<ContactSolver> solver;
};

TEST_P(Solvers, AgreeOnContactAccelerationsOfThePublishedLaw) {
  const auto native = makeContactSolver("native");
  const auto records = recordedProblems();
  ASSERT_GE(records.size(), 1000u);
  double largest = 0.0;
  for (const RecordedProblem& record : records) {
    const ContactProblem& problem = record.problem;
    const ContactSolution expected = solveCold(*native, problem, 1e-12);
    const ContactSolution found = solveCold(*solver, problem);
    ASSERT_NE(found.status, SolveStatus::failed);
    largest = std::max(
        largest, largestDifference(velocities(problem, found.impulse), velocities(problem, expected.impulse)) / kStep);
  }
  EXPECT_LE(largest, GetParam().acceleration_tolerance);
}

TEST_P(Solvers, ReportTheResidualThatAnyoneCanCompute) {
  for (const RecordedProblem& record : readFamily(sourceDir() + "/tests/data/contact_problems", "anymal_slide")) {
    ContactProblem problem = record.problem;
    for (FrictionLaw law : {FrictionLaw::convex_pyramid, FrictionLaw::pyramid}) {
      problem.law = law;
      const ContactSolution solution = solveCold(*solver, problem);
      // Sums of a dozen velocities of order 1 m/s, in any order.
      EXPECT_NEAR(solution.residual, contactResidual(problem, solution.impulse.data()), 1e-14);
      EXPECT_LE(solution.residual, 1e-6);  // what lets a run go on
      EXPECT_GT(solution.iterations, 0);
    }
  }
}

TEST_P(Solvers, GiveTheSameBitsWhateverWasSolvedBefore) {
  const auto records = readFamily(sourceDir() + "/tests/data/contact_problems", "icub_slide");
  ContactProblem first = records.front().problem, other = records.back().problem;
  for (FrictionLaw law : {FrictionLaw::convex_pyramid, FrictionLaw::pyramid}) {
    first.law = other.law = law;
    const AlignedVector alone = solveCold(*makeContactSolver(GetParam().name), first).impulse;
    solveCold(*solver, other);
    EXPECT_EQ(solveCold(*solver, first).impulse, alone);
  }
}

TEST_P(Solvers, SayThatAProblemWithoutNumbersFailed) {
  ContactProblem problem = slidingBody(2.0, 0.5, 1.0, FrictionLaw::convex_pyramid);
  problem.b[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solveCold(*solver, problem).status, SolveStatus::failed);
}

TEST_P(Solvers, OnlyTheNativeOneServesTheCone) {
  EXPECT_EQ(solver->supports(FrictionLaw::cone), isNative());
  if (isNative()) return;
  EXPECT_THROW(requireSupport(*solver, FrictionLaw::cone), Error);
}

// Where the published law departs from Coulomb's. On one point the program has a closed form: friction acts along the
// edge (-mu, 0, 1) of the pyramid, so that p_n (1 + mu²)/m = mu v + g dt.
TEST_P(Solvers, PublishedLawLiftsASlidingBodyByMuTimesItsSpeed) {
  const double mass = 2.0, mu = 0.5, speed = 1.0;
  const ContactProblem problem = slidingBody(mass, mu, speed, FrictionLaw::convex_pyramid);
  const ContactSolution solution = solveCold(*solver, problem);
  const AlignedVector v = velocities(problem, solution.impulse);
  const double tangent = v[problem.layout.row(0, 0)], normal = v[problem.layout.row(0, 2)];
  const double expected_impulse = mass * (mu * speed + 9.81 * kStep) / (1.0 + mu * mu);
  EXPECT_NEAR(solution.impulse[problem.layout.row(0, 2)], expected_impulse, 1e-9);
  EXPECT_NEAR(normal, mu * std::abs(tangent), 1e-9);
  EXPECT_GT(normal, 0.3);  // a body on the ground takes off at a third of a metre a second
}

TEST_P(Solvers, CoulombsLawKeepsASlidingBodyOnTheGround) {
  const double mass = 2.0, mu = 0.5, speed = 1.0;
  const ContactProblem problem = slidingBody(mass, mu, speed, FrictionLaw::pyramid);
  const ContactSolution solution = solveCold(*solver, problem);
  const AlignedVector v = velocities(problem, solution.impulse);
  EXPECT_NEAR(v[problem.layout.row(0, 2)], 0.0, 1e-9);
  EXPECT_NEAR(solution.impulse[problem.layout.row(0, 2)], mass * 9.81 * kStep, 1e-9);
  EXPECT_NEAR(v[problem.layout.row(0, 0)], speed - mu * 9.81 * kStep, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Oracle, Solvers,
                         testing::Values(Solver{"native", 1e-6}, Solver{"proxqp", 1e-6}, Solver{"qpoases", 1e-6},
                                         Solver{"daqp", 1e-6}, Solver{"osqp", 1e-4}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace footfall::test
