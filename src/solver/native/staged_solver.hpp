#pragma once

#include <type_traits>

#include "solver/native/compliant_path.hpp"
#include "solver/native/interior_point.hpp"
#include "solver/native/minimum_norm.hpp"
#include "solver/native/policy.hpp"
#include "solver/native/proximal_newton.hpp"
#include "solver/native/proximal_rounds.hpp"
#include "solver/native/solve_progress.hpp"
#include "solver/native/sweeps.hpp"

namespace footfall::FOOTFALL_ISA {

/// The whole solve: runs the stages that the policy of a law names. Sizes are fixed where kStride > 0.
template <class Law, int kStride>
class StagedSolver : SolveProgress<Problem<Law, kStride>> {
 public:
  StagedSolver(const KernelProblem& problem, const SolverSettings& settings, double* impulse, KernelMemory memory)
      : Progress(problem, settings.tolerance, impulse, memory),
        few_granted_(settings.max_iterations <= kFewIterations),
        iterations_left_(settings.max_iterations) {}

  /// The largest of the stages, which use the same memory one after the other.
  static std::size_t scratchSize(int stride) {
    const std::size_t vector = DenseLu::paddedSize(3 * stride);
    const std::size_t newton = Newton::scratchSize(stride);
    const std::size_t interior = Interior::scratchSize(stride) + newton + 3 * vector;
    const std::size_t sweeps = SweepsT::scratchSize(stride);
    const std::size_t norm = Norm::scratchSize(stride);
    const std::size_t compliant =
        Compliant::scratchSize(stride) + larger(larger(sweeps, newton), Rounds::scratchSize(stride));
    return 2 * DenseLu::paddedSize(stride) + Progress::vectorSize(stride) + larger(larger(interior, compliant), norm);
  }

  KernelResult solve(bool minimum_norm) {
    if (!begin(minimum_norm)) return result(true);
    if constexpr (PolicyT::kCompliant) {
      if (solveByMotion() || solved() || leavesLastResorts()) return result(settled_);
      grantReserve();
      problem_.velocity(p_, v_);
    } else if (solved()) {
      return result(shrinkToMinimumNorm());
    }
    problem_.memo->matrix = 0;  // these stages take all of the memory
    runUntilSolved(PolicyT::kByImpulses, arena_);
    return result(false);
  }

 private:
  using PolicyT = Policy<Law>;
  using ProblemT = Problem<Law, kStride>;
  using Progress = SolveProgress<ProblemT>;
  using Progress::arena_, Progress::iterations_, Progress::p_, Progress::problem_, Progress::residual_,
      Progress::tolerance_, Progress::v_;
  using Progress::begin, Progress::count, Progress::keep, Progress::result, Progress::solved, Progress::startsCold,
      Progress::uses;
  using Newton = ProximalNewton<Law, ProblemT>;
  using Interior = InteriorPoint<typename PolicyT::Pair, ProblemT>;
  using SweepsT = Sweeps<ProblemT>;
  /// The convex pyramid has no compliant contacts of its own; these are not used.
  using CompliantLaw = std::conditional_t<PolicyT::kCompliant, Law, Pyramid>;
  using Compliant = CompliantPath<CompliantLaw, ProblemT>;
  using Rounds = ProximalRounds<CompliantLaw, ProblemT>;
  using Norm = MinimumNorm<Law, typename PolicyT::Pins, ProblemT>;

  int atMost(int iterations) const { return smaller(iterations, iterations_left_); }

  template <int kCount>
  bool runUntilSolved(const SolverStage (&stages)[kCount], Arena arena) {
    for (const SolverStage stage : stages)
      if (uses(stage) && run(stage, arena)) return true;
    return false;
  }

  /// A stage that starts from p_, whose velocity is v_. Returns whether the problem is solved.
  bool run(SolverStage stage, Arena arena) {
    if constexpr (has<PolicyT>(SolverStage::sweeps))
      if (stage == SolverStage::sweeps) return sweepWhileItPays(arena);
    if constexpr (has<PolicyT>(SolverStage::compliant_path))
      if (stage == SolverStage::compliant_path) return followPath(arena);
    if constexpr (has<PolicyT>(SolverStage::proximal_path))
      if (stage == SolverStage::proximal_path) return proximalPath(kFadingTerm.max_steps, arena);
    if (stage == SolverStage::interior_point) {
      if (triesPathBeforeInterior() && proximalPath(NewtonRules::kStepsBeforeInterior, arena)) return true;
      return interiorPoint(arena);
    }
    return newtonFromHere(stage, kFinish, kFinish.max_steps, arena);
  }

