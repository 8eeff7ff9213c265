#include <gtest/gtest.h>

#include "solver/problems.hpp"

namespace footfall::test {
namespace {

constexpr double kMu = 0.6;
constexpr double kCorrection = 1e-3;  ///< speed at which one point is to be lifted out of the ground [m/s]
constexpr double kTilt = 1e-5;        ///< of the line between the points [rad]
constexpr double kConflict = kCorrection * kTilt;

/// A box on two points, of which one is to rise. A rigid body cannot do that while both stick: the distance of the
/// points would shrink by kConflict.
ContactProblem pointsInConflict(FrictionLaw law) {
  constexpr double kHalf = 0.1;  // distance of each point from the middle [m]
  Eigen::VectorXd twist = Eigen::VectorXd::Zero(6);
  twist.z() = -9.81e-3;
  ContactProblem problem =
      boxOnPoints({{-kHalf, 0, -0.3 - kTilt * kHalf}, {kHalf, 0, -0.3 + kTilt * kHalf}}, twist, kMu, law);
  problem.b[problem.layout.row(0, 2)] -= kCorrection;
  return problem;
}

class PointsInConflict : public testing::TestWithParam<FrictionLaw> {};

// The impulses against each other grow, by nothing but this, until a point slides: as slowly as the conflict asks.
TEST_P(PointsInConflict, PressAgainstEachOtherUntilOneSlides) {
  const auto solver = makeContactSolver("native");
  const ContactProblem problem = pointsInConflict(GetParam());
  const ContactSolution solution = solveCold(*solver, problem);
  EXPECT_EQ(solution.status, SolveStatus::converged);
  const AlignedVector v = velocityOf(problem, solution.impulse);
  double used = 0.0, slip = 0.0;
  for (int i = 0; i < 2; ++i) {
    const Eigen::Vector3d p = contactOf(problem, solution.impulse, i);
    EXPECT_GT(p.z(), 0.0);
    used = std::max(used, std::abs(p.x()) / (kMu * p.z()));
    slip += contactOf(problem, v, i).head<2>().norm();
  }
  EXPECT_NEAR(used, 1.0, 1e-6);
  EXPECT_NEAR(slip, kConflict, 0.01 * kConflict);
}

INSTANTIATE_TEST_SUITE_P(ForEachLaw, PointsInConflict, testing::Values(FrictionLaw::cone, FrictionLaw::pyramid));

}  // namespace
}  // namespace footfall::test
