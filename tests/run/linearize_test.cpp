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

/// A robot with several feet: they all have to stay closed while the differences are taken.
TEST(LinearizeStep, AStandingRobotMovesAsTheLinearStepSays) {
  const Scene scene = loadScene(sourceDir() + "/scenes/quadruped.yaml");
  Simulation still(scene), pushed(scene);
  const auto stepBoth = [&](int steps) {
    for (int k = 0; k < steps; ++k) {
      ASSERT_NE(still.step().status, SolveStatus::failed);
      ASSERT_NE(pushed.step().status, SolveStatus::failed);
    }
  };
  const auto difference = [&] {
    VectorXd x(2 * still.model().nv());
    const State &a = still.state(), &b = pushed.state();
    const Eigen::AngleAxisd turn(b.basePose().R * a.basePose().R.transpose());
    x << b.basePose().p - a.basePose().p, turn.angle() * turn.axis(), b.joints() - a.joints(), b.nu - a.nu;
    return x;
  };
  stepBoth(500);
  const LinearStep linear = linearizeStep(still);
  ExternalWrench push{.link = LinkIndex(0)};
  push.wrench_W[0] = 0.1;
  pushed.input().wrenches = {push};  // its feet stick
  stepBoth(50);
  pushed.input().wrenches.clear();
  VectorXd x = difference();
  for (int k = 0; k < 100; ++k) x = linear.A * x;
  stepBoth(100);
  const VectorXd expected = difference();
  const Eigen::Index n = x.size() / 2;
  ASSERT_GT(expected.head(n).lpNorm<Eigen::Infinity>(), 1e-6);
  // Solves are good to 1e-10 m/s, which differences of 3e-7 make 3e-4. With contacts that open the error was 0.25.
  EXPECT_LT((x - expected).head(n).lpNorm<Eigen::Infinity>(), 1e-3 * expected.head(n).lpNorm<Eigen::Infinity>());
  EXPECT_LT((x - expected).tail(n).lpNorm<Eigen::Infinity>(), 1e-3 * expected.tail(n).lpNorm<Eigen::Infinity>());
}

/// τ̈ + 2 ζ ω τ̇ + ω² τ = ω² u: what a motor remembers is part of the state.
TEST(LinearizeStep, AMotorThatTakesTimeHasStates) {
  Simulation simulation(
      parseScene("robot: {model: cart_pole, base: {fixed: true}}\nhold: {enabled: false}\n"
                 "actuators: [{joints: [cart], natural_frequency: 5 Hz, damping_ratio: 0.5}]\n",
                 "scene"));
  const LinearStep linear = linearizeStep(simulation);
  const std::vector<std::string> motor(linear.states.end() - 2, linear.states.end());
  EXPECT_EQ(motor, (std::vector<std::string>{"motor.cart.torque", "motor.cart.torque_rate"}));
  const double w = 10.0 * M_PI, z = 0.5, t = linear.step, damped = w * std::sqrt(1.0 - z * z);
  const double fade = std::exp(-z * w * t), c = std::cos(damped * t), s = std::sin(damped * t) / damped;
  Eigen::Matrix2d expected;
  expected << fade * (c + z * w * s), fade * s, -fade * w * w * s, fade * (c - z * w * s);
  EXPECT_LT((linear.A.bottomRightCorner<2, 2>() - expected).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_NEAR(linear.B(linear.B.rows() - 2, 0), 1.0 - expected(0, 0), 1e-8);
  EXPECT_GT(std::abs(linear.A(2, 4)), 1e-6);  // it pushes the cart
}

TEST(LinearizeStep, PrescribedJointsFollowTheirMotion) {
  Simulation simulation(loadScene(sourceDir() + "/scenes/push_ups.yaml"));
  const LinearStep linear = linearizeStep(simulation);
  const Model& model = simulation.model();
  bool any = false;
  for (int i = 0; i < model.jointDofs(); ++i) {
    if (!model.dofs[DofIndex(i)].prescribed) continue;
    any = true;
    for (const int place : {0, model.nv()})
      EXPECT_EQ(linear.A.col(place + model.baseDofs() + i).norm(), 0.0) << model.dofs[DofIndex(i)].name;
  }
  EXPECT_TRUE(any);
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
