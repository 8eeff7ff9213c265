#include "footfall/solver/contact_problem.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "solver/shared_trees.hpp"

namespace footfall {
namespace {

using Vector3 = std::array<double, 3>;

/// Velocity of one contact: its three rows of G p + b.
Vector3 contactVelocity(const ContactProblem& problem, const double* impulse, int contact) {
  const int rows = problem.layout.rows();
  Vector3 velocity;
  for (int c = 0; c < 3; ++c) {
    const int row = problem.layout.row(contact, c);
    const double* G_row = problem.G.data() + static_cast<std::size_t>(row) * rows;
    double sum = problem.b[row];
    for (int k = 0; k < rows; ++k) sum += G_row[k] * impulse[k];
    velocity[c] = sum;
  }
  return velocity;
}

/// Nearest point to (x, y) in the set that bounds friction: a disc for the cone, a square for the pyramids.
void projectFriction(FrictionLaw law, double radius, double& x, double& y) {
  if (law == FrictionLaw::cone) {
    const double length = std::hypot(x, y);
    if (length > radius) {
      x *= radius / length;
      y *= radius / length;
    }
  } else {
    x = std::clamp(x, -radius, radius);
    y = std::clamp(y, -radius, radius);
  }
}

double residualOfContact(const ContactProblem& problem, const double* impulse, int contact, Vector3 v) {
  const ContactLayout& layout = problem.layout;
  const double mu = problem.mu[contact];
  if (problem.law == FrictionLaw::convex_pyramid) v[2] -= mu * (std::abs(v[0]) + std::abs(v[1]));

  double g = 0.0;
  for (int c = 0; c < 3; ++c) g += problem.own(contact, c, c) / 3.0;
  const double qx = g * impulse[layout.row(contact, 0)];
  const double qy = g * impulse[layout.row(contact, 1)];
  const double qn = g * impulse[layout.row(contact, 2)];
  double x = qx - v[0];
  double y = qy - v[1];
  projectFriction(problem.law, mu * std::max(qn, 0.0), x, y);
  const double rx = qx - x;
  const double ry = qy - y;
  const double rn = qn - std::max(qn - v[2], 0.0);
  return std::sqrt(rx * rx + ry * ry + rn * rn);
}

/// Of G, from what stands for it.
double entryOf(const TreeMotions& trees, int i, int a, int j, int c) {
  constexpr int kBlock = TreeMotions::kBlock;
  double sum = i == j && a == c ? trees.own[i][a] : 0.0;
  forSharedTrees(
      trees, i, j,
      [&](const TreeMotions::Side& mine, int theirs) {
        sum += trees.row(mine, a)[trees.written[mine.tree].layout.row(theirs, c)];
      },
      [&](const double* V_i, const double* V_j) {
        for (int k = 0; k < kBlock; ++k) sum += V_i[a * kBlock + k] * V_j[c * kBlock + k];
      });
  return sum;
}

}  // namespace

void ContactProblem::reserve(int max_contacts) {
  const ContactLayout room = ContactLayout::of(max_contacts);
  G.reserve(static_cast<std::size_t>(room.rows()) * room.rows());
  b.reserve(room.rows());
  mu.reserve(room.stride);
}

void ContactProblem::resizeByTrees(int contacts) {
  by_trees_ = true;
  layout = ContactLayout::of(contacts);
  trees.clear();
  b.assign(layout.rows(), 0.0);
  mu.assign(layout.stride, 0.0);
  makePaddingInert();
}

double ContactProblem::entry(int i, int a, int j, int c) const {
  return by_trees_ ? entryOf(trees, i, a, j, c) : (*this)(i, a, j, c);
}

void ContactProblem::detach(int contact) {
  if (!by_trees_) {
    for (int c = 0; c < 3; ++c) (*this)(contact, c, contact, c) = 1.0;
    return;
  }
  trees.sides[contact] = {};
  trees.own[contact] = {1.0, 1.0, 1.0};
}

void ContactProblem::velocity(const double* impulse, std::vector<double>& motion, double* v) const {
  std::copy(b.begin(), b.begin() + layout.rows(), v);
  addResponse(impulse, motion, v, [](double x) { return x; });
}

void ContactProblem::sizeOfResponse(const double* impulse, std::vector<double>& motion, double* size) const {
  std::fill_n(size, layout.rows(), 0.0);
  addResponse(impulse, motion, size, [](double x) { return std::abs(x); });
}

template <class Take>
void ContactProblem::addResponse(const double* impulse, std::vector<double>& motion, double* v, Take take) const {
  if (!by_trees_) {
    for (int row = 0; row < layout.rows(); ++row) {
      const double* G_row = G.data() + static_cast<std::size_t>(row) * layout.rows();
      for (int k = 0; k < layout.rows(); ++k) v[row] += take(G_row[k] * impulse[k]);
    }
    return;
  }
  constexpr int kBlock = TreeMotions::kBlock;
  motion.assign(trees.motions(), 0.0);
  const auto forWritten = [&](int contact, auto f) {
    for (const TreeMotions::Side& side : trees.sides[contact])
      if (side.tree >= 0 && trees.isWritten(side.tree)) f(side, motion.data() + trees.begin[side.tree]);
  };
  // f(component, of V, of the motion) for all numbers of a contact
  const auto forEach = [&](int contact, auto f) {
    for (const TreeMotions::Side& side : trees.sides[contact]) {
      if (side.tree < 0 || trees.isWritten(side.tree)) continue;
      for (int k = 0; k < kBlock * trees.blocks(side.tree); ++k) {
        const double* V = trees.V.data() + side.first + (k / kBlock) * TreeMotions::kRows + k % kBlock;
        for (int c = 0; c < 3; ++c) f(c, V[c * kBlock], motion[trees.begin[side.tree] + k]);
      }
    }
  };
  for (int i = 0; i < layout.contacts; ++i) {
    forEach(i, [&](int c, double V, double& y) { y += take(V * impulse[layout.row(i, c)]); });
    forWritten(i, [&](const TreeMotions::Side& side, double* impulses) {
      const ContactLayout& own = trees.written[side.tree].layout;
      for (int c = 0; c < 3; ++c) impulses[own.row(static_cast<int>(side.first), c)] = impulse[layout.row(i, c)];
    });
  }
  for (int i = 0; i < layout.contacts; ++i) {
    forWritten(i, [&](const TreeMotions::Side& side, const double* impulses) {
      for (int c = 0; c < 3; ++c)
        for (int k = 0; k < trees.size[side.tree]; ++k)
          v[layout.row(i, c)] += take(trees.row(side, c)[k] * impulses[k]);
    });
    for (int c = 0; c < 3; ++c) v[layout.row(i, c)] += take(trees.own[i][c] * impulse[layout.row(i, c)]);
    forEach(i, [&](int c, double V, double& y) { v[layout.row(i, c)] += take(V * y); });
  }
}

void MatrixName::renew() {
  // Names are drawn by the thousand million: threads do not wait for each other.
  constexpr std::uint64_t kDrawn = std::uint64_t{1} << 30;
  static std::atomic<std::uint64_t> next{kDrawn};
  const bool used_up = (value_ + 1) % kDrawn == 0;
  value_ = value_ == 0 || used_up ? next.fetch_add(kDrawn, std::memory_order_relaxed) : value_ + 1;
}

void ContactProblem::resize(int contacts) {
  by_trees_ = false;
  layout = ContactLayout::of(contacts);
  const int rows = layout.rows();
  G.resize(static_cast<std::size_t>(rows) * rows);
  b.resize(rows);
  mu.resize(layout.stride);
  for (int i = contacts; i < layout.stride; ++i) makeInert(i);
}

void ContactProblem::makePaddingInert() {
  for (int i = layout.contacts; i < layout.stride; ++i) makeRowsInert(i);
}

void ContactProblem::makeInert(int contact) {
  makeRowsInert(contact);
  clearResponse(contact);
}

void ContactProblem::makeRowsInert(int contact) {
  mu[contact] = 0.0;
  for (int c = 0; c < 3; ++c) b[layout.row(contact, c)] = c == 2 ? 1.0 : 0.0;
}

void ContactProblem::clearResponse(int contact) {
  if (by_trees_) {
    trees.sides[contact] = {};
    trees.own[contact] = {};
    return;
  }
  const int rows = layout.rows();
  for (int c = 0; c < 3; ++c) {
    const int row = layout.row(contact, c);
    for (int k = 0; k < rows; ++k) {
      G[static_cast<std::size_t>(row) * rows + k] = 0.0;
      G[static_cast<std::size_t>(k) * rows + row] = 0.0;
    }
  }
}

double contactResidual(const ContactProblem& problem, const double* impulse, int* worst_contact) {
  double largest = 0.0;
  int worst = problem.layout.contacts > 0 ? 0 : -1;
  std::vector<double> motion, velocity;
  if (problem.byTrees()) {
    velocity.resize(problem.layout.rows());
    problem.velocity(impulse, motion, velocity.data());
  }
  const auto velocityOf = [&](int i) {
    if (!problem.byTrees()) return contactVelocity(problem, impulse, i);
    const ContactLayout& layout = problem.layout;
    return Vector3{velocity[layout.row(i, 0)], velocity[layout.row(i, 1)], velocity[layout.row(i, 2)]};
  };
  for (int i = 0; i < problem.layout.contacts; ++i) {
    double residual = residualOfContact(problem, impulse, i, velocityOf(i));
    if (!std::isfinite(residual)) residual = std::numeric_limits<double>::infinity();
    if (residual > largest) {
      largest = residual;
      worst = i;
    }
  }
  if (worst_contact != nullptr) *worst_contact = worst;
  return largest;
}

}  // namespace footfall
