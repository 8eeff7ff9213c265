#include "footfall/spatial/internal/least_squares.hpp"

#include <gtest/gtest.h>

namespace footfall {
namespace {

TEST(LeastSquares, OfDependentColumnsIsTheShortest) {
  Eigen::MatrixXd A(2, 3);
  A << 1, 1, 0, 0, 0, 2;  // x0 + x1 = 2, 2 x2 = 3: the shortest shares equally
  const Eigen::VectorXd x = leastSquares(A, Eigen::Vector2d(2.0, 3.0));
  EXPECT_LT((x - Eigen::Vector3d(1.0, 1.0, 1.5)).norm(), 1e-15);
}

TEST(LeastSquares, ThatCannotBeMetMinimisesTheError) {
  Eigen::MatrixXd A(3, 1);
  A << 1, 1, 1;
  EXPECT_NEAR(leastSquares(A, Eigen::Vector3d(1.0, 2.0, 6.0))[0], 3.0, 1e-15) << "the mean";
}

TEST(PseudoInverse, HasPenrosesProperties) {
  using Matrix6d = Eigen::Matrix<double, 6, 6>;
  Matrix6d A = Matrix6d::Zero();
  A.topLeftCorner<3, 3>() << 1, 2, 3, 2, 4, 6, 1, 0, 1;  // of rank two
  A.bottomRightCorner<2, 2>() << 2, 1, 1, 3;
  const Matrix6d B = pseudoInverse(A);
  EXPECT_LT((A * B * A - A).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((B * A * B - B).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((A * B - (A * B).transpose()).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((B * A - (B * A).transpose()).cwiseAbs().maxCoeff(), 1e-14);
}

}  // namespace
}  // namespace footfall
