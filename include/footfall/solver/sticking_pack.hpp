#pragma once

#include "footfall/spatial/contact_layout.hpp"

namespace footfall {

struct StickingKernel;

/// The impulses of eight contact problems at once, each of which is known to stick wherever it presses: those of the
/// native solver, of contacts that all give way a little, without the search for their states. Who asks looks whether
/// the impulses are inside of their cones, and solves the others one by one.
///
/// Numbers of the problems lie side by side: entry k of problem i is at 8 k + i. Rows are component-major without
/// padding, as those of BatchDynamics: component c of contact i is row c · contacts + i. No problem knows of the others:
/// what it gives depends neither on them nor on its place.
class StickingPack {
 public:
  static constexpr int kProblems = 8;

  /// All memory is taken here.
  explicit StickingPack(int contacts);

  int rows() const { return rows_; }

  /// @param G (rows × rows), symmetric [1/kg]
  /// @param part (rows) 1 where the contact presses, 0: it has no impulse
  /// @param compliance of each problem [1/kg]
  void factorise(const double* G, const double* part, const double* compliance);
  /// p ← −(G + compliance)⁻¹ b among those that press, 0 elsewhere.
  void solve(const double* b, double* p) const;
  /// v ← b + G p
  void velocity(const double* G, const double* b, const double* p, double* v) const;

 private:
  const StickingKernel& kernel_;
  int rows_;
  AlignedVector part_, L_, inverse_;
};

}  // namespace footfall
