#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "footfall/diagram/diagram_source.hpp"
#include "footfall/record/runner.hpp"
#include "footfall/robot_block/diagram_robot.hpp"

namespace footfall {

/// A diagram, of a scene or without robot, with all that it remembers.
class DiagramRunner final : public Runner {
 public:
  explicit DiagramRunner(std::shared_ptr<const DiagramSource> source);
  explicit DiagramRunner(DiagramSource source);
  /// Goes on from where the other one is; without its log, and nobody looks at its clock.
  DiagramRunner(const DiagramRunner& other);

  const DiagramSource& diagramSource() const { return *source_; }
  const Diagram& diagram() const { return source_->diagram; }
  Context& context() { return context_; }
  const Context& context() const { return context_; }
  DiagramRobot* diagramRobot() { return robot_ ? &*robot_ : nullptr; }
  const DiagramRobot* diagramRobot() const { return robot_ ? &*robot_ : nullptr; }

  const SceneRun& plan() const override { return source_->run; }
  const std::string& source() const override { return source_->scene ? source_->scene->source : source_->text.source; }
  double time() const override { return context_.time(); }
  double stepSize() const override { return diagram().settings().step; }
  RobotRun* robot() override { return diagramRobot(); }
  std::vector<std::string> blocks() const override;
  int robotBlock() const override;
  std::vector<std::string> warnings() const override;

  bool robotMoved() const override { return robot_moved_; }
  std::string failure() const override;
  void setProfile(StepProfile* stages, DiagramObserver* blocks) override;

  std::string save() const override;
  void restore(const std::string& bytes, const std::string& where) override;
  void saveFiles(const std::string& path) const override;
  void restoreFiles(const std::string& path) override;
  void flush() override;
  void finish() override;

 private:
  bool advance() override;
  std::unique_ptr<RunRows> makeRows(std::unique_ptr<Log> log, const RecordOptions& options) override;

  std::shared_ptr<const DiagramSource> source_;
  Context context_;
  std::optional<DiagramRobot> robot_;  ///< none: a diagram without one
  DiagramObserver* observer_ = nullptr;
  bool robot_moved_ = false;  ///< in the last step
};

/// Of a scene: its diagram where it has one, else the robot alone.
std::unique_ptr<Runner> makeRunner(Scene scene, const BlockRegistry& registry);

/// Of a scene's file, or of one that holds nothing but a diagram.
std::unique_ptr<Runner> makeRunner(const std::string& path, const std::vector<SceneOverride>& overrides,
                                   const BlockRegistry& registry);

}  // namespace footfall
