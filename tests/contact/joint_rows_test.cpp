#include <gtest/gtest.h>

#include <cmath>

#include "footfall/robot_file/urdf.hpp"
#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

constexpr double kStep = 1e-3;  ///< [s]

/// The RR arm bolted to the world, without gravity, with the joints that are named.
Model weightlessArm(const std::vector<std::string>& joints) {
  UrdfOptions options;
  options.floating_base = false;
  options.joints = joints;
  Model model = loadUrdf("rr_arm", options).model;
  model.gravity.setZero();
  return model;
}

/// Runs the arm by step() itself, with nothing around it.
class Arm {
 public:
  explicit Arm(Model model) : model_(std::move(model)), workspace_(model_, ground_, {}), state_(makeState(model_)) {}

  Model& model() { return model_; }
  State& state() { return state_; }
  const StepResult& advance(const Input& input, int steps) {
    const StepResult* result = nullptr;
    for (int k = 0; k < steps; ++k) {
      result = &step(state_, input, nullptr, workspace_);
      EXPECT_EQ(result->status, SolveStatus::converged);
      state_ = result->next;
    }
    return *result;
  }
  MatrixXd mass() {
    MatrixXd M(model_.nv(), model_.nv());
    workspace_.dynamics().update(state_.q, state_.nu);
    workspace_.dynamics().massMatrix(M);
    return M;
  }
  double kineticEnergy() {
    workspace_.dynamics().update(state_.q, state_.nu);
    return workspace_.dynamics().energy().kinetic;
  }

 private:
  Model model_;
  Plane ground_;
  Workspace workspace_;
  State state_;
};

TEST(JointLimit, StopsAPendulumExactlyThere) {
  Model model = weightlessArm({"shoulder"});
  for (double direction : {1.0, -1.0}) {
    Arm arm(model);
    const double limit = direction > 0.0 ? model.dofs[0].upper : model.dofs[0].lower;
    arm.state().joints()[0] = limit - 0.1003 * direction;  // not a whole number of steps away
    arm.state().nu[0] = 1.5 * direction;
    const Input input = makeInput(model);
    double overshoot = 0.0;
    for (int k = 0; k < 500; ++k) {
      arm.advance(input, 1);
      overshoot = std::max(overshoot, direction * (arm.state().joints()[0] - limit));
    }
    EXPECT_LT(overshoot, 1e-12);
    EXPECT_NEAR(arm.state().joints()[0], limit, 1e-9);
    EXPECT_NEAR(arm.state().nu[0], 0.0, 1e-9);
  }
}

TEST(JointLimit, ImpactChangesTheOtherJointAsTheMassMatrixSays) {
  Model model = weightlessArm({"shoulder", "elbow"});
  Arm arm(model);
  arm.state().joints() << 0.3, model.dofs[1].upper;
  arm.state().nu << 0.5, 2.0;
  // M (ν⁺ − ν⁻) = e P with ν⁺ of the elbow zero: the shoulder takes over what M couples.
  const MatrixXd M = arm.mass();
  const double shoulder = 0.5 + M(0, 1) / M(0, 0) * 2.0;
  const double energy = arm.kineticEnergy();
  const StepResult& result = arm.advance(makeInput(model), 1);
  ASSERT_TRUE(result.impact);
  const VectorXd after = arm.state().nu - kStep * result.nu_dot;
  EXPECT_NEAR(after[1], 0.0, 1e-9);
  EXPECT_NEAR(after[0], shoulder, 1e-9);
  EXPECT_LT(arm.kineticEnergy(), energy);
}

TEST(JointLimit, CarriesTheTorqueThatPressesAgainstIt) {
  Model model = weightlessArm({"shoulder"});
  Arm arm(model);
  arm.state().joints()[0] = model.dofs[0].upper;
  Input input = makeInput(model);
  input.tau[0] = 7.0;
  EXPECT_NEAR(arm.advance(input, 100).limit_torque[0], -7.0, 1e-7);
  input.tau[0] = -7.0;  // pulls away: the limit lets go at once
  EXPECT_NEAR(arm.advance(input, 1).limit_torque[0], 0.0, 1e-9);
}

