#pragma once

#include <span>
#include <vector>

#include "footfall/model/tree.hpp"
#include "footfall/step/internal/mass_traits.hpp"

namespace footfall {

/// Whether robots and objects turn so slowly that bias forces and Jacobians cannot change within a step by what could
/// be felt: then the second-order scheme needs no corrections. A bound from the speeds of all joints together, which
/// costs nothing; robots that stand still are slow.
class SlowMotion {
 public:
  /// The traits must outlive it.
  SlowMotion(const Model& model, const MassTraits& traits);
  /// Of a robot that weighs something else.
  void use(const MassTraits& traits) { traits_ = &traits; }

  /// No link turns faster than this [rad/s].
  double turning(const VectorXd& nu) const;

  /// No link of these trees, given by their numbers.
  double turning(std::span<const int> trees, const VectorXd& nu) const;

  /// No base of a robot or object moves faster than this [m/s].
  double speed(const VectorXd& nu) const;

  /// Accelerations that come from velocities (centrifugal, Coriolis) are below `acceleration` everywhere [m/s²].
  bool slowerThan(double acceleration, const VectorXd& nu) const;

 private:
  double turningOf(const Tree& tree, const VectorXd& nu) const;

  std::vector<Tree> trees_;
  int base_dofs_;
  const MassTraits* traits_;
};

}  // namespace footfall
