#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "footfall/solver/solver_stages.hpp"
#include "footfall/spatial/contact_layout.hpp"
#include "footfall/spatial/tree_motions.hpp"

namespace footfall {

/// Which law ties the impulses p to the contact velocities v.
enum class FrictionLaw {
  cone,            ///< Coulomb: |p_t| <= mu p_n, friction opposes sliding, 0 <= p_n ⟂ v_n >= 0
  pyramid,         ///< the same with |p_x|, |p_y| <= mu p_n, each axis by itself
  convex_pyramid,  ///< the published QP: min ½ pᵀGp + bᵀp inside the pyramid (not Coulomb once it slides)
};

/// Tells one Delassus matrix from another: what a solver works out of G serves the next problem with the same G, too.
/// A copy may be changed by anybody, and so has no name.
class MatrixName {
 public:
  MatrixName() = default;
  MatrixName(const MatrixName&) noexcept {}
  MatrixName& operator=(const MatrixName&) noexcept {
    value_ = 0;
    return *this;
  }

  /// A name that no other matrix of this process has.
  void renew();
  std::uint64_t value() const { return value_; }  ///< 0: it has none

 private:
  std::uint64_t value_ = 0;
};

/// Find impulses p with v = G p + b under a friction law. Knows nothing of robots.
/// Padding contacts are inert: zero rows and columns of G, zero mu, b = (0, 0, 1).
struct ContactProblem {
  ContactLayout layout;
  FrictionLaw law = FrictionLaw::cone;
  AlignedVector G;    ///< Delassus matrix J M⁻¹ Jᵀ, row-major, (rows × rows) [1/kg]; not used where byTrees()
  AlignedVector b;    ///< velocity without impulses plus gap and restitution terms, (rows) [m/s]
  AlignedVector mu;   ///< friction coefficients, (stride) [-]
  TreeMotions trees;  ///< what stands for G where byTrees(): of many bodies, of which each touches few others
  MatrixName matrix;  ///< renewed by whoever writes G

  /// Room for this many contacts: no allocation afterwards.
  void reserve(int max_contacts);
  /// Sets the layout and makes the padding inert; the rest is left for the one who assembles it.
  void resize(int contacts);
  /// The same for a problem by trees, which has no contacts yet.
  void resizeByTrees(int contacts);
  bool byTrees() const { return by_trees_; }

  /// Of G, in either form.
  double entry(int i, int a, int j, int c) const;
  double own(int contact, int a, int c) const { return entry(contact, a, contact, c); }
  /// b and mu of the padding: who writes whole rows of the layout calls it afterwards.
  void makePaddingInert();
  /// Of a contact that gets no impulse: as padding.
  void makeInert(int contact);
  /// Lets the contact answer to its own impulses alone, with one over a kilogram.
  void detach(int contact);
  /// v = G p + b, in either form; where byTrees(), `motion` is scratch.
  void velocity(const double* impulse, std::vector<double>& motion, double* v) const;
  /// The sizes of the products that G p is the sum of: by how much it may be rounded.
  void sizeOfResponse(const double* impulse, std::vector<double>& motion, double* size) const;

  double& operator()(int i, int a, int j, int c) {
    return G[static_cast<std::size_t>(layout.row(i, a)) * layout.rows() + layout.row(j, c)];
  }
  double operator()(int i, int a, int j, int c) const {
    return G[static_cast<std::size_t>(layout.row(i, a)) * layout.rows() + layout.row(j, c)];
  }

 private:
  void makeRowsInert(int contact);
  void clearResponse(int contact);
  template <class Take>
  void addResponse(const double* impulse, std::vector<double>& motion, double* v, Take take) const;

  bool by_trees_ = false;
};

enum class SolveStatus {
  converged,   ///< residual at or below the tolerance asked for
  inaccurate,  ///< above the tolerance, at or below the acceptable residual
  failed,      ///< above the acceptable residual, or not a number
};

struct SolverSettings {
  double tolerance = 1e-10;  ///< wanted residual [m/s]
  double acceptable = 1e-6;  ///< largest residual that does not stop the run [m/s]
  int max_iterations = 200;
  /// A problem by trees that has used up its work ends with impulses that are wrong by no more than this and do no
  /// work; 0: it goes on (docs/decisions/0031) [m/s].
  double good_enough = 0.0;
};

/// Who grants no more iterations than this has something else to try where they do not suffice: a solver then leaves
/// its last resorts alone.
constexpr int kFewIterations = 60;

struct ContactSolution {
  SolveStatus status = SolveStatus::failed;
  int iterations = 0;
  double residual = 0.0;      ///< by contactResidual(), the same measure for every solver [m/s]
  int worst_contact = -1;     ///< where the residual is largest
  bool minimum_norm = false;  ///< the impulses are the smallest of all that solve the problem: docs/theory.md (5)
  SolverCounters counters;    ///< of this solve, stage by stage
  AlignedVector impulse;      ///< p in the problem's layout, (rows) [N s]
};

/// How far (p, v = G p + b) is from the law: natural map per contact, largest over the contacts [m/s].
/// With g = trace(G_ii)/3:  r_n = g p_n − max(g p_n − v_n, 0),
/// r_t = g p_t − Proj(g p_t − v_t) on the disc (cone) or square (pyramids) of radius mu·max(g p_n, 0).
/// For convex_pyramid v_n is replaced by v_n − mu (|v_x| + |v_y|). Not-a-number gives infinity.
double contactResidual(const ContactProblem& problem, const double* impulse, int* worst_contact = nullptr);

}  // namespace footfall
