#pragma once

#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// A robot in flight keeps its momentum to the last digit if its base velocity is chosen for that.
class MomentumKeeper {
 public:
  void reserve(const Model& model) { M_.resize(model.nv(), model.nv()); }

  /// Changes the base's part of nu so that the momentum at (q, nu) is `target` (linear, angular about the centre of
  /// mass). Updates the engine at (q, nu). Does nothing for a fixed base.
  void enforce(const Vector6d& target, const VectorXd& q, VectorXd& nu, Dynamics& dynamics);

 private:
  MatrixXd M_;
};

}  // namespace footfall
