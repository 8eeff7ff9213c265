#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "footfall/solver/contact_problem.hpp"

namespace footfall {

/// The port to contact solvers. An object of this class is scratch memory: the same problem and the
/// same starting point give the same bits, whatever was solved before.
class ContactSolver {
 public:
  virtual ~ContactSolver() = default;
  virtual std::string_view name() const = 0;
  virtual bool supports(FrictionLaw law) const = 0;

  /// Solves problems by trees, too (ContactProblem::byTrees()).
  virtual bool takesTrees(FrictionLaw) const { return false; }

  /// Room for this many contacts; solve() allocates nothing afterwards (the plug-ins' libraries may).
  virtual void reserve(int max_contacts) = 0;

  /// @param solution in: impulse and minimum_norm hold the warm start (zeros and false: a cold start);
  ///                 out: the result. Never throws for numerical reasons.
  virtual void solve(const ContactProblem& problem, const SolverSettings& settings, ContactSolution& solution) = 0;
};

/// `native`, or the name of a plug-in (proxqp, osqp, qpoases, daqp, or a user's own); throws Error that
/// names the solvers that were found.
std::unique_ptr<ContactSolver> makeContactSolver(const std::string& name);

/// Throws Error that names the choices when this solver cannot serve this law.
void requireSupport(const ContactSolver& solver, FrictionLaw law);

}  // namespace footfall
