#include "footfall/record/run_recorder.hpp"

#include <fmt/format.h>

#include <optional>

#include "footfall/base/version.hpp"
#include "footfall/record/internal/rows_of_log.hpp"
#include "footfall/scene/internal/scene_setup.hpp"
#include "footfall/simd/instruction_set.hpp"
#include "record/channel_sets.hpp"
#include "record/foxglove_scene.hpp"
#include "record/run_files.hpp"

namespace footfall {
namespace {

std::string describeSeeds(const Scene& scene) {
  if (scene.sensors.empty()) return "none: the same scene gives the same bits";
  return fmt::format("in the sensors, run.seed {}: the same scene gives the same bits", scene.run.seed);
}

void addNotes(Log& log, const RobotRun& robot) {
  const Settings& settings = robot.settings();
  log.addNote("footfall", version());
  log.addNote("revision", revision());
  log.addNote("scene", robot.scene().source);
  log.addNote("robot", robot.model().name);
  log.addNote("physics", fmt::format("engine {}, contact {}, solver {}, integrator {}, step {} s", settings.engine,
                                     settings.contact.model, settings.solver, settings.integrator, settings.step));
  log.addNote("instruction set", nameOf(instructionSet()));
  log.addNote("seed", std::to_string(robot.scene().run.seed));
  log.addNote("random numbers", describeSeeds(robot.scene()));
  log.addNote("rows",
              "the state at `time`, and the mean forces of the step that starts there; empty: no step followed");
  log.addNote(
      "axes",
      "base, ground_force: world; soles: the sole's own frame and origin; points: contact axes, z is the ground's "
      "normal");
}

}  // namespace

struct RunRecorder::Parts {
  Parts(Log& l, const RobotRun& robot, const RecordOptions& options)
      : log(l),
        steps_per_row(stepsPerRow(robot.scene().run, robot.settings().step)),
        kinematics(makeDynamics(robot.settings().engine, robot.model())),
        more(options.more),
        state(l, robot, options.warm_start),
        ties(l, robot),
        torques(l, robot.model()),
        loops(l, robot.model()),
        contacts(l, robot.model()),
        contact_list(l, robot.model()),
        balance(options.balance ? std::make_optional<record::BalanceChannels>(l) : std::nullopt),
        solver(l),
        motors(l, robot.model()),
        sensors(l, robot.sensors()) {
    if (more != nullptr) more->addTo(l);
    if (l.messages() != nullptr && options.scene_rate > 0.0)
      pictures.emplace(*l.messages(), robot.model(), options.scene_rate);
  }

  /// Attaches what the run is made from, and begins.
  void begin(const RobotRun& robot, bool with_meshes) {
    if (!log.keepsAttachments()) return log.begin();
    const LoadedModel loaded = loadRobot(robot.scene());
    record::attachRunFiles(log, robot.scene(), loaded, with_meshes);
    log.begin();
    if (pictures) pictures->writeShapes(loaded.geometries, robot.state().time, with_meshes);
  }

  /// This step has a row.
  bool due() const { return step % steps_per_row == 0; }

  void setState(const State& now) {
    state.set(log, now);
    if (!balance && !pictures) return;
    kinematics->updateKinematics(now.q, now.nu);
    if (balance) balance->set(log, now, *kinematics);
    if (pictures) pictures->writePoses(*kinematics, now.time);
  }

  Log& log;
  long long steps_per_row;
  long long step = 0;
  std::unique_ptr<Dynamics> kinematics;  ///< an engine that only watches, and so cannot disturb the one that steps
  MoreChannels* more;                    ///< may be null
  record::StateChannels state;
  record::TieList ties;  ///< their number is a column of the state
  record::TorqueChannels torques;
  record::LoopChannels loops;
  record::ContactChannels contacts;
  record::ContactList contact_list;
  std::optional<record::BalanceChannels> balance;
  record::SolverChannels solver;
  record::MotorChannels motors;
  record::SensorChannels sensors;
  std::optional<record::FoxgloveScene> pictures;  ///< where the format has room for them
};

RunRecorder::RunRecorder(Log& log, const RobotRun& robot, const RecordOptions& options) {
  addNotes(log, robot);
  parts_ = std::make_unique<Parts>(log, robot, options);
  parts_->begin(robot, options.meshes);
}
RunRecorder::~RunRecorder() = default;
RunRecorder::RunRecorder(RunRecorder&&) noexcept = default;
RunRecorder& RunRecorder::operator=(RunRecorder&&) noexcept = default;

void RunRecorder::beforeStep(const RobotRun& robot) {
  if (parts_->due()) parts_->setState(robot.state());
}

void RunRecorder::afterStep(const RobotRun& robot) {
  Parts& p = *parts_;
  const bool due = p.due();
  ++p.step;
  if (!due) return;
  const StepResult& result = robot.result();
  p.torques.set(p.log, result);
  p.loops.set(p.log, result);
  p.contacts.set(p.log, result);
  p.contact_list.set(p.log, result);
  p.ties.set(p.log, result);
  p.solver.set(p.log, result);
  p.motors.set(p.log, robot.motors());
  p.sensors.set(p.log, robot);
  if (p.more != nullptr) p.more->set(p.log);
  if (p.pictures) p.pictures->writeForces(result);
  p.log.endRow();
}

void RunRecorder::finish(const RobotRun& robot) {
  parts_->setState(robot.state());
  parts_->ties.set(parts_->log, robot.state());
  if (parts_->more != nullptr) parts_->more->set(parts_->log);
  parts_->log.endRow();
  parts_->log.close();
}

void RunRecorder::flush() { parts_->log.flush(); }

}  // namespace footfall
