#pragma once

#include "solver/native/compliant_path.hpp"
#include "solver/native/proximal_rounds.hpp"
#include "solver/native/solve_progress.hpp"
#include "solver/native/tree_motion.hpp"
#include "solver/native/tree_sweeps.hpp"

namespace footfall::FOOTFALL_ISA {

/// Solves a problem by trees: the stages with compliant contacts, whose systems are of the motion, and so as sparse as
/// the bodies that touch each other.
template <class Law>
class TreeSolver : SolveProgress<TreeProblem<Law>> {
 public:
  TreeSolver(const KernelProblem& problem, const SolverSettings& settings, double* impulse, KernelMemory memory)
      : Progress(problem, settings.tolerance, impulse, memory),
        max_iterations_(settings.max_iterations),
        good_enough_(settings.good_enough) {}
  static std::size_t scratchSize(const typename TreeProblem<Law>::Size& size) {
    return TreeProblem<Law>::scratchSize(size) + Progress::vectorSize(size.stride) + Compliant::scratchSize(size) +
           Rounds::scratchSize(size);
  }

  KernelResult solve(bool minimum_norm) {
    if (!begin(minimum_norm)) return result(true);
    Arena arena = arena_;
    Compliant compliant(problem_, tolerance_, arena);
    most_ = Budget::kStepsOfAnIteration * max_iterations_ * compliant.grown();
    // Where rounds can take over they are the shorter way as soon as it stops.
    const bool rounds_follow = kSweeps && !solved();
    bool settled =
        startFromHere(compliant, rounds_follow ? CompliantRules::kLittlePatience : CompliantRules::kPatience);
    if (!solved()) {
      takeRounds(compliant, arena);
      if (solved()) settled = startFromHere(compliant, CompliantRules::kNoPatience);
    }
    if (!kSweeps && !solved() && max_iterations_ > kFewIterations) settled = followPath(compliant);
    iterations_ += (compliant.steps() + Budget::kStepsOfAnIteration - 1) / Budget::kStepsOfAnIteration;
    return result(settled);
  }

 private:
  using Progress = SolveProgress<TreeProblem<Law>>;
  using Progress::arena_, Progress::iterations_, Progress::p_, Progress::problem_, Progress::residual_,
      Progress::tolerance_, Progress::v_;
  using Progress::begin, Progress::count, Progress::keep, Progress::result, Progress::solved, Progress::uses;
  using Compliant = CompliantPath<Law, TreeProblem<Law>>;
  using Rounds = ProximalRounds<Law, TreeProblem<Law>>;
  static constexpr bool kSweeps = Rounds::kSweeps;

  /// Newton's method with the final compliance from p_, whose velocity is v_: where contacts keep their states.
  /// Returns whether p_ is the limit of equal compliance afterwards.
  bool startFromHere(Compliant& compliant, int patience) {
    if (!uses(SolverStage::compliant)) return false;
    const int before = compliant.steps();
    const bool settled = compliant.solveFrom(p_, v_, smaller(CompliantRules::kStepsAtOnce, most_), patience);
    count(SolverStage::compliant, compliant.steps() - before);
    keepIfBetter(compliant.best(), compliant.residual(), settled);
    return settled;
  }

  void takeRounds(Compliant& compliant, Arena& arena) {
    if (!uses(SolverStage::proximal_path)) return;
    const int before = compliant.steps();
    Rounds rounds(problem_, tolerance_, compliant.newton(), arena);
    const int in_time = Budget::kWorkInTime / (problem_.motions() + problem_.rows());
    rounds.endInTime(larger(in_time, Budget::kLeastStepsInTime), good_enough_);
    rounds.solveFrom(p_, kRoundsByTrees, most_ - before);
    count(SolverStage::proximal_path, compliant.steps() - before);
    count(SolverStage::sweeps, rounds.sweeps());
    iterations_ += rounds.sweeps() / ProximalRules::kSweepsOfAnIteration;
    keepIfBetter(rounds.best(), rounds.residual());
    problem_.velocity(p_, v_);
  }

  /// The last resort of a law without sweeps.
  bool followPath(Compliant& compliant) {
    if (!uses(SolverStage::compliant_path)) return false;
    const int before = compliant.steps();
    const bool settled = compliant.solveFromRest(most_);
    count(SolverStage::compliant_path, compliant.steps() - before);
    keepIfBetter(compliant.best(), compliant.residual(), settled);
    return settled;
  }

  void keepIfBetter(const double* p, double residual, bool settled = false) {
    if (settled || residual < residual_) keep(p, residual);
  }

  int most_ = 0;  ///< Newton steps that a stage may make
  const int max_iterations_;
  const double good_enough_;  ///< [m/s]
};

}  // namespace footfall::FOOTFALL_ISA
