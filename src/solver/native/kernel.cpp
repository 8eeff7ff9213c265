#include "solver/native/kernel.hpp"

#include "solver/native/staged_solver.hpp"

#define FOOTFALL_TEXT_OF(name) #name
#define FOOTFALL_TEXT(name) FOOTFALL_TEXT_OF(name)

namespace footfall::FOOTFALL_ISA {
namespace {

/// The strides of a quadruped's and a humanoid's feet are known when compiling, the rest is handled in loops.
template <class Law>
KernelResult solveFor(const KernelProblem& problem, const SolverSettings& settings, double* impulse, bool minimum_norm,
                      double* scratch) {
  switch (problem.stride) {
    case 4:
      return StagedSolver<Law, 4>(problem, settings, impulse, scratch).solve(minimum_norm);
    case 8:
      return StagedSolver<Law, 8>(problem, settings, impulse, scratch).solve(minimum_norm);
    default:
      return StagedSolver<Law, 0>(problem, settings, impulse, scratch).solve(minimum_norm);
  }
}

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

std::size_t scratchSize(int stride) {
  const std::size_t cone = StagedSolver<Cone, 0>::scratchSize(stride),
                    pyramid = StagedSolver<Pyramid, 0>::scratchSize(stride);
  return larger(cone, pyramid);
}

}  // namespace

extern const Kernel kernel{FOOTFALL_TEXT(FOOTFALL_ISA), solve, scratchSize};

}  // namespace footfall::FOOTFALL_ISA
