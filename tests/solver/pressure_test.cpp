#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/problems.hpp"

// Redundant points share the load as equally compliant ones do, whatever the solver starts from.

namespace footfall::test {
namespace {

constexpr double kRadius = 0.1, kHeight = 1e-3, kStep = 1e-3, kWeight = 9.81 * kStep;

/// A disc of 1 kg that lies on points spread evenly over it, and turns and slides on them.
ContactProblem discOnPoints(int count, double speed, double spin, double mu, FrictionLaw law = FrictionLaw::cone) {
  std::vector<Eigen::Vector3d> points;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  const double golden = M_PI * (1.0 + std::sqrt(5.0));
  for (int k = 0; k < count; ++k) {
    const double r = kRadius * std::sqrt((k + 0.5) / count);
    points.emplace_back(r * std::cos(golden * (k + 0.5)), r * std::sin(golden * (k + 0.5)), -kHeight);
    centre += points.back() / count;
  }
  Eigen::MatrixXd J(3 * count, 6);
  for (int k = 0; k < count; ++k) {
    Eigen::Vector3d r = points[k];
    r.head<2>() -= centre.head<2>();
    Eigen::Matrix3d cross;
    cross << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    J.middleRows<3>(3 * k) << Eigen::Matrix3d::Identity(), -cross;
  }
  Eigen::VectorXd inverse_mass(6), twist(6);
  inverse_mass << 1, 1, 1, 400, 400, 200;
  twist << speed, 0, -kWeight, 0, 0, spin;
  return fromJacobian(J, inverse_mass.asDiagonal(), twist, mu, law);
}

double normalOf(const ContactProblem& problem, const ContactSolution& solution, int i) {
  return solution.impulse[problem.layout.row(i, 2)];
}

class DiscOnPoints : public testing::TestWithParam<int> {
 protected:
  std::unique_ptr<ContactSolver> solver_ = makeContactSolver("native");
};

TEST_P(DiscOnPoints, CarriesAnEvenPressureWhileItSpinsFromAColdStart) {
  const ContactProblem problem = discOnPoints(GetParam(), 0.0, 10.0, 0.4);
  const ContactSolution solution = solveCold(*solver_, problem);
  ASSERT_EQ(solution.status, SolveStatus::converged);
  EXPECT_TRUE(solution.minimum_norm);
  // Friction acts a millimetre below the centre of mass: it tilts the pressure by no more than 4 μ h/r = 1.6 %.
  for (int i = 0; i < GetParam(); ++i)
    EXPECT_NEAR(normalOf(problem, solution, i), kWeight / GetParam(), 0.016 * kWeight / GetParam());
}

TEST_P(DiscOnPoints, HasTheSameImpulsesWhateverItStartsFrom) {
  for (const double spin : {10.0, 1e-3}) {  // slides, and sticks
    const ContactProblem problem = discOnPoints(GetParam(), 0.3 * kRadius * spin, spin, 0.4);
    const ContactSolution cold = solveCold(*solver_, problem);
    ContactSolution other;
    other.impulse.assign(problem.layout.rows(), 0.0);
    for (const int loaded : {0, GetParam() / 2, GetParam() - 1})
      other.impulse[problem.layout.row(loaded, 2)] = kWeight / 3.0;
    solver_->solve(problem, {}, other);
    ASSERT_EQ(cold.status, SolveStatus::converged);
    ASSERT_EQ(other.status, SolveStatus::converged);
    // Impulses are velocities (1 m/s, known to 4e-15) over a compliance that takes 0.8 of the tolerance for itself:
    // 5e-5.
    for (int k = 0; k < problem.layout.rows(); ++k)
      EXPECT_NEAR(cold.impulse[k], other.impulse[k], 2e-4 * kWeight / GetParam());
  }
}

/// The impulses of contacts with a real compliance tend to those of the rigid ones in proportion to it.
TEST_P(DiscOnPoints, IsTheLimitOfEquallyCompliantContacts) {
  const ContactProblem problem = discOnPoints(GetParam(), 0.2, 4.0, 0.4);
  const ContactSolution rigid = solveCold(*solver_, problem);
  double last = 0.0;
  for (const double compliance : {1.0, 0.1}) {  // [1/kg]
    ContactProblem soft = problem;
    for (int i = 0; i < GetParam(); ++i)
      for (int c = 0; c < 3; ++c) soft(i, c, i, c) += compliance;
    const ContactSolution solution = solveCold(*solver_, soft);
    ASSERT_EQ(solution.status, SolveStatus::converged);
    double distance = 0.0;
    for (int k = 0; k < problem.layout.rows(); ++k)
      distance = std::max(distance, std::abs(solution.impulse[k] - rigid.impulse[k]));
    if (last > 0.0) {
      EXPECT_LT(distance, 0.2 * last);
    }
    last = distance;
  }
}

INSTANTIATE_TEST_SUITE_P(Points, DiscOnPoints, testing::Values(8, 12, 16, 17, 24, 60, 150));

}  // namespace
}  // namespace footfall::test
