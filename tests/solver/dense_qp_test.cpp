#include "footfall/solver/dense_qp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Problem {
  MatrixXd H;
  VectorXd g;
  MatrixXd A;
  VectorXd lower, upper;
};

class RandomProblems {
 public:
  explicit RandomProblems(unsigned seed) : random_(seed) {}

  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  MatrixXd matrix(int rows, int columns) {
    return MatrixXd::NullaryExpr(rows, columns, [&] { return number(-1.0, 1.0); });
  }
  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  /// Feasible: the bounds lie around A x for some x. H has the rank that is asked for.
  Problem feasible(int n, int m, int rank) {
    const MatrixXd root = matrix(n, rank);
    Problem p{root * root.transpose(), 3.0 * matrix(n, 1), matrix(m, n), {}, {}};
    const VectorXd inside = p.A * matrix(n, 1);
    p.lower = p.upper = inside;
    for (int i = 0; i < m; ++i) {
      const int kind = whole(0, 4);  // 0: an equation; 1, 2: one side only; others: both
      if (kind > 0) p.lower[i] = kind == 1 ? -kInfinity : inside[i] - number(0.0, 0.5);
      if (kind > 0) p.upper[i] = kind == 2 ? kInfinity : inside[i] + number(0.0, 0.5);
    }
    return p;
  }

 private:
  std::mt19937 random_;
};

const DenseQpSolution& solve(DenseQp& qp, const Problem& p) { return qp.solve(p.H, p.g, p.A, p.lower, p.upper); }

/// The conditions of Karush, Kuhn and Tucker, which are sufficient for a convex problem.
void expectOptimal(const Problem& p, const DenseQpSolution& s, double tolerance) {
  ASSERT_EQ(s.status, QpStatus::solved) << name(s.status);
  EXPECT_LE(s.residual, tolerance);
  const VectorXd gradient = p.H * s.x + p.g + p.A.transpose() * s.y;
  EXPECT_LE(gradient.lpNorm<Eigen::Infinity>(), tolerance);
  const VectorXd values = p.A * s.x;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    EXPECT_GE(values[i], p.lower[i] - tolerance);
    EXPECT_LE(values[i], p.upper[i] + tolerance);
    if (s.y[i] > 0.0) {
      EXPECT_NEAR(values[i], p.upper[i], tolerance) << "multiplier " << s.y[i];
    }
    if (s.y[i] < 0.0) {
      EXPECT_NEAR(values[i], p.lower[i], tolerance) << "multiplier " << s.y[i];
    }
  }
}

TEST(DenseQp, WithoutConstraintsIsALinearSystem) {
  RandomProblems random(1);
  Problem p = random.feasible(6, 0, 8);
  DenseQp qp;
  EXPECT_TRUE(solve(qp, p).x.isApprox(-p.H.ldlt().solve(p.g), 1e-10));
}

TEST(DenseQp, ClampsAgainstABox) {
  const Problem p{MatrixXd::Identity(3, 3), Vector3d(-5.0, 0.2, 5.0), MatrixXd::Identity(3, 3), Vector3d(-1, -1, -1),
                  Vector3d(2, 1, 1)};
  DenseQp qp;
  const DenseQpSolution& s = solve(qp, p);
  EXPECT_TRUE(s.x.isApprox(Vector3d(2.0, -0.2, -1.0), 1e-15));
  EXPECT_TRUE(s.y.isApprox(Vector3d(3.0, 0.0, -4.0), 1e-15));
}

TEST(DenseQp, RandomStrictlyConvexProblemsMeetTheConditionsOfTheOptimum) {
  RandomProblems random(2);
  DenseQp qp;
  for (int k = 0; k < 300; ++k) {
    const int n = random.whole(1, 20), m = random.whole(0, n);
    const Problem p = random.feasible(n, m, n + 2);
    expectOptimal(p, solve(qp, p), 1e-7);
  }
}

/// Many more inequalities than variables, with equations only where they leave something free.
TEST(DenseQp, RandomCrowdedProblemsMeetTheConditionsOfTheOptimum) {
  RandomProblems random(3);
  DenseQp qp;
  for (int k = 0; k < 200; ++k) {
    const int n = random.whole(2, 12);
    const Problem p = random.feasible(n, 5 * n, n + 2);  // more equations than variables, all consistent
    expectOptimal(p, solve(qp, p), 1e-7);
  }
}

TEST(DenseQp, SingularCostsWithABoxMeetTheConditionsOfTheOptimum) {
  RandomProblems random(4);
  DenseQp qp;
  for (int k = 0; k < 200; ++k) {
    const int n = random.whole(2, 12), m = random.whole(0, n);
    Problem p = random.feasible(n, m, random.whole(0, n - 1));  // rank 0: a linear program
    p.A.conservativeResize(m + n, n);
    p.A.bottomRows(n).setIdentity();
    p.lower.conservativeResize(m + n);
    p.upper.conservativeResize(m + n);
    p.lower.tail(n).setConstant(-2.0);
    p.upper.tail(n).setConstant(2.0);
    expectOptimal(p, solve(qp, p), 1e-6);
  }
}

