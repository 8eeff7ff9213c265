#pragma once

#include <memory>
#include <string>
#include <vector>

#include "footfall/scene/prescribed_joints.hpp"
#include "footfall/scene/push.hpp"
#include "footfall/scene/scene.hpp"
#include "footfall/scene/timed_tie.hpp"
#include "footfall/step/step.hpp"

namespace footfall {

/// What holds the joints of a body. Springs at the joints, or, where a motor cannot deliver everything at once, gains
/// of the commands to it.
struct Posture {
  bool held = false;
  JointSprings springs;             ///< of all joints; empty where none is held
  std::vector<DofIndex> by_motors;  ///< joints that are held by commands to their motors
  VectorXd torque;  ///< acts all the time: carries the weight at the start, and what the scene names (n)

  /// Those that act at the joints, not through a motor.
  void springsAtJoints(JointSprings& at_joints) const;
  /// command += k (s* − s) − d ṡ as it is now, for joints with motors: a controller that runs once in each step.
  void addCommands(const Eigen::Ref<const VectorXd>& s, const Eigen::Ref<const VectorXd>& s_dot,
                   Eigen::Ref<VectorXd> command) const;
};

/// A robot or an object of a world: what it is, how it starts, and what acts on it by itself.
struct Body {
  Model model;
  State start;  ///< motors included
  Posture posture;
  PrescribedJoints prescribed;
  std::vector<Push> pushes;
  std::vector<TimedTie> ties;  ///< that are made and released while it runs; those of the start are in `start`

  /// Nothing acts; prescribed joints stay where they start.
  Input makeInput() const;
};

/// Everything that a scene says, with its names resolved and its files read. Never changes: any number of simulations
/// and threads share one.
struct World {
  Scene scene;                        ///< with the prescribed joints where they start
  std::vector<std::string> warnings;  ///< what was odd about the model file and the start
  std::shared_ptr<const Terrain> terrain;
  Settings settings;
  std::vector<Body> bodies;  ///< today the robot alone

  const Body& robot() const { return bodies.front(); }
};

/// Throws Error where the scene is wrong.
std::shared_ptr<const World> buildWorld(const Scene& scene);

/// The same on another ground; nothing is read again.
std::shared_ptr<const World> onGround(const World& world, std::shared_ptr<const Terrain> ground);

}  // namespace footfall