TEST(JointLimit, DoesNotPushAJointBackThatStartsOutside) {
  Model model = weightlessArm({"shoulder", "elbow"});
  Arm arm(model);
  const double outside = model.dofs[1].upper + 0.7;
  arm.state().joints()[1] = outside;
  arm.advance(makeInput(model), 1000);
  EXPECT_EQ(arm.state().joints()[1], outside);
  EXPECT_EQ(arm.kineticEnergy(), 0.0);
}

TEST(JointLimit, LetsAJointThatIsOutsideComeBackAndHoldsItOnTheWay) {
  Model model = weightlessArm({"shoulder"});
  Arm arm(model);
  const double upper = model.dofs[0].upper;
  arm.state().joints()[0] = upper + 0.5;
  Input input = makeInput(model);
  input.tau[0] = 7.0;  // farther out: the limit is where the joint is
  EXPECT_NEAR(arm.advance(input, 100).limit_torque[0], -7.0, 1e-7);
  EXPECT_NEAR(arm.state().joints()[0], upper + 0.5, 1e-9);
  input.tau[0] = -7.0;  // back: nothing is in its way
  EXPECT_EQ(arm.advance(input, 100).limit_torque[0], 0.0);
  const double inertia = arm.mass()(0, 0);
  EXPECT_NEAR(arm.state().nu[0], -7.0 * 0.1 / inertia, 1e-9);
}

TEST(JointLimit, StopsAJointThatIsOutsideAndMovesFartherOutAndOnlyTakesItsEnergy) {
  Model model = weightlessArm({"shoulder", "elbow"});
  Arm arm(model);
  arm.state().joints()[1] = model.dofs[1].upper + 0.2;
  arm.state().nu << 0.5, 2.0;
  double energy = arm.kineticEnergy();
  for (int k = 0; k < 200; ++k) {
    arm.advance(makeInput(model), 1);
    EXPECT_LE(arm.kineticEnergy(), energy * (1.0 + 1e-3));  // the scheme's own error along the curve
    energy = arm.kineticEnergy();
    EXPECT_LT(arm.state().joints()[1], model.dofs[1].upper + 0.2 + 1e-9);
  }
}

TEST(JointFriction, HoldsTheJointBelowItsLimitTorque) {
  Model model = weightlessArm({"shoulder"});
  model.dofs[0].friction = 2.0;
  Arm arm(model);
  Input input = makeInput(model);
  input.tau[0] = 1.999;
  const StepResult& held = arm.advance(input, 1000);
  EXPECT_LT(std::abs(arm.state().joints()[0]), 1e-9);
  EXPECT_NEAR(held.friction_torque[0], -1.999, 1e-6);
  input.tau[0] = 2.1;
  const double inertia = arm.mass()(0, 0);
  arm.advance(input, 1000);
  EXPECT_NEAR(arm.state().nu[0], 0.1 / inertia * 1.0, 1e-7);
}

TEST(JointFriction, StopsAMovingJointAndKeepsItStopped) {
  Model model = weightlessArm({"shoulder"});
  model.dofs[0].friction = 2.0;
  Arm arm(model);
  const double inertia = arm.mass()(0, 0), speed = 1.0;
  arm.state().nu[0] = speed;
  arm.advance(makeInput(model), 3000);
  // Distance of a constant deceleration a, but for the step in which it stops: from v it goes ½ v Δt instead of
  // v²/(2 a), which differs by a Δt²/8 at most.
  const double deceleration = 2.0 / inertia;
  EXPECT_NEAR(arm.state().joints()[0], speed * speed / (2.0 * deceleration), deceleration * kStep * kStep / 8.0 + 1e-9);
  EXPECT_NEAR(arm.state().nu[0], 0.0, 1e-10);
}

TEST(JointDamping, DecaysAsTheUrdfSays) {
  Model model = weightlessArm({"shoulder"});
  model.dofs[0].damping = 3.0;
  Arm arm(model);
  const double inertia = arm.mass()(0, 0);
  arm.state().nu[0] = 1.0;
  arm.advance(makeInput(model), 500);
  // Each step is exact but for the fit of coth x − 1/x with x = Δt d/(2 I): x⁵/90 of the rate (theory.md §5).
  const double x = 0.5 * kStep * 3.0 / inertia;
  EXPECT_NEAR(arm.state().nu[0], std::exp(-0.5 * 3.0 / inertia), 500 * std::pow(x, 5) / 90.0 + 1e-12);
}

}  // namespace
}  // namespace footfall::physics
