#include "solver/native/kernel.hpp"

#include "solver/native/staged_solver.hpp"
#include "solver/native/tree_solver.hpp"

#define FOOTFALL_TEXT_OF(name) #name
#define FOOTFALL_TEXT(name) FOOTFALL_TEXT_OF(name)

namespace footfall::FOOTFALL_ISA {
namespace {

/// The strides of a quadruped's and a humanoid's feet are known when compiling, the rest is handled in loops.
template <class Law>
KernelResult solveFor(const KernelProblem& problem, const SolverSettings& settings, double* impulse, bool minimum_norm,
                      KernelMemory memory) {
  switch (problem.stride) {
    case 4:
      return StagedSolver<Law, 4>(problem, settings, impulse, memory).solve(minimum_norm);
    case 8:
      return StagedSolver<Law, 8>(problem, settings, impulse, memory).solve(minimum_norm);
    default:
      return StagedSolver<Law, 0>(problem, settings, impulse, memory).solve(minimum_norm);
  }
}

/// The cone and the pyramid alone: the law of the published QP has no compliant contacts of its own.
KernelResult solveByTrees(const KernelProblem& problem, const SolverSettings& settings, double* impulse,
                          bool minimum_norm, KernelMemory memory) {
  if (problem.law == FrictionLaw::cone) return TreeSolver<Cone>(problem, settings, impulse, memory).solve(minimum_norm);
  return TreeSolver<Pyramid>(problem, settings, impulse, memory).solve(minimum_norm);
}

KernelResult solve(const KernelProblem& problem, const SolverSettings& settings, double* impulse, bool minimum_norm,
                   KernelMemory memory) {
  if (problem.trees != nullptr) return solveByTrees(problem, settings, impulse, minimum_norm, memory);
  switch (problem.law) {
    case FrictionLaw::cone:
      return solveFor<Cone>(problem, settings, impulse, minimum_norm, memory);
    case FrictionLaw::pyramid:
      return solveFor<Pyramid>(problem, settings, impulse, minimum_norm, memory);
    case FrictionLaw::convex_pyramid:
      return solveFor<ConvexPyramid>(problem, settings, impulse, minimum_norm, memory);
  }
  return {};
}

std::size_t scratchSize(int stride) {
  const std::size_t cone = StagedSolver<Cone, 0>::scratchSize(stride),
                    pyramid = StagedSolver<Pyramid, 0>::scratchSize(stride);
  return larger(cone, pyramid);
}

std::size_t scratchSizeByTrees(int stride, const KernelTrees& trees) {
  return larger(TreeSolver<Cone>::scratchSize({stride, trees.nodes, trees.blocks}),
                TreeSolver<Pyramid>::scratchSize({stride, trees.nodes, trees.blocks}));
}

}  // namespace

extern const Kernel kernel{FOOTFALL_TEXT(FOOTFALL_ISA), solve, scratchSize, scratchSizeByTrees};

}  // namespace footfall::FOOTFALL_ISA
