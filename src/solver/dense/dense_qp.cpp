#include "footfall/solver/dense_qp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "footfall/base/error.hpp"
#include "solver/dense/dual_active_set.hpp"

namespace footfall {
namespace {

constexpr double kDefinite = 1e-11;       ///< pivot of H, relative to its diagonal, above which it counts as regular
constexpr double kProximalWeight = 1e-7;  ///< relative to the largest diagonal element of H
constexpr int kProximalSteps = 200;       ///< a handful is usual
constexpr double kProximalTolerance = 1e-12;
constexpr double kRayTolerance = 1e-7;  ///< of a direction in which the cost falls for ever

void requireSize(const char* what, Eigen::Index rows, Eigen::Index columns, Eigen::Index n, Eigen::Index m) {
  if (rows == n && columns == m) return;
  throw Error("DenseQp", fmt::format("{} is {} × {}, expected {} × {}", what, rows, columns, n, m));
}

}  // namespace

const char* name(QpStatus status) {
  switch (status) {
    case QpStatus::solved:
      return "solved";
    case QpStatus::infeasible:
      return "infeasible";
    case QpStatus::unbounded:
      return "unbounded";
    case QpStatus::iteration_limit:
      return "iteration limit";
    case QpStatus::not_convex:
      return "not convex";
    case QpStatus::not_finite:
      return "not finite";
  }
  return "";
}

struct DenseQp::Parts {
  DualActiveSet active_set;
  DenseQpSolution solution;
  int n = -1, m = -1;
  MatrixXd H;             ///< both triangles
  MatrixXd normals;       ///< rows of A, scaled to length one, as columns (n × m)
  VectorXd length;        ///< of the rows of A; 1 where it is zero
  VectorXd lower, upper;  ///< scaled like the rows
  VectorXd g, gradient, x_before, move;

  void reserve(int variables, int constraints);
  void copy(const Eigen::Ref<const MatrixXd>& H_given, const Eigen::Ref<const MatrixXd>& A,
            const Eigen::Ref<const VectorXd>& lower_given, const Eigen::Ref<const VectorXd>& upper_given);
  bool contradictsItself() const;
  QpStatus solve(const Eigen::Ref<const VectorXd>& g_given);
  QpStatus solveProximal(const Eigen::Ref<const VectorXd>& g_given);
  QpStatus solveOnce();
  bool falls(const Eigen::Ref<const VectorXd>& g_given) const;
  void finish(const Eigen::Ref<const VectorXd>& g_given);
};

void DenseQp::Parts::reserve(int variables, int constraints) {
  if (variables == n && constraints == m) return;
  n = variables;
  m = constraints;
  active_set.reserve(n, m);
  H.resize(n, n);
  normals.resize(n, m);
  for (VectorXd* vector : {&length, &lower, &upper, &solution.y}) vector->resize(m);
  for (VectorXd* vector : {&g, &gradient, &x_before, &move, &solution.x}) vector->resize(n);
}

void DenseQp::Parts::copy(const Eigen::Ref<const MatrixXd>& H_given, const Eigen::Ref<const MatrixXd>& A,
                          const Eigen::Ref<const VectorXd>& lower_given,
                          const Eigen::Ref<const VectorXd>& upper_given) {
  for (int k = 0; k < n; ++k) {
    H.col(k).tail(n - k) = H_given.col(k).tail(n - k);
    H.row(k).tail(n - k) = H_given.col(k).tail(n - k).transpose();
  }
  for (int i = 0; i < m; ++i) {
    normals.col(i) = A.row(i).transpose();
    length[i] = normals.col(i).norm();
    if (length[i] == 0.0) length[i] = 1.0;
    normals.col(i) /= length[i];
    lower[i] = lower_given[i] / length[i];
    upper[i] = upper_given[i] / length[i];
  }
}

/// A row whose bounds leave nothing between them, or a row of zeros that should reach something else.
bool DenseQp::Parts::contradictsItself() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (int i = 0; i < m; ++i) {
    if (lower[i] > upper[i] || lower[i] == infinity || upper[i] == -infinity) return true;
    if (normals.col(i).squaredNorm() == 0.0 && (lower[i] > 0.0 || upper[i] < 0.0)) return true;
  }
  return false;
}

QpStatus DenseQp::Parts::solveOnce() {
  const DualActiveSet::Outcome outcome = active_set.solve(g, normals, lower, upper);
  solution.iterations += active_set.iterations();
  if (outcome == DualActiveSet::Outcome::infeasible) return QpStatus::infeasible;
  if (outcome == DualActiveSet::Outcome::iteration_limit) return QpStatus::iteration_limit;
  return QpStatus::solved;
}

