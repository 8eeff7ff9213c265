// Positions of ball joints are rotation vectors: moved, compared and subtracted as rotations.

#include "footfall/model/ball_joint.hpp"

#include <gtest/gtest.h>

#include "footfall/model/kinematics.hpp"
#include "footfall/model/state.hpp"
#include "footfall/model/tree.hpp"

namespace footfall {
namespace {

void addJoint(Model& model, JointKind kind, const Vector3d& axis, const Pose& X_PJ = {}) {
  const int number = static_cast<int>(model.joints.size());
  Joint joint;
  joint.name = "joint" + std::to_string(number);
  joint.kind = kind;
  joint.parent = LinkIndex(number);
  joint.X_PJ = X_PJ;
  joint.axis = axis;
  joint.dof = DofIndex(number);
  model.joints.push_back(joint);
  model.dofs.push_back({.name = joint.name, .kind = kind});
  model.links.push_back({"link" + std::to_string(number + 1), {1.0, Vector3d::Zero(), Matrix3d::Identity()}});
}

const Pose kShoulder{rotationFromRollPitchYaw({0.3, 0.2, 0.1}), {0.0, 0.0, 0.5}};

/// A hinge, a ball, another ball right behind it, and a slider.
Model arm() {
  Model model;
  model.floating_base = false;
  model.links.push_back({"base", {}});
  addJoint(model, JointKind::revolute, Vector3d::UnitY());
  for (const Pose& X_PJ : {kShoulder, Pose{Matrix3d::Identity(), {0.2, 0.0, 0.0}}})
    for (int axis = 0; axis < 3; ++axis)
      addJoint(model, JointKind::ball, Vector3d::Unit(axis), axis == 0 ? X_PJ : Pose{});
  addJoint(model, JointKind::prismatic, Vector3d::UnitX());
  model.balls = ballsOf(model);
  return model;
}

TEST(BallJoint, IsThreeJointsInARow) {
  const Model model = arm();
  ASSERT_EQ(model.balls, (std::vector<DofIndex>{DofIndex(1), DofIndex(4)}));
  std::vector<int> inside;
  for (int link = 0; link < static_cast<int>(model.links.size()); ++link)
    if (isInsideBall(model, LinkIndex(link))) inside.push_back(link);
  EXPECT_EQ(inside, (std::vector<int>{2, 3, 5, 6}));
  EXPECT_EQ(modelOf(model, treesOf(model)[0]).balls, model.balls);
}

TEST(BallJoint, TurnsItsChildByTheRotationVector) {
  const Model model = arm();
  State state = makeState(model);
  state.joints() << 0.4, 0.5, -1.5, 2.0, 0.0, 0.0, 0.0, 0.1;
  std::vector<Pose> X_WL;
  forwardKinematics(model, state.q, X_WL);
  const Pose hinge{Eigen::AngleAxisd(0.4, Vector3d::UnitY()).toRotationMatrix(), Vector3d::Zero()};
  const Vector3d theta(0.5, -1.5, 2.0);
  const Pose turned{Eigen::AngleAxisd(theta.norm(), theta.normalized()).toRotationMatrix(), Vector3d::Zero()};
  const Pose expected = hinge * kShoulder * turned;
  EXPECT_LT((X_WL[4].R - expected.R).norm(), 1e-15);
  EXPECT_LT((X_WL[4].p - expected.p).norm(), 1e-15);
  EXPECT_LT((X_WL[8].p - expected * Vector3d(0.3, 0.0, 0.0)).norm(), 1e-15);
}

/// The child turns with its angular velocity in the axes of the joint frame.
TEST(BallJoint, MovesByItsAngularVelocity) {
  const Model model = arm();
  State state = makeState(model);
  state.joints() << 0.4, 0.5, -1.5, 2.0, 2.0, 2.0, -1.2, 0.1;
  state.nu << 1.0, 2.0, -3.0, 0.5, -4.0, 0.1, 0.2, 0.3;
  constexpr double kStep = 1e-6;
  VectorXd before = state.q, after = state.q;
  integrateConfiguration(model, state.nu, -kStep, before);
  integrateConfiguration(model, state.nu, kStep, after);
  for (const DofIndex ball : model.balls) {
    const auto R = [&](const VectorXd& q) { return expQuaternion(q.segment<3>(7 + ball)).toRotationMatrix(); };
    const Matrix3d W = (R(after) - R(before)) * R(state.q).transpose() / (2.0 * kStep);
    const Vector3d omega(W(2, 1), W(0, 2), W(1, 0));
    EXPECT_LT((omega - state.nu.segment<3>(ball)).norm(), 1e-8);
  }
  EXPECT_NEAR(after[7] - before[7], 2.0 * kStep, 1e-15);
  EXPECT_NEAR(after[14] - before[14], 0.6 * kStep, 1e-15);
}

TEST(BallJoint, IsNeverTurnedByMoreThanHalfATurn) {
  const Model model = arm();
  State state = makeState(model);
  state.nu << 0.0, 1.0, 2.0, -0.5, 3.0, 0.0, 1.0, 0.0;
  for (int k = 0; k < 1000; ++k) {
    const State last = state;
    integrateConfiguration(model, state.nu, 0.01, state.q);
    VectorXd way(model.jointDofs());
    jointWay(model, last.joints(), state.joints(), way);
    ASSERT_LT((way - 0.01 * state.nu).norm(), 1e-13);
    for (const DofIndex ball : model.balls) ASSERT_LE(state.joints().segment<3>(ball).norm(), M_PI * (1.0 + 1e-15));
  }
}

TEST(BallSprings, PullAlongTheTurn) {
  const Model model = arm();
  VectorXd s(8), rest(8);
  s << 0.4, 3.0, 0.3, 0.0, 0.0, 0.0, 0.0, 0.1;
  rest << 0.5, -3.0, -0.3, 0.0, 0.0, 0.0, 0.2, 0.3;  // 0.25 rad away, on the other side of half a turn
  const VectorXd stiffness = VectorXd::Constant(8, 10.0);
  VectorXd torque = stiffness.cwiseProduct(rest - s), way(8);
  turnBallSprings(model, stiffness, s, rest, torque);
  jointWay(model, s, rest, way);
  EXPECT_LT((torque - 10.0 * way).norm(), 1e-13);
  const Vector3d expected = 2.0 * (M_PI - std::hypot(3.0, 0.3)) * Vector3d(3.0, 0.3, 0.0).normalized();
  EXPECT_LT((way.segment<3>(1) - expected).norm(), 1e-14);
  EXPECT_LT((way.tail<2>() - Eigen::Vector2d(0.2, 0.2)).norm(), 1e-15);
}

}  // namespace
}  // namespace footfall
