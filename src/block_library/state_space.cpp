#include "block_library/state_space.hpp"

#include <fmt/format.h>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

void requireSize(const Parameters& p, const char* name, const MatrixXd& matrix, Eigen::Index rows,
                 Eigen::Index columns) {
  if (matrix.rows() == rows && matrix.cols() == columns) return;
  throw p.error(name, fmt::format("is {} × {}, expected {} × {}", matrix.rows(), matrix.cols(), rows, columns));
}

/// Without the zeros in front of it.
VectorXd polynomial(const Parameters& p, const char* name) {
  const VectorXd all = p.vector(name);
  Eigen::Index first = 0;
  while (first + 1 < all.size() && all[first] == 0.0) ++first;
  return all.tail(all.size() - first);
}

}  // namespace

StateSpace readStateSpace(const Parameters& p) {
  StateSpace s{p.matrix("A"), p.matrix("B"), p.matrix("C"), {}, p.vector("initial", VectorXd::Zero(1))};
  const Eigen::Index n = s.A.rows();
  requireSize(p, "A", s.A, n, n);
  requireSize(p, "B", s.B, n, s.B.cols());
  requireSize(p, "C", s.C, s.C.rows(), n);
  s.D = p.has("D") ? p.matrix("D") : MatrixXd::Zero(s.C.rows(), s.B.cols());
  requireSize(p, "D", s.D, s.C.rows(), s.B.cols());
  if (s.initial.size() == 1) s.initial = VectorXd::Constant(n, s.initial[0]);
  if (s.initial.size() != n) throw p.error("initial", fmt::format("has {} numbers, expected {}", s.initial.size(), n));
  return s;
}

StateSpace readTransferFunction(const Parameters& p) {
  const VectorXd numerator = polynomial(p, "numerator"), denominator = polynomial(p, "denominator");
  const Eigen::Index n = denominator.size() - 1, degree = numerator.size() - 1;
  if (denominator[0] == 0.0) throw p.error("denominator", "is zero");
  if (degree > n)
    throw p.error("numerator", fmt::format("has degree {}, expected at most {} as the denominator", degree, n),
                  "a system cannot look ahead: add a fast pole");
  VectorXd b = VectorXd::Zero(n + 1);
  b.tail(degree + 1) = numerator / denominator[0];
  const VectorXd a = denominator / denominator[0];
  StateSpace s{MatrixXd::Zero(n, n), MatrixXd::Zero(n, 1), MatrixXd::Zero(1, n), MatrixXd::Constant(1, 1, b[0]),
               VectorXd::Zero(n)};
  if (n == 0) return s;
  s.A.topRightCorner(n - 1, n - 1).setIdentity();
  for (Eigen::Index k = 0; k < n; ++k) {
    s.A(n - 1, k) = -a[n - k];
    s.C(0, k) = b[n - k] - a[n - k] * b[0];
  }
  s.B(n - 1, 0) = 1.0;
  return s;
}

void LinearBlock::declare(BlockInterface& io) const {
  io.input("in", numbers(matrices_.B.cols()));
  io.output("out", numbers(matrices_.C.rows(), unit_), feedsThrough() ? std::vector<int>{0} : std::vector<int>{});
}

void LinearBlock::output(Evaluation& e, const Eigen::Map<VectorXd>& x) const {
  auto y = e.outVector(0);
  y.noalias() = matrices_.C * x;
  if (feedsThrough()) y.noalias() += matrices_.D * e.vector(0);
}

void LinearBlock::next(Evaluation& e, const Eigen::Map<VectorXd>& x, Eigen::Map<VectorXd> result) const {
  result.noalias() = matrices_.A * x;
  result.noalias() += matrices_.B * e.vector(0);
}

}  // namespace footfall
