#pragma once

#include <vector>

#include "footfall/spatial/pose.hpp"

namespace footfall {

/// Strictly convex quadratic programs by the dual active-set method of Goldfarb and Idnani, "A numerically stable dual
/// method for solving strictly convex quadratic programs" (1983): starts at the minimum without constraints and makes
/// the violated ones active one after the other, so that the multipliers never have the wrong sign.
class DualActiveSet {
 public:
  enum class Outcome { solved, infeasible, iteration_limit };

  void reserve(int variables, int constraints);

  /// Takes the cost ½ xᵀ H x; false when H is not positive definite by a margin (relative to its diagonal).
  /// @param shift added to the diagonal of H
  bool factorize(const MatrixXd& H, double shift, double margin);

  /// @param normals   columns of length one, (n × m)
  /// @param lower, upper of normalsᵀ x
  Outcome solve(const VectorXd& g, const MatrixXd& normals, const VectorXd& lower, const VectorXd& upper);

  const VectorXd& x() const { return x_; }
  /// H x + g = normals · multipliers: ≥ 0 at a lower bound, ≤ 0 at an upper one.
  void multipliers(VectorXd& all) const;
  int iterations() const { return iterations_; }

 private:
  struct Constraint {
    int index;
    double side;  ///< +1: at its lower bound, −1: at its upper one
  };
  enum class Added { yes, redundant, infeasible };

  double bound(const Constraint& c) const { return c.side * (c.side > 0.0 ? (*lower_)[c.index] : (*upper_)[c.index]); }
  double slack(const Constraint& c) const { return c.side * normals_->col(c.index).dot(x_) - bound(c); }
  double tolerance(const Constraint& c) const;
  /// index −1: none.
  Constraint mostViolated() const;
  Added makeActive(const Constraint& c);
  /// d_ = Jᵀ n, z_ = J₂ d₂: the direction in which x may move, r_ = R⁻¹ d₁: how the multipliers follow.
  void directions(const Constraint& c);
  void solveR();  ///< r_ becomes R⁻¹ r_
  void insert(const Constraint& c, double multiplier);
  void drop(int position);
  /// Removes what rounding has left in the conditions of the optimum, for the active set that was found.
  void refine();

  int n_ = 0, m_ = 0;
  MatrixXd H_;        ///< with the shift
  MatrixXd J_start_;  ///< L⁻ᵀ of H = L Lᵀ
  MatrixXd J_, R_;    ///< Jᵀ N = [R; 0] for the normals N of the active constraints
  VectorXd x_, d_, z_, r_;
  VectorXd u_;  ///< multipliers of the active constraints, with the sign of their side
  std::vector<Constraint> active_;
  std::vector<char> is_active_;
  int active_count_ = 0;
  int equations_ = 0;  ///< the first so many of the active ones; they are never dropped
  int iterations_ = 0;
  const VectorXd* g_ = nullptr;  // of the problem that is being solved
  const MatrixXd* normals_ = nullptr;
  const VectorXd* lower_ = nullptr;
  const VectorXd* upper_ = nullptr;
};

}  // namespace footfall
