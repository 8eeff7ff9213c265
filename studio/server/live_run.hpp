#pragma once

#include <string>
#include <vector>

#include "footfall/diagram/diagram_runner.hpp"
#include "studio/server/block_times.hpp"

namespace footfall::studio {

/// A scene that runs as its diagram (the default one where it has none), and is measured while it does.
class LiveRun {
 public:
  /// Throws Error when there is no robot in the diagram.
  explicit LiveRun(Scene scene);

  DiagramRunner& runner() { return runner_; }
  const Scene& scene() const { return robot().scene(); }
  const DiagramSource& source() const { return runner_.diagramSource(); }
  Context& context() { return runner_.context(); }
  const Context& context() const { return runner_.context(); }
  DiagramRobot& robot() { return *runner_.diagramRobot(); }
  const DiagramRobot& robot() const { return *runner_.diagramRobot(); }
  double time() const { return robot().time(); }  ///< [s]
  /// Something in the diagram holds the posture of the scene: its gains can be changed.
  bool holdsPosture() const;

  /// One step of the robot, after those that faster blocks make before it. Signals then belong to the start of that
  /// step. False: it was stopped, context().stopReason() says why. May throw Error of a block.
  bool step();
  /// Signals at the present instant, instead of a step.
  void evaluate() { runner_.diagram().evaluate(runner_.context()); }

  const StepProfile& stageTimes() const { return stages_; }  ///< of the last step
  const BlockTimes& blockTimes() const { return times_; }    ///< of the last step

  /// All that it remembers, exact to the last bit; what was saved elsewhere throws Error.
  std::string save() const { return runner_.save(); }
  void restore(const std::string& bytes) { runner_.restore(bytes, "saved state"); }

 private:
  DiagramRunner runner_;
  StepProfile stages_;
  BlockTimes times_;
};

}  // namespace footfall::studio
