// Runs the diagram of a scene, or one without robot.

#include "run_diagram.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>

#include "footfall/diagram/diagram_log.hpp"
#include "interrupt.hpp"
#include "profile.hpp"
#include "progress.hpp"
#include "run_log.hpp"
#include "terminal.hpp"

namespace footfall::command {
namespace {

/// Counts what happens to the robot of a diagram, for progress and report.
class RobotWatch {
 public:
  void count(const StepResult& result) {
    contacts_ = static_cast<int>(result.contacts.size());
    worst_residual_ = std::max(worst_residual_, result.residual);
    impacts_ += result.impact;
  }
  int contacts() const { return contacts_; }
  std::string text() const {
    return fmt::format("  {:<14} worst residual {:.2g} m/s\n  {:<14} {} steps with an impact\n  {:<14} {} at the end\n",
                       "solver", worst_residual_, "impacts", impacts_, "contacts", contacts_);
  }

 private:
  int contacts_ = 0;
  double worst_residual_ = 0.0;  ///< [m/s]
  long long impacts_ = 0;
};

class DiagramRun {
 public:
  DiagramRun(const DiagramSource& source, const RunOptions& options)
      : source_(source), diagram_(source.diagram), options_(options), context_(diagram_.makeContext()) {
    if (!robotOf(diagram_).empty()) robot_.emplace(diagram_, context_);
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
      outcome = interrupted() ? kInterrupted : stepOnce();
      progress.update(context_.time(), watch_.contacts());
    }
    wall_seconds_ = progress.finish(context_.time(), watch_.contacts());
    if (log_) log_->finish();
    report(outcome);
    return outcome;
  }

 private:
  ExitCode stepOnce() {
    const bool robot_moves = robot_ && robot_->due();
    if (log_) log_->beforeStep();
    const std::int64_t before = context_.ticks();
    const bool goes_on = diagram_.step(context_, options_.profile ? &profile_ : nullptr);
    if (robot_moves && context_.ticks() != before) watch_.count(robot_->result());
    if (log_) log_->afterStep();
    return goes_on ? kSuccess : kRunFailed;
  }

  void startProfile() {
    std::vector<std::string> paths;
    for (const Diagram::BlockInfo& block : diagram_.blocks()) paths.push_back(block.path);
    profile_.setBlocks(paths, robot_ ? diagram_.block(robotOf(diagram_)) : -1);
    if (robot_) robot_->setProfile(profile_.stages());
  }

  void openLog() {
    log_.emplace(makeRunLog(source_.run.log, options_), source_, context_, robot_ ? &*robot_ : nullptr,
                 recordOptions(options_));
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
    if (robot_) fmt::print("{}", watch_.text());
    if (log_) printLog(log_->log(), source_.run.log, wall_seconds_);
    if (outcome == kInterrupted) fmt::print("  interrupted\n");
    if (options_.profile) printProfile(profile_, options_.profile_trace, wall_seconds_);
  }

  const DiagramSource& source_;
  const Diagram& diagram_;
  const RunOptions& options_;
  Context context_;
  std::optional<DiagramRobot> robot_;  ///< none: a diagram without one
  RobotWatch watch_;
  std::optional<DiagramLog> log_;
  Profile profile_;
  double wall_seconds_ = 0.0;
};

}  // namespace

int runDiagram(const DiagramSource& source, const RunOptions& options) {
  endRunOnInterrupt();
  return DiagramRun(source, options).go();
}

}  // namespace footfall::command