QpStatus DenseQp::Parts::solve(const Eigen::Ref<const VectorXd>& g_given) {
  if (!H.allFinite() || !normals.allFinite() || !g_given.allFinite() || lower.hasNaN() || upper.hasNaN())
    return QpStatus::not_finite;
  if (contradictsItself()) return QpStatus::infeasible;
  if (!active_set.factorize(H, 0.0, kDefinite)) return solveProximal(g_given);
  g = g_given;
  return solveOnce();
}

/// Minimises cost + ½ ρ |x − x_before|² again and again: each of these problems is strictly convex.
QpStatus DenseQp::Parts::solveProximal(const Eigen::Ref<const VectorXd>& g_given) {
  const double scale = n > 0 ? H.diagonal().cwiseAbs().maxCoeff() : 0.0;
  const double weight = kProximalWeight * (scale > 0.0 ? scale : 1.0);
  if (!active_set.factorize(H, weight, 0.0)) return QpStatus::not_convex;
  x_before.setZero();
  for (int k = 0; k < kProximalSteps; ++k) {
    g = g_given - weight * x_before;
    const QpStatus status = solveOnce();
    if (status != QpStatus::solved) return status;
    move = active_set.x() - x_before;
    x_before = active_set.x();
    const double left = weight * move.lpNorm<Eigen::Infinity>();  // in the gradient of the cost
    if (left <= kProximalTolerance * (1.0 + g_given.lpNorm<Eigen::Infinity>())) return QpStatus::solved;
    if (falls(g_given)) return QpStatus::unbounded;
  }
  return QpStatus::iteration_limit;
}

/// Is the last move a direction without curvature and without bounds, in which the cost falls?
bool DenseQp::Parts::falls(const Eigen::Ref<const VectorXd>& g_given) const {
  const double size = kRayTolerance * move.norm();
  if (!(g_given.dot(move) < -size * g_given.norm())) return false;
  for (int k = 0; k < n; ++k)
    if (std::abs(H.col(k).dot(move)) > size * H(k, k)) return false;
  for (int i = 0; i < m; ++i) {
    const double rate = normals.col(i).dot(move);
    if (std::isfinite(lower[i]) && rate < -size) return false;
    if (std::isfinite(upper[i]) && rate > size) return false;
  }
  return true;
}

void DenseQp::Parts::finish(const Eigen::Ref<const VectorXd>& g_given) {
  solution.x = active_set.x();
  active_set.multipliers(solution.y);
  gradient = g_given;
  gradient.noalias() += H * solution.x;
  gradient.noalias() -= normals * solution.y;
  double residual = n > 0 ? gradient.lpNorm<Eigen::Infinity>() : 0.0;
  for (int i = 0; i < m; ++i) {
    const double value = normals.col(i).dot(solution.x);
    residual = std::max(residual, length[i] * std::max(lower[i] - value, value - upper[i]));
    solution.y[i] /= -length[i];
  }
  solution.residual = residual;
}

DenseQp::DenseQp() : parts_(std::make_unique<Parts>()) {}
DenseQp::~DenseQp() = default;
DenseQp::DenseQp(DenseQp&&) noexcept = default;
DenseQp& DenseQp::operator=(DenseQp&&) noexcept = default;

void DenseQp::reserve(int variables, int constraints) { parts_->reserve(variables, constraints); }

const DenseQpSolution& DenseQp::solve(const Eigen::Ref<const MatrixXd>& H, const Eigen::Ref<const VectorXd>& g,
                                      const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const VectorXd>& lower,
                                      const Eigen::Ref<const VectorXd>& upper) {
  const Eigen::Index n = g.size(), m = lower.size();
  requireSize("H", H.rows(), H.cols(), n, n);
  requireSize("A", A.rows(), A.cols(), m, n);
  requireSize("upper", upper.rows(), 1, m, 1);
  Parts& parts = *parts_;
  parts.reserve(static_cast<int>(n), static_cast<int>(m));
  parts.copy(H, A, lower, upper);
  DenseQpSolution& solution = parts.solution;
  solution.iterations = 0;
  solution.residual = 0.0;
  solution.x.setZero();
  solution.y.setZero();
  solution.status = parts.solve(g);
  if (solution.status == QpStatus::solved) parts.finish(g);
  return solution;
}

}  // namespace footfall
