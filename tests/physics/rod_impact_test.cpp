#include <gtest/gtest.h>

#include <cmath>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

/// A rod that hits the ground with one end while it slides: planar, in the x–z plane, so that the impulse of the end
/// has a closed form. All quantities of the closed form are about the centre of mass.
struct RodImpact {
  double angle;         ///< of the rod above the ground [rad]
  double friction;      ///< [-]
  double vx, vz, turn;  ///< velocity of the centre [m/s] and rotation about y [rad/s]
};

struct Impulse {
  double x, z;
  bool sticks;
};

Impulse closedForm(const RodImpact& rod, double mass, double inertia, double rx, double rz) {
  const double cx = rod.vx + rod.turn * rz, cz = rod.vz - rod.turn * rx;  // velocity of the end
  const double gxx = 1 / mass + rz * rz / inertia, gzz = 1 / mass + rx * rx / inertia, gxz = -rx * rz / inertia;
  const double det = gxx * gzz - gxz * gxz;
  const double px = -(gzz * cx - gxz * cz) / det, pz = -(gxx * cz - gxz * cx) / det;
  if (std::abs(px) <= rod.friction * pz) return {px, pz, true};
  // It slips: friction opposes the sliding that is left, which has the sign that sticking would have had to undo.
  const double direction = px > 0.0 ? -1.0 : 1.0;
  const double normal = -cz / (gzz - rod.friction * direction * gxz);
  return {-rod.friction * direction * normal, normal, false};
}

class Rod : public testing::TestWithParam<RodImpact> {};

TEST_P(Rod, LeavesTheImpactWithTheVelocitiesOfTheClosedForm) {
  const RodImpact& rod = GetParam();
  Scene scene = freeBody("rod");
  scene.contacts.push_back({"", "rod", {Vector3d(-0.5, 0.0, 0.0)}, 0.0});  // the rod lies along x, one metre long
  scene.robot.on_ground = true;
  scene.robot.base_rpy = {0.0, -rod.angle, 0.0};  // the end at −x is the lower one
  scene.robot.base_velocity = {rod.vx, 0.0, rod.vz};
  scene.robot.base_angular_velocity = {0.0, rod.turn, 0.0};
  scene.ground.friction = rod.friction;
  Simulation simulation(scene);

  const SpatialInertia& inertia = simulation.model().links[0].inertia;
  ASSERT_LT(inertia.com.norm(), 1e-15);
  const double iyy = inertia.I_com(1, 1), mass = inertia.mass;
  const double rx = -0.5 * std::cos(rod.angle), rz = -0.5 * std::sin(rod.angle);
  const Impulse expected = closedForm(rod, mass, iyy, rx, rz);

  const StepResult& result = simulation.step();
  ASSERT_EQ(result.status, SolveStatus::converged);
  ASSERT_TRUE(result.impact);
  const Vector3d impulse = result.contacts[0].impulse_W;
  // The solver's tolerance is 1e-10 m/s; times a mass of at most the rod's.
  EXPECT_NEAR(impulse.x(), expected.x, 1e-9 * mass);
  EXPECT_NEAR(impulse.z(), expected.z, 1e-9 * mass);
  EXPECT_NEAR(impulse.y(), 0.0, 1e-9 * mass);

  const VectorXd after = simulation.state().nu - 1e-3 * result.nu_dot;  // right after the impact
  EXPECT_NEAR(after[0], rod.vx + expected.x / mass, 1e-8);
  EXPECT_NEAR(after[2], rod.vz + expected.z / mass, 1e-8);
  EXPECT_NEAR(after[4], rod.turn + (rz * expected.x - rx * expected.z) / iyy, 1e-8);
  const double end_slip = after[0] + after[4] * rz;
  EXPECT_EQ(std::abs(end_slip) < 1e-8, expected.sticks);
}

INSTANTIATE_TEST_SUITE_P(Impacts, Rod,
                         testing::Values(RodImpact{0.7, 0.9, 0.2, -1.0, 0.0},    // sticks
                                         RodImpact{0.7, 0.1, 2.0, -1.0, 0.0},    // slips forwards
                                         RodImpact{0.7, 0.1, -2.0, -1.0, 0.5},   // slips backwards
                                         RodImpact{1.2, 0.3, 0.0, -0.5, 1.0},    // slips by its own rotation
                                         RodImpact{0.2, 0.05, 0.5, -2.0, -1.0},  // flat and fast
                                         RodImpact{0.4, 0.0, 1.0, -1.0, 0.0}));  // no friction at all

}  // namespace
}  // namespace footfall::physics
