#pragma once

#include <type_traits>

#include "solver/native/compliant_path.hpp"
#include "solver/native/tree_motion.hpp"
#include "solver/native/tree_sweeps.hpp"

namespace footfall::FOOTFALL_ISA {

/// Solves a problem by trees: the stages with compliant contacts, whose systems are of the motion, and so as sparse as
/// the bodies that touch each other.
template <class Law>
class TreeSolver {
 public:
  TreeSolver(const KernelProblem& problem, const SolverSettings& settings, double* impulse, double* scratch)
      : settings_(settings), without_(problem.without), p_(impulse), arena_(scratch), problem_(problem, arena_) {
    for (double** vector : {&v_, &warm_start_}) *vector = arena_.doubles(problem_.rows());
  }
  static std::size_t scratchSize(const typename TreeProblem<Law>::Size& size) {
    return TreeProblem<Law>::scratchSize(size) + 2 * DenseLu::paddedSize(3 * size.stride) +
           Compliant::scratchSize(size) + TreeSweeps<TreeProblem<Law>>::scratchSize(size);
  }

  KernelResult solve(bool minimum_norm) {
    copyVector(p_, warm_start_, problem_.rows());
    problem_.velocity(p_, v_);
    residual_ = problem_.residual(p_, v_);
    if (residual_ == infinity() || (solved() && (minimum_norm || isZero(p_)))) return result(solved());
    Arena arena = arena_;
    Compliant compliant(problem_, settings_.tolerance, arena);
    const bool settled = solveWith(compliant);
    if constexpr (kSweeps)
      if (!solved() && settings_.max_iterations > Budget::kFew) sweepAndFinish(compliant, arena);
    iterations_ += (compliant.steps() + Budget::kStepsOfAnIteration - 1) / Budget::kStepsOfAnIteration;
    return result(settled);
  }

 private:
  using Compliant = CompliantPath<Law, TreeProblem<Law>>;
  static constexpr bool kSweeps = std::is_same_v<Law, Cone>;

  /// Returns whether p_ is the limit of equal compliance.
  bool solveWith(Compliant& compliant) {
    const int grown = larger(1, problem_.contacts / PathRules::kContactsOfAWay);
    const int most = Budget::kStepsOfAnIteration * settings_.max_iterations * grown;
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
    if (!settled && !(compliant.residual() < residual_)) return;
    residual_ = compliant.residual();
    copyVector(compliant.best(), p_, problem_.rows());
  }

  /// Where the path leads nowhere: sweeps get closer, step by small step, and now and then Newton's method tries to
  /// finish.
  void sweepAndFinish(Compliant& compliant, Arena& arena) {
    TreeSweeps<TreeProblem<Law>> sweeps(problem_, arena);
    for (int round = 0; round < TreeRules::kRounds && !solved(); ++round) {
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

  void count(SolverStage stage, int steps) { steps_[static_cast<int>(stage)] += steps; }
  bool solved() const { return residual_ <= settings_.tolerance; }
  bool uses(SolverStage stage) const { return (without_ >> static_cast<int>(stage) & 1u) == 0; }
  bool isZero(const double* p) const {
    for (int k = 0; k < problem_.rows(); ++k)
      if (p[k] != 0.0) return false;
    return true;
  }

  KernelResult result(bool minimum_norm) {
    if (!solved()) {
      problem_.velocity(p_, v_);
      problem_.residual(p_, v_);  // for the worst contact
      if (!problem_.isFinite()) residual_ = infinity();
    }
    if (residual_ == infinity()) copyVector(warm_start_, p_, problem_.rows());
    KernelResult result{residual_, iterations_, problem_.worstContact(), minimum_norm && solved(), {}};
    for (int k = 0; k < kSolverStages; ++k) result.steps[k] = steps_[k];
    return result;
  }

  const SolverSettings& settings_;
  const unsigned without_;
  int iterations_ = 0;
  int steps_[kSolverStages] = {};
  double* p_;
  Arena arena_;
  TreeProblem<Law> problem_;
  double* v_;           ///< velocity of p_ [m/s]
  double* warm_start_;  ///< [N s]
  double residual_ = 0.0;
};

}  // namespace footfall::FOOTFALL_ISA
