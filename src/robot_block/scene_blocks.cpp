#include "robot_block/scene_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/actuator/actuators.hpp"
#include "footfall/robot_block/internal/robot_signals.hpp"
#include "robot_block/joint_vector.hpp"

namespace footfall {

// --- PostureHold ------------------------------------------------------------------------------------

BlockDescription PostureHold::description() {
  return {"PostureHold",
          "robot control",
          "holds the initial posture of the scene, by springs or by commands to motors, and has its torques",
          {},
          {{"q", "of the robot; vector of 7 + n"},
           {"nu", "of the robot; vector of 6 + n"},
           {"torque", "added to the command; vector of n [N m]; none: zero"}},
          {{"springs", "bus {stiffness, damping, target} for the robot: joints without motors of their own"},
           {"command", "joint torques: what carries the weight at the start, and the control of joints with motors"}},
          "Gains are those of `hold` in the scene; τ_0 carries the weight, with `torques` of the scene added. Joints "
          "whose motors deliver every torque at once are held by springs "
          "at the joint, integrated implicitly: command = τ_0. The others by command = τ_0 + k (s* − s) − d ṡ."};
}

PostureHold::PostureHold(const Parameters& parameters) : setup_(findRobotSetup(parameters)) {
  const Posture& posture = setup_->posture();
  const int n = setup_->model().jointDofs();
  springs_ =
      posture.held ? posture.springs : JointSprings{VectorXd::Zero(n), VectorXd::Zero(n), setup_->start().joints()};
  joint_springs_ = springs_;
  if (posture.held) posture.springsAtJoints(joint_springs_);
}

void PostureHold::declare(BlockInterface& io) const {
  const Model& model = setup_->model();
  io.output("springs", springsBusType(model), {});
  io.input("q", positionsType(model));
  io.input("nu", velocitiesType(model));
  io.optionalInput("torque", torqueType(model));
  io.output("command", torqueType(model));
}

void PostureHold::outputs(Evaluation& e) const {
  if (e.group() == 0) {
    BusWriter out(e.out(0));
    out.put(joint_springs_.stiffness);
    out.put(joint_springs_.damping);
    out.put(joint_springs_.target);
    return;
  }
  auto command = e.outVector(1);
  if (e.connected(2)) {
    command = e.vector(2) + setup_->posture().torque;
  } else {
    command = setup_->posture().torque;
  }
  const Model& model = setup_->model();
  setup_->posture().addCommands(model.jointPositions(e.vector(0)), model.jointVelocities(e.vector(1)), command);
}

// --- Pushes -----------------------------------------------------------------------------------------

BlockDescription Pushes::description() {
  return {"Pushes",
          "robot",
          "the pushes of the scene, each at its time",
          {},
          {},
          {{"wrenches", "force and moment of each push in world axes, zero while it does not act; for Robot.wrenches"}},
          ""};
}

void Pushes::declare(BlockInterface& io) const {
  io.sample_time = SampleTime::discrete(setup_->settings().step);
  io.output("wrenches", SignalType::vector(6 * static_cast<int>(setup_->pushes().size())), {});
}

void Pushes::outputs(Evaluation& e) const {
  const std::vector<Push>& pushes = setup_->pushes();
  auto wrenches = e.outVector(0);
  for (std::size_t k = 0; k < pushes.size(); ++k) {
    auto wrench = wrenches.segment<6>(6 * static_cast<Eigen::Index>(k));
    if (pushes[k].acts(e.time(), setup_->settings().step)) {
      wrench = pushes[k].wrench.wrench_W;
    } else {
      wrench.setZero();
    }
  }
}

// --- Motors -----------------------------------------------------------------------------------------

struct Motors::Scratch : BlockScratch {
  explicit Scratch(const RobotSetup& setup)
      : actuators(setup.model(), setup.settings().step),
        state(setup.start()),
        command(VectorXd::Zero(setup.model().jointDofs())),
        torque(command) {}

