// Runs the diagram of a scene, or one without robot.

#include "run_diagram.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>

#include "footfall/base/version.hpp"
#include "footfall/robot_block/robot_ports.hpp"
#include "interrupt.hpp"
#include "profile.hpp"
#include "progress.hpp"
#include "signal_log.hpp"
#include "terminal.hpp"

namespace footfall::command {
namespace {

/// Counts what happens to the robot of a diagram, for progress and report.
class RobotWatch {
 public:
  RobotWatch(const Diagram& diagram, const Context& context) {
    const std::string robot = robotOf(diagram);
    if (robot.empty()) return;
    contacts_ = context.signal(robot + ".contacts").data();
    residual_ = context.signal(robot + ".residual").data();
    impact_ = context.signal(robot + ".impact").data();
  }

  void count() {
    if (contacts_ == nullptr) return;
    worst_residual_ = std::max(worst_residual_, *residual_);
    impacts_ += *impact_ != 0.0;
  }
  int contacts() const { return contacts_ == nullptr ? 0 : static_cast<int>(*contacts_); }
  std::string text() const {
    if (contacts_ == nullptr) return "";
    return fmt::format("  {:<14} worst residual {:.2g} m/s\n  {:<14} {} steps with an impact\n  {:<14} {} at the end\n",
                       "solver", worst_residual_, "impacts", impacts_, "contacts", contacts());
  }

 private:
  const double *contacts_ = nullptr, *residual_ = nullptr, *impact_ = nullptr;  ///< in the context; null: no robot
  double worst_residual_ = 0.0;                                                 ///< [m/s]
  long long impacts_ = 0;
};

class DiagramRun {
 public:
  DiagramRun(const DiagramSource& source, const RunOptions& options)
      : source_(source),
        diagram_(source.diagram),
        options_(options),
        context_(diagram_.makeContext()),
        robot_(diagram_, context_),
        rows_every_(std::max(1LL, std::llround(source.run.log_period / diagram_.settings().step))) {
    if (!options.state.empty()) loadContext();
    if (!source.run.log.empty()) openLog();
    if (options.profile) startProfile();
  }

  ExitCode go() {
    Progress progress(context_.time(), source_.run.duration, options_.quiet);
    ExitCode outcome = kSuccess;
    const double step = diagram_.settings().step;
    const auto steps = std::llround(std::ceil((source_.run.duration - context_.time()) / step - 1e-6));
    for (long long k = 0; k < steps && outcome == kSuccess; ++k) {
      outcome = interrupted() ? kInterrupted : stepOnce(k);
      robot_.count();
      progress.update(context_.time(), robot_.contacts());
    }
    wall_seconds_ = progress.finish(context_.time(), robot_.contacts());
    if (log_) finishLog();
    report(outcome);
    return outcome;
  }

 private:
  ExitCode stepOnce(long long number) {
    const bool goes_on = diagram_.step(context_, options_.profile ? &profile_ : nullptr);
    if (log_ && number % rows_every_ == 0) writeRow();
    return goes_on ? kSuccess : kRunFailed;
  }

  void startProfile() {
    const std::string robot = robotOf(diagram_);
    profile_.setBlocks(diagram_, robot.empty() ? -1 : diagram_.block(robot));
    if (!robot.empty()) setRobotProfile(diagram_, context_, robot, profile_.stages());
  }

  void openLog() {
    log_ = makeLog(source_.run.log);
    log_->note("footfall", version());
    log_->note("diagram", source_.text.source);
    log_->note("rows", "the signals at `time`");
    time_ = log_->add({"time", "s", {}});
    signals_.emplace(loggedSignals(diagram_, source_.text.log), context_, *log_);
    log_->begin();
  }

  void writeRow() {
    log_->set(time_, context_.signalTime());
    signals_->set(*log_);
    log_->endRow();
  }

  /// The last row: the signals at the end, where no step follows.
  void finishLog() {
    if (context_.stopReason().empty()) {
      diagram_.evaluate(context_);
      writeRow();
    }
    log_->close();
  }

  void loadContext() {
    std::ifstream file(options_.state, std::ios::binary);
    if (!file) throw Error(options_.state, fmt::format("the state cannot be read: {}", std::strerror(errno)));
    context_.load(file, options_.state);
  }

  void saveContext() const {
    errno = 0;
    std::ofstream file(options_.save_state, std::ios::binary);
    context_.save(file);
    file.close();
    if (!file)
      throw LogError(options_.save_state, fmt::format("the state cannot be written: {}", std::strerror(errno)));
  }

  void report(ExitCode outcome) {
    if (outcome == kRunFailed)
      printError(fmt::format("t = {:.6g} s: {}", context_.time(), context_.stopReason()),
                 log_ ? "the log is complete up to there" : "");
    if (!options_.save_state.empty()) saveContext();
    if (!options_.profile_trace.empty()) profile_.writeTrace(options_.profile_trace);
    if (options_.quiet) return;
    fmt::print("  {:<14} {} blocks, {} steps of {:.6g} ms\n", "diagram", diagram_.blocks().size(), context_.ticks(),
               1e3 * diagram_.settings().step);
    fmt::print("  {:<14} {:.6g} s in {:.2f} s, {:.1f} × real time\n", "simulated", context_.time(), wall_seconds_,
               context_.time() / std::max(wall_seconds_, 1e-9));
    fmt::print("{}", robot_.text());
    if (log_) fmt::print("  {:<14} {}\n", "log", source_.run.log);
    if (outcome == kInterrupted) fmt::print("  interrupted\n");
    if (options_.profile) printProfile(profile_, options_.profile_trace, wall_seconds_);
  }

  const DiagramSource& source_;
  const Diagram& diagram_;
  const RunOptions& options_;
  Context context_;
  RobotWatch robot_;
  long long rows_every_;
  std::unique_ptr<Log> log_;
  std::optional<SignalChannels> signals_;
  ChannelHandle time_;
  Profile profile_;
  double wall_seconds_ = 0.0;
};

}  // namespace

int runDiagram(const DiagramSource& source, const RunOptions& options) {
  endRunOnInterrupt();
  return DiagramRun(source, options).go();
}

}  // namespace footfall::command
