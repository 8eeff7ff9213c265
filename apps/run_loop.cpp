#include "run_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "footfall/base/cannot_write.hpp"
#include "interrupt.hpp"
#include "profile.hpp"
#include "progress.hpp"
#include "run_log.hpp"
#include "run_summary.hpp"
#include "terminal.hpp"

namespace footfall::command {
namespace {

/// Keeps the evidence of a run that has failed, and says where it is.
std::string keepState(const Runner& runner) {
  const std::string path = std::filesystem::path(runner.source()).stem().string() + ".fail.state";
  try {
    runner.saveFiles(path);
    return "state saved to " + path;
  } catch (const LogError& error) {
    return std::string("the state could not be saved: ") + error.what();
  }
}

/// Where nothing is logged they would do nothing.
void refuseLogOptions(const RunOptions& options) {
  const char* option = !options.log_meshes                                     ? "--no-log-meshes"
                       : options.log_warm_start                                ? "--log-warm-start"
                       : options.log_scene_rate != RunOptions().log_scene_rate ? "--log-scene-rate"
                                                                               : nullptr;
  if (option != nullptr)
    throw Error(option, "the run writes no log", "--log FILE, or run.log of the scene, asks for one");
}

/// What is written at the end of a run needs a place before its first step.
void requirePlaces(const Runner& runner, const RunOptions& options) {
  if (!options.profile_trace.empty()) requireWritable(options.profile_trace, "the trace");
  if (options.save_state.empty()) return;
  std::error_code not_there;
  if (std::filesystem::equivalent(options.save_state, runner.source(), not_there))
    throw Error("--save-state", "'" + options.save_state + "' is the scene itself", "choose another file");
  requireWritable(options.save_state, "the state");
}

/// A run from its first step to its report.
class Run {
 public:
  Run(Runner& runner, const RunOptions& options, RunGuest* guest)
      : runner_(runner),
        options_(options),
        guest_(guest),
        blocks_(runner.blocks()),
        progress_(runner.time(), runner.plan().duration, options.quiet),
        start_(runner.time()) {
    if (runner.robot() != nullptr) summary_.emplace(*runner.robot());
    if (options.profile) startProfile();
    if (logPath().empty())
      refuseLogOptions(options);
    else
      runner.startLog(makeRunLog(logPath(), options), recordOptions(options));
  }

  ExitCode go() {
    ExitCode outcome = kSuccess;
    for (long long left = runner_.stepsLeft(); left > 0 && outcome == kSuccess; --left)
      outcome = interrupted() ? kInterrupted : stepOrKeepState();
    if (guest_ != nullptr) guest_->finish();
    finishLog(outcome);
    wall_seconds_ = progress_.finish(runner_.time(), contacts_);
    report(outcome);
    return outcome;
  }

 private:
  const std::string& logPath() const { return options_.log.empty() ? runner_.plan().log : options_.log; }

  void startProfile() {
    profile_.setBlocks(blocks_, runner_.robotBlock());
    runner_.setProfile(profile_.stages(), &profile_);
  }

  /// Steps of a robot alone are measured here, those of a diagram by their blocks.
  bool stepMeasured() {
    const bool is_measured = options_.profile && blocks_.empty();
    if (is_measured) profile_.beginStep();
    const bool goes_on = runner_.step();
    if (is_measured) profile_.endStep();
    return goes_on;
  }

  /// Where the log cannot take another row, a state that was asked for is kept all the same: the run can go on from it.
  ExitCode stepOrKeepState() {
    try {
      return stepOnce();
    } catch (const LogError&) {  // between two steps, while a block throws within one
      if (!options_.save_state.empty()) {
        runner_.saveFiles(options_.save_state);
        tell(fmt::format("state at t = {:.6g} s saved to {}\n", runner_.time(), options_.save_state));
      }
      throw;
    }
  }