  Actuators actuators;
  State state;  ///< only its velocities and its motors count
  VectorXd command, torque;
};

BlockDescription Motors::description() {
  return {"Motors",
          "robot",
          "the motors of the scene: torque dynamics, limits, gears, coupled transmissions",
          {},
          {{"command", "joint torques that are asked for; vector of n [N m]; none: zero"},
           {"nu", "of the robot; vector of 6 + n"}},
          {{"torque", "joint torques that are delivered; vector of n [N m]"},
           {"motor_command", "of each motor, behind its gear [N m]"},
           {"motor_torque", "of each motor, behind its gear [N m]"},
           {"motor_speed", "of each motor, behind its gear [rad/s]"},
           {"limited", "1 for motors whose torque or speed limit has cut the torque"}},
          "command of the joints → Tᵀ → torque limit → second-order answer → torque and speed limits → T⁻ᵀ → joints. "
          "Joints without motors get their commands."};
}

void Motors::declare(BlockInterface& io) const {
  const Model& model = setup_->model();
  const int motors = model.motors();
  io.sample_time = SampleTime::discrete(setup_->settings().step);
  io.discrete_states = static_cast<int>(setup_->start().motors.size());
  io.optionalInput("command", torqueType(model));
  io.input("nu", velocitiesType(model));
  io.output("torque", torqueType(model));
  io.output("motor_command", SignalType::vector(motors, "N m"));
  io.output("motor_torque", SignalType::vector(motors, "N m"));
  io.output("motor_speed", SignalType::vector(motors, "rad/s"));
  io.output("limited", SignalType::vector(motors, "-"));
}

std::unique_ptr<BlockScratch> Motors::makeScratch() const { return std::make_unique<Scratch>(*setup_); }

void Motors::initialize(Evaluation& e) const { e.discrete() = setup_->start().motors; }

void Motors::outputs(Evaluation& e) const {
  Scratch& scratch = e.scratch<Scratch>();
  if (e.connected(0)) scratch.command = e.vector(0);
  scratch.state.nu = e.vector(1);
  scratch.state.motors = e.discrete();
  scratch.actuators.advance(scratch.command, scratch.state, scratch.torque);
  e.outVector(0) = scratch.torque;
  const std::vector<MotorReport>& reports = scratch.actuators.reports();
  for (std::size_t k = 0; k < reports.size(); ++k) {
    e.out(1)[k] = reports[k].command;
    e.out(2)[k] = reports[k].torque;
    e.out(3)[k] = reports[k].speed;
    e.out(4)[k] = reports[k].torque_limited || reports[k].speed_limited ? 1.0 : 0.0;
  }
}

const std::vector<MotorReport>& Motors::reportsOf(const BlockScratch& scratch) {
  return static_cast<const Scratch&>(scratch).actuators.reports();
}

void Motors::update(Evaluation& e) const { e.discrete() = e.scratch<Scratch>().state.motors; }

// --- JointFriction ----------------------------------------------------------------------------------

BlockDescription JointFriction::description() {
  return {
      "JointFriction",
      "robot",
      "friction of the joints as torques: −viscous ṡ − coulomb tanh(ṡ/slow)",
      {{"viscous", "one number for all joints, or one for each", "0", "N m s/rad"},
       {"coulomb", "one number for all joints, or one for each", "0", "N m"},
       {"slow", "speed below which Coulomb friction fades", "0.01", "rad/s"}},
      {{"nu", "of the robot; vector of 6 + n"}},
      {{"torque", "vector of n [N m]"}},
      "An explicit, smoothed friction, to be added to torques. Exact Coulomb friction that really sticks belongs to "
      "the model file or to `actuators` of the scene: the robot solves it together with its contacts."};
}

JointFriction::JointFriction(const Parameters& parameters)
    : setup_(findRobotSetup(parameters)),
      viscous_(jointVector(parameters, "viscous", setup_->model(), 0.0)),
      coulomb_(jointVector(parameters, "coulomb", setup_->model(), 0.0)),
      slow_(parameters.number("slow", 0.01)) {
  if (!(slow_ > 0.0)) throw parameters.error("slow", "must be above zero");
  for (const auto& [name, friction] : {std::pair("viscous", &viscous_), std::pair("coulomb", &coulomb_)})
    if (friction->size() > 0 && !(friction->minCoeff() >= 0.0))
      throw parameters.error(name, fmt::format("is {}, expected 0 or more", friction->minCoeff()),
                             "below zero it would drive the joints on");
}

void JointFriction::declare(BlockInterface& io) const {
  io.input("nu", velocitiesType(setup_->model()));
  io.output("torque", torqueType(setup_->model()));
}

void JointFriction::outputs(Evaluation& e) const {
  const auto rates = setup_->model().jointVelocities(e.vector(0));
  e.outVector(0) = -viscous_.cwiseProduct(rates) - coulomb_.cwiseProduct((rates / slow_).array().tanh().matrix());
}

}  // namespace footfall
