#pragma once

#include <vector>

#include "footfall/model/tree.hpp"

namespace footfall {

/// Whether robots and objects turn so slowly that bias forces and Jacobians cannot change within a step by what could
/// be felt: then the second-order scheme needs no corrections. A bound from the speeds of all joints together, which
/// costs nothing; robots that stand still are slow.
class SlowMotion {
 public:
  explicit SlowMotion(const Model& model);

  /// No link turns faster than this [rad/s].
  double turning(const VectorXd& nu) const;

  /// No base of a robot or object moves faster than this [m/s].
  double speed(const VectorXd& nu) const;

  /// Accelerations that come from velocities (centrifugal, Coriolis) are below `acceleration` everywhere [m/s²].
  bool slowerThan(double acceleration, const VectorXd& nu) const;

 private:
  double turningOf(const Tree& tree, const VectorXd& nu) const;

  std::vector<Tree> trees_;
  std::vector<double> reach_;  ///< of each tree from its base, however its joints stand [m]
  int base_dofs_;
  VectorXd turning_;  ///< what a unit of each coordinate's rate adds to the turning of some link (n) [- or 1/m]
};

}  // namespace footfall
