// The tippe top of Leine and Glocker (2003), on points that obey Coulomb's law and on faces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

constexpr double kBallRadius = 0.015,
                 kOffset = 0.003;             // of the body's ball, and of its middle above the mass centre [m]
constexpr double kTilt = 0.1, kSpin = 180.0;  // at the start [rad, rad/s]
const Vector3d kInertia(8e-7, 8e-7, 7e-7);    // [kg m²]

Scene tippeTop(double step) {
  Scene scene = shapedBody("tippe_top");
  scene.physics.step = step;
  scene.physics.integrator = "second_order";
  scene.ground.friction = 0.3;
  scene.robot.on_ground = true;
  scene.robot.base_rpy = {0.0, kTilt, 0.0};
  scene.robot.base_angular_velocity = kSpin * Vector3d(std::sin(kTilt), 0.0, std::cos(kTilt));
  return scene;
}

/// Jellett's number: angular momentum along the line from the contact to the mass centre [kg m³/s].
double jellett(const State& state) {
  const Pose X_WT = state.basePose();
  const Vector3d momentum = X_WT.R * (kInertia.asDiagonal() * (X_WT.R.transpose() * state.nu.segment<3>(3)));
  const Vector3d contact = X_WT * Vector3d(0.0, 0.0, kOffset) - kBallRadius * Vector3d::UnitZ();
  return momentum.dot(X_WT.p - contact);
}

class TippeTop : public testing::TestWithParam<double> {};

// The force acts at the contact point, its moment about the mass centre is across the line between them: Jellett's
// number stays, however it slides. It slides for a moment, and then rolls: sticking points do no work, so it stays
// upright. A scheme of first order lets sticking points creep, and inverts it the later the smaller the step.
TEST_P(TippeTop, KeepsJellettsNumberGainsNoEnergyAndComesToRoll) {
  Simulation simulation(tippeTop(GetParam()));
  const double start = jellett(simulation.state());
  double energy = simulation.dynamics().energy().total(), rise = 0.0, change = 0.0;
  const double energy_scale = energy;
  const int steps = static_cast<int>(std::lround(3.0 / GetParam()));
  for (int k = 0; k < steps; ++k) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    const double now = simulation.dynamics().energy().total();
    rise = std::max(rise, now - energy);
    energy = std::min(energy, now);
    change = std::max(change, std::abs(jellett(simulation.state()) / start - 1.0));
  }
  EXPECT_LT(rise, 1e-6 * energy_scale);
  EXPECT_LT(change, 1e-6);
  EXPECT_LT(std::acos(simulation.state().basePose().R(2, 2)), kTilt);
  for (const ContactReport& contact : simulation.result().contacts) EXPECT_NE(contact.mode, ContactMode::sliding);
}

INSTANTIATE_TEST_SUITE_P(Steps, TippeTop, testing::Values(0.9e-3, 0.5e-3, 0.1e-3));

class TippeTopOnFaces : public testing::TestWithParam<double> {};

/// About the normal, of friction on the face of the body's ball [N m].
double drillingMoment(const StepResult& result) {
  Vector3d middle = Vector3d::Zero(), moment = Vector3d::Zero();
  for (const ContactReport& contact : result.contacts)
    middle += contact.force_p_W / static_cast<double>(result.contacts.size());
  for (const ContactReport& contact : result.contacts) moment += (contact.force_p_W - middle).cross(contact.force_W);
  return moment.z();
}

// Its face turns on the ground and never sticks, and so it slides on until it stands on its stem, for
// as long as it spins fast enough. The moment of the face
// is along the normal, of which the line from the contact to the mass centre has the height of the latter: Jellett's
// number falls by their product.
TEST_P(TippeTopOnFaces, InvertsWithoutGainingEnergy) {
  constexpr double kFace = 5e-4;  // [m]
  Scene scene = tippeTop(GetParam());
  scene.contacts[0].face = kFace;
  Simulation simulation(scene);
  const double start = jellett(simulation.state());
  double expected = start, change = 0.0;
  double energy = simulation.dynamics().energy().total(), rise = 0.0;
  const double energy_scale = energy;
  const int steps = static_cast<int>(std::lround(2.5 / GetParam()));
  for (int k = 0; k < steps; ++k) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged) << simulation.time();
    const double now = simulation.dynamics().energy().total();
    rise = std::max(rise, now - energy);
    energy = std::min(energy, now);
    if (simulation.state().basePose().R(2, 2) < 0.0) continue;  // soon it will be on its stem
    expected += GetParam() * drillingMoment(simulation.result()) * simulation.result().q_forces[2];
    change = std::max(change, std::abs(jellett(simulation.state()) - expected) / start);
  }
  EXPECT_LT(rise, 1e-6 * energy_scale);
  EXPECT_LT(change, 1e-4);
  EXPECT_GT(std::acos(simulation.state().basePose().R(2, 2)), 3.0);
}

INSTANTIATE_TEST_SUITE_P(Steps, TippeTopOnFaces, testing::Values(0.9e-3, 0.5e-3, 0.2e-3, 0.1e-3));

}  // namespace
}  // namespace footfall::physics
