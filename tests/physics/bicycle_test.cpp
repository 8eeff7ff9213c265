// The benchmark bicycle of Meijaard, Papadopoulos, Ruina and Schwab (2007) on wheels that are circles: what they find
// by linearising the equations of motion is measured here on the simulation.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>
#include <vector>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

constexpr double kRearRadius = 0.3, kFrontRadius = 0.35;  // [m]

Scene bicycleScene() {
  Scene scene = freeBody("whipple_bicycle");
  for (const auto& [wheel, radius] : {std::pair{"rear_wheel", kRearRadius}, {"front_wheel", kFrontRadius}}) {
    SceneContact rim;
    rim.frame = wheel;
    rim.points = {Vector3d::Zero()};
    rim.circle = radius;
    scene.contacts.push_back(rim);
  }
  scene.ground.friction = 1.0;
  scene.physics.integrator = "second_order";
  return scene;
}

/// A bicycle that rolls along x, upright and straight but for the rates that are given.
class Bicycle {
 public:
  Bicycle(double speed, double lean_rate, double steer_rate) : simulation_(bicycleScene()) {
    State state = simulation_.state();
    const Model& model = simulation_.model();
    steer_ = model.dof("steer");
    state.nu[0] = speed;
    state.nu[3] = lean_rate;
    state.nu[6 + model.dof("rear_axle")] = speed / kRearRadius;
    state.nu[6 + model.dof("front_axle")] = speed / kFrontRadius;
    state.nu[6 + steer_] = steer_rate;
    simulation_.setState(state);
  }

  void ride(double seconds) {
    const int steps = static_cast<int>(std::lround(seconds / simulation_.settings().step));
    for (int k = 0; k < steps; ++k) {
      EXPECT_EQ(simulation_.step().status, SolveStatus::converged);
      impacts_ += simulation_.result().impact;
    }
  }

  double lean() const { return std::asin(simulation_.state().basePose().R(2, 1)); }
  double speed() const { return simulation_.state().nu.head<2>().norm(); }
  int impacts() const { return impacts_; }
  double energy() { return simulation_.dynamics().energy().total(); }

  /// Lean, steer and their rates [rad, rad/s].
  Eigen::Vector4d deviation() const {
    const State& state = simulation_.state();
    Vector3d forward = state.basePose().R.col(0);
    forward.z() = 0.0;
    return {lean(), state.joints()[steer_], forward.normalized().dot(state.nu.segment<3>(3)), state.nu[6 + steer_]};
  }

 private:
  Simulation simulation_;
  DofIndex steer_;
  int impacts_ = 0;
};

/// Exponents of small deviations [1/s], from the linear map that takes deviations to those a little later.
Eigen::Vector4cd exponents(double speed) {
  constexpr double kPeriod = 0.02;  // of the map [s]
  // Small enough for linear theory (the answer changes with their squares, a part in a thousand), large enough for the
  // corrections of the integrator, which it leaves out below 1e-5 of the weight.
  constexpr double kLeanRate = 0.03, kSteerRate = 0.3;  // [rad/s]
  std::vector<Eigen::Vector4d> before, after;
  const auto record = [&](Bicycle bicycle, double seconds) {
    bicycle.ride(0.05);
    for (int k = 0; k < std::lround(seconds / kPeriod); ++k) {
      before.push_back(bicycle.deviation());
      bicycle.ride(kPeriod);
      after.push_back(bicycle.deviation());
    }
    EXPECT_EQ(bicycle.impacts(), 0);
  };
  record(Bicycle(speed, kLeanRate, 0.0), 2.0);
  record(Bicycle(speed, 0.0, kSteerRate), 0.6);  // shows how fast the steering comes back
  Eigen::MatrixXd X(before.size(), 4), Y(before.size(), 4);
  for (std::size_t k = 0; k < before.size(); ++k) {
    X.row(static_cast<Eigen::Index>(k)) = before[k].transpose();
    Y.row(static_cast<Eigen::Index>(k)) = after[k].transpose();
  }
  const Eigen::Matrix4d map = X.colPivHouseholderQr().solve(Y).transpose();
  return Eigen::EigenSolver<Eigen::Matrix4d>(map).eigenvalues().array().log() / kPeriod;
}

/// The exponent nearest to an expected one.
std::complex<double> nearest(const Eigen::Vector4cd& found, std::complex<double> expected) {
  Eigen::Index best = 0;
  (found.array() - expected).abs().minCoeff(&best);
  return found[best];
}

TEST(WhippleBicycle, HasTheEigenvaluesOfTheBenchmarkAt5MetresPerSecond) {
  const Eigen::Vector4cd found = exponents(5.0);
  const std::complex<double> weave(-0.77534188219585, 4.46486771378823);
  EXPECT_NEAR(nearest(found, weave).real(), weave.real(), 0.01 * std::abs(weave.real()));
  EXPECT_NEAR(nearest(found, weave).imag(), weave.imag(), 0.01 * weave.imag());
  for (const double slow_or_fast : {-0.32286642900409, -14.07838969279822})
    EXPECT_NEAR(nearest(found, slow_or_fast).real(), slow_or_fast, 0.02 * std::abs(slow_or_fast));
}

TEST(WhippleBicycle, IsStableByItselfBetween4_292And6_024MetresPerSecond) {
  const auto fastestGrowth = [](double speed) { return exponents(speed).real().maxCoeff(); };
  EXPECT_GT(fastestGrowth(4.292 - 0.02), 0.0);
  EXPECT_LT(fastestGrowth(4.292 + 0.02), 0.0);
  EXPECT_LT(fastestGrowth(6.024 - 0.03), 0.0);
  EXPECT_GT(fastestGrowth(6.024 + 0.03), 0.0);
}

// 0.1 rad/s of lean: leaning slowest of all deviations it goes back to upright, and nothing is lost on the way.
TEST(WhippleBicycle, RightsItselfAfterAPushAndKeepsItsEnergy) {
  Bicycle bicycle(5.0, 0.1, 0.0);
  const double energy = bicycle.energy();
  double most = 0.0;
  for (int k = 0; k < 100; ++k) {
    bicycle.ride(0.1);
    most = std::max(most, std::abs(bicycle.lean()));
  }
  EXPECT_GT(most, 0.01);
  EXPECT_LT(std::abs(bicycle.lean()), 0.05 * most);
  EXPECT_EQ(bicycle.impacts(), 0);
  EXPECT_NEAR(bicycle.energy(), energy, 1e-3 * energy);
}

TEST(WhippleBicycle, FallsOverWhenItStands) {
  Bicycle bicycle(0.0, 0.01, 0.0);
  bicycle.ride(2.0);
  EXPECT_GT(std::abs(bicycle.lean()), 0.5);
}

}  // namespace
}  // namespace footfall::physics
