#include "footfall/record/run_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "footfall/base/instruction_set.hpp"
#include "footfall/base/version.hpp"
#include "record/channel_sets.hpp"
#include "record/foxglove_scene.hpp"
#include "record/run_files.hpp"
#include "simulate/scene_setup.hpp"

namespace footfall {
namespace {

long long stepsPerRow(const Simulation& simulation) {
  return std::max(1LL, std::llround(simulation.scene().run.log_period / simulation.settings().step));
}

std::string describeSeeds(const Scene& scene) {
  if (scene.sensors.empty()) return "none: the same scene gives the same bits";
  return fmt::format("in the sensors, run.seed {}: the same scene gives the same bits", scene.run.seed);
}

void addNotes(Log& log, const Simulation& simulation) {
  const Settings& settings = simulation.settings();
  log.note("footfall", version());
  log.note("revision", revision());
  log.note("scene", simulation.scene().source);
  log.note("robot", simulation.model().name);
  log.note("physics", fmt::format("engine {}, contact {}, solver {}, integrator {}, step {} s", settings.engine,
                                  settings.contact.model, settings.solver, settings.integrator, settings.step));
  log.note("instruction set", nameOf(instructionSet()));
  log.note("seed", std::to_string(simulation.scene().run.seed));
  log.note("random numbers", describeSeeds(simulation.scene()));
  log.note("rows", "the state at `time`, and the mean forces of the step that starts there; empty: no step followed");
  log.note("axes",
           "base: world; soles: the sole's own frame and origin; points: contact axes, z is the ground's normal");
}

}  // namespace

struct RunRecorder::Parts {
  Parts(Log& l, const InstrumentedSimulation& robot, const RecordOptions& options)
      : log(l),
        steps_per_row(stepsPerRow(robot.simulation())),
        kinematics(makeDynamics(robot.simulation().settings().engine, robot.simulation().model())),
        state(l, robot.simulation(), options.warm_start),
        torques(l, robot.simulation().model()),
        loops(l, robot.simulation().model()),
        contacts(l, robot.simulation().model()),
        balance(l),
        solver(l),
        motors(l, robot.simulation().model()),
        sensors(l, robot.sensors()) {
    if (l.messages() != nullptr && options.scene_rate > 0.0)
      pictures.emplace(*l.messages(), robot.simulation().model(), options.scene_rate);
  }

  /// Attaches what the run is made from, and begins.
  void begin(const Simulation& simulation, bool with_meshes) {
    if (!log.keepsAttachments()) return log.begin();
    const LoadedModel robot = loadRobot(simulation.scene());
    record::attachRunFiles(log, simulation.scene(), robot, with_meshes);
    log.begin();
    if (pictures) pictures->writeShapes(robot.geometries, simulation.time(), with_meshes);
  }

  /// This step has a row.
  bool due() const { return step % steps_per_row == 0; }

  void setState(const State& now) {
    state.set(log, now);
    kinematics->updateKinematics(now.q, now.nu);
    balance.set(log, *kinematics);
    if (pictures) pictures->writePoses(*kinematics, now.time);
  }

  Log& log;
  long long steps_per_row;
  long long step = 0;
  std::unique_ptr<Dynamics> kinematics;  ///< an engine that only watches, and so cannot disturb the one that steps
  record::StateChannels state;
  record::TorqueChannels torques;
  record::LoopChannels loops;
  record::ContactChannels contacts;
  record::BalanceChannels balance;
  record::SolverChannels solver;
  record::MotorChannels motors;
  record::SensorChannels sensors;
  std::optional<record::FoxgloveScene> pictures;  ///< where the format has room for them
};

RunRecorder::RunRecorder(Log& log, const InstrumentedSimulation& robot, const RecordOptions& options) {
  addNotes(log, robot.simulation());
  parts_ = std::make_unique<Parts>(log, robot, options);
  parts_->begin(robot.simulation(), options.meshes);
}
RunRecorder::~RunRecorder() = default;
RunRecorder::RunRecorder(RunRecorder&&) noexcept = default;
RunRecorder& RunRecorder::operator=(RunRecorder&&) noexcept = default;

void RunRecorder::beforeStep(const Simulation& simulation) {
  if (parts_->due()) parts_->setState(simulation.state());
}

void RunRecorder::afterStep(const InstrumentedSimulation& robot) {
  Parts& p = *parts_;
  const bool due = p.due();
  ++p.step;
  if (!due) return;
  const StepResult& result = robot.simulation().result();
  p.torques.set(p.log, result);
  p.loops.set(p.log, result);
  p.contacts.set(p.log, result);
  p.solver.set(p.log, result);
  p.motors.set(p.log, robot.simulation().motors());
  p.sensors.set(p.log, robot);
  if (p.pictures) p.pictures->writeForces(result);
  p.log.endRow();
}

void RunRecorder::finish(const Simulation& simulation) {
  parts_->setState(simulation.state());
  parts_->log.endRow();
  parts_->log.close();
}

void RunRecorder::flush() { parts_->log.flush(); }

}  // namespace footfall
