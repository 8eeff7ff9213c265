#include "footfall/spatial/internal/least_squares.hpp"

#include <Eigen/QR>

namespace footfall {
namespace {

using Decomposition = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;

}  // namespace

Eigen::VectorXd leastSquares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double threshold) {
  Decomposition decomposition;
  if (threshold > 0.0) decomposition.setThreshold(threshold);
  decomposition.compute(A);
  return decomposition.solve(b);
}

Eigen::Matrix<double, 6, 6> pseudoInverse(const Eigen::Matrix<double, 6, 6>& A) {
  return Eigen::CompleteOrthogonalDecomposition<Eigen::Matrix<double, 6, 6>>(A).pseudoInverse();
}

}  // namespace footfall
