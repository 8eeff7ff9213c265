#include "footfall/robot_block/robot_blocks.hpp"

#include "robot_block/balancing_controller.hpp"
#include "robot_block/balancing_plan.hpp"
#include "robot_block/base_motion.hpp"
#include "robot_block/controllers.hpp"
#include "robot_block/model_queries.hpp"
#include "robot_block/robot.hpp"
#include "robot_block/scene_blocks.hpp"
#include "robot_block/sensor_block.hpp"
#include "robot_block/stage_blocks.hpp"

namespace footfall {

void addRobotBlocks(BlockRegistry& registry) {
  registry.add<Robot>();
  registry.add<PostureHold>();
  registry.add<Pushes>();
  registry.add<Motors>();
  registry.add<JointFriction>();
  registry.add<BalancingPlan>();
  registry.add<BalancingController>();
  addSensorBlocks(registry);
  addBaseMotion(registry);
  addModelQueries(registry);
  addRobotControllers(registry);
  addStageBlocks(registry);
  addRobotFromStages(registry);
}

DiagramBuilder defaultDiagram(const Scene& scene) {
  BlockRegistry registry;
  addRobotBlocks(registry);
  Parameters parameters;
  parameters.environment = makeRobotEnvironment(scene);
  const auto setup = findRobotSetup(parameters);

  DiagramBuilder diagram;
  diagram.add("robot", registry, "Robot", parameters);
  std::string torque;  // that moves the robot
  const Posture& posture = setup->posture();
  if (posture.held || !posture.torque.isZero(0.0)) {
    const std::string name = posture.held ? "posture" : "torques";
    diagram.add(name, registry, "PostureHold", parameters);
    diagram.connect("robot.q", name + ".q");
    diagram.connect("robot.nu", name + ".nu");
    if (posture.held) diagram.connect(name + ".springs", "robot.springs");
    torque = name + ".command";
  }
  if (!setup->model().transmissions.empty()) {
    diagram.add("motors", registry, "Motors", parameters);
    if (!torque.empty()) diagram.connect(torque, "motors.command");
    diagram.connect("robot.nu", "motors.nu");
    torque = "motors.torque";
  }
  if (!torque.empty()) diagram.connect(torque, "robot.torque");
  if (!setup->pushes().empty()) {
    diagram.add("pushes", registry, "Pushes", parameters);
    diagram.connect("pushes.wrenches", "robot.wrenches");
  }
  if (!scene.sensors.empty()) {
    diagram.add("sensors", registry, "Sensors", parameters);
    diagram.connect("robot.step", "sensors.step");
  }
  return diagram;
}

}  // namespace footfall
