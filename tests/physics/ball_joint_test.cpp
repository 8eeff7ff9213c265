#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "physics/made_models.hpp"
#include "physics/scene_tools.hpp"

// Ball joints of the tree: rotation vectors and angular velocities that lock nowhere.
namespace footfall::physics {
namespace {

constexpr double kGravity = 9.81;

SpatialInertia symmetricBob() { return bodyInertia(1.5, {0.0, 0.0, -0.4}, {3e-2, 3e-2, 1e-2}); }
SpatialInertia anyBob() { return bodyInertia(1.5, {0.1, -0.05, -0.4}, {3e-2, 2e-2, 1e-2}); }

Model pendulum(const SpatialInertia& bob, const Matrix3d& R_WJ = Matrix3d::Identity()) {
  Model model = fixedBaseModel();
  addBall(model, LinkIndex(0), {R_WJ, Vector3d::Zero()}, bob);
  return model;
}

Matrix3d rotationOfBall(const State& state, int first = 0) {
  return expQuaternion(state.joints().segment<3>(first)).toRotationMatrix();
}

Vector3d vectorOf(const Matrix3d& R) { return rotationVector(Eigen::Quaterniond(R)); }

Matrix3d about(const Vector3d& axis, double angle) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

/// About the pivot, which is the origin [kg m²/s].
Vector3d angularMomentum(Motion& run) {
  const Vector6d momentum = run.dynamics().momentum();
  return momentum.tail<3>() + run.dynamics().centerOfMass().cross(Vector3d(momentum.head<3>()));
}

// --- closed forms -----------------------------------------------------------------------------------

/// A body that goes round with Ω about the vertical, tilted by α: (A − C) Ω² cos α = m g l. On its way its rotation
/// vector reaches the length π, where it changes sides.
TEST(ConicalPendulum, GoesRoundInItsPeriod) {
  const double tilt = 0.8, A = 3e-2 + 1.5 * 0.4 * 0.4, C = 1e-2;
  const double rate = std::sqrt(1.5 * kGravity * 0.4 / ((A - C) * std::cos(tilt)));
  constexpr int kSteps = 2000, kTurns = 5;
  Motion run(pendulum(symmetricBob()), 2.0 * M_PI / rate / kSteps);
  const Matrix3d start = about(Vector3d::UnitY(), tilt);
  run.state.joints() = vectorOf(start);
  run.state.nu << 0.0, 0.0, rate;
  double longest = 0.0;
  int jumps = 0;
  for (int k = 0; k < kSteps * kTurns; ++k) {
    const Vector3d before = run.state.joints();
    run.step();
    longest = std::max(longest, run.state.joints().norm());
    jumps += (run.state.joints() - before).norm() > 1.0;
  }
  EXPECT_LE(longest, M_PI * (1.0 + 1e-15));
  EXPECT_GT(longest, 3.1);
  EXPECT_EQ(jumps, kTurns);  // once in each turn, from one side to the other
  // Its angular velocity does not change: after five turns it is back to rounding, 1e-16 in each of 10,000 steps.
  EXPECT_LT((rotationOfBall(run.state) - start).norm(), 1e-11);
  EXPECT_LT((run.state.nu - Vector3d(0.0, 0.0, rate)).norm(), 1e-11 * rate);
}

/// A spring turns a body to and fro along one line of rotations, as far as it is turned: θ = θ₀ cos √(k/I) t.
TEST(BallSpring, SwingsHarmonicallyAtAnyAmplitude) {
  constexpr double kStiffness = 3.0, kInertia = 0.02, kAmplitude = 2.9;
  const Vector3d axis = Vector3d(1.0, -2.0, 2.0) / 3.0;
  const double frequency = std::sqrt(kStiffness / kInertia);
  for (const bool own : {true, false}) {
    for (const Vector3d& rest : {Vector3d(0.0, 0.0, 0.0), Vector3d(0.5, 1.0, -0.7)}) {
      Model model = pendulum(bodyInertia(1.0, Vector3d::Zero(), Vector3d::Constant(kInertia)));
      for (int i = 0; i < 3 && own; ++i) {
        model.dofs[i].spring_stiffness = kStiffness;
        model.dofs[i].spring_reference = rest[i];
      }
      constexpr int kSteps = 4000;
      Motion run(model, 2.0 * M_PI / frequency / kSteps);
      if (!own) run.springs = {Vector3d::Constant(kStiffness), Vector3d::Zero(), rest};
      run.state.joints() = turnedBy(kAmplitude * axis, rest);
      for (int k = 1; k <= 3 * kSteps / 2; ++k) {
        run.step();
        if (k % (kSteps / 8) != 0) continue;
        const double expected = kAmplitude * std::cos(2.0 * M_PI * k / kSteps);
        const Vector3d turn = turnBetween(rest, run.state.joints());
        // The phase of a scheme of second order: (2π/4000)²/24 of it, and what springs are damped by.
        EXPECT_LT((turn - expected * axis).norm(), 5e-5 * kAmplitude) << k;
      }
    }
  }
}

// --- no locking -------------------------------------------------------------------------------------

/// Over the top and round, about any axis and from any frame: exactly as on a hinge.
class Whirl : public testing::TestWithParam<std::tuple<Vector3d, std::string>> {};

TEST_P(Whirl, IsThatOfAHinge) {
  const auto& [axis, integrator] = GetParam();
  // `midpoint` turns what turns freely by Cayley's rotation: (ω Δt)³/12 of a radian less in each of 3000 steps.
  const double near = integrator == "midpoint" ? 1e-2 : 1e-8;
  const Matrix3d R_axis = rotationWithZ(axis);
  const SpatialInertia bob{1.5, R_axis * Vector3d(0.4, 0.0, 0.0), 2e-2 * Matrix3d::Identity()};
  Model on_hinge = fixedBaseModel(), on_ball = on_hinge;
  addHinge(on_hinge, LinkIndex(0), axis, Vector3d::Zero(), bob);
  const Matrix3d R_WJ = about(Vector3d(2.0, 3.0, 6.0) / 7.0, 1.1);
  addBall(on_ball, LinkIndex(0), {R_WJ, Vector3d::Zero()}, {bob.mass, R_WJ.transpose() * bob.com, bob.I_com});
  on_hinge.gravity = on_ball.gravity = R_axis * Vector3d(9.0, -3.0, 0.0);
  Motion hinge(on_hinge, 1e-3, 0.6, 0.0, integrator), ball(on_ball, 1e-3, 0.6, 0.0, integrator);
  hinge.state.nu << 14.0;
  ball.state.nu = R_WJ.transpose() * axis * 14.0;
  for (int k = 0; k < 3000; ++k) {
    hinge.step();
    ball.step();
    const Matrix3d expected = about(axis, hinge.state.joints()[0]);
    const Matrix3d R_WL = R_WJ * rotationOfBall(ball.state) * R_WJ.transpose();
    ASSERT_LT((R_WL - expected).norm(), near) << k;
    ASSERT_LT((R_WJ * ball.state.nu - axis * hinge.state.nu[0]).norm(), 10.0 * near) << k;
  }
  EXPECT_GT(hinge.state.joints()[0], 4.0 * M_PI);
}

INSTANTIATE_TEST_SUITE_P(BallJoint, Whirl,
                         testing::Combine(testing::Values(Vector3d(1.0, 0.0, 0.0), Vector3d(0.0, 1.0, 0.0),
                                                          Vector3d(1.0, 2.0, 2.0) / 3.0),
                                          testing::Values("second_order", "semi_implicit_euler", "rk4", "midpoint")),
                         [](const auto& test) { return std::get<1>(test.param) + std::to_string(test.index / 4); });

/// Swings through 90° in every direction in turn: where chains of hinges lock, energy and momentum are lost.
TEST(SphericalPendulum, KeepsEnergyAndMomentumAboutTheVertical) {
  Motion run(pendulum(anyBob(), about(Vector3d::UnitY(), 0.4)), 1e-3);
  run.state.joints() << 1.2, 0.3, -0.5;
  run.state.nu << 3.0, -4.0, 5.0;
  const double energy = run.energy();
  const double momentum = angularMomentum(run).z();
  double drift = 0.0, largest = 0.0, swept = 0.0;
  for (int k = 0; k < 10000; ++k) {
    run.step();
    drift = std::max(drift, std::abs(run.energy() - energy));
    largest = std::max(largest, std::abs(angularMomentum(run).z() - momentum));
    swept = std::max(swept, run.state.joints().norm());
  }
  EXPECT_GT(swept, 3.0);
  const double scale = run.dynamics().energy().kinetic + std::abs(energy);
  EXPECT_LT(drift, 1e-4 * scale);
  EXPECT_LT(largest, 1e-4 * scale / 5.0);  // momentum is energy over a rate of 5 rad/s
}

// --- order ------------------------------------------------------------------------------------------

/// Two balls in a chain on a hinge, tumbling.
Model chainOfBalls() {
  Model model = fixedBaseModel();
  const LinkIndex arm = addHinge(model, LinkIndex(0), Vector3d::UnitY(), Vector3d::Zero(),
                                 bodyInertia(0.5, {0.1, 0.0, 0.0}, {1e-2, 1e-2, 1e-2}));
  const LinkIndex first = addBall(model, arm, {about(Vector3d::UnitX(), 0.7), {0.2, 0.0, 0.0}}, anyBob());
  addBall(model, first, {about(Vector3d::UnitZ(), -0.4), {0.0, 0.1, -0.6}}, anyBob());
  return model;
}

double distance(const Model& model, const State& a, const State& b) {
  VectorXd way(model.jointDofs());
  jointWay(model, a.joints(), b.joints(), way);
  return way.norm() + (a.nu - b.nu).norm();
}

class BallOrder : public testing::TestWithParam<std::pair<const char*, double>> {};

TEST_P(BallOrder, IsMeasured) {
  const auto& [integrator, order] = GetParam();
  const Model model = chainOfBalls();
  const auto at = [&](const std::string& name, double dt) {
    Motion run(model, dt, 0.6, 0.0, name);
    run.state.joints() << 0.3, 2.5, 0.5, -0.8, 0.2, -2.9, 0.9;
    run.state.nu << 1.0, 3.0, -2.0, 4.0, -5.0, 2.0, 1.0;
    const int steps = static_cast<int>(std::lround(0.4 / dt));
    for (int k = 0; k < steps; ++k) run.step();
    return run.state;
  };
  const State exact = at("rk4", 5e-5);
  double last = 0.0;
  for (const double dt : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
    const double error = distance(model, at(integrator, dt), exact);
    if (last > 0.0) {
      EXPECT_GT(std::log2(last / error), order - 0.2) << dt << " " << error;
    }
    last = error;
  }
}

INSTANTIATE_TEST_SUITE_P(BallJoint, BallOrder,
                         testing::Values(std::pair{"second_order", 2.0}, std::pair{"midpoint", 2.0},
                                         std::pair{"semi_implicit_euler", 1.0}, std::pair{"rk4", 4.0}),
                         [](const auto& test) { return test.param.first; });

// --- in flight --------------------------------------------------------------------------------------

TEST(ChainOfBallsInFlight, KeepsItsMomentum) {
  Model model = freeBodyModel(anyBob());
  model.gravity.setZero();
  LinkIndex link(0);
  for (int k = 0; k < 4; ++k)
    link = addBall(model, link, {about(Vector3d::UnitY(), 0.5 * k), {0.1, 0.0, -0.5}}, anyBob());
  Motion run(model, 1e-3);
  for (int i = 0; i < model.nv(); ++i) run.state.nu[i] = 2.0 * std::sin(1.7 * i + 0.4);
  const double energy = run.energy();
  const Vector6d momentum = run.dynamics().momentum();
  for (int k = 0; k < 2000; ++k) ASSERT_NE(run.step().status, SolveStatus::failed);
  EXPECT_LT((run.dynamics().momentum() - momentum).norm(), 1e-12 * momentum.norm());
  EXPECT_LT(std::abs(run.energy() - energy), 1e-3 * energy);
}

// --- the heavy top ----------------------------------------------------------------------------------

/// The top of docs/judges.md, whose tip is held by a ball joint of the tree, or by a loop.
struct Top {
  static constexpr double kTilt = 0.3, kPrecession = 3.5565;  // [rad], [rad/s] at a spin of 100 rad/s
  SpatialInertia inertia = bodyInertia(0.5, {0.0, 0.0, 0.05}, {2e-3, 2e-3, 8e-4});
  Matrix3d R = about(Vector3d::UnitY(), kTilt);
  Vector3d omega = 100.0 * R.col(2) + kPrecession * (Vector3d::UnitZ() - std::cos(kTilt) * R.col(2));

