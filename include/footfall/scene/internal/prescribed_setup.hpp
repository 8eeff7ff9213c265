#pragma once

#include <vector>

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/state.hpp"
#include "footfall/scene/scene.hpp"
#include "footfall/terrain/time_function.hpp"

namespace footfall {

/// The scene with its prescribed joints placed (robot.initial) where their motion starts; throws Error when the scene
/// puts one elsewhere.
Scene placePrescribedJoints(const Scene& scene);

/// Marks the coordinates of a model that the scene prescribes. Throws Error for joints that are unknown, named twice,
/// or driven by a motor or a spring of the scene as well.
void markPrescribedJoints(const Scene& scene, Model& model);

/// The motions of the prescribed joints of a scene.
class PrescribedJoints {
 public:
  /// Throws Error when a motion leaves the limits of its joint, or is no number, at some step of the run.
  PrescribedJoints(const Scene& scene, const Model& model);

  /// Positions and velocities at a time; joints that code moves stay as they are.
  void moveTo(double time, Input& input) const;

  /// Puts the joints on their motions; the others move with them as far as loops ask for it.
  void start(State& state, Dynamics& dynamics) const;

  /// Throws Error when a joint of the state is not where its motion has it.
  void check(const State& state) const;

 private:
  struct Follower {
    DofIndex dof;
    double offset;  ///< [rad or m]
    TimeFunction law;
    double position(double time) const { return offset + law.value(time); }
  };
  void checkRun(const ScenePrescribed& prescribed, const Follower& follower, const Scene& scene) const;

  const Model& model_;
  std::vector<Follower> followers_;
};

}  // namespace footfall
