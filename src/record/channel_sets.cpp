#include "record/channel_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "footfall/dynamics/loop_points.hpp"
#include "footfall/record/contact_reader.hpp"
#include "footfall/record/internal/channel_names.hpp"
#include "footfall/record/tie_reader.hpp"
#include "footfall/step/internal/applied_forces.hpp"

namespace footfall::record {
namespace {

const std::vector<std::string> kXyz = {"x", "y", "z"};

std::vector<std::string> namesOfStages() {
  std::vector<std::string> names;
  for (int k = 0; k < kSolverStages; ++k) names.push_back(nameOf(static_cast<SolverStage>(k)));
  return names;
}
const Vector3d kZero = Vector3d::Zero();  ///< in memory: an expression would be copied to the heap each time

std::vector<std::string> numbers(Eigen::Index count) {
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace

StateChannels::StateChannels(Log& log, const RobotRun& robot, bool with_warm_start)
    : base_dofs_(robot.model().baseDofs()) {
  const State& state = robot.state();
  time_ = log.add({kTime, "s", {}, "state"});
  position_ = log.add({kBasePosition, "m", kXyz, "state"});
  quaternion_ = log.add({kBaseQuaternion, "-", {"x", "y", "z", "w"}, "state"});
  velocity_ = log.add({kBaseVelocity, "m/s", kXyz, "state"});
  angular_velocity_ = log.add({kBaseAngularVelocity, "rad/s", kXyz, "state"});
  for (const Dof& dof : robot.model().dofs) {
    const JointTraits traits = traitsOf(dof.kind);
    dofs_.push_back({log.add({positionChannel(dof), traits.position_unit, {}, "state"}),
                     log.add({velocityChannel(dof), traits.velocity_unit, {}, "state"})});
  }
  first_body_ = {robot.model().freePosition(0), robot.model().freeVelocity(0)};
  for (const BodyChannelNames& names : bodyChannels(robot.model()))
    bodies_.push_back(
        {log.add({names.position, "m", kXyz, "state"}), log.add({names.quaternion, "-", {"x", "y", "z", "w"}, "state"}),
         log.add({names.velocity, "m/s", kXyz, "state"}), log.add({names.angular_velocity, "rad/s", kXyz, "state"})});
  if (state.motors.size() > 0)
    for (const Motor* motor : motorsOf(robot.model()))
      motors_.push_back({log.add({motorTorqueChannel(*motor), "N m", {}, "state"}),
                         log.add({motorTorqueRateChannel(*motor), "N m/s", {}, "state"})});
  // Where links touch each other the warm start has no fixed size, and is no part of a log.
  if (!with_warm_start || robot.model().collides() || robot.model().further_bodies > 0) return;
  warm_candidate_ = log.add({kWarmCandidate, "-", numbers(robot.model().usualContacts()), "warm_start"});
  warm_impulse_ = log.add({kWarmImpulse, "N s", numbers(warmStartSize(robot.model())), "warm_start"});
  warm_minimum_norm_ = log.add({kWarmMinimumNorm, "-", {}, "warm_start"});
}

void StateChannels::set(Log& log, const State& state) const {
  log.set(time_, state.time);
  log.set(position_, state.q.head<3>());
  log.set(quaternion_, state.q.segment<4>(3));
  if (base_dofs_ == 6) {
    log.set(velocity_, state.nu.head<3>());
    log.set(angular_velocity_, state.nu.segment<3>(3));
  } else {
    log.set(velocity_, kZero);
    log.set(angular_velocity_, kZero);
  }
  for (std::size_t i = 0; i < dofs_.size(); ++i) {
    log.set(dofs_[i].position, state.q[7 + static_cast<Eigen::Index>(i)]);
    log.set(dofs_[i].velocity, state.nu[base_dofs_ + static_cast<Eigen::Index>(i)]);
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Eigen::Index q = first_body_.position + 7 * static_cast<Eigen::Index>(i);
    const Eigen::Index nu = first_body_.velocity + 6 * static_cast<Eigen::Index>(i);
    log.set(bodies_[i].position, state.q.segment<3>(q));
    log.set(bodies_[i].quaternion, state.q.segment<4>(q + 3));
    log.set(bodies_[i].velocity, state.nu.segment<3>(nu));
    log.set(bodies_[i].angular_velocity, state.nu.segment<3>(nu + 3));
  }
  for (std::size_t i = 0; i < motors_.size(); ++i) {
    log.set(motors_[i].torque, state.motors[2 * static_cast<Eigen::Index>(i)]);
    log.set(motors_[i].rate, state.motors[2 * static_cast<Eigen::Index>(i) + 1]);
  }
  if (warm_minimum_norm_.size > 0) setWarmStart(log, state.warm);
}

/// Of a robot that touches in more places than usual nothing is remembered of the contacts: a part of their loads would
/// be a worse start than none.
void StateChannels::setWarmStart(Log& log, const WarmStart& warm) const {
  const int slots = warm_candidate_.size, joints = warm_impulse_.size - 3 * slots;
  const bool fits = slots >= warm.candidate.size() || warm.candidate[slots] < 0;
  const auto set = [&log](const ChannelHandle& of, int k, double value) {
    log.set(ChannelHandle{of.first + k, 1}, value);
  };
  for (int k = 0; k < slots; ++k) set(warm_candidate_, k, fits ? warm.candidate[k] : -1);
  for (int k = 0; k < 3 * slots; ++k) set(warm_impulse_, k, fits ? warm.impulse[k] : 0.0);
  for (int k = 0; k < joints; ++k) set(warm_impulse_, 3 * slots + k, warm.impulse.tail(joints)[k]);
  log.set(warm_minimum_norm_, fits && warm.minimum_norm);
}

TorqueChannels::TorqueChannels(Log& log, const Model& model) {
  for (int i = 0; i < model.jointDofs(); ++i) {
    const Dof& dof = model.dofs[i];
    const char* effort = traitsOf(dof.kind).effort_unit;
    const auto add = [&](const char* name, const std::string& unit, Part part) {
      parts_.push_back({log.add({dof.name + name, unit, {}, "torques"}), i, part});
    };
    add(".torque", effort, &StepResult::joint_torque);
    if (dof.prescribed) {
      add(".drive_torque", effort, &StepResult::drive_torque);
      add(".drive_impulse", std::string(effort) + " s", &StepResult::drive_impulse);
    } else if (std::isfinite(dof.lower) || std::isfinite(dof.upper)) {
      add(".limit_torque", effort, &StepResult::limit_torque);
    }
    if (dof.friction > 0.0) add(".friction_torque", effort, &StepResult::friction_torque);
  }
}

void TorqueChannels::set(Log& log, const StepResult& result) const {
  for (const OnePart& p : parts_) log.set(p.channel, (result.*p.part)[p.dof]);
}

LoopChannels::LoopChannels(Log& log, const Model& model) {
  if (model.loops.empty()) return;
  log.addNote("loops",
              "force and moment on the second frame of the loop, about its origin, in the axes of the first one as the "
              "scene or the robot's file names it, those of the world where that is `world`");
  std::map<std::string, int> seen;
  for (const Loop& loop : model.loops) {
    const int before = seen[loop.name]++;
    const std::string name = "loop." + (before == 0 ? loop.name : fmt::format("{}[{}]", loop.name, before));
    loops_.push_back(
        {log.add({name + ".force", "N", kXyz, "loops"}), log.add({name + ".moment", "N m", kXyz, "loops"})});
  }
  gap_ = log.add({"loops.gap", "m", {}, "loops"});
}

void LoopChannels::set(Log& log, const StepResult& result) const {
  if (loops_.empty()) return;
  for (std::size_t k = 0; k < loops_.size(); ++k) {
    log.set(loops_[k].force, result.loop_wrenches[k].head<3>());
    log.set(loops_[k].moment, result.loop_wrenches[k].tail<3>());
  }
  log.set(gap_, result.loop_gap);
}

ContactChannels::ContactChannels(Log& log, const Model& model) {
  const std::vector<FrameIndex> soles = model.soles();
  for (const FrameIndex frame : soles) {
    const std::string& name = model.frames[frame].name;
    soles_.push_back({log.add({name + ".force", "N", kXyz, "contacts"}),
                      log.add({name + ".moment", "N m", kXyz, "contacts"}),
                      log.add({name + ".impulse", "N s", kXyz, "contacts"}),
                      log.add({name + ".ground_force", "N", {"x", "y", "z", "normal"}, "contacts"})});
  }
  for (const ContactCandidate& candidate : model.candidates)
    sole_of_.push_back(
        static_cast<std::size_t>(std::find(soles.begin(), soles.end(), candidate.frame) - soles.begin()));
  ground_force_.resize(soles_.size());
  for (int k = 0; k < model.pointCandidates(); ++k)  // those of shapes are too many: their frames have them as wrenches
    points_.push_back(log.add({model.candidates[k].name + ".force", "N", kXyz, "contacts"}));
  count_ = log.add({"contacts", "-", {}, "contacts"});
  impact_ = log.add({"impact", "-", {}, "contacts"});
}

void ContactChannels::set(Log& log, const StepResult& result) {
  for (std::size_t i = 0; i < soles_.size(); ++i) {
    const SoleReport& sole = result.soles[i];
    log.set(soles_[i].force, sole.wrench_F.head<3>());
    log.set(soles_[i].moment, sole.wrench_F.tail<3>());
    log.set(soles_[i].impulse, sole.impulse_F.head<3>());
  }
  setGroundForces(log, result);
  for (const ChannelHandle point : points_) log.set(point, kZero);
  for (const ContactReport& contact : result.contacts)
    if (contact.candidate < static_cast<int>(points_.size()))
      log.set(points_[static_cast<std::size_t>(contact.candidate)], contact.force_C);
  log.set(count_, static_cast<double>(result.contacts.size()));
  log.set(impact_, result.impact);
}

void ContactChannels::setGroundForces(Log& log, const StepResult& result) {
  std::fill(ground_force_.begin(), ground_force_.end(), Eigen::Vector4d::Zero().eval());
  for (const ContactReport& contact : result.contacts) {
    if (contact.other.valid()) continue;
    Eigen::Vector4d& sum = ground_force_[sole_of_[static_cast<std::size_t>(contact.candidate)]];
    sum.head<3>() += contact.force_W;
    sum[3] += contact.force_C.z();
  }
  for (std::size_t i = 0; i < soles_.size(); ++i) log.set(soles_[i].ground_force, ground_force_[i]);
}

ContactList::ContactList(Log& log, const Model& model) {
  if (model.candidates.empty() && !model.collides()) return;
  log.addNote(
      "contact_points",
      "contacts of the step that starts at the row, in world axes, _C: in contact axes; candidate: its number in "
      "`candidates`, -1: two bodies touch; frame, other: what touches what, numbers in `frames`, -1: the ground; "
      "mode: 0 open, 1 sticking, 2 sliding; velocity_C: at the end of the step");
  std::string frames;
  for (const Frame& frame : model.frames) frames += (frames.empty() ? "" : " ") + frame.name;
  log.addNote("frames", frames);
  std::string names;
  for (const ContactCandidate& candidate : model.candidates) names += (names.empty() ? "" : " ") + candidate.name;
  log.addNote("candidates", names);
  list_ = log.addList(contactEntries());
}

void ContactList::set(Log& log, const StepResult& result) const {
  if (list_.number < 0) return;
  for (const ContactReport& contact : result.contacts) log.addEntry(list_, numbersOf(contact));
}

TieList::TieList(Log& log, const RobotRun& robot) : model_(robot.model()), names_(tieNames(robot.scene())) {
  std::string names;
  for (const std::string& name : names_) names += (names.empty() ? "" : " ") + name;
  log.addNote(
      "ties",
      "joints made while it runs: name: number in `tie names`, -1: made by code; kind: 0 ball, 1 hinge, 2 slider, "
      "3 weld; a, b: numbers of links, -1: the world; frames in their links; force, moment: on b in the "
      "step that starts at the row, about the origin of its frame, in the axes of the frame on a");
  if (!names.empty()) log.addNote("tie names", names);
  list_ = log.addList(tieEntries());
}

/// The list has the frames of the tie beside what it carries, whose axes are those of a's.
void TieList::add(Log& log, const Loop& tie, const Vector6d& wrench) const {
  const Matrix3d R_FN = tie.X_AF.R.transpose() * axesOfWrench(model_, tie);
  Vector6d wrench_F;
  wrench_F << R_FN * wrench.head<3>(), R_FN * wrench.tail<3>();
  log.addEntry(list_, numbersOf(tie, numberOf(tie, names_), wrench_F));
}

void TieList::set(Log& log, const StepResult& result) const {
  const std::vector<Loop>& ties = result.next.ties;
  const std::size_t first = result.loop_wrenches.size() - ties.size();
  for (std::size_t k = 0; k < ties.size(); ++k) add(log, ties[k], result.loop_wrenches[first + k]);
}

void TieList::set(Log& log, const State& state) const {
  const Vector6d nothing = Vector6d::Constant(std::numeric_limits<double>::quiet_NaN());
  for (const Loop& tie : state.ties) add(log, tie, nothing);
}

BalanceChannels::BalanceChannels(Log& log)
    : energy_(log.add({"energy", "J", {"kinetic", "potential", "elastic", "total"}, "balance"})),
      com_(log.add({"com.position", "m", kXyz, "balance"})),
      linear_momentum_(log.add({"momentum.linear", "N s", kXyz, "balance"})),
      angular_momentum_(log.add({"momentum.angular", "N m s", kXyz, "balance"})) {}

void BalanceChannels::set(Log& log, const State& state, const RobotDynamics& dynamics) const {
  const Energy energy = dynamics.energy();
  const double elastic = elasticEnergy(state, dynamics);
  const Vector6d momentum = dynamics.momentum();
  log.set(energy_, Eigen::Vector4d(energy.kinetic, energy.potential, elastic, energy.total() + elastic));
  log.set(com_, dynamics.centerOfMass());
  log.set(linear_momentum_, momentum.head<3>());
  log.set(angular_momentum_, momentum.tail<3>());
}

SolverChannels::SolverChannels(Log& log)
    : iterations_(log.add({"solver.iterations", "-", {}, "solver"})),
      residual_(log.add({"solver.residual", "m/s", {}, "solver"})),
      inaccurate_(log.add({"solver.inaccurate", "-", {}, "solver"})),
      order_(log.add({"order", "-", {}, "solver"})),
      solves_(log.add({"solver.solves", "-", {}, "solver"})),
      steps_(log.add({"solver.steps", "-", namesOfStages(), "solver"})) {}

void SolverChannels::set(Log& log, const StepResult& result) const {
  log.set(iterations_, result.iterations);
  log.set(residual_, result.residual);
  log.set(inaccurate_, result.status == SolveStatus::inaccurate);
  log.set(order_, result.order);
  log.set(solves_, result.counters.solves);
  Eigen::Matrix<double, kSolverStages, 1> steps;
  for (int k = 0; k < kSolverStages; ++k) steps[k] = result.counters.steps[k];
  log.set(steps_, steps);
}

MotorChannels::MotorChannels(Log& log, const Model& model) {
  if (model.transmissions.empty()) return;
  log.addNote("motors", "behind their gears; limited: 1 where that limit has cut the torque");
  for (const Motor* motor : motorsOf(model)) {
    const std::string name = "motor." + motor->name;
    motors_.push_back({log.add({name + ".torque", "N m", {}, "motors"}),
                       log.add({name + ".speed", "rad/s", {}, "motors"}),
                       log.add({name + ".limited", "-", {"torque", "speed"}, "motors"})});
  }
}

void MotorChannels::set(Log& log, const std::vector<MotorReport>& motors) const {
  if (motors.empty()) return;  // a diagram may drive the joints without them
  for (std::size_t k = 0; k < motors_.size(); ++k) {
    log.set(motors_[k].torque, motors[k].torque);
    log.set(motors_[k].speed, motors[k].speed);
    log.set(motors_[k].limited, Eigen::Vector2d(motors[k].torque_limited, motors[k].speed_limited));
  }
}

SensorChannels::SensorChannels(Log& log, const SensorSuite& sensors) {
  if (sensors.channels().empty()) return;
  log.addNote("sensors", "newest sample that has arrived; empty: none has; its instant is in the sensor's time column");
  for (const SensorChannel& channel : sensors.channels()) {
    const std::string name = "sensor." + channel.name;
    if (!channel.frame.empty()) log.addNote("axes of " + name, channel.frame);
    channels_.push_back(log.add({name, channel.unit, channel.components, "sensors"}));
  }
}

void SensorChannels::set(Log& log, const RobotRun& robot) const {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const SensorReading reading = robot.read(robot.sensors().channels()[i]);
    if (reading.available()) log.set(channels_[i], reading.values);
  }
}

}  // namespace footfall::record
