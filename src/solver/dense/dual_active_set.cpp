#include "solver/dense/dual_active_set.hpp"

#include <Eigen/Jacobi>
#include <algorithm>
#include <cmath>
#include <limits>

namespace footfall {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFeasible = 1e-10;    ///< violation that is none, relative to 1 + |bound|
constexpr double kDependent = 1e-10;   ///< sine of the angle between a normal and those that are active
constexpr int kIterationsPerRow = 20;  ///< a handful per constraint is usual

/// In place, lower triangle; false when a pivot is not above margin · diagonal.
bool cholesky(Eigen::Ref<MatrixXd> L, double margin) {
  const Eigen::Index n = L.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    const double diagonal = L(k, k);
    for (Eigen::Index j = 0; j < k; ++j) L.col(k).tail(n - k) -= L(k, j) * L.col(j).tail(n - k);
    if (!(L(k, k) > margin * diagonal) || !(L(k, k) > 0.0)) return false;
    L.col(k).tail(n - k) /= std::sqrt(L(k, k));
  }
  return true;
}

/// X = L⁻ᵀ, an upper triangle, column by column.
void invertTransposed(const Eigen::Ref<const MatrixXd>& L, Eigen::Ref<MatrixXd> X) {
  const Eigen::Index n = L.rows();
  X.setZero();
  for (Eigen::Index c = 0; c < n; ++c) {
    X(c, c) = 1.0 / L(c, c);
    for (Eigen::Index i = c - 1; i >= 0; --i)
      X(i, c) = -L.col(i).segment(i + 1, c - i).dot(X.col(c).segment(i + 1, c - i)) / L(i, i);
  }
}

}  // namespace

void DualActiveSet::reserve(int variables, int constraints) {
  n_ = variables;
  m_ = constraints;
  for (MatrixXd* matrix : {&H_, &J_start_, &J_, &R_}) matrix->resize(n_, n_);
  for (VectorXd* vector : {&x_, &d_, &z_, &r_, &u_}) vector->resize(n_);
  active_.resize(static_cast<std::size_t>(n_));
  is_active_.resize(static_cast<std::size_t>(m_));
}

bool DualActiveSet::factorize(const MatrixXd& H, double shift, double margin) {
  H_ = H;
  H_.diagonal().array() += shift;
  J_ = H_;
  if (!cholesky(J_, margin)) return false;
  invertTransposed(J_, J_start_);
  return true;
}

double DualActiveSet::tolerance(const Constraint& c) const { return kFeasible * (1.0 + std::abs(bound(c))); }

DualActiveSet::Outcome DualActiveSet::solve(const VectorXd& g, const MatrixXd& normals, const VectorXd& lower,
                                            const VectorXd& upper) {
  g_ = &g, normals_ = &normals, lower_ = &lower, upper_ = &upper;
  J_ = J_start_;
  std::fill(is_active_.begin(), is_active_.end(), 0);
  active_count_ = equations_ = iterations_ = 0;
  d_.noalias() = J_.transpose() * g;
  x_.noalias() = J_ * d_;
  x_ = -x_;

  for (int i = 0; i < m_; ++i) {
    if (lower[i] != upper[i]) continue;
    const double side = normals.col(i).dot(x_) < lower[i] ? 1.0 : -1.0;
    const Added added = makeActive({i, side});
    if (added == Added::infeasible) return Outcome::infeasible;
    is_active_[i] = 1;  // also when it follows from the others: it needs no more care
    equations_ = active_count_;
  }
  const int limit = kIterationsPerRow * (n_ + m_) + 100;
  for (Constraint c = mostViolated(); c.index >= 0; c = mostViolated()) {
    if (makeActive(c) == Added::infeasible) return Outcome::infeasible;
    if (iterations_ > limit) return Outcome::iteration_limit;
  }
  refine();
  return Outcome::solved;
}

DualActiveSet::Constraint DualActiveSet::mostViolated() const {
  Constraint worst{-1, 0.0};
  double worst_slack = 0.0;
  for (int i = 0; i < m_; ++i) {
    if (is_active_[i]) continue;
    const double value = normals_->col(i).dot(x_);
    const double below = value - (*lower_)[i], above = (*upper_)[i] - value;
    const Constraint c{i, below < above ? 1.0 : -1.0};
    const double slack = std::min(below, above);
    if (slack < worst_slack && slack < -tolerance(c)) {
      worst = c;
      worst_slack = slack;
    }
  }
  return worst;
}

