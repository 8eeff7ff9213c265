// Encoders, joint torques and soles.

#include <gtest/gtest.h>

#include "footfall/run/instrumented_simulation.hpp"
#include "physics/scene_tools.hpp"
#include "sensor/sensor_tools.hpp"

namespace footfall {
namespace {

using test::MadeUpStep;
using test::sensor;

TEST(Encoder, ReadsMultiplesOfItsResolutionNextToTheTruth) {
  const Model model = test::slider();
  SensorSpec spec = sensor("encoder", "enc");
  const double resolution = 0.01, offset = 0.3;
  spec.resolution["position"] = resolution;
  spec.bias["position"] = {offset};
  for (int k = -50; k < 50; ++k) {
    MadeUpStep step(model);
    step.start.joints()[0] = 0.00137 * k;
    const double reading = test::measureOnce(model, spec, "enc.x.position", step)[0];
    EXPECT_NEAR(reading / resolution, std::round(reading / resolution), 1e-12);
    EXPECT_LE(std::abs(reading - offset - 0.00137 * k), 0.5 * resolution + 1e-15);
  }
}

TEST(Encoder, ReadsVelocityExactlyWhenNothingElseIsSaid) {
  const Model model = test::slider();
  MadeUpStep step(model);
  step.start.nu[0] = 1.0 / 3.0;
  EXPECT_EQ(test::measureOnce(model, sensor("encoder", "enc"), "enc.x.velocity", step)[0], 1.0 / 3.0);
}

TEST(Encoder, MeasuresTheNamedJointsInTheirOrder) {
  Scene scene = physics::freeBody("quadruped");
  scene.robot.initial = {{"lf_kfe", -0.8}, {"rh_hfe", 0.4}};
  scene.sensors = {sensor("encoder", "enc")};
  scene.sensors[0].joints = {"rh_hfe", "lf_kfe"};
  InstrumentedSimulation robot(scene);
  robot.step();
  EXPECT_EQ(robot.read("enc.lf_kfe.position").values[0], -0.8);
  EXPECT_EQ(robot.read("enc.rh_hfe.position").values[0], 0.4);
  EXPECT_EQ(robot.sensors().channels().size(), 5u) << "time, and two of each joint";
  EXPECT_EQ(robot.sensors().channels()[1].name, "enc.rh_hfe.position");
  EXPECT_EQ(robot.sensors().channels()[1].unit, "rad");
}

TEST(JointTorque, IsWhatTheStepAppliesAtTheJoint) {
  Scene scene = physics::freeBody("rr_arm");
  scene.robot.fixed_base = true;
  scene.robot.initial = {{"shoulder", 0.5}};
  scene.hold.enabled = true;
  scene.sensors = {sensor("joint_torque", "tau")};
  InstrumentedSimulation arm(scene);
  for (int k = 0; k < 10; ++k) {
    const StepResult& result = arm.step();
    EXPECT_EQ(arm.read("tau.shoulder.torque").values[0], result.joint_torque[0]);
    EXPECT_EQ(arm.read("tau.elbow.torque").values[0], result.joint_torque[1]);
  }
  EXPECT_GT(std::abs(arm.read("tau.shoulder.torque").values[0]), 1.0);
}

/// A cube with its lower face as a sole, 5 mm above the ground.
Scene droppedBox() {
  Scene scene = physics::boxScene();
  scene.robot.base_position = {0.0, 0.0, 0.105};
  scene.sensors = {sensor("contact", "sole")};
  scene.sensors[0].frame = "box";
  return scene;
}

TEST(SoleContact, SumsTheForcesOfItsPointsAndSaysWhetherThereAreAny) {
  InstrumentedSimulation box(droppedBox());
  box.step();
  EXPECT_EQ(box.read("sole.contact").values[0], 0.0);
  EXPECT_EQ(box.read("sole.force").values.norm(), 0.0);
  for (int k = 0; k < 500; ++k) box.step();
  EXPECT_EQ(box.read("sole.contact").values[0], 1.0);
  // One step at a residual of 1e-10 m/s is a force of 1e-7 N on 1 kg.
  EXPECT_LT((box.read("sole.force").values - Vector3d(0, 0, physics::kGravity)).norm(), 1e-6);
  Vector3d sum = Vector3d::Zero();
  for (const ContactReport& contact : box.simulation().result().contacts) sum += contact.force_W;
  EXPECT_LT((box.read("sole.force").values - box.simulation().state().basePose().R.transpose() * sum).norm(), 1e-8);
  EXPECT_EQ(box.read("sole.moment").values, box.simulation().result().soles[0].wrench_F.tail<3>());
}

TEST(SoleContact, IgnoresForcesBelowItsThreshold) {
  Scene scene = droppedBox();
  scene.sensors.push_back(scene.sensors[0]);
  scene.sensors[0].threshold = 9.0;
  scene.sensors[1].threshold = 10.0;  // the cube weighs 9.81 N
  scene.sensors[1].name = "hard";
  InstrumentedSimulation box(scene);
  for (int k = 0; k < 500; ++k) box.step();
  EXPECT_EQ(box.read("sole.contact").values[0], 1.0);
  EXPECT_EQ(box.read("hard.contact").values[0], 0.0);
}

}  // namespace
}  // namespace footfall
