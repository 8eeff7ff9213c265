#pragma once

#include "robot_block/block_tools.hpp"

namespace footfall {

/// iCub on its real motors, with the balancing controller in place of the held posture.
inline RobotDiagram balancingDiagram(const Scene& scene) {
  RobotDiagram d(scene);
  d.add("robot", "Robot");
  d.add("pushes", "Pushes");
  d.add("motors", "Motors");
  d.add("com", "CenterOfMass");
  d.add("plan", "BalancingPlan", {{"swing", "r_sole"}});
  d.add("controller", "BalancingController");
  for (const char* block : {"com", "controller"}) {
    d.builder.connect("robot.q", std::string(block) + ".q");
    d.builder.connect("robot.nu", std::string(block) + ".nu");
  }
  d.builder.connect("com.position", "plan.com");
  d.builder.connect("plan.plan", "controller.plan");
  d.builder.connect("controller.torque", "motors.command");
  d.builder.connect("robot.nu", "motors.nu");
  d.builder.connect("motors.torque", "robot.torque");
  d.builder.connect("pushes.wrenches", "robot.wrenches");
  return d;
}

/// The push that the controller is judged by, in a direction of the ground.
inline Scene pushedScene(const Vector3d& force = {50.0, 0.0, 0.0}) {
  Scene scene = physics::sceneFile("icub_motors.yaml");
  scene.pushes[0].force = force;
  scene.pushes[0].start = 1.0;
  scene.pushes[0].duration = 0.2;
  return scene;
}

}  // namespace footfall
