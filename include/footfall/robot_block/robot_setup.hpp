#pragma once

#include <memory>
#include <string>
#include <vector>

#include "footfall/block/parameters.hpp"
#include "footfall/run/simulation.hpp"
#include "footfall/scene/push.hpp"

namespace footfall {

class PrescribedJoints;

/// What a scene says, built once and shared by all blocks of its diagram. Never changes.
class RobotSetup {
 public:
  explicit RobotSetup(const Scene& scene);
  ~RobotSetup();

  const Scene& scene() const { return scene_; }
  const Model& model() const { return simulation_->model(); }
  const Terrain& terrain() const { return simulation_->terrain(); }
  const Settings& settings() const { return simulation_->settings(); }
  const State& start() const { return simulation_->state(); }  ///< where the scene starts, motors included

  /// What holds the posture; null when the scene does not hold one.
  const JointSprings* springs() const { return simulation_->springs(); }
  const std::vector<DofIndex>& heldByMotors() const { return simulation_->heldByMotors(); }
  const VectorXd& holdingTorque() const { return simulation_->holdingTorque(); }

  const std::vector<Push>& pushes() const { return pushes_; }
  std::vector<ExternalWrench> pushPlaces() const;  ///< where they act
  /// An input for the robot, with room for `wrenches`; prescribed joints stay where they start.
  Input makeInput(std::size_t wrenches) const;
  /// Leads the prescribed joints to where the scene has them at a time.
  void movePrescribedJoints(double time, Input& input) const;

  /// Frames that have contact candidates, in their order.
  const std::vector<FrameIndex>& contactFrames() const { return contact_frames_; }

 private:
  const Scene scene_;
  std::unique_ptr<Simulation> simulation_;  ///< without the diagram; stays at its start
  std::unique_ptr<const PrescribedJoints> prescribed_;
  std::vector<Push> pushes_;
  std::vector<FrameIndex> contact_frames_;
};

/// What the blocks of a robot need to find in Parameters::environment.
std::shared_ptr<const Environment> makeRobotEnvironment(const Scene& scene);

/// The setup of the environment, made from its scene where there is none; throws Error that names the block when there
/// is no scene either.
std::shared_ptr<const RobotSetup> findRobotSetup(const Parameters& parameters);

}  // namespace footfall
