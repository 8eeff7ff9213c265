#include <gtest/gtest.h>

#include "dynamics/random_model.hpp"
#include "footfall/model/kinematics.hpp"
#include "footfall/run/instrumented_simulation.hpp"
#include "physics/scene_tools.hpp"
#include "sensor/sensor_tools.hpp"
#include "tools/random_seed.hpp"
#include "tools/source_dir.hpp"

namespace footfall {
namespace {

using physics::kGravity;
using test::imuOn;
using test::MadeUpStep;
using test::measureOnce;

/// The arm of models/rr_arm.urdf, 2 m long and straight, bolted to the world.
Model arm() {
  UrdfOptions options;
  options.floating_base = false;
  return loadUrdf(sourceDir() + "/models/rr_arm.urdf", options).model;
}

TEST(Imu, ReadsZeroInFreeFall) {
  Scene scene = physics::freeBody("box");
  scene.sensors = {imuOn("box")};
  scene.robot.base_angular_velocity = {1.0, -2.0, 0.5};
  InstrumentedSimulation box(scene);
  for (int k = 0; k < 500; ++k) {
    box.step();
    // ν̇ is a difference of velocities up to 5 m/s over 1 ms: rounding of 1e-15 · 5/1e-3.
    ASSERT_LT(box.read("imu.acceleration").values.norm(), 1e-11) << "step " << k;
  }
}

TEST(Imu, ReadsGravityUpwardsAtRest) {
  Scene scene = physics::boxScene();
  scene.robot.on_ground = true;
  scene.sensors = {imuOn("sole")};
  InstrumentedSimulation box(scene);
  for (int k = 0; k < 200; ++k) box.step();
  // The solver stops at a residual of 1e-10 m/s, which is an acceleration of 1e-7 m/s² over 1 ms.
  EXPECT_LT((box.read("imu.acceleration").values - Vector3d(0.0, 0.0, kGravity)).norm(), 1e-6);
  EXPECT_LT(box.read("imu.angular_velocity").values.norm(), 1e-8);
}

TEST(Imu, ReadsGravityInItsOwnAxes) {
  const Model model = arm();
  MadeUpStep step(model);
  const Matrix3d R_WB = rotationFromRollPitchYaw({0.4, -0.9, 2.0});
  step.start.setBasePose({R_WB, Vector3d::Zero()});
  const VectorXd reading = measureOnce(model, imuOn("base"), "imu.acceleration", step);
  EXPECT_LT((reading - R_WB.transpose() * Vector3d(0.0, 0.0, kGravity)).norm(), 1e-13);
}

TEST(Imu, OnASpinningArmReadsCentripetalAndTangentialAcceleration) {
  Model model = arm();
  model.gravity.setZero();
  const double omega = 3.0, alpha = 7.0, r = 2.0;
  MadeUpStep step(model);
  step.start.joints()[0] = 0.8;
  step.start.nu[0] = omega;
  step.result.nu_dot[0] = alpha;
  // The joint turns about y, the tip hangs at -z: it is pulled towards +z and pushed along -x.
  const VectorXd acceleration = measureOnce(model, imuOn("tip"), "imu.acceleration", step);
  EXPECT_LT((acceleration - Vector3d(-alpha * r, 0.0, omega * omega * r)).norm(), 1e-12);
  const VectorXd rate = measureOnce(model, imuOn("tip"), "imu.angular_velocity", step);
  EXPECT_LT((rate - Vector3d(0.0, omega, 0.0)).norm(), 1e-13);
}

/// Behind ball joints: what the pose says by its second differences.
TEST(Imu, BehindBallJointsReadsTheRatesOfThePose) {
  std::mt19937 random(randomSeed(11));
  const Model model = test::randomModel(random, {.joints = 8, .ball_joints = true, .straightness = 1.0});
  ASSERT_GE(model.balls.size(), 2u);
  MadeUpStep step(model);
  step.start = test::randomState(model, random);
  step.result.nu_dot = test::randomVector(model.nv(), random);
  const Frame& frame = model.frames.back();
  const auto poseAt = [&](double t) {
    VectorXd q = step.start.q;
    // Three looks at a velocity that changes: its mean up to t moves there, to the order that two differences see.
    integrateConfiguration(model, step.start.nu + 0.5 * t * step.result.nu_dot, t, q);
    std::vector<Pose> X_WL;
    forwardKinematics(model, q, X_WL);
    return X_WL[frame.link] * frame.X_LF;
  };
  constexpr double kStep = 1e-4;
  const Pose before = poseAt(-kStep), now = poseAt(0.0), after = poseAt(kStep);
  const Vector3d acceleration = (after.p - 2.0 * now.p + before.p) / (kStep * kStep);
  const Vector3d read = measureOnce(model, imuOn(frame.name), "imu.acceleration", step);
  // Third differences of order 100 m/s⁴ times the step squared, and rounding of 1e-16 over it.
  EXPECT_LT((read - now.R.transpose() * (acceleration - model.gravity)).norm(), 1e-4);
  const Matrix3d W = now.R.transpose() * (after.R - before.R) / (2.0 * kStep);
  const Vector3d rate = measureOnce(model, imuOn(frame.name), "imu.angular_velocity", step);
  EXPECT_LT((rate - 0.5 * Vector3d(W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1))).norm(), 1e-5);
}

TEST(Imu, OnASlidingAndTurningLinkReadsCoriolisAcceleration) {
  Model model = test::slider();  // a cart on a turntable
  model.gravity.setZero();
  model.floating_base = true;
  const double x = 0.5, rate = 2.0, omega = 3.0;
  MadeUpStep step(model);
  step.start.joints()[0] = x;
  step.start.nu << 0.0, 0.0, 0.0, 0.0, 0.0, omega, rate;
  const VectorXd reading = measureOnce(model, imuOn("cart"), "imu.acceleration", step);
  EXPECT_LT((reading - Vector3d(-omega * omega * x, 2.0 * omega * rate, 0.0)).norm(), 1e-13);
}

/// Any robot in any motion.
struct RandomMotion {
  explicit RandomMotion(unsigned seed, bool floating_base = true, int mimic_joints = 2)
      : random(seed),
        model(test::randomModel(random, {.floating_base = floating_base, .mimic_joints = mimic_joints})),
        step(model) {
    step.start = test::randomState(model, random);
    step.result.nu_dot = 5.0 * test::randomVector(model.nv(), random);
  }