  ExitCode stepOnce() {
    if (guest_ != nullptr) {
      guest_problem_ = guest_->beforeStep();
      if (!guest_problem_.empty()) return kRunFailed;
      if (interrupted()) return kInterrupted;
    }
    const bool goes_on = stepMeasured();
    if (runner_.robotMoved()) {
      const StepResult& result = runner_.robot()->result();
      contacts_ = static_cast<int>(result.contacts.size());
      summary_->count(result);
    }
    if (!goes_on) return kRunFailed;
    ++steps_;
    progress_.update(runner_.time(), contacts_);
    if (guest_ != nullptr) guest_->afterStep();
    return kSuccess;
  }

  /// A log that cannot be finished must not hide why the run failed.
  void finishLog(ExitCode outcome) {
    try {
      log_ = runner_.finishLog();
      runner_.finish();
    } catch (const CannotWrite& error) {
      if (outcome != kRunFailed) throw;
      printError(error);
    }
  }

  void reportFailure() {
    if (!guest_problem_.empty()) return printError(guest_problem_ + (log_ ? "\n  log complete up to t" : ""));
    const std::string contacts =
        runner_.robot() == nullptr ? "" : fmt::format("{} contacts; ", runner_.robot()->result().contacts.size());
    printError(fmt::format("{}\n  {}{}{}", runner_.failure(), contacts, keepState(runner_),
                           log_ ? ", log complete up to t" : ""));
  }

  void report(ExitCode outcome) {
    if (outcome == kRunFailed) reportFailure();
    if (!options_.save_state.empty()) runner_.saveFiles(options_.save_state);
    if (!options_.profile_trace.empty()) profile_.writeTrace(options_.profile_trace);
    if (options_.quiet) return;
    if (!blocks_.empty())
      fmt::print("diagram of {} blocks, {} steps of {:.6g} ms\n", blocks_.size(), steps_, 1e3 * runner_.stepSize());
    if (summary_)
      fmt::print("{}", summary_->text(*runner_.robot(), wall_seconds_));
    else
      fmt::print("  {:<14} {} in {:.3f} s: {:.1f} × real time\n", "steps", steps_, wall_seconds_,
                 (runner_.time() - start_) / std::max(wall_seconds_, 1e-9));
    if (guest_ != nullptr) fmt::print("{}", guest_->summary());
    if (log_ && options_.keeps_log) printLog(*log_, logPath(), wall_seconds_);
    if (outcome == kInterrupted) fmt::print("  interrupted\n");
    if (options_.profile) printProfile(profile_, options_.profile_trace, wall_seconds_);
  }

  Runner& runner_;
  const RunOptions& options_;
  RunGuest* guest_;                    ///< null: there is none
  std::vector<std::string> blocks_;    ///< of the diagram; none: a robot alone
  std::string guest_problem_;          ///< why it has ended the run
  std::optional<RunSummary> summary_;  ///< of the robot, where there is one
  std::unique_ptr<Log> log_;           ///< once it is finished; null: no log
  Progress progress_;
  Profile profile_;
  double start_;  ///< [s]
  long long steps_ = 0;
  int contacts_ = 0;  ///< of the last step
  double wall_seconds_ = 0.0;
};

}  // namespace

ExitCode runLoop(Runner& runner, const RunOptions& options, RunGuest* guest) {
  if (!options.quiet)
    for (const std::string& warning : runner.warnings()) printWarning(warning);
  if (!options.state.empty()) runner.restoreFiles(options.state);
  if (runner.stepsLeft() <= 0 && !options.quiet)
    printWarning(
        fmt::format("no step is made: the run begins at t = {:.6g} s and ends at {:.6g} s; --duration, or "
                    "run.duration of the scene, says until when it goes",
                    runner.time(), runner.plan().duration));
  requirePlaces(runner, options);
  endRunOnInterrupt();
  if (guest != nullptr) guest->begin(runner);
  return Run(runner, options, guest).go();
}

}  // namespace footfall::command
