#include <gtest/gtest.h>

#include "solver/ncp_file.hpp"
#include "solver/problems.hpp"
#include "tools/source_dir.hpp"

namespace footfall::test {
namespace {

/// The same QP by another way: the pyramid is spanned by its four edges, so that impulses are p = R a with a >= 0,
/// and coordinate descent on a finds the only minimum in velocity.
AlignedVector solveByEdges(const ContactProblem& problem, int sweeps) {
  const ContactLayout& layout = problem.layout;
  AlignedVector p(layout.rows(), 0.0), v = problem.b;
  std::vector<std::array<double, 4>> amount(layout.contacts, {0.0, 0.0, 0.0, 0.0});
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int i = 0; i < layout.contacts; ++i) {
      for (int edge = 0; edge < 4; ++edge) {
        const Eigen::Vector3d ray((edge & 1 ? 1 : -1) * problem.mu[i], (edge & 2 ? 1 : -1) * problem.mu[i], 1.0);
        double curvature = 0.0, slope = 0.0;
        for (int c = 0; c < 3; ++c) {
          slope += ray[c] * v[layout.row(i, c)];
          for (int d = 0; d < 3; ++d) curvature += ray[c] * problem(i, c, i, d) * ray[d];
        }
        const double change = std::max(-slope / curvature, -amount[i][edge]);
        amount[i][edge] += change;
        for (int c = 0; c < 3; ++c) {
          p[layout.row(i, c)] += change * ray[c];
          for (int k = 0; k < layout.rows(); ++k)
            v[k] += problem.G[static_cast<std::size_t>(k) * layout.rows() + layout.row(i, c)] * change * ray[c];
        }
      }
    }
  }
  return p;
}

void expectSameVelocities(const ContactProblem& problem, const AlignedVector& p, const AlignedVector& q,
                          double tolerance) {
  const AlignedVector v = velocityOf(problem, p), w = velocityOf(problem, q);
  for (int k = 0; k < problem.layout.rows(); ++k) EXPECT_NEAR(v[k], w[k], tolerance);
}

TEST(ConvexPyramid, AgreesWithCoordinateDescentOnTheEdges) {
  const auto solver = makeContactSolver("native");
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ContactProblem problem = randomProblem(4, seed, 0.3 + 0.05 * seed, FrictionLaw::convex_pyramid);
    const ContactSolution solution = solveCold(*solver, problem);
    ASSERT_EQ(solution.status, SolveStatus::converged) << seed;
    // Descent contracts slowest along the smallest eigenvalue, above 1e-3 of the largest here: 1e5 sweeps leave 1e-12.
    expectSameVelocities(problem, solution.impulse, solveByEdges(problem, 100000), 1e-9);
  }
}

TEST(ConvexPyramid, AgreesWithCoordinateDescentOnASlidingQuadruped) {
  const auto solver = makeContactSolver("native");
  auto records = readFamily(sourceDir() + "/tests/data/contact_problems", "anymal_slide");
  for (std::size_t k = 0; k < records.size(); k += 25) {
    ContactProblem& problem = records[k].problem;
    problem.law = FrictionLaw::convex_pyramid;
    const ContactSolution solution = solveCold(*solver, problem);
    ASSERT_EQ(solution.status, SolveStatus::converged);
    expectSameVelocities(problem, solution.impulse, solveByEdges(problem, 20000), 1e-8);
  }
}

TEST(ConvexPyramid, IsNotCoulombOnceItSlides) {
  // The published model lifts a sliding point by mu |v_t|; Coulomb friction leaves it on the ground.
  const auto solver = makeContactSolver("native");
  const ContactProblem convex = pointMass(1.0, 0.5, {1.0, 0.0, -0.01}, FrictionLaw::convex_pyramid);
  const ContactProblem coulomb = pointMass(1.0, 0.5, {1.0, 0.0, -0.01}, FrictionLaw::pyramid);
  const auto lift = [&](const ContactProblem& problem) {
    return contactOf(problem, velocityOf(problem, solveCold(*solver, problem).impulse), 0).z();
  };
  EXPECT_NEAR(lift(coulomb), 0.0, 1e-10);
  EXPECT_GT(lift(convex), 0.3);
}

}  // namespace
}  // namespace footfall::test