  Motion onLoop(double dt) const {
    Model model = freeBodyModel(inertia);
    addBallLoop(model, LinkIndex(), Vector3d::Zero(), LinkIndex(0), Vector3d::Zero());
    Motion run(model, dt);
    run.state.setBasePose({R, Vector3d::Zero()});
    run.state.nu.tail<3>() = omega;
    return run;
  }
  Motion onJoint(double dt) const {
    Motion run(pendulum(inertia), dt);
    run.state.joints() = vectorOf(R);
    run.state.nu = omega;
    return run;
  }
};

/// A floating joint of a robot file below the base, three sliders and a ball, moves its body as a floating base does:
/// the schemes of both differ in terms of second order, which quarter with half of the step.
TEST(FloatingJoint, FliesAsAFloatingBase) {
  Model tied = fixedBaseModel();
  const LinkIndex x = addLink(tied, LinkIndex(0), JointKind::prismatic, Vector3d::UnitX(), {}, {});
  const LinkIndex y = addLink(tied, x, JointKind::prismatic, Vector3d::UnitY(), {}, {});
  const LinkIndex z = addLink(tied, y, JointKind::prismatic, Vector3d::UnitZ(), {}, {});
  addBall(tied, z, {}, anyBob());
  const auto difference = [&](double dt) {
    Motion joint(tied, dt), base(freeBodyModel(anyBob()), dt);
    joint.state.nu << 0.3, -0.2, 4.0, 5.0, -7.0, 2.0;  // turns upside down several times
    base.state.nu = joint.state.nu;
    base.state.q[2] = 0.0;
    for (int k = 0; k < std::lround(2.0 / dt); ++k) {
      joint.step();
      base.step();
    }
    return std::max(
        (joint.state.nu - base.state.nu).norm(),
        (rotationOfBall(joint.state, 3) - Eigen::Quaterniond(base.state.q.segment<4>(3).data()).toRotationMatrix())
            .norm());
  };
  double before = difference(2e-3);
  EXPECT_LT(before, 5e-3);
  for (const double dt : {1e-3, 5e-4, 2.5e-4}) {
    const double now = difference(dt);
    EXPECT_NEAR(std::log2(before / now), 2.0, 0.1) << "at " << dt;
    before = now;
  }
}

TEST(TopOnABallJoint, PrecessesAsTheOneOnALoop) {
  Motion joint = Top().onJoint(1e-3), loop = Top().onLoop(1e-3);
  const double energy = joint.energy();
  double angle = 0.0, drift = 0.0, apart = 0.0;
  Vector3d axis = rotationOfBall(joint.state).col(2);
  for (int k = 0; k < 10000; ++k) {
    ASSERT_NE(joint.step().status, SolveStatus::failed);
    loop.step();
    const Vector3d now = rotationOfBall(joint.state).col(2);
    angle += std::remainder(std::atan2(now.y(), now.x()) - std::atan2(axis.y(), axis.x()), 2.0 * M_PI);
    axis = now;
    drift = std::max(drift, std::abs(joint.energy() - energy));
    apart = std::max(apart, (axis - loop.state.basePose().R.col(2)).norm());
  }
  EXPECT_NEAR(angle / 10.0, Top::kPrecession, 5e-3 * Top::kPrecession);
  EXPECT_LT(drift, 1e-3 * energy);
  EXPECT_LT(apart, 1e-9);  // loops are closed to 1e-12 in each of 10,000 steps
}

// --- contact ----------------------------------------------------------------------------------------

TEST(BallHips, CarryAQuadrupedThatIsPushed) {
  Simulation simulation(sceneFile("ball_hips.yaml"));
  ASSERT_EQ(simulation.model().balls.size(), 4u);
  const double height = simulation.state().q[2];
  double sideways = 0.0;
  for (int k = 0; k < 5000; ++k) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << k;
    if (k == 900) {
      EXPECT_NEAR(simulation.state().q[2], height, 2e-3);  // stands
    }
    sideways = std::max(sideways, std::abs(simulation.state().q[1]));
  }
  EXPECT_GT(sideways, 1e-3);  // the push is felt
  EXPECT_NEAR(simulation.state().q[2], height, 0.02);
  EXPECT_LT(simulation.state().nu.norm(), 0.02);
}

bool sameBits(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

TEST(BallHips, GiveTheSameBitsTwiceAndFromASavedState) {
  const Scene scene = sceneFile("ball_hips.yaml");
  Simulation first(scene), second(scene), third(scene);
  for (int k = 0; k < 1100; ++k) first.step();
  for (int k = 0; k < 600; ++k) second.step();
  std::stringstream file;
  saveState(second.state(), second.model(), file);
  third.setState(loadState(third.model(), file, "saved"));
  ASSERT_TRUE(sameBits(third.state().q, second.state().q));
  for (int k = 600; k < 1100; ++k) third.step(), second.step();
  EXPECT_TRUE(sameBits(first.state().q, second.state().q));
  EXPECT_TRUE(sameBits(first.state().q, third.state().q));
  EXPECT_TRUE(sameBits(first.state().nu, third.state().nu));
}

}  // namespace
}  // namespace footfall::physics
