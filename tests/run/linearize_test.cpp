#include "footfall/run/linearize.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tools/source_dir.hpp"

namespace footfall {
namespace {

/// A box in flight and at rest.
Simulation box(bool on_ground) {
  const std::string text =
      std::string("robot: {model: box, base: ") + (on_ground ? "{on_ground: true}" : "{position: [0, 0, 5]}") +
      "}\ncontacts: [{frame: sole, footprint: [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}]\n";
  return Simulation(parseScene(text, "scene"));
}

TEST(LinearizeStep, ABodyInFlightKeepsItsVelocity) {
  Simulation simulation = box(false);
  const LinearStep linear = linearizeStep(simulation);
  ASSERT_EQ(linear.states.size(), 12u);
  EXPECT_EQ(linear.states[5], "base.rz");
  EXPECT_EQ(linear.states[11], "base.rz.velocity");
  MatrixXd expected = MatrixXd::Identity(12, 12);
  expected.topRightCorner(6, 6) = linear.step * MatrixXd::Identity(6, 6);
  // Differences of 6e-6 with rounding of 1e-15 at a height of 5 m.
  EXPECT_LT((linear.A - expected).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(linear.B.cols(), 0);
}

TEST(LinearizeStep, ABodyThatSticksIsWhereItIsAndLosesItsVelocity) {
  Simulation simulation = box(true);
  const State before = simulation.state();
  const LinearStep linear = linearizeStep(simulation);
  EXPECT_EQ(simulation.state().q, before.q);
  EXPECT_EQ(simulation.state().time, before.time);
  // A horizontal velocity of 6e-6 m/s is stopped within the step by friction, and so is a turn about the vertical.
  for (const Eigen::Index k : {6, 7, 11}) EXPECT_LT(std::abs(linear.A(k, k)), 1e-6) << linear.states[k];
  for (const Eigen::Index k : {0, 1, 5}) EXPECT_NEAR(linear.A(k, k), 1.0, 1e-6) << linear.states[k];
}

/// Where rotation vectors change sides their differences would be whole turns.
TEST(LinearizeStep, ABallJointIsAsSmoothAtHalfATurnAsElsewhere) {
  const std::string text = "robot: {model: " + sourceDir() +
                           "/models/ball_quadruped.sdf, base: {position: [0, 0, 5]}}\nhold: {enabled: false}\n";
  Simulation simulation(parseScene(text, "scene"));
  State state = simulation.state();
  for (const char* knee : {"lf_knee", "rf_knee", "lh_knee", "rh_knee"})
    state.joints()[simulation.model().dof(knee)] = -1.0;  // away from its limits
  state.joints().segment<3>(simulation.model().balls[1]) = M_PI * Vector3d(2.0, 3.0, 6.0) / 7.0;
  simulation.setState(state);
  const LinearStep linear = linearizeStep(simulation);
  MatrixXd expected = MatrixXd::Identity(linear.A.rows(), linear.A.cols());
  const Eigen::Index n = linear.A.rows() / 2;
  expected.topRightCorner(n, n) = linear.step * MatrixXd::Identity(n, n);
  // At rest, in free fall, and with a damper of 0.05 N m s: velocities change by dt d/I, at an inertia of 4e-4 kg m².
  EXPECT_LT((linear.A - expected).topRows(n).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_LT((linear.A - expected).cwiseAbs().maxCoeff(), 1.0);
}

}  // namespace
}  // namespace footfall
