#pragma once

#include <vector>

#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// What links that turn far within a step add to the bias forces of its middle: the momentum of each such link changes
/// by its difference between both ends of the step, and not by its rate in the middle. To second order both are the
/// same; but only the first keeps the precession of what spins by a third of a radian in a step (docs/theory.md §5).
class SpinningLinks {
 public:
  explicit SpinningLinks(const Model& model);

  /// Finds the links that turn by more than a little within dt, at the engine's last update (poses and velocities).
  /// @param fastest none turns faster than this [rad/s]
  void find(const RobotDynamics& kinematics, double fastest, double dt);

  /// Velocities in the middle of the step, if the robot moves as at its start.
  void takeMiddle(const Dynamics& dynamics);

  /// h += the correction. `middle` stands at the middle of the step with its mean velocity, `end` at its end.
  void correct(const Dynamics& middle, const Dynamics& end, double dt, VectorXd& h) const;

 private:
  struct Spin {
    LinkIndex link;
    Vector6d momentum_start;   ///< linear, and angular about the centre of mass [N s, N m s]
    Vector6d momentum_middle;  ///< in the middle, with the velocity of the start [N s, N m s]
  };
  const Model& model_;
  std::vector<Spin> links_;
};

}  // namespace footfall