  /// The limit of equally compliant contacts. Returns whether p_ is that limit.
  bool solveByMotion() {
    Arena arena = arena_;
    Compliant compliant(problem_, tolerance_, arena);
    if (compliant.unique()) {
      if (solved() || runUntilSolved(PolicyT::kIfUnique, arena)) return settled_ = true;
      problem_.velocity(p_, v_);
    }
    const bool was_solved = solved();
    if (uses(SolverStage::compliant)) runCompliant(SolverStage::compliant, compliant);
    if constexpr (PolicyT::kRounds) {
      if (!was_solved && compliant.residual() <= tolerance_) keep(compliant.best(), compliant.residual());
      if (uses(SolverStage::proximal_path) && !settled_ && !solved()) goInRounds(compliant, arena);
    }
    if constexpr (hasByMotion<PolicyT>(SolverStage::compliant_path))
      if (uses(SolverStage::compliant_path) && !settled_ && !was_solved && (!solved() || sharesLoad()))
        runCompliant(SolverStage::compliant_path, compliant);
    takeCompliant(compliant);
    return settled_;
  }

  /// Few contacts share the load as equally compliant ones at once; with more, one solution will do: the next step
  /// shares it.
  bool sharesLoad() const { return problem_.contacts <= PathRules::kFewContacts; }

  /// Some steps tell whether rounds are the shorter way: from a warm start and for impacts of many contacts they are,
  /// else often the path. From nothing few contacts have to share the load, which the path does by itself.
  void goInRounds(Compliant& compliant, Arena arena) {
    const bool cold = startsCold();
    if (!cold || !sharesLoad())
      takeRounds(compliant, cold ? kRoundsFromNothing : kRoundsOfOneRobot, ProximalRules::kStepsBeforePath, arena);
    if (!solved() && uses(SolverStage::compliant_path)) startByPath(compliant);
    if (!solved()) takeRounds(compliant, kRoundsOfOneRobot, ProximalRules::kStepsAfterPath, arena);
  }

  void startByPath(Compliant& compliant) {
    const int before = compliant.steps();
    settled_ = compliant.solveFromRest(smaller(ProximalRules::kStepsOfThePath, stepsLeft(compliant)));
    count(SolverStage::compliant_path, compliant.steps() - before);
    if (compliant.residual() < residual_) keep(compliant.best(), compliant.residual());
  }

  /// From p_, as long as they are the shorter way. What they solve, the compliant stage may bring to the limit of equal
  /// compliance.
  void takeRounds(Compliant& compliant, const RoundPreset& preset, int max_steps, Arena arena) {
    const int before = compliant.steps();
    if (stepsLeft(compliant) <= preset.worth) return;
    Rounds rounds(problem_, tolerance_, compliant.newton(), arena);
    rounds.solveFrom(p_, preset, smaller(max_steps, stepsLeft(compliant)));
    count(SolverStage::proximal_path, compliant.steps() - before);
    count(SolverStage::sweeps, rounds.sweeps());
    spend(rounds.sweeps() / ProximalRules::kSweepsOfAnIteration);
    if (!(rounds.residual() < residual_)) return;
    keep(rounds.best(), rounds.residual());
    problem_.velocity(p_, v_);
    if (!solved() || !uses(SolverStage::compliant)) return;
    const int patience = startsCold() ? CompliantRules::kPatience : kPatience;  // no step before has shared the load
    runCompliant(SolverStage::compliant, compliant, PathRules::kLastSteps, patience);
  }

  /// The last resort of laws whose policy does not have it before.
  bool followPath(Arena arena) {
    grantReserve();
    Compliant compliant(problem_, tolerance_, arena);
    runCompliant(SolverStage::compliant_path, compliant);
    takeCompliant(compliant);
    return solved();
  }

  /// A stage from p_, whose velocity is v_, or from rest.
  void runCompliant(SolverStage stage, Compliant& compliant, int steps_at_once = CompliantRules::kStepsAtOnce,
                    int patience = kPatience) {
    const int before = compliant.steps(), most = stepsLeft(compliant);
    if (stage == SolverStage::compliant)
      settled_ = compliant.solveFrom(p_, v_, smaller(steps_at_once, most), patience);
    else
      settled_ = compliant.solveFromRest(most);
    count(stage, compliant.steps() - before);
  }

  /// Of the compliant stage: where rounds can take over, they are the shorter way as soon as it stops.
  static constexpr int kPatience = PolicyT::kRounds ? CompliantRules::kNoPatience : CompliantRules::kPatience;

  int stepsLeft(const Compliant& compliant) const {
    return Budget::kStepsOfAnIteration * iterations_left_ - compliant.steps();
  }

