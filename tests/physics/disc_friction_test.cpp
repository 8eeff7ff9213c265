#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <optional>
#include <tuple>

#include "footfall/base/internal/temporary_folder.hpp"
#include "physics/scene_tools.hpp"

// A disc that lies flat and slides or spins. Its points are redundant, and how they share the load decides about the
// torque of friction: for an even pressure the motion is the solution of an ordinary differential equation.

namespace footfall::physics {
namespace {

constexpr double kRadius = 0.1, kMass = 1.0, kInertia = 0.5 * kMass * kRadius * kRadius, kMu = 0.4;
constexpr double kHeight = 1e-3;  ///< of the centre of mass: friction hardly tilts the pressure [m]

/// Points that cover a disc evenly, with their centre in its middle.
std::vector<Vector3d> sunflower(int count) {
  const double golden = M_PI * (1.0 + std::sqrt(5.0));
  std::vector<Vector3d> points;
  Vector3d centre = Vector3d::Zero();
  for (int k = 0; k < count; ++k) {
    const double r = kRadius * std::sqrt((k + 0.5) / count);
    points.emplace_back(r * std::cos(golden * (k + 0.5)), r * std::sin(golden * (k + 0.5)), -kHeight);
    centre += points.back() / count;
  }
  for (Vector3d& p : points) p.head<2>() -= centre.head<2>();
  return points;
}

/// Velocity of a disc in its plane.
struct Motion {
  double vx = 0.0, vy = 0.0, omega = 0.0, angle = 0.0;
};

/// The rates of a disc with the same pressure at every point.
Motion ratesOfEvenPressure(const std::vector<Vector3d>& points, const Motion& m) {
  const double c = std::cos(m.angle), s = std::sin(m.angle), load = kMu * kMass * kGravity / points.size();
  Motion rate;
  rate.angle = m.omega;
  for (const Vector3d& p : points) {
    const double x = c * p.x() - s * p.y(), y = s * p.x() + c * p.y();
    const double ux = m.vx - m.omega * y, uy = m.vy + m.omega * x, speed = std::hypot(ux, uy);
    if (speed == 0.0) continue;
    rate.vx -= load * ux / speed / kMass;
    rate.vy -= load * uy / speed / kMass;
    rate.omega -= load * (x * uy - y * ux) / speed / kInertia;
  }
  return rate;
}

Motion moved(const Motion& m, double dt, const Motion& rate) {
  return {m.vx + dt * rate.vx, m.vy + dt * rate.vy, m.omega + dt * rate.omega, m.angle + dt * rate.angle};
}

/// One millisecond by the midpoint rule in twenty parts.
void advance(const std::vector<Vector3d>& points, Motion& m) {
  constexpr int kParts = 20;
  constexpr double kPart = 1e-3 / kParts;
  for (int k = 0; k < kParts; ++k)
    m = moved(m, kPart, ratesOfEvenPressure(points, moved(m, 0.5 * kPart, ratesOfEvenPressure(points, m))));
}

class Disc {
 public:
  Disc(const std::vector<Vector3d>& points, const Motion& start, double step = 1e-3) : folder_("disc") {
    const std::string file = (folder_.path() / "disc.urdf").string();
    std::ofstream(file) << "<robot name='disc'><link name='disc'><inertial><mass value='1'/>"
                           "<inertia ixx='0.0025' ixy='0' ixz='0' iyy='0.0025' iyz='0' izz='0.005'/>"
                           "</inertial></link></robot>";
    Scene scene = freeBody(file);
    SceneContact contact;
    contact.frame = "disc";
    contact.points = points;
    scene.contacts.push_back(contact);
    scene.ground.friction = kMu;
    scene.robot.on_ground = true;
    scene.physics.step = step;
    scene.robot.base_velocity = {start.vx, start.vy, 0.0};
    scene.robot.base_angular_velocity = {0.0, 0.0, start.omega};
    simulation_.emplace(scene);
  }

  /// @param cold without what the solver remembers
  const State& step(bool cold) {
    if (cold) {
      State state = simulation_->state();
      state.warm = makeState(simulation_->model()).warm;
      simulation_->setState(state);
    }
    EXPECT_EQ(simulation_->step().status, SolveStatus::converged);
    return simulation_->state();
  }
  const StepResult& result() const { return simulation_->result(); }

 private:
  TemporaryFolder folder_;
  std::optional<Simulation> simulation_;
};

class SpinningDisc : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(SpinningDisc, StopsAsUnderAnEvenPressure) {
  const auto [count, cold] = GetParam();
  const double spin = 10.0;
  const auto points = sunflower(count);
  Motion ode{0.0, 0.0, spin, 0.0};
  Disc disc(points, ode);
  double stop = 0.0, sideways = 0.0;
  for (int k = 1; k <= 400 && stop == 0.0; ++k) {
    const State& state = disc.step(cold);
    if (ode.omega > 0.2) {  // in its last milliseconds the equation has no directions
      advance(points, ode);
      sideways = std::max(sideways, std::hypot(state.nu[0] - ode.vx, state.nu[1] - ode.vy));
    }
    if (std::abs(state.nu[5]) < 1e-6) stop = 1e-3 * k;
  }
  // Torque 2/3 μ m g r.
  const double expected = spin * kInertia / (2.0 / 3.0 * kMu * kMass * kGravity * kRadius);
  EXPECT_NEAR(stop, expected, 0.02 * expected);
  EXPECT_LT(sideways, 2e-3);
}

INSTANTIATE_TEST_SUITE_P(OnPoints, SpinningDisc,
                         testing::Combine(testing::Values(8, 12, 16, 17, 24, 60, 150), testing::Bool()));

TEST(StandingDisc, LeavesNoneOfManyPointsOut) {
  // More than memory is made for beforehand; the middle of the load is that of all points.
  constexpr int kPoints = 500;
  Disc disc(sunflower(kPoints), {});
  for (int k = 0; k < 3; ++k) disc.step(false);
  ASSERT_EQ(disc.result().contacts.size(), kPoints);
  for (const ContactReport& contact : disc.result().contacts)
    EXPECT_NEAR(contact.force_W.z(), kMass * kGravity / kPoints, 1e-4 * kMass * kGravity / kPoints);
}

TEST(SlidingDisc, EndsWithTheRatioOfSlidingToSpinningOfAnEvenPressure) {
  // However it starts, v/(r ω) tends to 0.653 (Farkas et al. 2003; Weidman and Malhotra 2007). Both vanish at the same
  // instant, so that short steps are needed to see it: here ω falls by 0.005 rad/s in each.
  const auto points = sunflower(150);
  Disc disc(points, {0.8 * kRadius * 10.0, 0.0, 10.0, 0.0}, 1e-4);
  double ratio = 0.0, spin = 10.0;
  for (int k = 0; k < 4000 && spin > 0.05; ++k) {
    const State& state = disc.step(false);
    spin = state.nu[5];
    ratio = state.nu.head<2>().norm() / (kRadius * spin);
  }
  EXPECT_LE(spin, 0.05);
  EXPECT_NEAR(ratio, 0.653, 0.02 * 0.653);
}

}  // namespace
}  // namespace footfall::physics
