#pragma once

#include "footfall/step/internal/mass_traits.hpp"
#include "footfall/step/step.hpp"

namespace footfall {

/// How springs and dampers of the joints enter a step of the second-order scheme: their mean force over the step, with
/// weights between those of the middle (second order) and those of the end (no ringing, however stiff), chosen for each
/// joint by how quickly it answers (docs/theory.md (13)).
///
/// That quickness needs the mobility of each joint, (M⁻¹)_ii less what the feet on the ground hold. It only chooses
/// weights, and being wrong by a factor of ten does no harm: so it is computed once, in the posture of all zeros, for
/// the robot in the air and for each link that may stand on the ground.
class SpringWeights {
 public:
  /// For steps of length dt [s]. The traits must outlive it.
  SpringWeights(const Model& model, const MassTraits& traits, double dt);
  /// Of a robot that weighs something else; holdBy() follows.
  void use(const MassTraits& traits);

  /// Which links carried load in the last step: from the warm start.
  void holdBy(const WarmStart& warm);

  /// As linearizeJointForces(), with the mean of the step in place of its end.
  void linearize(const Input& input, const JointSprings* springs, const VectorXd& q, const VectorXd& nu,
                 VectorXd& torque, VectorXd& inertia);

  /// Inertia of joints in impacts: `bare`, and what dampers and springs add that stop a free joint within a step.
  /// Without it a light link on a strong damper would leave an impact at any speed; the others have no time to act.
  void holdInImpacts(const JointSprings* springs, const VectorXd& bare, VectorXd& inertia) const;

 private:
  /// What a spring and a damper become.
  struct Weight {
    double ahead = 0.0;    ///< torque for each unit of velocity, of the spring that is looked at later [N m s]
    double inertia = 0.0;  ///< that it adds [kg m²]
  };
  Weight weightOf(double stiffness, double damping, double mobility) const;
  bool knows(const JointSprings* springs) const;
  void renewWeights(const JointSprings* springs);

  const Model& model_;
  const double dt_;  ///< [s]
  const MassTraits* traits_;
  const std::vector<int> holder_of_link_;    ///< as holderOfLinks() says
  std::vector<int> holders_, next_holders_;  ///< what carries load, at hand and looked for
  VectorXd mobility_;                        ///< at hand (n)
  bool mobility_known_ = false;              ///< it is that of the traits and holders
  bool weights_known_ = false;               ///< they are those of the mobility and of the springs below

  // One number for each joint (n): lists that are gone through whole, and quickly.
  VectorXd own_stiffness_, own_damping_, reference_;  ///< of the model
  VectorXd stiffness_, damping_;                      ///< with those of the springs
  VectorXd ahead_, inertia_;                          ///< weights
  bool has_springs_ = false;
  VectorXd known_stiffness_, known_damping_;  ///< of the springs, where there are any: they rarely change
};

}  // namespace footfall