  void takeCompliant(const Compliant& compliant) {
    spend((compliant.steps() + Budget::kStepsOfAnIteration - 1) / Budget::kStepsOfAnIteration);
    if (settled_ || compliant.residual() < residual_) keep(compliant.best(), compliant.residual());
  }

  /// What the path leaves when it has used up its iterations, the stages below may solve in a few more; not where few
  /// were granted, for a correction that can be done without.
  void grantReserve() {
    if (!few_granted_) iterations_left_ = larger(iterations_left_, Budget::kReserve);
  }

  /// The systems of the stages by impulses are of all rows, and dear with many contacts.
  bool leavesLastResorts() const {
    return PolicyT::kRounds && few_granted_ && problem_.contacts > PathRules::kFewContacts;
  }

  bool shrinkToMinimumNorm() {
    if (!uses(SolverStage::minimum_norm)) return false;
    Arena arena = arena_;
    ++iterations_;
    count(SolverStage::minimum_norm, 1);
    return Norm(problem_, arena).shrink(p_, v_, tolerance_, residual_);
  }

  /// Two sweeps, more only while the observed contraction promises to finish soon.
  bool sweepWhileItPays(Arena arena) {
    SweepsT sweeps(problem_, arena);
    sweeps.prepare();
    for (int number = 1; number <= SweepRules::kMost && iterations_left_ > 0; ++number) {
      const double before = residual_;
      sweeps.sweep(p_, v_);
      spend(1, SolverStage::sweeps);
      residual_ = problem_.residual(p_, v_);
      if (solved()) return true;
      if (number < SweepRules::kAlways) continue;
      const double rate = residual_ / before;
      double promised = residual_;
      for (int more = number; more < SweepRules::kMost; ++more) promised *= rate;
      if (!(promised <= tolerance_)) return false;
    }
    return false;
  }

  /// From scratch; whenever it has come closer by much, Newton's method tries to finish.
  bool interiorPoint(Arena arena) {
    Interior interior(problem_, arena);
    double* x = arena.take<double>(problem_.rows());
    double* v = arena.take<double>(problem_.rows());
    double best = infinity(), polish_below = InteriorRules::kFirstPolish;
    int stalled = 0;
    interior.begin(x);
    for (int step = 0; step < InteriorRules::kSteps && stalled <= InteriorRules::kPatience && iterations_left_ > 0;
         ++step) {
      problem_.velocity(x, v);
      const double residual = problem_.residual(x, v);
      stalled = residual < InteriorRules::kProgress * best ? 0 : stalled + 1;
      best = smaller(best, residual);
      keepIfBetter(x, residual);
      if (solved()) return true;
      if (residual <= polish_below) {
        polish(x, v, arena);
        if (solved()) return true;
        polish_below = InteriorRules::kPolish * residual;
      }
      spend(1, SolverStage::interior_point);
      const double length = interior.step(x);
      if (length == 0.0) break;
      if (length < InteriorRules::kShortStep) stalled += 2;
    }
    return false;
  }

  /// A few Newton steps from a copy of x, whose velocity is v; v is scratch afterwards.
  void polish(const double* x, double* v, Arena arena) {
    Newton newton(problem_, arena);
    double* trial = arena.take<double>(problem_.rows());
    copyVector(x, trial, problem_.rows());
    const double residual = newton.run(trial, v, tolerance_, kPolish, atMost(kPolish.max_steps));
    spend(newton.steps(), SolverStage::interior_point);
    keepIfBetter(trial, residual);
  }

  bool triesPathBeforeInterior() const {
    return PolicyT::kPathBeforeInterior && problem_.contacts > PathRules::kFewContacts &&
           uses(SolverStage::proximal_path);
  }
  bool proximalPath(int max_steps, Arena arena) {
    problem_.velocity(p_, v_);
    return newtonFromHere(SolverStage::proximal_path, kFadingTerm, max_steps, arena);
  }

  /// Needs the velocity of p_ in v_.
  bool newtonFromHere(SolverStage stage, const NewtonPreset& preset, int max_steps, Arena arena) {
    Newton newton(problem_, arena);
    residual_ = newton.run(p_, v_, tolerance_, preset, atMost(max_steps));
    spend(newton.steps(), stage);
    return solved();
  }

  void keepIfBetter(const double* p, double residual) {
    if (residual < residual_) keep(p, residual);
  }

  void spend(int iterations) {
    iterations_ += iterations;
    iterations_left_ -= iterations;
  }
  void spend(int iterations, SolverStage stage) {
    count(stage, iterations);
    spend(iterations);
  }

  const bool few_granted_;  ///< iterations: who asks has something else to try
  int iterations_left_;
  bool settled_ = false;  ///< p_ is the limit of equal compliance
};

}  // namespace footfall::FOOTFALL_ISA
