#pragma once

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/simulate/step.hpp"

namespace footfall {

/// How springs and dampers of the joints enter a step of the second-order scheme: their mean force over the step, with
/// weights between those of the middle (second order) and those of the end (no ringing, however stiff), chosen for each
/// joint by how quickly it answers (docs/theory.md §4).
///
/// That quickness needs the mobility of each joint, (M⁻¹)_ii less what the feet on the ground hold. It only chooses
/// weights, and being wrong by a factor of ten does no harm: so it is computed once, in the posture of all zeros, for
/// the robot in the air and for each link that may stand on the ground.
class SpringWeights {
 public:
  SpringWeights(const Model& model, Dynamics& dynamics);

  /// Which links carried load in the last step: from the warm start.
  void holdBy(const WarmStart& warm);

  /// As linearizeJointForces(), with the mean of the step in place of its end.
  void linearize(const Input& input, const JointSprings* springs, const VectorXd& q, const VectorXd& nu, double dt,
                 VectorXd& torque, VectorXd& inertia) const;

 private:
  const Model& model_;
  VectorXd free_;                    ///< mobility of each joint in the air (n) [1/(kg m²) or 1/kg]
  std::vector<VectorXd> held_;       ///< the same with one link held, by its number below (n)
  std::vector<int> holder_of_link_;  ///< index into held_; −1: nothing of this link can touch
  VectorXd mobility_;                ///< at hand (n)
};

}  // namespace footfall
