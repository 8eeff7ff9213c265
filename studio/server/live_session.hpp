#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "studio/server/checkpoints.hpp"
#include "studio/server/diagram_editor.hpp"
#include "studio/server/former_session.hpp"
#include "studio/server/live_recorder.hpp"
#include "studio/server/mouse_pull.hpp"
#include "studio/server/session.hpp"

namespace footfall::studio {

struct LiveOptions {
  std::vector<SceneOverride> overrides;             ///< changes to the scene file
  bool playing = true;                              ///< from the start
  std::optional<double> speed = {};                 ///< simulated seconds for each second; none: as the scene says
  std::size_t most_bytes = std::size_t{512} << 20;  ///< of the rows that are kept
  double stop_at = std::numeric_limits<double>::infinity();  ///< pauses once at this time [s]
  std::string log;                                           ///< path; empty: none is written
  std::function<void(const LogError&)> log_failed;           ///< told where that cannot be written; may be empty
  bool allow_files = false;                                  ///< pages may change keys that name files and plug-ins
  std::function<void(LiveRun&)> prepare;                     ///< before the first step; may be empty
};

/// A simulation that runs in a thread of its own. What clients ask for is carried out between two steps; what they see
/// is what has been recorded. The simulation is always one step ahead of the newest row: a row has the state, and the
/// forces of the step that starts there.
class LiveSession : public Session {
 public:
  LiveSession(std::string scene_path, LiveOptions options);
  ~LiveSession() override;

  nlohmann::json describe() const override;
  std::shared_ptr<const SceneDescription> scene() const override;
  const Recording& recording() const override { return recorder_->recording(); }
  Pace pace() const override;
  const Session* former() const override;
  void command(int client, const nlohmann::json& message) override;
  nlohmann::json answer(int client, const std::string& question, const nlohmann::json& message) override;
  void clientLeft(int client) override;
  std::string takeMessage() override;

 private:
  using Clock = std::chrono::steady_clock;

  /// What a client asked for.
  struct Job {
    int client = -1;   ///< −1: nobody
    std::string verb;  ///< "pause"
    std::string told;  ///< what the other clients are told when it is done; empty: nothing
    std::function<void()> run;
  };

  struct Saved {
    double time;        ///< [s]
    std::string bytes;  ///< of LiveRun::save()
  };

  /// All but its rows of a run that was left for another one; see former_.
  struct Left {
    std::string bytes;  ///< of LiveRun::save()
    std::shared_ptr<const SceneChanges> changes;
    Checkpoints checkpoints;
    Saved initial;
    double branched = 0.0;  ///< from when on there are other rows now [s]
  };

  void runLoop();
  void doJobs();
  std::function<void()> jobOf(int client, const std::string& verb, const nlohmann::json& message);
  void playUntilDue();
  void stepOnce();
  void restart(double time);
  void showAnew();
  void stopInTime();
  /// Carried out before the next step; throws Refused when too much waits already.
  void post(Job job);
  void postAlways(Job job);
  void say(std::string text);
  void measurePace();
  void describeAnew();
  void setPull(int client, const Pull& pull);
  /// Goes on with another scene where this one is.
  void rebuild(SceneChanges changes);
  /// Begins with another diagram at its start: the blocks are others, and so are the columns.
  void beginAnew(SceneChanges changes);
  Scene loadChanged(const SceneChanges& changes) const;
  bool formerHasTheseColumns();
  std::unique_ptr<LiveRun> makeRun(const SceneChanges& changes) const;

  void takeBackNewestStep();
  void keepCheckpoint();
  /// All that the run remembered before the step of a row, made again from the last checkpoint.
  std::string stateAt(std::size_t row);
  void replay(LiveRun& run, std::size_t first, std::size_t end) const;
  void restoreState(const std::string& bytes, const std::string& what);
  double timeOf(std::size_t row) const;
  std::size_t newestRow() const { return recording().extent().end - 1; }
  /// Another run follows: this one can be brought back. @param time from when on its rows are taken back [s]
  void leave(double time);

  // Commands, each carried out by the thread of the simulation.
  void setPlaying(bool playing);
  void setSpeed(double speed);
  void setGain(double factor);
  void changeScene(const std::string& key, const std::string& value);
  void changeBack(const std::string& key);
  void runDiagram(const std::string& text);
  void reset();
  void save(const std::string& name, std::optional<std::size_t> row);
  void restore(const std::string& name);
  void branch(std::size_t row);
  void undo();
  void pose(int dof, double position, std::size_t row);

  std::string scene_path_;
  LiveOptions options_;
  DiagramEditor editor_;
  std::unique_ptr<LiveRun> run_;
  std::unique_ptr<LiveRecorder> recorder_;
  Saved initial_;
  std::map<std::string, Saved> saved_;
  std::shared_ptr<const SceneChanges> changes_;
  Checkpoints checkpoints_;
  int steps_to_checkpoint_ = 0;
  FormerSession former_;      ///< rows that were taken back
  bool opened_ = false;       ///< the editor knows the diagram of the file
  std::optional<Left> left_;  ///< the run that made them; none: there are none
  MousePull pull_;

  bool playing_;
  double speed_;
  bool stopped_ = false;        ///< at options_.stop_at
  double simulated_due_ = 0.0;  ///< where the clock says that the simulation should be [s]
  Clock::time_point last_look_ = Clock::now();
  Clock::time_point pace_since_ = Clock::now();
  double pace_from_ = 0.0;

  mutable std::mutex mutex_;  ///< of what follows
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  std::deque<std::string> messages_;
  Pace pace_;
  std::shared_ptr<const SceneDescription> description_;
  std::shared_ptr<const nlohmann::json> described_;
  std::shared_ptr<const SceneChanges> told_changes_;  ///< those of `described_`
  bool has_former_ = false;  ///< its rows can be looked at: they have the columns that there are now
  bool ending_ = false;
  std::atomic<bool> has_jobs_ = false;
  std::thread thread_;
};

}  // namespace footfall::studio
