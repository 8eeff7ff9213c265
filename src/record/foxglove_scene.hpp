#pragma once

#include <string>
#include <vector>

#include "footfall/log/log.hpp"
#include "footfall/run/simulation.hpp"

namespace footfall::record {

/// The robot as Foxglove draws it: its shapes once, poses of links (`/tf`) and arrows of contact forces (`/scene`) at a
/// rate that eyes can follow.
class FoxgloveScene {
 public:
  /// Adds its topics; rate in [1/s].
  FoxgloveScene(MessageSink& sink, const Model& model, double rate);

  /// Once the log has begun: the shapes of the robot's file.
  void writeShapes(const std::vector<LinkGeometry>& geometries, double time, bool with_meshes);
  /// At a row; the engine is there. When it is time for a picture: writes the poses.
  void writePoses(const RobotDynamics& dynamics, double time);
  /// After the step of that row: if there was a picture, its forces.
  void writeForces(const StepResult& result);

 private:
  MessageSink& sink_;
  const Model& model_;
  double period_;             ///< between pictures [s]
  double weight_;             ///< of the robot: an arrow of this force is a metre long [N]
  double next_ = 0.0;         ///< when there will be one [s]
  double picture_ = 0.0;      ///< when the last one was [s]
  bool has_picture_ = false;  ///< one waits for its forces
  bool started_ = false;
  int poses_topic_, scene_topic_;
  std::string message_;  ///< scratch
};

}  // namespace footfall::record
