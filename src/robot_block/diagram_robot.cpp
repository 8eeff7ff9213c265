#include "footfall/robot_block/diagram_robot.hpp"

#include <fmt/format.h>

#include <cmath>

#include "footfall/base/error.hpp"
#include "footfall/robot_block/robot_ports.hpp"
#include "robot_block/robot.hpp"
#include "robot_block/scene_blocks.hpp"
#include "robot_block/sensor_block.hpp"

namespace footfall {
namespace {

/// Number of the first block of a class that is called so; −1: there is none.
template <class B>
int first(const Diagram& diagram, const char* kind) {
  for (std::size_t b = 0; b < diagram.blocks().size(); ++b)
    if (diagram.blocks()[b].kind == kind && dynamic_cast<const B*>(diagram.blocks()[b].block.get()) != nullptr)
      return static_cast<int>(b);
  return -1;
}

template <class B>
const B& blockAt(const Diagram& diagram, int number) {
  return static_cast<const B&>(*diagram.blocks()[static_cast<std::size_t>(number)].block);
}

}  // namespace

std::string robotOf(const Diagram& diagram) {
  const int block = first<Robot>(diagram, "Robot");
  return block < 0 ? "" : diagram.blocks()[static_cast<std::size_t>(block)].path;
}

int requireRobot(const Diagram& diagram) {
  const int block = first<Robot>(diagram, "Robot");
  if (block < 0)
    throw Error("diagram", "it has no block of the kind Robot",
                "a diagram that is watched like a robot needs one; RobotFromStages is a sub-diagram of stages");
  return block;
}

DiagramRobot::DiagramRobot(const Diagram& diagram, Context& context)
    : diagram_(diagram),
      context_(context),
      robot_block_(requireRobot(diagram)),
      motors_block_(first<Motors>(diagram, "Motors")),
      sensors_block_(first<SensorBlock>(diagram, "Sensors")),
      setup_(blockAt<Robot>(diagram, robot_block_).setup()),
      settings_(blockAt<Robot>(diagram, robot_block_).settings()),
      ticks_per_step_(std::llround(settings_.step / diagram.settings().step)),
      no_sensors_(setup_.model(), {}, settings_.step),
      no_sensor_state_(no_sensors_.makeState()),
      state_(setup_.start()) {}
DiagramRobot::~DiagramRobot() = default;

const SensorSuite& DiagramRobot::sensors() const {
  return sensors_block_ < 0 ? no_sensors_ : blockAt<SensorBlock>(diagram_, sensors_block_).suite();
}

double DiagramRobot::time() const { return Robot::stateOf(*context_.memory(robot_block_)).time; }

const State& DiagramRobot::state() const {
  state_ = Robot::stateOf(*context_.memory(robot_block_));
  if (motors_block_ >= 0) state_.motors = context_.discreteState(motors_block_);
  return state_;
}

const SensorState& DiagramRobot::sensorState() const {
  return sensors_block_ < 0 ? no_sensor_state_ : SensorBlock::stateOf(*context_.memory(sensors_block_));
}

void DiagramRobot::setState(const State& state) {
  if (state.q.size() != model().nq() || state.nu.size() != model().nv() || state.motors.size() != state_.motors.size())
    throw Error("state", fmt::format("it does not belong to the robot '{}'", model().name));
  checkTies(model(), state.ties, "state");
  Robot::stateOf(*context_.memory(robot_block_)) = state;
  if (motors_block_ >= 0) context_.discreteState(motors_block_) = state.motors;
  context_.setTime(state.time);
}

void DiagramRobot::setSensorState(const SensorState& state) {
  if (state.memory.size() != sensorState().memory.size())
    throw Error("state of the sensors", "it does not belong to the sensors of this diagram");
  if (sensors_block_ >= 0) SensorBlock::stateOf(*context_.memory(sensors_block_)) = state;
}

TieImpact DiagramRobot::tie(const TieRequest& request) {
  return footfall::tie(request, Robot::stateOf(*context_.memory(robot_block_)),
                       Robot::workspaceOf(*context_.scratch(robot_block_)));
}

void DiagramRobot::release(std::string_view name) {
  State& state = Robot::stateOf(*context_.memory(robot_block_));
  footfall::release(name, state);
  Robot::workspaceOf(*context_.scratch(robot_block_)).setTies(state.ties);
}

const StepResult& DiagramRobot::result() const {
  const StepResult* result = Robot::stepOf(*context_.scratch(robot_block_)).result;
  return result == nullptr ? no_result_ : *result;
}

const std::vector<MotorReport>& DiagramRobot::motors() const {
  return motors_block_ < 0 ? no_motors_ : Motors::reportsOf(*context_.scratch(motors_block_));
}

void DiagramRobot::setPulls(const std::vector<ExternalWrench>& pulls) {
  Robot::pullsOf(*context_.scratch(robot_block_)) = pulls;
}

const std::vector<ExternalWrench>& DiagramRobot::wrenches() const {
  return Robot::stepOf(*context_.scratch(robot_block_)).input.wrenches;
}

const JointSprings* DiagramRobot::posture() const {
  const int block = first<PostureHold>(diagram_, "PostureHold");
  return block < 0 ? nullptr : &blockAt<PostureHold>(diagram_, block).springs();
}

void DiagramRobot::setProfile(StepProfile* profile) { Robot::setProfile(*context_.scratch(robot_block_), profile); }

}  // namespace footfall
