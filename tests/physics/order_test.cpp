// Orders of convergence, measured over four step sizes in motions that stay smooth while something touches: contacts
// that stick, slide and roll, joints with friction and at their limits, loops, a robot that sways on its feet.

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "physics/made_models.hpp"

namespace footfall::physics {
namespace {

constexpr double kDuration = 0.128;  // [s], a whole number of every step

/// A motion with a step to choose.
struct SmoothCase {
  const char* name;
  std::function<Motion(double)> with;  ///< step [s]
};

/// What is compared: configuration, velocities, and forces of the contacts and joints.
struct Outcome {
  VectorXd q, nu, force;
};

/// Forces of a step belong to its middle. Of contacts the sum counts: how points and feet share it is not determined by
/// the motion where there are more than needed (`SpinningDisc` compares that).
VectorXd forcesOf(const StepResult& result) {
  Vector3d of_contacts = Vector3d::Zero();
  for (const ContactReport& contact : result.contacts) of_contacts += contact.force_W;
  VectorXd of_loops(6 * static_cast<Eigen::Index>(result.loop_wrenches.size()));
  for (std::size_t k = 0; k < result.loop_wrenches.size(); ++k)
    of_loops.segment<6>(6 * static_cast<Eigen::Index>(k)) = result.loop_wrenches[k];
  VectorXd all(3 + result.limit_torque.size() + result.friction_torque.size() + of_loops.size());
  all << of_contacts, result.limit_torque, result.friction_torque, of_loops;
  return all;
}

/// Forces are those of the last step with `dt`, so that of the reference the two steps around its middle count.
Outcome after(const SmoothCase& smooth, double dt, double coarse) {
  Motion run = smooth.with(dt);
  const int steps = static_cast<int>(std::lround(kDuration / dt));
  const int before_middle = static_cast<int>(std::lround((kDuration - 0.5 * coarse) / dt));
  VectorXd around;
  for (int k = 0; k < steps; ++k) {
    const StepResult& result = run.step();
    EXPECT_EQ(result.status, SolveStatus::converged) << smooth.name << " with " << dt << " at step " << k;
    EXPECT_GE(result.order, 2) << smooth.name << " with " << dt << " at step " << k;
    if (k == before_middle - 1) around = 0.5 * forcesOf(result);
    if (k == before_middle && dt < coarse) around += 0.5 * forcesOf(result);
  }
  return {run.state.q, run.state.nu, dt < coarse ? around : forcesOf(run.result())};
}

class SecondOrder : public testing::TestWithParam<SmoothCase> {};

TEST_P(SecondOrder, InPositionVelocityAndForce) {
  constexpr std::array<double, 4> kSteps = {2e-3, 1e-3, 0.5e-3, 0.25e-3};
  constexpr double kFine = 1e-3 / 64;
  std::array<double, 3> last{};
  for (const double dt : kSteps) {
    const Outcome exact = after(GetParam(), kFine, dt), got = after(GetParam(), dt, dt);
    ASSERT_EQ(got.force.size(), exact.force.size());
    const std::array<double, 3> error = {(got.q - exact.q).norm(), (got.nu - exact.nu).norm(),
                                         (got.force - exact.force).norm()};
    // What does not depend on the step at all, as the torque of dry friction, is there but for rounding.
    constexpr double kRounding = 1e-9;
    for (int k = 0; k < 3 && last[0] > 0.0; ++k)
      if (last[k] > kRounding) {
        EXPECT_GT(std::log2(last[k] / error[k]), 1.8) << dt << ", " << k;
      }
    last = error;
  }
}

// --- bodies on the ground -------------------------------------------------------------------------------

/// Three feet that slide and turn, and go on doing so.
Motion slidingTripod(double dt) {
  Model model = freeBodyModel(bodyInertia(2.0, {0.01, 0.0, 0.1}, {0.02, 0.02, 0.03}));
  for (const double angle : {0.3, 2.4, 4.6})
    addContactPoint(model, LinkIndex(0), {0.15 * std::cos(angle), 0.15 * std::sin(angle), 0.0});
  Motion run(model, dt, 0.2);
  run.state.nu << 1.0, 0.5, 0.0, 0.0, 0.0, 6.0;
  return run;
}

/// A ball whose mass is beside its middle rolls and wobbles.
Motion wobblingBall(double dt) {
  Model model = freeBodyModel(bodyInertia(1.0, {0.03, 0.01, 0.0}, {4e-3, 4.5e-3, 5e-3}));
  addContactPoint(model, LinkIndex(0), Vector3d::Zero(), 0.1);
  Motion run(model, dt, 1.0);
  run.state.q[2] = 0.1;
  const Vector3d omega(2.0, 5.0, 1.0);
  run.state.nu << omega.cross(Vector3d(0.0, 0.0, 0.1)), omega;
  return run;
}

/// A tile that does not turn: its path bends.
Model tile() {
  Model model = freeBodyModel(bodyInertia(1.0, Vector3d::Zero(), {0.01, 0.01, 0.02}));
  for (const double x : {-0.1, 0.1})
    for (const double y : {-0.1, 0.1}) addContactPoint(model, LinkIndex(0), {x, y, 0.0});
  return model;
}

/// Kicked across a slope, it slides along a curve that ends downhill.
Motion tileAcrossASlope(double dt) {
  Model model = tile();
  model.gravity = {4.0, 0.0, -9.0};
  Motion run(model, dt, 0.4);
  run.state.nu << 0.0, 1.0, 0.0, 0.0, 0.0, 0.0;
  return run;
}

/// A magnetic field bends its path, on the ground and above it.
Motion chargedTile(double dt, double height) {
  Motion run(tile(), dt, 0.1);
  run.state.q[2] = height;
  run.state.nu << 1.0, 0.0, 0.0, 0.0, 0.0, 0.0;
  run.setForceField([](const ForceInstant& at, VectorXd& tau) {
    tau.head<3>() += Vector3d(at.nu.head<3>()).cross(Vector3d(0.0, 0.0, 8.0));
  });
  return run;
}
Motion chargedTileOnTheGround(double dt) { return chargedTile(dt, 0.0); }
Motion chargedTileInTheAir(double dt) { return chargedTile(dt, 1.0); }

/// It falls and is braked by a damper to the world.
Motion dampedFall(double dt) {
  Model model = tile();
  PointSpring damper;
  damper.name = "damper";
  damper.link_b = LinkIndex(0);
  damper.p_A = {0.0, 0.0, 3.0};
  damper.stiffness = 20.0;
  damper.damping = 5.0;
  damper.rest_length = 2.0;
  model.point_springs.push_back(damper);
  Motion run(model, dt);
  run.state.q[2] = 1.0;
  return run;
}

// --- joints ---------------------------------------------------------------------------------------------

Model pendulum(int links) {
  Model model = fixedBaseModel();
  LinkIndex last(0);
  for (int k = 0; k < links; ++k)
    last = addHinge(model, last, Vector3d::UnitY(), {0.0, 0.0, k == 0 ? 0.0 : -0.4},
                    bodyInertia(1.0, {0.02, 0.0, -0.2}, {0.02, 0.02, 1e-3}));
  return model;
}

/// Dry friction in a joint that turns the same way throughout.
Motion jointFriction(double dt) {
  Model model = pendulum(1);
  model.dofs[0].friction = 0.1;
  Motion run(model, dt);
  run.state.joints() << -0.8;
  run.state.nu << 3.0;
  return run;
}

/// The lower link leans against its limit while the upper one swings.
Motion jointLimit(double dt) {
  Model model = pendulum(2);
  model.dofs[1].upper = 0.5;
  Motion run(model, dt);
  run.state.joints() << -0.3, 0.5;
  run.state.nu << -5.0, 0.0;
  run.input.tau[1] = 4.0;  // holds it there
  return run;
}

/// A four-bar with a damper that keeps it from being a mechanism of loops alone.
Motion fourBar(double dt) {
  Model model = fixedBaseModel();
  const SpatialInertia bar = bodyInertia(1.0, {0.0, 0.0, -0.15}, {0.01, 0.01, 1e-3});
  const LinkIndex left = addHinge(model, LinkIndex(0), Vector3d::UnitY(), Vector3d::Zero(), bar);
  const LinkIndex right = addHinge(model, LinkIndex(0), Vector3d::UnitY(), {0.5, 0.0, 0.0}, bar);
  const LinkIndex across = addHinge(model, left, Vector3d::UnitY(), {0.0, 0.0, -0.3},
                                    bodyInertia(1.0, {0.25, 0.0, 0.0}, {1e-3, 0.02, 0.02}));
  addBallLoop(model, right, {0.0, 0.0, -0.3}, across, {0.5, 0.0, 0.0});
  model.dofs[0].friction = 0.05;
  Motion run(model, dt);
  run.state.nu << 3.0, 3.0, -3.0;
  return run;
}

/// Two legs and feet on eight points, held softly: it sways forwards with its feet at rest.
Motion swayingBiped(double dt) {
  constexpr double kLeg = 0.6, kAnkle = 0.05, kRate = 0.6;
  Model model = freeBodyModel(bodyInertia(20.0, {0.0, 0.0, 0.2}, {0.5, 0.5, 0.3}));
  for (const double y : {0.1, -0.1}) {
    const LinkIndex leg = addHinge(model, LinkIndex(0), Vector3d::UnitY(), {0.0, y, 0.0},
                                   bodyInertia(4.0, {0.0, 0.0, -0.3}, {0.1, 0.1, 0.01}));
    const LinkIndex foot = addHinge(model, leg, Vector3d::UnitY(), {0.0, 0.0, -kLeg},
                                    bodyInertia(1.0, {0.03, 0.0, -0.03}, {2e-3, 4e-3, 4e-3}));
    for (const double x : {-0.08, 0.16})
      for (const double side : {-0.04, 0.04}) addContactPoint(model, foot, {x, side, -kAnkle});
  }
  Motion run(model, dt, 0.8);
  run.state.q[2] = kLeg + kAnkle;
  run.state.nu << kLeg * kRate, 0.0, 0.0, 0.0, 0.0, 0.0, kRate, -kRate, kRate, -kRate;
  run.springs.stiffness = VectorXd::Constant(4, 400.0);
  run.springs.damping = VectorXd::Constant(4, 10.0);
  run.springs.target = VectorXd::Zero(4);
  return run;
}

// --- what is not smooth ---------------------------------------------------------------------------------

/// Orders of the steps of a run, and whether the first joint turned the other way within a step, or was stopped.
void expectFirstOrderWhereItTurnsBack(Motion& run, int steps, int least_events) {
  constexpr double kAtRest = 1e-8;  // [rad/s]
  int events = 0;
  for (int k = 0; k < steps; ++k) {
    const double before = run.state.nu[0];
    const StepResult& result = run.step();
    const double now = run.state.nu[0];
    const bool moved = std::abs(before) > kAtRest, moves = std::abs(now) > kAtRest;
    const bool event = moved != moves || (moves && before * now < 0.0);
    EXPECT_EQ(result.order, event ? 1 : 2) << "step " << k << ": " << before << " to " << now << " rad/s";
    events += event;
  }
  EXPECT_GE(events, least_events);
}

/// The torque of dry friction jumps where a joint turns back, and where it comes to rest.
TEST(OrderOfAStep, IsOneWhereAJointWithFrictionTurnsBackOrStops) {
  Model model = pendulum(1);
  model.dofs[0].friction = 0.1;
  Motion run(model, 1e-3);
  run.state.joints() << -0.8;
  run.state.nu << 1e-3;
  expectFirstOrderWhereItTurnsBack(run, 8000, 6);
}

/// So slowly that it is no impact.
TEST(OrderOfAStep, IsOneWhereAJointReachesItsLimit) {
  Model model = pendulum(1);
  model.dofs[0].upper = 0.0;
  Motion run(model, 1e-3);
  run.state.joints() << -2e-6;  // which it reaches in the first step
  run.input.tau[0] = 2.0;
  const StepResult& reaching = run.step();
  ASSERT_FALSE(reaching.impact);
  ASSERT_NE(reaching.limit_torque[0], 0.0);
  EXPECT_EQ(reaching.order, 1);
  for (int k = 0; k < 10; ++k) run.step();
  EXPECT_NE(run.result().limit_torque[0], 0.0);
  EXPECT_EQ(run.result().order, 2);
}

INSTANTIATE_TEST_SUITE_P(
    Motions, SecondOrder,
    testing::Values(SmoothCase{"sliding_tripod", slidingTripod}, SmoothCase{"wobbling_ball", wobblingBall},
                    SmoothCase{"tile_across_a_slope", tileAcrossASlope},
                    SmoothCase{"charged_tile_on_the_ground", chargedTileOnTheGround},
                    SmoothCase{"charged_tile_in_the_air", chargedTileInTheAir}, SmoothCase{"damped_fall", dampedFall},
                    SmoothCase{"joint_friction", jointFriction}, SmoothCase{"joint_limit", jointLimit},
                    SmoothCase{"four_bar", fourBar}, SmoothCase{"swaying_biped", swayingBiped}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace footfall::physics
