#pragma once

#include <vector>

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/state.hpp"

namespace footfall {

/// The joints whose motion is given, during one step: from where they are at its start to where the input puts them at
/// its end, along the cubic that has the velocities of both ends.
///
/// They are not constraints with forces to be found, but coordinates that are known: their accelerations go to the
/// right-hand side, and everything else sees joints of infinite inertia. So nothing can push them off, and there is no
/// error that could grow. What that took, their drives' torques, follows from the rows of M ν̇ + h = τ afterwards:
/// docs/theory.md (9).
class PrescribedMotion {
 public:
  explicit PrescribedMotion(const Model& model);

  bool any() const { return !dofs_.empty(); }
  const std::vector<DofIndex>& dofs() const { return dofs_; }

  /// At the start of a step of length dt.
  void begin(const State& start, const Input& input, double dt);

  /// Puts the joints where they are after this fraction of the step, 0 to 1.
  void place(double fraction, VectorXd& q, VectorXd& nu) const;

  /// x ← accelerations, from x = generalized forces without those of the drives, when the prescribed joints have the
  /// mean acceleration of the step.
  void accelerateInTheMean(const Dynamics& dynamics, VectorXd& x);
  /// The same with the acceleration that they have after this fraction of the step.
  void accelerate(const Dynamics& dynamics, double fraction, VectorXd& x);

  /// Forces or impulses of the drives, (n): what of M change, (nv), the others do not do. `forces` are those of the
  /// last accelerate(), times `duration`; `reaction` are the others', (nv).
  void driveImpulse(const Dynamics& dynamics, const VectorXd& change, double duration, const VectorXd& reaction,
                    VectorXd& impulse);

 private:
  void solve(const Dynamics& dynamics, VectorXd& x);

  int base_dofs_;
  std::vector<DofIndex> dofs_;
  double dt_ = 0.0;
  VectorXd from_, from_rate_, to_, to_rate_;  ///< of each joint, in the order of dofs_
  VectorXd nu_dot_;                           ///< accelerations of these joints, else zero (nv)
  VectorXd forces_;                           ///< of the last accelerate() (nv)
  VectorXd product_;                          ///< scratch (nv)
};

}  // namespace footfall
