#pragma once

#include <Eigen/Core>

namespace footfall {

// Eigen's orthogonal decompositions take long to compile: here they are compiled once.

/// The shortest of the x for which |A x - b| is smallest. Columns count as dependent when a pivot is below
/// `threshold` times the largest one (0: Eigen's choice, rounding times the size).
Eigen::VectorXd leastSquares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double threshold = 0.0);

Eigen::Matrix<double, 6, 6> pseudoInverse(const Eigen::Matrix<double, 6, 6>& A);

}  // namespace footfall
