#include "solver/qp/pyramid_qp.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {
namespace {

double contactScale(const ContactProblem& problem, int contact) {
  double g = 0.0;
  for (int c = 0; c < 3; ++c) g += problem(contact, c, contact, c) / 3.0;
  return g > 0.0 ? 1.0 / std::sqrt(g) : 1.0;
}

}  // namespace

void PyramidQp::setMatrices(const ContactProblem& problem) {
  const int nc = problem.layout.contacts;
  scale_.resize(nc);
  for (int i = 0; i < nc; ++i) scale_[i] = contactScale(problem, i);

  H.resize(3 * nc, 3 * nc);
  for (int i = 0; i < nc; ++i) {
    for (int j = 0; j < nc; ++j) {
      for (int a = 0; a < 3; ++a) {
        for (int c = 0; c < 3; ++c) H(3 * i + a, 3 * j + c) = scale_[i] * scale_[j] * problem(i, a, j, c);
      }
    }
  }

  A.setZero(5 * nc, 3 * nc);
  for (int i = 0; i < nc; ++i) {
    const double mu = problem.mu[i];
    A.block<5, 3>(5 * i, 3 * i) << -1, 0, mu,  //
        1, 0, mu,                              //
        0, -1, mu,                             //
        0, 1, mu,                              //
        0, 0, 1;
  }
}

void PyramidQp::setGradient(const ContactProblem& problem, const Eigen::VectorXd& shift) {
  const ContactLayout& layout = problem.layout;
  g.resize(3 * layout.contacts);
  for (int i = 0; i < layout.contacts; ++i) {
    for (int c = 0; c < 3; ++c) g[3 * i + c] = scale_[i] * problem.b[layout.row(i, c)];
    g[3 * i + 2] += scale_[i] * shift[i];
  }
  beta_ = g.lpNorm<Eigen::Infinity>();
  if (beta_ > 0.0) g /= beta_;
}

void PyramidQp::impulses(const ContactProblem& problem, const Eigen::VectorXd& x, double* impulse) const {
  const ContactLayout& layout = problem.layout;
  std::fill_n(impulse, layout.rows(), 0.0);
  for (int i = 0; i < layout.contacts; ++i) {
    const double unit = beta_ * scale_[i];
    const double normal = std::max(unit * x[3 * i + 2], 0.0);
    const double friction = problem.mu[i] * normal;
    impulse[layout.row(i, 0)] = std::clamp(unit * x[3 * i], -friction, friction);
    impulse[layout.row(i, 1)] = std::clamp(unit * x[3 * i + 1], -friction, friction);
    impulse[layout.row(i, 2)] = normal;
  }
}

}  // namespace footfall
