#pragma once

#include <string>
#include <vector>

#include "footfall/diagram/diagram_source.hpp"
#include "footfall/robot_block/diagram_robot.hpp"
#include "studio/server/block_times.hpp"

namespace footfall::studio {

/// A scene that runs as its diagram (the default one where it has none), and is measured while it does.
class LiveRun {
 public:
  /// Throws Error when there is no robot in the diagram.
  explicit LiveRun(Scene scene);

  const Scene& scene() const { return robot_.scene(); }
  const DiagramSource& source() const { return source_; }
  Context& context() { return context_; }
  const Context& context() const { return context_; }
  DiagramRobot& robot() { return robot_; }
  const DiagramRobot& robot() const { return robot_; }
  double time() const { return robot_.time(); }  ///< [s]
  /// Something in the diagram holds the posture of the scene: its gains can be changed.
  bool holdsPosture() const;

  /// One step of the robot, after those that faster blocks make before it. Signals then belong to the start of that
  /// step. False: it was stopped, context().stopReason() says why. May throw Error of a block.
  bool step();
  /// Signals at the present instant, instead of a step.
  void evaluate() { source_.diagram.evaluate(context_); }

  const StepProfile& stageTimes() const { return stages_; }  ///< of the last step
  const BlockTimes& blockTimes() const { return times_; }    ///< of the last step

  /// All that it remembers, exact to the last bit; what was saved elsewhere throws Error.
  std::string save() const;
  void restore(const std::string& bytes);

 private:
  DiagramSource source_;
  Context context_;
  DiagramRobot robot_;
  StepProfile stages_;
  BlockTimes times_;
};

}  // namespace footfall::studio
