#pragma once

#include <optional>
#include <string>

#include "footfall/diagram/diagram_source.hpp"
#include "footfall/robot_block/diagram_robot.hpp"
#include "run_loop.hpp"

namespace footfall::command {

/// The diagram of a scene, or one without robot.
class DiagramRunner : public Runner {
 public:
  /// The source must outlive it. @param state path of a saved one to start from; may be empty
  DiagramRunner(const DiagramSource& source, const std::string& state);

  const SceneRun& plan() const override { return source_.run; }
  std::string source() const override { return source_.scene ? source_.scene->source : source_.text.source; }
  double time() const override { return context_.time(); }
  double stepSize() const override { return diagram_.settings().step; }
  RobotRun* robot() override { return robot_ ? &*robot_ : nullptr; }
  Simulation* commanded() override { return nullptr; }

  void startProfile(Profile& profile) override;
  bool step(Profile* profile) override;
  bool robotMoved() const override { return robot_moved_; }
  std::string failure() const override;
  std::string title() const override;

  void save(const std::string& path) const override;
  std::unique_ptr<RunRows> makeRows(std::unique_ptr<Log> log, const RecordOptions& options) override;

  /// What was odd about the robot, and what the scene says in vain.
  std::vector<std::string> warnings() const;

 private:
  const DiagramSource& source_;
  const Diagram& diagram_;
  Context context_;
  std::optional<DiagramRobot> robot_;  ///< none: a diagram without one
  bool robot_moved_ = false;           ///< in the last step
};

/// Runs it as source.run says; returns an ExitCode.
int runDiagram(const DiagramSource& source, const RunOptions& options, RunGuest* guest = nullptr);

}  // namespace footfall::command
