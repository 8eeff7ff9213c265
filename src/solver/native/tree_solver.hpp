#pragma once

#include <type_traits>

#include "solver/native/compliant_path.hpp"
#include "solver/native/solve_progress.hpp"
#include "solver/native/tree_motion.hpp"
#include "solver/native/tree_sweeps.hpp"

namespace footfall::FOOTFALL_ISA {

/// Solves a problem by trees: the stages with compliant contacts, whose systems are of the motion, and so as sparse as
/// the bodies that touch each other.
template <class Law>
class TreeSolver : SolveProgress<TreeProblem<Law>> {
 public:
  TreeSolver(const KernelProblem& problem, const SolverSettings& settings, double* impulse, double* scratch)
      : Progress(problem, settings.tolerance, impulse, scratch), max_iterations_(settings.max_iterations) {}
  static std::size_t scratchSize(const typename TreeProblem<Law>::Size& size) {
    return TreeProblem<Law>::scratchSize(size) + Progress::vectorSize(size.stride) + Compliant::scratchSize(size) +
           Sweeps::scratchSize(size);
  }

  KernelResult solve(bool minimum_norm) {
    if (!begin(minimum_norm)) return result(true);
    Arena arena = arena_;
    Compliant compliant(problem_, tolerance_, arena);
    const bool settled = solveWith(compliant);
    if constexpr (kSweeps)
      if (!solved() && max_iterations_ > kFewIterations) sweepAndFinish(compliant, arena);
    iterations_ += (compliant.steps() + Budget::kStepsOfAnIteration - 1) / Budget::kStepsOfAnIteration;
    return result(settled);
  }

 private:
  using Progress = SolveProgress<TreeProblem<Law>>;
  using Progress::arena_, Progress::iterations_, Progress::p_, Progress::problem_, Progress::residual_,
      Progress::tolerance_, Progress::v_;
  using Progress::begin, Progress::count, Progress::keep, Progress::result, Progress::solved, Progress::uses;
  using Compliant = CompliantPath<Law, TreeProblem<Law>>;
  using Sweeps = TreeSweeps<TreeProblem<Law>>;
  static constexpr bool kSweeps = std::is_same_v<Law, Cone>;

  /// Returns whether p_ is the limit of equal compliance.
  bool solveWith(Compliant& compliant) {
    const int most = Budget::kStepsOfAnIteration * max_iterations_ * compliant.grown();
    bool settled = false;
    if (uses(SolverStage::compliant))
      settled = compliant.solveFrom(p_, v_, smaller(CompliantRules::kStepsAtOnce, most));
    count(SolverStage::compliant, compliant.steps());
    if (uses(SolverStage::compliant_path) && most >= Budget::kShortestPath && !settled && !solved()) {
      const int before = compliant.steps();
      settled = compliant.solveFromRest(most - before);
      count(SolverStage::compliant_path, compliant.steps() - before);
    }
    takeBest(compliant, settled);
    return settled;
  }

  void takeBest(const Compliant& compliant, bool settled) {
    if (settled || compliant.residual() < residual_) keep(compliant.best(), compliant.residual());
  }

  /// Where the path leads nowhere: sweeps get closer, step by small step, and now and then Newton's method tries to
  /// finish. A round that comes no closer leaves everything as it was, and so would the next one.
  void sweepAndFinish(Compliant& compliant, Arena& arena) {
    Sweeps sweeps(problem_, arena);
    double last = infinity();
    for (int round = 0; round < TreeRules::kRounds && !solved() && residual_ < last; ++round) {
      last = residual_;
      sweeps.sweep(TreeRules::kSweeps, p_);
      count(SolverStage::sweeps, TreeRules::kSweeps);
      iterations_ += TreeRules::kSweeps / TreeRules::kSweepsOfAnIteration;
      problem_.velocity(p_, v_);
      residual_ = problem_.residual(p_, v_);
      const int before = compliant.steps();
      const bool settled = compliant.solveFrom(p_, v_, CompliantRules::kStepsAtOnce);
      count(SolverStage::compliant, compliant.steps() - before);
      takeBest(compliant, settled);
    }
  }

  const int max_iterations_;
};

}  // namespace footfall::FOOTFALL_ISA