  std::mt19937 random;
  Model model;
  MadeUpStep step;
};

TEST(Imu, AgreesWithTheJacobiansOfTheEngine) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    RandomMotion motion(seed, seed % 2 == 0);
    const Model& model = motion.model;
    const auto engine = makeDynamics("native", model);
    engine->update(motion.step.start.q, motion.step.start.nu);
    for (int f = 0; f < static_cast<int>(model.frames.size()); ++f) {
      const FrameIndex frame(f);
      MatrixXd J(6, model.nv());
      engine->frameJacobian(frame, J);
      const Vector6d acceleration = J * motion.step.result.nu_dot + engine->frameBiasAcceleration(frame);
      const Matrix3d R_FW = engine->framePose(frame).R.transpose();
      const SensorSpec imu = imuOn(model.frames[f].name);
      // Sums of about a hundred terms of size 100.
      EXPECT_LT(
          (measureOnce(model, imu, "imu.acceleration", motion.step) - R_FW * (acceleration.head<3>() - model.gravity))
              .norm(),
          1e-11);
      EXPECT_LT((measureOnce(model, imu, "imu.angular_velocity", motion.step) -
                 R_FW * (J.bottomRows<3>() * motion.step.start.nu))
                    .norm(),
                1e-12);
    }
  }
}

TEST(Imu, OnATumblingRobotAgreesWithFiniteDifferences) {
  const double h = 1e-4;  // rounding 1e-16/h² and truncation h² · (fourth derivatives) are both about 1e-7
  RandomMotion motion(3);
  const Model& model = motion.model;
  const State& start = motion.step.start;
  const auto engine = makeDynamics("native", model);
  const auto poseAfter = [&](double t, FrameIndex frame) {
    VectorXd q = start.q;
    integrateConfiguration(model, t * start.nu + 0.5 * t * t * motion.step.result.nu_dot, 1.0, q);
    engine->update(q, start.nu);
    return engine->framePose(frame);
  };
  for (int f = 0; f < static_cast<int>(model.frames.size()); ++f) {
    const Pose before = poseAfter(-h, FrameIndex(f)), now = poseAfter(0.0, FrameIndex(f)),
               after = poseAfter(h, FrameIndex(f));
    const Vector3d acceleration_W = (after.p - 2.0 * now.p + before.p) / (h * h);
    const Eigen::AngleAxisd turn(Matrix3d(before.R.transpose() * after.R));
    const SensorSpec imu = imuOn(model.frames[f].name);
    const VectorXd measured = measureOnce(model, imu, "imu.acceleration", motion.step);
    EXPECT_LT((measured - now.R.transpose() * (acceleration_W - model.gravity)).norm(), 1e-5);
    const VectorXd rate = measureOnce(model, imu, "imu.angular_velocity", motion.step);
    EXPECT_LT((rate - turn.angle() * turn.axis() / (2.0 * h)).norm(), 1e-5);
  }
}

TEST(Imu, MeasuresTheInstantAfterAnImpact) {
  RandomMotion motion(4);
  const Model& model = motion.model;
  const double dt = 1e-3;  // of measureOnce()
  motion.step.result.impact = true;
  motion.step.result.next = motion.step.start;
  motion.step.result.next.nu = test::randomVector(model.nv(), motion.random);
  const Matrix3d R_WB = motion.step.start.basePose().R * model.frames[0].X_LF.R;
  const Vector3d omega_W = (motion.step.result.next.nu - dt * motion.step.result.nu_dot).segment<3>(3);
  const VectorXd rate = measureOnce(model, imuOn("frame0"), "imu.angular_velocity", motion.step);
  EXPECT_LT((rate - R_WB.transpose() * omega_W).norm(), 1e-13);
}

TEST(Imu, OrientationIsThatOfTheFrame) {
  RandomMotion motion(5);
  const Matrix3d R_WF = motion.step.start.basePose().R * motion.model.frames[0].X_LF.R;
  const VectorXd q = measureOnce(motion.model, imuOn("frame0"), "imu.orientation", motion.step);
  EXPECT_GE(q[3], 0.0);
  EXPECT_LT((Eigen::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix() - R_WF).norm(), 1e-14);
  const VectorXd rpy = measureOnce(motion.model, imuOn("frame0"), "imu.rpy", motion.step);
  EXPECT_LT((rotationFromRollPitchYaw(rpy) - R_WF).norm(), 1e-14);
}

}  // namespace
}  // namespace footfall
