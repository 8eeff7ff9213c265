#pragma once

#include <memory>
#include <string>
#include <vector>

#include "footfall/block/parameters.hpp"
#include "footfall/scene/world.hpp"

namespace footfall {

/// The world of a scene as the blocks of its diagram share it. Never changes.
class RobotSetup {
 public:
  explicit RobotSetup(const Scene& scene);

  const World& world() const { return *world_; }
  const Scene& scene() const { return world_->scene; }
  const Model& model() const { return robot().model; }
  const Terrain& terrain() const { return *world_->terrain; }
  const Settings& settings() const { return world_->settings; }
  const State& start() const { return robot().start; }  ///< motors included
  const Posture& posture() const { return robot().posture; }

  const std::vector<Push>& pushes() const { return robot().pushes; }
  const std::vector<TimedTie>& ties() const { return robot().ties; }
  std::vector<ExternalWrench> pushPlaces() const;  ///< where they act
  /// An input for the robot, with space for `wrenches`; prescribed joints stay where they start.
  Input makeInput(std::size_t wrenches) const;
  /// Prescribed joints that inputs of the robot's block move.
  const std::vector<DofIndex>& movedFromOutside() const { return robot().prescribed.movedFromOutside(); }
  /// Leads the other prescribed joints to where the scene has them at a time.
  void movePrescribedJoints(double time, Input& input) const { robot().prescribed.moveTo(time, input); }

  /// Frames that have contact candidates, in their order.
  const std::vector<FrameIndex>& contactFrames() const { return contact_frames_; }

 private:
  const Body& robot() const { return world_->robot(); }

  std::shared_ptr<const World> world_;
  std::vector<FrameIndex> contact_frames_;
};

/// What the blocks of a robot need to find in Parameters::environment.
std::shared_ptr<const Environment> makeRobotEnvironment(const Scene& scene);

/// The setup of the environment, made from its scene where there is none; throws Error that names the block when there
/// is no scene either.
std::shared_ptr<const RobotSetup> findRobotSetup(const Parameters& parameters);

}  // namespace footfall
