#pragma once

#include <string>

#include "footfall/run/instrumented_simulation.hpp"
#include "run_loop.hpp"

namespace footfall::command {

/// The robot of a scene that has no diagram of its own.
class SceneRunner : public Runner {
 public:
  explicit SceneRunner(const Scene& scene) : robot_(scene) {}

  InstrumentedSimulation& simulation() { return robot_; }

  const SceneRun& plan() const override { return robot_.scene().run; }
  std::string source() const override { return robot_.scene().source; }
  double time() const override { return robot_.state().time; }
  double stepSize() const override { return robot_.settings().step; }
  RobotRun* robot() override { return &robot_; }
  Simulation* commanded() override { return &robot_.simulation(); }

  void startProfile(Profile& profile) override { robot_.simulation().setProfile(profile.stages()); }
  bool step(Profile* profile) override;
  bool robotMoved() const override { return robot_.result().status != SolveStatus::failed; }
  std::string failure() const override { return robot_.simulation().describeFailure(); }
  std::string title() const override { return ""; }

  void save(const std::string& path) const override;
  std::unique_ptr<RunRows> makeRows(std::unique_ptr<Log> log, const RecordOptions& options) override;

 private:
  InstrumentedSimulation robot_;
};

/// Runs a scene that has no diagram of its own, with log and summary; returns an ExitCode.
int runScene(const Scene& scene, const RunOptions& options, RunGuest* guest = nullptr);

}  // namespace footfall::command
