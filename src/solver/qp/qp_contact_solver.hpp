#pragma once

#include "footfall/solver/contact_solver.hpp"
#include "solver/qp/pyramid_qp.hpp"

namespace footfall {

/// The port to contact solvers, on top of a general solver for quadratic programs.
///
/// The published law (convex_pyramid) is one such program. Coulomb's law on the pyramid is a short sequence of them:
/// each adds to the normal velocity mu (|v_x| + |v_y|) of the one before (De Saxcé), until that term stands still.
class QpContactSolver : public ContactSolver {
 public:
  bool supports(FrictionLaw law) const final { return law != FrictionLaw::cone; }
  void reserve(int) final {}  // the libraries allocate for every problem anyway
  void solve(const ContactProblem& problem, const SolverSettings& settings, ContactSolution& solution) final;

 protected:
  /// Solves one program from scratch; returns the iterations that it took. Failure shows in the residual.
  virtual int solveQp(const PyramidQp& qp, Eigen::VectorXd& x) = 0;

 private:
  void solveOnce(const ContactProblem& problem, ContactSolution& solution);
  void solveCoulomb(const ContactProblem& problem, const SolverSettings& settings, ContactSolution& solution);
  /// Normal velocity that De Saxcé's correction adds, from the velocities that these impulses give.
  void updateShift(const ContactProblem& problem, const double* impulse);

  PyramidQp qp_;
  Eigen::VectorXd x_, shift_;
  AlignedVector best_;
};

}  // namespace footfall