void DualActiveSet::directions(const Constraint& c) {
  const int q = active_count_;
  d_.noalias() = c.side * (J_.transpose() * normals_->col(c.index));
  z_.noalias() = J_.rightCols(n_ - q) * d_.tail(n_ - q);
  r_.head(q) = d_.head(q);
  solveR();
}

void DualActiveSet::solveR() {
  for (int k = active_count_ - 1; k >= 0; --k) {
    r_[k] /= R_(k, k);
    r_.head(k) -= r_[k] * R_.col(k).head(k);
  }
}

DualActiveSet::Added DualActiveSet::makeActive(const Constraint& c) {
  double multiplier = 0.0;
  while (true) {
    ++iterations_;
    directions(c);
    // How far the multipliers may move before that of an active constraint changes its sign.
    double dual_step = kInfinity;
    int blocking = -1;
    for (int k = equations_; k < active_count_; ++k)
      if (r_[k] > 0.0 && u_[k] < dual_step * r_[k]) {
        dual_step = u_[k] / r_[k];
        blocking = k;
      }
    const double free = d_.tail(n_ - active_count_).squaredNorm();
    const bool dependent = free <= kDependent * kDependent * d_.squaredNorm();
    const double primal_step = dependent ? kInfinity : -slack(c) / free;
    if (dependent && blocking < 0) return slack(c) >= -tolerance(c) ? Added::redundant : Added::infeasible;

    const double step = std::min(dual_step, primal_step);
    if (!dependent) x_ += step * z_;
    u_.head(active_count_) -= step * r_.head(active_count_);
    multiplier += step;
    if (primal_step <= dual_step) {
      insert(c, multiplier);
      return Added::yes;
    }
    drop(blocking);
  }
}

void DualActiveSet::insert(const Constraint& c, double multiplier) {
  const int q = active_count_;
  // Turns the free directions so that the new normal has a part in the first of them only.
  Eigen::JacobiRotation<double> turn;
  for (int j = n_ - 1; j > q; --j) {
    turn.makeGivens(d_[j - 1], d_[j]);
    d_[j - 1] = turn.c() * d_[j - 1] - turn.s() * d_[j];
    J_.applyOnTheRight(j - 1, j, turn);
  }
  R_.col(q).head(q + 1) = d_.head(q + 1);
  u_[q] = multiplier;
  active_[q] = c;
  is_active_[c.index] = 1;
  ++active_count_;
}

void DualActiveSet::drop(int position) {
  is_active_[active_[position].index] = 0;
  const int last = --active_count_;
  for (int k = position; k < last; ++k) {
    active_[k] = active_[k + 1];
    u_[k] = u_[k + 1];
    R_.col(k).head(k + 2) = R_.col(k + 1).head(k + 2);
  }
  Eigen::JacobiRotation<double> turn;
  for (int k = position; k < last; ++k) {
    turn.makeGivens(R_(k, k), R_(k + 1, k));
    R_.middleCols(k, last - k).applyOnTheLeft(k, k + 1, turn.adjoint());
    J_.applyOnTheRight(k, k + 1, turn);
  }
}

void DualActiveSet::refine() {
  const int q = active_count_;
  constexpr int kRounds = 2;
  for (int round = 0; round < kRounds; ++round) {
    // d_ = Jᵀ (N u − H x − g): in the free directions it moves x, in the others the multipliers take it.
    z_ = -*g_;
    z_.noalias() -= H_ * x_;
    for (int k = 0; k < q; ++k) z_ += active_[k].side * u_[k] * normals_->col(active_[k].index);
    d_.noalias() = J_.transpose() * z_;
    // r_ = R⁻ᵀ of what is missing to the bounds.
    for (int k = 0; k < q; ++k) {
      r_[k] = -slack(active_[k]) - R_.col(k).head(k).dot(r_.head(k));
      r_[k] /= R_(k, k);
    }
    z_.noalias() = J_.rightCols(n_ - q) * d_.tail(n_ - q);
    z_.noalias() += J_.leftCols(q) * r_.head(q);
    x_ += z_;
    // J₁ᵀ H (J₁ r) = r, because Jᵀ H J = 1.
    r_.head(q) -= d_.head(q);
    solveR();
    u_.head(q) += r_.head(q);
    u_.segment(equations_, q - equations_) = u_.segment(equations_, q - equations_).cwiseMax(0.0);
  }
}

void DualActiveSet::multipliers(VectorXd& all) const {
  all.setZero(m_);
  for (int k = 0; k < active_count_; ++k) all[active_[k].index] = active_[k].side * u_[k];
}

}  // namespace footfall
