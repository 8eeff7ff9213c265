#pragma once

#include <memory>

#include "footfall/spatial/pose.hpp"

namespace footfall {

enum class QpStatus {
  solved,
  infeasible,       ///< no x satisfies the constraints
  unbounded,        ///< the cost falls without end
  iteration_limit,  ///< the best that was found is not accurate
  not_convex,       ///< H has a negative eigenvalue
  not_finite,       ///< the problem holds an infinity or not-a-number where a number is needed
};

/// "solved", "infeasible", …
const char* name(QpStatus status);

struct DenseQpSolution {
  QpStatus status = QpStatus::iteration_limit;
  int iterations = 0;     ///< changes of the active set
  double residual = 0.0;  ///< largest of |H x + g + Aᵀ y| and of the violations of the bounds, in units of the problem
  VectorXd x;             ///< minimiser; zero unless solved
  VectorXd y;             ///< multipliers: > 0 at an upper bound, < 0 at a lower one, 0 between; zero unless solved
};

/// Small dense quadratic programs, exactly:  minimise ½ xᵀ H x + gᵀ x  such that  lower ≤ A x ≤ upper.
///
/// H is positive semidefinite. Infinite bounds are no bounds; equal ones make an equation. Constraints may be redundant
/// or contradict each other: that is a status, never an exception. Dual active-set method of Goldfarb and Idnani
/// (1983), inside proximal iterations where H is singular. Starts from nothing each time: the same problem gives the
/// same bits.
///
///     DenseQp qp;
///     qp.reserve(n, m);   // solve() allocates nothing as long as the size stays the same: pad with infinite bounds
///     const DenseQpSolution& solution = qp.solve(H, g, A, lower, upper);
class DenseQp {
 public:
  DenseQp();
  ~DenseQp();
  DenseQp(DenseQp&&) noexcept;
  DenseQp& operator=(DenseQp&&) noexcept;

  void reserve(int variables, int constraints);

  /// Only the lower triangle of H is read. Throws Error when the sizes do not fit to each other.
  /// @return valid until the next call
  const DenseQpSolution& solve(const Eigen::Ref<const MatrixXd>& H, const Eigen::Ref<const VectorXd>& g,
                               const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const VectorXd>& lower,
                               const Eigen::Ref<const VectorXd>& upper);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall
