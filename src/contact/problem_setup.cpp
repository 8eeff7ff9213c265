#include "contact/problem_setup.hpp"

#include <algorithm>

namespace footfall {
namespace {

constexpr double kRecoveryShare = 0.1;  ///< of a penetration, taken back in one step [-]
constexpr double kAllowedDepth = 1e-6;  ///< left alone: lifting a robot out of it would only make energy [m]

}  // namespace

void assembleContactProblem(const Dynamics& dynamics, std::span<const ActiveContact> active, const VectorXd& nu,
                            ContactProblem& problem) {
  const int contacts = static_cast<int>(active.size());
  problem.resize(contacts);
  dynamics.delassus(problem.G.data());
  dynamics.contactVelocity(nu, problem.b.data());
  const ContactLayout& layout = problem.layout;
  for (int i = contacts; i < layout.stride; ++i) problem.b[layout.row(i, 2)] = 1.0;
  for (int i = 0; i < contacts; ++i) {
    const SurfacePoint& surface = active[i].surface;
    problem.mu[i] = surface.friction;
    if (surface.velocity_W.isZero(0.0)) continue;
    const Vector3d velocity_C = surface.R_WC.transpose() * surface.velocity_W;
    for (int c = 0; c < 3; ++c) problem.b[layout.row(i, c)] -= velocity_C[c];
  }
}

double gapVelocity(double gap, double dt) {
  if (gap >= 0.0) return gap / dt;
  return kRecoveryShare * std::min(gap + kAllowedDepth, 0.0) / dt;
}

}  // namespace footfall
