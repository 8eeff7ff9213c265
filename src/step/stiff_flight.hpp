#pragma once

#include "footfall/step/internal/mass_traits.hpp"

namespace footfall {

/// Integrators of several stages take springs and dampers of the joints explicitly in flight, which explodes where
/// those answer within a step. Tells when: mobilities of the robot in the air, in the posture of all zeros, are near
/// enough.
class StiffFlight {
 public:
  StiffFlight(const Model& model, Dynamics& dynamics);

  /// The model's masses have changed, and these are their traits.
  void use(const MassTraits& traits);

  /// @param implicit inertia that springs and dampers add, Δt (d + Δt k) (n)
  bool tooStiff(const VectorXd& implicit) const { return (implicit.cwiseProduct(mobility_).array() > kLimit).any(); }

 private:
  /// Of Δt (d + Δt k) (M⁻¹)_ii. Runge and Kutta's method of fourth order is stable up to 2.8 for a damper and 7.8 for a
  /// spring, the fixed point of the midpoint method up to 2 and 4.
  static constexpr double kLimit = 1.0;

  void forgetPrescribed();

  const Model& model_;
  VectorXd mobility_;  ///< (n); 0 of joints that are prescribed
};

}  // namespace footfall
