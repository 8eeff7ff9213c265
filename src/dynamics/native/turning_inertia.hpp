#pragma once

#include <span>
#include <vector>

#include "dynamics/native/tree_storage.hpp"
#include "footfall/spatial/pose.hpp"

namespace footfall::native {

/// Σ J_ωᵀ P J_ω of a tree: what links resist turning beside their own inertia. It has the zeros of M, and is added to
/// its rows for as long as they are factorised. For the few robots that need it: no kernel.
class TurningInertia {
 public:
  /// Adds it to M, of which a copy is kept. P of the Model's links, world axes.
  void addTo(const TreeStorage& tree, std::span<const Matrix3d> P, Scratch<double>& w);
  /// M is what it was.
  void takeOff(const Tree& tree, Scratch<double>& w) const;
  /// y ← Σ J_ωᵀ P J_ω x, both in the Model's order.
  void multiply(const Tree& tree, const Scratch<double>& w, const double* x, double* y) const;

 private:
  void keepMass(const Tree& tree, const Scratch<double>& w);

  std::vector<Matrix3d> own_, subtree_;  ///< by the numbers of the kernels
  std::vector<double> M_;
  Six<double> M_base_[6];
  mutable std::vector<Vector3d> turning_, couple_;
};

}  // namespace footfall::native
