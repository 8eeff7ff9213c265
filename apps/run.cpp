#include "footfall/diagram/all_blocks.hpp"
#include "footfall/diagram/diagram_runner.hpp"
#include "footfall/record/state_files.hpp"
#include "missing_part.hpp"
#include "overrides.hpp"
#include "real_time_run.hpp"
#include "run_loop.hpp"
#include "terminal.hpp"
#include "verbs.hpp"
#ifdef FOOTFALL_STUDIO
#include "studio/server/live_parameters.hpp"
#include "studio/server/live_session.hpp"
#include "view.hpp"
#endif

namespace footfall::command {
namespace {

#ifdef FOOTFALL_STUDIO
/// A scene with a diagram of its own saves all that its blocks remember; others, the robot and its sensors.
void startFrom(const std::string& path, studio::LiveRun& run) {
  if (!run.scene().diagram.given()) return loadStateFiles(path, run.robot());
  run.runner().restoreFiles(path);
}

/// The same run as it is watched.
int runInView(const RunOptions& options) {
  studio::LiveOptions live;
  live.overrides = overridesOf(options);
  const Scene scene = studio::loadLiveScene(options.scene, live.overrides);
  live.log = options.log.empty() ? scene.run.log : options.log;
  live.stop_at = scene.run.duration;
  if (!options.state.empty()) live.prepare = [&](studio::LiveRun& run) { startFrom(options.state, run); };
  bool log_failed = false;  // read when the session, which may say so in its last moment, has ended
  live.log_failed = [&](const LogError& error) {
    log_failed = true;
    printError(error);
  };
  std::vector<std::unique_ptr<studio::Session>> sessions;
  sessions.push_back(std::make_unique<studio::LiveSession>(options.scene, std::move(live)));
  const int code = show(std::move(sessions), ViewOptions{});
  return log_failed ? int{kCannotWrite} : code;
}
#else
int runInView(const RunOptions&) { missingStudio(); }
#endif

}  // namespace

int run(const RunOptions& options) {
  const std::unique_ptr<RunGuest> guest = makeRealTimeGuest(options);
  if (options.view) return runInView(options);
  const std::unique_ptr<Runner> runner = makeRunner(options.scene, overridesOf(options), allBlocks());
  return runLoop(*runner, options, guest.get());
}

}  // namespace footfall::command
