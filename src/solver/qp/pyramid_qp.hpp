#pragma once

#include <Eigen/Core>

#include "footfall/solver/contact_problem.hpp"

namespace footfall {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// min ½ xᵀ H x + gᵀ x subject to A x ≥ 0, contact by contact: x = (x, y, normal) of the first, of the second, …
///
/// It is the contact problem without dimensions, so that the tolerances of the solvers mean the same for a hand and
/// for a humanoid: the impulse of contact i is divided by β / √g_i, where g_i = trace(G_ii)/3 and β makes the largest
/// entry of g one. H is singular where feet have more points than they need.
struct PyramidQp {
  Eigen::MatrixXd H;
  Eigen::VectorXd g;
  RowMajorMatrix A;  ///< per contact: mu n − x, mu n + x, mu n − y, mu n + y, n
  int contacts() const { return static_cast<int>(H.rows()) / 3; }

  /// H and A; the friction law is left to the gradient.
  void setMatrices(const ContactProblem& problem);
  /// @param shift added to the normal part of b, by contact [m/s]
  void setGradient(const ContactProblem& problem, const Eigen::VectorXd& shift);

  /// Impulses in the problem's layout, moved into the pyramid where rounding left them outside [N s].
  void impulses(const ContactProblem& problem, const Eigen::VectorXd& x, double* impulse) const;

 private:
  Eigen::VectorXd scale_;  ///< 1/√g_i, by contact [√kg]
  double beta_ = 1.0;
};

}  // namespace footfall
