// Watt's flyball governor (IFToMM A05), whose springs are so stiff that they pass for rods: docs/judges.md.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "footfall/run/simulation.hpp"
#include "tools/source_dir.hpp"

namespace footfall {
namespace {

constexpr double kGravity = 9.81, kStiffness = 8e5, kDamping = 4e4, kRestLength = 0.5;
constexpr double kSlider = 3.0, kRod = 0.3, kBall = 5.0;  // [kg]
constexpr double kTransverse = 0.0250025, kAxial = 5e-6;  // of a rod about its own centre [kg m²]
constexpr double kHinge = 0.05;                           // from the axis [m]

/// Both rods move alike, so that three coordinates say it all: angle of the rods below the horizontal β, height of the
/// slider s, and speed of the shaft, which follows from its angular momentum.
struct Governor {
  double beta = M_PI / 6.0, beta_rate = 0.0;  ///< [rad], [rad/s]
  double s = 0.5, s_rate = 0.0;               ///< [m], [m/s]

  /// About the shaft [kg m²], and its derivative by β.
  double inertia() const {
    const double c = std::cos(beta), half = kHinge + 0.5 * c, end = kHinge + c;
    return kAxial + 0.005 +
           2.0 * (kTransverse * c * c + kAxial * (1.0 - c * c) + kRod * half * half + kBall * end * end);
  }
  double inertiaByBeta() const {
    const double c = std::cos(beta), sine = std::sin(beta);
    return -2.0 * sine * (2.0 * (kTransverse - kAxial) * c + kRod * (kHinge + 0.5 * c) + 2.0 * kBall * (kHinge + c));
  }
  double shaftSpeed(double momentum) const { return momentum / inertia(); }
};

/// Lagrange's equations; nothing turns the shaft from outside.
Governor rateOf(const Governor& g, double momentum) {
  const double c = std::cos(g.beta), sine = std::sin(g.beta);
  const double x = 0.5 * c, z = 1.0 - 0.5 * sine - g.s, length = std::hypot(x, z);
  const double by_beta = (-0.5 * sine * x - 0.5 * c * z) / length, by_s = -z / length;
  const double force =
      kStiffness * (length - kRestLength) + kDamping * (by_beta * g.beta_rate + by_s * g.s_rate);  // [N], pulls
  const double omega = g.shaftSpeed(momentum);
  const double hinge_inertia = kTransverse + 0.25 * kRod + kBall;
  Governor rate;
  rate.beta = g.beta_rate;
  rate.s = g.s_rate;
  rate.beta_rate = (0.25 * g.inertiaByBeta() * omega * omega + kGravity * (0.5 * kRod + kBall) * c - force * by_beta) /
                   hinge_inertia;
  rate.s_rate = -kGravity - 2.0 * force * by_s / kSlider;
  return rate;
}

Governor moved(const Governor& g, const Governor& rate, double dt) {
  return {g.beta + dt * rate.beta, g.beta_rate + dt * rate.beta_rate, g.s + dt * rate.s, g.s_rate + dt * rate.s_rate};
}

/// When it is compared: while it swings, and after it has come to rest relative to the shaft [s].
constexpr std::array<double, 5> kTimes = {0.1, 0.3, 1.0, 3.0, 10.0};
using Course = std::array<Governor, kTimes.size()>;

/// Runge and Kutta's scheme; 5 µs are a seventh of the time in which the dampers act.
Course referenceCourse(double momentum) {
  constexpr double dt = 5e-6;
  Course course;
  Governor g;
  int k = 0;
  for (std::size_t i = 0; i < kTimes.size(); ++i) {
    for (; k < static_cast<int>(std::lround(kTimes[i] / dt)); ++k) {
      const Governor a = rateOf(g, momentum), b = rateOf(moved(g, a, 0.5 * dt), momentum),
                     c = rateOf(moved(g, b, 0.5 * dt), momentum), d = rateOf(moved(g, c, dt), momentum);
      g = moved(moved(moved(moved(g, a, dt / 6.0), b, dt / 3.0), c, dt / 3.0), d, dt / 6.0);
    }
    course[i] = g;
  }
  return course;
}

/// Largest difference to the reference: height of the slider, angle of the rods, speed of the shaft.
double errorWith(const std::string& step, const Course& reference, double momentum) {
  Simulation simulation(loadScene(sourceDir() + "/tests/data/judges/flyball_governor.yaml", {{"physics.step", step}}));
  const Model& model = simulation.model();
  double largest = 0.0;
  for (std::size_t i = 0; i < kTimes.size(); ++i) {
    const double half = 0.5 * simulation.settings().step;
    while (simulation.time() < kTimes[i] - half)
      if (simulation.step().status == SolveStatus::failed) return std::numeric_limits<double>::infinity();
    const auto joints = simulation.state().joints();
    const double speed = model.jointVelocities(simulation.state().nu)[model.dof("spin")];
    EXPECT_NEAR(joints[model.dof("hinge_a")], joints[model.dof("hinge_b")], 1e-10) << step;
    for (const double error :
         {joints[model.dof("slide")] - reference[i].s, joints[model.dof("hinge_a")] - reference[i].beta,
          speed - reference[i].shaftSpeed(momentum)})
      largest = std::max(largest, std::abs(error));
  }
  return largest;
}

TEST(FlyballGovernor, FollowsLagrangesEquationsForTenSeconds) {
  const double momentum = Governor{}.inertia() * 2.0 * M_PI;
  const Course reference = referenceCourse(momentum);
  // It works: the balls fly out, and the slider follows them.
  ASSERT_GT(reference.back().s, 0.6);
  const double coarse = errorWith("100 us", reference, momentum), middle = errorWith("50 us", reference, momentum),
               fine = errorWith("25 us", reference, momentum);
  EXPECT_LT(middle, 1e-6);
  EXPECT_GT(std::log2(coarse / middle), 1.8);
  EXPECT_GT(std::log2(middle / fine), 1.8);
}

}  // namespace
}  // namespace footfall
