#include "solver/native/kernel.hpp"

#include "solver/native/hybrid.hpp"

namespace footfall::FOOTFALL_ISA {
namespace {

/// Strides of one or two robots' feet are known when compiling, the rest is handled in loops.
template <class Law>
KernelResult solveFor(const KernelProblem& problem, const SolverSettings& settings, double* impulse, bool minimum_norm,
                      double* scratch) {
  switch (problem.stride) {
    case 4:
      return Hybrid<Law, 4>(problem, settings, impulse, scratch).solve(minimum_norm);
    case 8:
      return Hybrid<Law, 8>(problem, settings, impulse, scratch).solve(minimum_norm);
    default:
      return Hybrid<Law, 0>(problem, settings, impulse, scratch).solve(minimum_norm);
  }
}

}  // namespace

KernelResult solve(const KernelProblem& problem, const SolverSettings& settings, double* impulse, bool minimum_norm,
                   double* scratch) {
  switch (problem.law) {
    case FrictionLaw::cone:
      return solveFor<Cone>(problem, settings, impulse, minimum_norm, scratch);
    case FrictionLaw::pyramid:
      return solveFor<Pyramid>(problem, settings, impulse, minimum_norm, scratch);
    case FrictionLaw::convex_pyramid:
      return solveFor<ConvexPyramid>(problem, settings, impulse, minimum_norm, scratch);
  }
  return {};
}

}  // namespace footfall::FOOTFALL_ISA
