#include <gtest/gtest.h>

#include <limits>

#include "solver/ncp_file.hpp"
#include "solver/problems.hpp"
#include "tools/source_dir.hpp"

namespace footfall::test {
namespace {

constexpr FrictionLaw kLaws[] = {FrictionLaw::cone, FrictionLaw::pyramid, FrictionLaw::convex_pyramid};

class NativeSolver : public testing::Test {
 protected:
  std::unique_ptr<ContactSolver> solver_ = makeContactSolver("native");
};

ContactProblem permuted(const ContactProblem& problem, const std::vector<int>& order) {
  ContactProblem result;
  result.resize(problem.layout.contacts);
  result.law = problem.law;
  for (int i = 0; i < problem.layout.contacts; ++i) {
    result.mu[i] = problem.mu[order[i]];
    for (int c = 0; c < 3; ++c) {
      result.b[result.layout.row(i, c)] = problem.b[problem.layout.row(order[i], c)];
      for (int j = 0; j < problem.layout.contacts; ++j)
        for (int d = 0; d < 3; ++d) result(i, c, j, d) = problem(order[i], c, order[j], d);
    }
  }
  return result;
}

TEST_F(NativeSolver, GivesTheSameImpulsesInWhateverOrderTheContactsCome) {
  for (FrictionLaw law : kLaws) {
    const ContactProblem problem = randomProblem(6, 7, 0.5, law);
    const std::vector<int> order = {3, 5, 0, 1, 4, 2};
    const ContactProblem other = permuted(problem, order);
    const ContactSolution a = solveCold(*solver_, problem), c = solveCold(*solver_, other);
    ASSERT_EQ(a.status, SolveStatus::converged);
    ASSERT_EQ(c.status, SolveStatus::converged);
    // G is regular here (condition below 1e4), so that 1e-10 in velocity is 1e-6 in impulse.
    for (int i = 0; i < 6; ++i)
      EXPECT_LT((contactOf(problem, a.impulse, order[i]) - contactOf(other, c.impulse, i)).norm(), 1e-6);
  }
}

TEST_F(NativeSolver, DoesNotCareAboutTheUnitOfMass) {
  for (FrictionLaw law : kLaws) {
    for (double unit : {1e-4, 1e5}) {
      const ContactProblem problem = randomProblem(5, 11, 0.6, law);
      ContactProblem scaled = problem;
      for (double& entry : scaled.G) entry *= unit;
      const ContactSolution a = solveCold(*solver_, problem), c = solveCold(*solver_, scaled);
      ASSERT_EQ(a.status, SolveStatus::converged);
      ASSERT_EQ(c.status, SolveStatus::converged);
      for (int k = 0; k < problem.layout.rows(); ++k) EXPECT_NEAR(a.impulse[k], c.impulse[k] * unit, 1e-6);
    }
  }
}

TEST_F(NativeSolver, HasNothingToDoWithoutContacts) {
  for (FrictionLaw law : kLaws) {
    ContactProblem problem;
    problem.resize(0);
    problem.law = law;
    const ContactSolution solution = solveCold(*solver_, problem);
    EXPECT_EQ(solution.status, SolveStatus::converged);
    EXPECT_EQ(solution.residual, 0.0);
    EXPECT_EQ(solution.worst_contact, -1);
  }
}

TEST_F(NativeSolver, RefusesNumbersThatAreNone) {
  for (FrictionLaw law : kLaws) {
    for (int contacts : {3, 7, 12}) {  // one for each way of storing them
      for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        const ContactProblem good = randomProblem(contacts, 3, 0.5, law);
        ContactProblem in_b = good, in_G = good, in_mu = good;
        in_b.b[good.layout.row(1, 2)] = bad;
        in_G(0, 0, 1, 1) = in_G(1, 1, 0, 0) = bad;
        in_mu.mu[2] = bad;
        for (const ContactProblem* problem : {&in_b, &in_G, &in_mu}) {
          const ContactSolution solution = solveCold(*solver_, *problem);
          EXPECT_EQ(solution.status, SolveStatus::failed);
          EXPECT_EQ(solution.residual, std::numeric_limits<double>::infinity());
          for (double p : solution.impulse) EXPECT_EQ(p, 0.0) << "the warm start is left as it was";
        }
        ContactSolution bad_start;
        bad_start.impulse.assign(good.layout.rows(), 0.0);
        bad_start.impulse[0] = bad;
        solver_->solve(good, {}, bad_start);
        EXPECT_EQ(bad_start.status, SolveStatus::failed);
      }
    }
  }
}

TEST_F(NativeSolver, LeavesPaddingAtZero) {
  for (FrictionLaw law : kLaws) {
    const ContactProblem problem = randomProblem(5, 5, 0.7, law);
    const ContactSolution solution = solveCold(*solver_, problem);
    ASSERT_EQ(solution.status, SolveStatus::converged);
    for (int i = 5; i < 8; ++i) EXPECT_EQ(contactOf(problem, solution.impulse, i), Eigen::Vector3d::Zero());
  }
}

TEST_F(NativeSolver, GivesTheSameBitsWhateverWasSolvedBefore) {
  const auto hard = readFamily(sourceDir() + "/tests/data/contact_problems", "impact");
  for (FrictionLaw law : kLaws) {
    for (int k = 0; k < 30; ++k) {
      ContactProblem problem = hard[k].problem;
      problem.law = law;
      const auto fresh = makeContactSolver("native");
      const ContactSolution expected = solveCold(*fresh, problem);
      const ContactSolution again = solveCold(*solver_, problem);  // has seen all the others
      EXPECT_EQ(expected.impulse, again.impulse);
      EXPECT_EQ(expected.residual, again.residual);
      EXPECT_EQ(expected.iterations, again.iterations);
      solveCold(*solver_, randomProblem(9 + k % 3, k, 0.8, law));
    }
  }
}

TEST_F(NativeSolver, StopsAtTheIterationsItIsGiven) {
  const auto records = readFamily(sourceDir() + "/tests/data/contact_problems", "random");
  SolverSettings settings;
  settings.max_iterations = 3;
  for (const RecordedProblem& record : records) {
    const ContactSolution solution = solveCold(*solver_, record.problem, settings);
    EXPECT_LE(solution.iterations, 3);
    EXPECT_NEAR(solution.residual, contactResidual(record.problem, solution.impulse.data()), 1e-9);
  }
}

TEST_F(NativeSolver, SaysWhichContactIsWorst) {
  SolverSettings settings;
  settings.max_iterations = 0;
  ContactProblem problem = randomProblem(6, 2, 0.5, FrictionLaw::cone);
  problem.b[problem.layout.row(4, 2)] = -50.0;
  EXPECT_EQ(solveCold(*solver_, problem, settings).worst_contact, 4);
}

}  // namespace
}  // namespace footfall::test
