#pragma once

#include <string>
#include <vector>

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/state.hpp"
#include "footfall/scene/scene.hpp"
#include "footfall/terrain/time_function.hpp"

namespace footfall {

/// The motions of the prescribed joints of a body.
class PrescribedJoints {
 public:
  PrescribedJoints() = default;
  /// Throws Error when a motion leaves the limits of its joint, or is no number, at some step of the run.
  PrescribedJoints(const Scene& scene, const Model& model);

  /// Joints without a law of their own, in the order of the scene: code moves them by Input::position and
  /// Input::velocity, a diagram or an FMU by inputs of these names.
  const std::vector<DofIndex>& movedFromOutside() const { return moved_from_outside_; }

  /// Positions and velocities at a time; joints that are moved from outside stay as they are.
  void moveTo(double time, Input& input) const;

  /// Puts the joints on their motions; the others move with them as far as loops ask for it.
  void start(State& state, Dynamics& dynamics) const;

  /// Throws Error when a joint of the state is not where its motion has it.
  void check(const State& state) const;

 private:
  struct Follower {
    DofIndex dof;
    std::string name, unit;
    double offset;  ///< [rad or m]
    TimeFunction law;
    double position(double time) const { return offset + law.value(time); }
  };
  std::vector<Follower> followers_;
  std::vector<DofIndex> moved_from_outside_;
};

}  // namespace footfall
