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
  if (setup->posture().held) {
    diagram.add("posture", registry, "PostureHold", parameters);
    diagram.connect("robot.q", "posture.q");
    diagram.connect("robot.nu", "posture.nu");
    diagram.connect("posture.springs", "robot.springs");
    torque = "posture.command";
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
