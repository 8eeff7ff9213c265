#include "run_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/base/instruction_set.hpp"
#include "footfall/base/version.hpp"

namespace footfall::command {
namespace {

const std::vector<std::string> kXyz = {"x", "y", "z"};

struct DofUnits {
  const char *position, *velocity, *effort;
};

DofUnits unitsOf(JointKind kind) {
  return kind == JointKind::revolute ? DofUnits{"rad", "rad/s", "N m"} : DofUnits{"m", "m/s", "N"};
}

long long stepsPerRow(const Simulation& simulation) {
  return std::max(1LL, std::llround(simulation.scene().run.log_period / simulation.settings().step));
}

/// Frames with contact candidates, each once, in the order of StepResult::soles.
std::vector<FrameIndex> soleFrames(const Model& model) {
  std::vector<FrameIndex> frames;
  for (const ContactCandidate& candidate : model.candidates)
    if (std::find(frames.begin(), frames.end(), candidate.frame) == frames.end()) frames.push_back(candidate.frame);
  return frames;
}

std::string describeSeeds(const Scene& scene) {
  if (scene.sensors.empty()) return "none: the same scene gives the same bits";
  return fmt::format("in the sensors, run.seed {}: the same scene gives the same bits", scene.run.seed);
}

}  // namespace

RunLog::RunLog(const std::string& path, const InstrumentedSimulation& robot)
    : log_(path), steps_per_row_(stepsPerRow(robot.simulation())), base_dofs_(robot.simulation().model().baseDofs()) {
  addNotes(robot.simulation());
  addChannels(robot.simulation().model());
  addMotors(robot.simulation().model());
  addSensors(robot.sensors());
  log_.begin();
}

void RunLog::addNotes(const Simulation& simulation) {
  const Settings& settings = simulation.settings();
  log_.note("footfall", version());
  log_.note("scene", simulation.scene().source);
  log_.note("robot", simulation.model().name);
  log_.note("physics", fmt::format("engine {}, contact {}, solver {}, integrator {}, step {} s", settings.engine,
                                   settings.contact.model, settings.solver, settings.integrator, settings.step));
  log_.note("instruction set", nameOf(instructionSet()));
  log_.note("random numbers", describeSeeds(simulation.scene()));
  log_.note("rows", "the state at `time`, and the mean forces of the step that starts there; empty: no step followed");
  log_.note("axes",
            "base: world; soles: the sole's own frame and origin; points: contact axes, z is the ground's normal");
}

void RunLog::addChannels(const Model& model) {
  time_ = log_.add({"time", "s", {}});
  base_position_ = log_.add({"base", "m", kXyz});
  base_quaternion_ = log_.add({"base", "-", {"qx", "qy", "qz", "qw"}});
  base_velocity_ = log_.add({"base", "m/s", {"vx", "vy", "vz"}});
  base_angular_velocity_ = log_.add({"base", "rad/s", {"wx", "wy", "wz"}});
  for (const Dof& dof : model.dofs) {
    const DofUnits units = unitsOf(dof.kind);
    dofs_.push_back({log_.add({dof.name + ".position", units.position, {}}),
                     log_.add({dof.name + ".velocity", units.velocity, {}}),
                     log_.add({dof.name + ".torque", units.effort, {}})});
  }
  for (const FrameIndex frame : soleFrames(model)) {
    const std::string& name = model.frames[frame].name;
    soles_.push_back({log_.add({name + ".force", "N", kXyz}), log_.add({name + ".moment", "N m", kXyz}),
                      log_.add({name + ".impulse", "N s", kXyz})});
  }
  for (int k = 0; k < model.pointCandidates(); ++k)  // those of shapes are too many: their frames have them as wrenches
    points_.push_back(log_.add({model.candidates[k].name + ".force", "N", kXyz}));
  energy_ = log_.add({"energy", "J", {"kinetic", "potential"}});
  contacts_ = log_.add({"contacts", "-", {}});
  iterations_ = log_.add({"solver.iterations", "-", {}});
  residual_ = log_.add({"solver.residual", "m/s", {}});
}

void RunLog::addMotors(const Model& model) {
  if (model.transmissions.empty()) return;
  log_.note("motors", "behind their gears; limited: 1 where that limit has cut the torque");
  for (const Transmission& transmission : model.transmissions) {
    for (const Motor& motor : transmission.motors) {
      const std::string name = "motor." + motor.name;
      motors_.push_back({log_.add({name + ".torque", "N m", {}}), log_.add({name + ".speed", "rad/s", {}}),
                         log_.add({name + ".limited", "-", {"torque", "speed"}})});
    }
  }
}

void RunLog::addSensors(const SensorSuite& sensors) {
  if (sensors.channels().empty()) return;
  log_.note("sensors", "newest sample that has arrived; empty: none has; its instant is in the sensor's time column");
  for (const SensorChannel& channel : sensors.channels()) {
    const std::string name = "sensor." + channel.name;
    if (!channel.frame.empty()) log_.note("axes of " + name, channel.frame);
    sensors_.push_back(log_.add({name, channel.unit, channel.components}));
  }
}

void RunLog::beforeStep(Simulation& simulation) {
  if (step_ % steps_per_row_ == 0) setState(simulation);
}

void RunLog::afterStep(const InstrumentedSimulation& robot) {
  if (step_++ % steps_per_row_ != 0) return;
  const StepResult& result = robot.simulation().result();
  for (std::size_t i = 0; i < dofs_.size(); ++i)
    log_.set(dofs_[i].torque, result.joint_torque[static_cast<Eigen::Index>(i)]);
  setContacts(result);
  setMotors(robot.simulation());
  log_.set(contacts_, static_cast<double>(result.contacts.size()));
  log_.set(iterations_, result.iterations);
  log_.set(residual_, result.residual);
  setSensors(robot);
  log_.endRow();
}

void RunLog::finish(Simulation& simulation) {
  setState(simulation);
  log_.endRow();
  log_.close();
}

void RunLog::setState(Simulation& simulation) {
  const State& state = simulation.state();
  const Energy energy = simulation.dynamics().energy();
  log_.set(time_, state.time);
  log_.set(base_position_, state.q.head<3>());
  log_.set(base_quaternion_, state.q.segment<4>(3));
  if (base_dofs_ == 6) {
    log_.set(base_velocity_, state.nu.head<3>());
    log_.set(base_angular_velocity_, state.nu.segment<3>(3));
  } else {
    log_.set(base_velocity_, Vector3d::Zero());
    log_.set(base_angular_velocity_, Vector3d::Zero());
  }
  for (std::size_t i = 0; i < dofs_.size(); ++i) {
    log_.set(dofs_[i].position, state.q[7 + static_cast<Eigen::Index>(i)]);
    log_.set(dofs_[i].velocity, state.nu[base_dofs_ + static_cast<Eigen::Index>(i)]);
  }
  log_.set(energy_, Eigen::Vector2d(energy.kinetic, energy.potential));
}

void RunLog::setMotors(const Simulation& simulation) {
  for (std::size_t k = 0; k < motors_.size(); ++k) {
    const MotorReport& motor = simulation.motors()[k];
    log_.set(motors_[k].torque, motor.torque);
    log_.set(motors_[k].speed, motor.speed);
    log_.set(motors_[k].limited, Eigen::Vector2d(motor.torque_limited, motor.speed_limited));
  }
}

void RunLog::setSensors(const InstrumentedSimulation& robot) {
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    const SensorReading reading = robot.read(robot.sensors().channels()[i]);
    if (reading.available()) log_.set(sensors_[i], reading.values);
  }
}

void RunLog::setContacts(const StepResult& result) {
  for (std::size_t i = 0; i < soles_.size(); ++i) {
    const SoleReport& sole = result.soles[i];
    log_.set(soles_[i].force, sole.wrench_F.head<3>());
    log_.set(soles_[i].moment, sole.wrench_F.tail<3>());
    log_.set(soles_[i].impulse, sole.impulse_F.head<3>());
  }
  for (const ChannelHandle point : points_) log_.set(point, Vector3d::Zero());
  for (const ContactReport& contact : result.contacts)
    if (contact.candidate < static_cast<int>(points_.size()))
      log_.set(points_[static_cast<std::size_t>(contact.candidate)], contact.force_C);
}

}  // namespace footfall::command
