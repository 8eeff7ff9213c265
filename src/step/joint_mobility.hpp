#pragma once

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/state.hpp"

namespace footfall {

/// What is computed once and for all is computed in the posture of all zeros, at rest, without springs and dampers.
/// There M may be singular where dampers make up for it in a step: a head that is a point on three joints turns about
/// itself for nothing. What rounding leaves of it is as likely below zero as above; so a trifle is added to such an M,
/// and mobilities are very large in place of anything. No allocation in go().
class ZeroPosture {
 public:
  explicit ZeroPosture(const Model& model);

  /// Brings the engine there. @param mobility (M⁻¹)_ii of each joint of the robot in the air (n)
  void go(Dynamics& dynamics, VectorOut mobility);

 private:
  bool findMobilities(const Dynamics& dynamics, VectorOut mobility);
  void findTrifles();

  const int joints_, base_;
  const State zero_;
  const VectorXd no_inertia_;  ///< (n)
  VectorXd own_, trifles_;     ///< M_ii, and what is added to it (n)
  VectorXd unit_, column_;     ///< (nv)
};

/// The mobilities alone (n).
VectorXd freeMobilities(const Model& model, Dynamics& dynamics);

}  // namespace footfall