TEST(DenseQp, RepeatedAndScaledRowsAreHarmless) {
  RandomProblems random(5);
  DenseQp qp;
  for (int k = 0; k < 100; ++k) {
    const Problem once = random.feasible(8, 5, 10);
    Problem twice = once;
    twice.A.resize(10, 8);
    twice.A << once.A, 1e3 * once.A;
    twice.lower.resize(10);
    twice.lower << once.lower, 1e3 * once.lower;
    twice.upper.resize(10);
    twice.upper << once.upper, 1e3 * once.upper;
    const VectorXd x = solve(qp, once).x;
    const DenseQpSolution& s = solve(qp, twice);
    expectOptimal(twice, s, 1e-6);
    EXPECT_TRUE(s.x.isApprox(x, 1e-7));
  }
}

TEST(DenseQp, ADegenerateVertexIsFound) {
  // Five half-planes through the point (1, 1), which is the optimum.
  Problem p{MatrixXd::Identity(2, 2), Eigen::Vector2d(-9.0, -9.0), MatrixXd(5, 2), VectorXd::Constant(5, -kInfinity),
            VectorXd(5)};
  p.A << 1, 0, 0, 1, 1, 1, 2, 1, 1, 2;
  p.upper << 1, 1, 2, 3, 3;
  DenseQp qp;
  const DenseQpSolution& s = solve(qp, p);
  expectOptimal(p, s, 1e-12);
  EXPECT_TRUE(s.x.isApprox(Eigen::Vector2d(1.0, 1.0), 1e-12));
}

TEST(DenseQp, ContradictionsAreToldApart) {
  RandomProblems random(6);
  DenseQp qp;
  for (int k = 0; k < 200; ++k) {
    const int n = random.whole(2, 10), m = random.whole(1, 2 * n);
    Problem p = random.feasible(n, m, n + 2);
    // A combination of rows cannot be larger than the combination of their upper bounds: asks for a little more.
    const VectorXd weights = random.matrix(m, 1).cwiseAbs();
    for (int i = 0; i < m; ++i)
      if (p.upper[i] == kInfinity) p.upper[i] = p.lower[i] + 1.0;
    p.A.conservativeResize(m + 1, n);
    p.lower.conservativeResize(m + 1);
    p.upper.conservativeResize(m + 1);
    p.A.row(m) = weights.transpose() * p.A.topRows(m);
    p.lower[m] = weights.dot(p.upper.head(m)) + 1e-3;
    p.upper[m] = kInfinity;
    EXPECT_EQ(solve(qp, p).status, QpStatus::infeasible) << "problem " << k;
    p.lower[m] -= 2e-3;
    EXPECT_NE(solve(qp, p).status, QpStatus::iteration_limit);
  }
}

TEST(DenseQp, BoundsThatCrossAndRowsOfZerosAreInfeasible) {
  DenseQp qp;
  Problem p{MatrixXd::Identity(2, 2), Eigen::Vector2d(1, 1), MatrixXd::Zero(1, 2), VectorXd::Constant(1, 0.5),
            VectorXd::Constant(1, 1.0)};
  EXPECT_EQ(solve(qp, p).status, QpStatus::infeasible);
  p.lower[0] = -1.0;
  EXPECT_EQ(solve(qp, p).status, QpStatus::solved);
  p.A << 1, 0;
  p.lower[0] = 2.0;
  EXPECT_EQ(solve(qp, p).status, QpStatus::infeasible);
}

TEST(DenseQp, ACostThatFallsForEverIsUnbounded) {
  DenseQp qp;
  Problem p{MatrixXd::Zero(2, 2), Eigen::Vector2d(-1.0, 0.0), MatrixXd::Identity(2, 2),
            VectorXd::Constant(2, -kInfinity), VectorXd::Constant(2, kInfinity)};
  p.H(1, 1) = 1.0;
  EXPECT_EQ(solve(qp, p).status, QpStatus::unbounded);
  p.upper[0] = 5.0;
  expectOptimal(p, solve(qp, p), 1e-9);
}

TEST(DenseQp, SaysWhatIsWrongWithTheProblem) {
  DenseQp qp;
  Problem p{MatrixXd::Identity(2, 2), Eigen::Vector2d(1, 1), MatrixXd::Identity(2, 2), VectorXd::Constant(2, -1.0),
            VectorXd::Constant(2, 1.0)};
  p.H(1, 1) = -1.0;
  EXPECT_EQ(solve(qp, p).status, QpStatus::not_convex);
  p.H(1, 1) = std::nan("");
  EXPECT_EQ(solve(qp, p).status, QpStatus::not_finite);
  p.g.resize(3);
  EXPECT_THROW(solve(qp, p), Error);
}

TEST(DenseQp, AFreshSolverGivesTheSameBits) {
  RandomProblems random(7);
  DenseQp used;
  for (int k = 0; k < 20; ++k) {
    const Problem p = random.feasible(9, 12, 5 + k % 6);
    DenseQp fresh;
    const VectorXd x = solve(used, p).x;
    EXPECT_EQ(solve(fresh, p).x, x);
  }
}

}  // namespace
}  // namespace footfall
