#include "footfall/solver/contact_problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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

double residualOfContact(const ContactProblem& problem, const double* impulse, int contact) {
  const ContactLayout& layout = problem.layout;
  const double mu = problem.mu[contact];
  Vector3 v = contactVelocity(problem, impulse, contact);
  if (problem.law == FrictionLaw::convex_pyramid) v[2] -= mu * (std::abs(v[0]) + std::abs(v[1]));

  double g = 0.0;
  for (int c = 0; c < 3; ++c) g += problem(contact, c, contact, c) / 3.0;
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

}  // namespace

void ContactProblem::reserve(int max_contacts) {
  const ContactLayout room = ContactLayout::of(max_contacts);
  G.reserve(static_cast<std::size_t>(room.rows()) * room.rows());
  b.reserve(room.rows());
  mu.reserve(room.stride);
}

void ContactProblem::resize(int contacts) {
  layout = ContactLayout::of(contacts);
  const int rows = layout.rows();
  G.resize(static_cast<std::size_t>(rows) * rows);
  b.resize(rows);
  mu.resize(layout.stride);
  for (int i = contacts; i < layout.stride; ++i) {
    mu[i] = 0.0;
    for (int c = 0; c < 3; ++c) {
      const int row = layout.row(i, c);
      b[row] = c == 2 ? 1.0 : 0.0;
      for (int k = 0; k < rows; ++k) {
        G[static_cast<std::size_t>(row) * rows + k] = 0.0;
        G[static_cast<std::size_t>(k) * rows + row] = 0.0;
      }
    }
  }
}

double contactResidual(const ContactProblem& problem, const double* impulse, int* worst_contact) {
  double largest = 0.0;
  int worst = problem.layout.contacts > 0 ? 0 : -1;
  for (int i = 0; i < problem.layout.contacts; ++i) {
    double residual = residualOfContact(problem, impulse, i);
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
