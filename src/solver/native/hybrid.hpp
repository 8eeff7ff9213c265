#pragma once

#include <type_traits>

#include "solver/native/compliant_path.hpp"
#include "solver/native/cone_pair.hpp"
#include "solver/native/interior_point.hpp"
#include "solver/native/minimum_norm.hpp"
#include "solver/native/proximal_newton.hpp"
#include "solver/native/pyramid_pair.hpp"
#include "solver/native/sweeps.hpp"

namespace footfall::FOOTFALL_ISA {

/// The parts that the stages use for a law, beside its equations.
template <class Law>
struct Parts;
template <>
struct Parts<Cone> {
  using Pair = ConePair;
  using Pins = ConePins;
  static constexpr bool kSweepsFirst = true;
  static constexpr bool kCompliant = true;
  static constexpr bool kPathFirst = true;
};
template <>
struct Parts<Pyramid> {
  using Pair = PyramidPair<true>;
  using Pins = PyramidPins;
  static constexpr bool kSweepsFirst = false;
  static constexpr bool kCompliant = true;
  static constexpr bool kPathFirst = false;  // corners of the pyramid: the interior point is quicker
};
template <>
struct Parts<ConvexPyramid> {
  using Pair = PyramidPair<false>;
  using Pins = PyramidPins;
  static constexpr bool kSweepsFirst = false;
  static constexpr bool kCompliant = false;
  static constexpr bool kPathFirst = false;
};

/// The whole solve: cheap methods first, robust ones only where they are needed. docs/contact_solver.md explains it.
template <class Law, int kStride>
class Hybrid {
 public:
  Hybrid(const KernelProblem& problem, const SolverSettings& settings, double* impulse, double* scratch)
      : tolerance_(settings.tolerance),
        iterations_left_(settings.max_iterations),
        p_(impulse),
        arena_(scratch),
        problem_(problem, arena_) {
    for (double** vector : {&v_, &warm_start_}) *vector = arena_.doubles(problem_.rows());
  }

  /// The largest of the stages, which use the same memory one after the other.
  static std::size_t scratchSize(int stride) {
    const std::size_t vector = DenseLu::paddedSize(3 * stride);
    const std::size_t newton = Newton::scratchSize(stride);
    const std::size_t interior = Interior::scratchSize(stride) + newton + 3 * vector;
    const std::size_t sweeps = SweepsT::scratchSize(stride);
    const std::size_t norm = Norm::scratchSize(stride);
    const std::size_t compliant = Compliant::scratchSize(stride) + larger(sweeps, newton);
    return 2 * DenseLu::paddedSize(stride) + 2 * vector + larger(larger(interior, compliant), norm);
  }

  KernelResult solve(bool minimum_norm) {
    copyVector(p_, warm_start_, problem_.rows());
    problem_.velocity(p_, v_);
    residual_ = problem_.residual(p_, v_);
    if (residual_ == infinity()) return result(false);
    if (solved() && (minimum_norm || isZero(p_))) return result(true);
    if constexpr (Parts<Law>::kCompliant) {
      if (compliantContacts() || solved()) return result(settled_);
      if (iterations_ > kFew) iterations_left_ = larger(iterations_left_, kReserve);
      problem_.velocity(p_, v_);
    } else if (solved()) {
      return result(shrinkToMinimumNorm());
    }
    if (manyContacts() && newtonFromWarmStart()) return result(false);
    if (sweepWhileItPays() || newtonTowardsLeastNorm()) return result(false);
    if (manyContacts() && followProximalPath(30)) return result(false);
    if (!interiorPoint()) followProximalPath(150);
    return result(false);
  }

 private:
  using ProblemT = Problem<Law, kStride>;
  using Newton = ProximalNewton<Law, ProblemT>;
  using Interior = InteriorPoint<typename Parts<Law>::Pair, ProblemT>;
  using SweepsT = Sweeps<ProblemT>;
  /// The convex pyramid has no compliant contacts of its own; these are not used.
  using CompliantLaw = std::conditional_t<Parts<Law>::kCompliant, Law, Pyramid>;
  using Compliant = CompliantPath<CompliantLaw, ProblemT>;
  using Norm = MinimumNorm<Law, typename Parts<Law>::Pins, ProblemT>;

  /// What the path leaves when it has used up its iterations, the stages below may solve in a few more; not where few
  /// were granted, for a correction that can be done without.
  static constexpr int kReserve = 200, kFew = 60;

  /// More than those of two feet with a few joints at their limits.
  bool manyContacts() const { return kStride == 0 && problem_.contacts > 16; }

  bool solved() const { return residual_ <= tolerance_; }
  int atMost(int iterations) const { return iterations < iterations_left_ ? iterations : iterations_left_; }

  /// The limit of equally compliant contacts. Returns whether p_ is that limit.
  bool compliantContacts() {
    constexpr int kDirectSteps = 24;
    constexpr int kStepsOfAnIteration = 2;  // they solve for the motion of the robot, not for all impulses
    Arena arena = arena_;
    Compliant compliant(problem_, tolerance_, arena);
    if (compliant.unique()) {
      if (solved() || sweepWhileItPays(arena) || newtonTowardsLeastNorm(arena)) return settled_ = true;
      problem_.velocity(p_, v_);
    }
    const int most = kStepsOfAnIteration * iterations_left_;
    bool settled = compliant.solveFrom(p_, v_, smaller(kDirectSteps, most));
    if (Parts<Law>::kPathFirst && !settled && !solved()) settled = compliant.solveFromRest(most - compliant.steps());
    spend((compliant.steps() + kStepsOfAnIteration - 1) / kStepsOfAnIteration);
    if (settled || compliant.residual() < residual_) {
      residual_ = compliant.residual();
      copyVector(compliant.best(), p_, problem_.rows());
    }
    return settled_ = settled;
  }

  bool shrinkToMinimumNorm() {
    Arena arena = arena_;
    ++iterations_;
    return Norm(problem_, arena).shrink(p_, v_, tolerance_, residual_);
  }

  /// Two sweeps, more only while the observed contraction promises to finish soon.
  bool sweepWhileItPays() { return sweepWhileItPays(arena_); }
  bool sweepWhileItPays(Arena arena) {
    if constexpr (!Parts<Law>::kSweepsFirst) return false;
    constexpr int kMost = 6;
    SweepsT sweeps(problem_, arena);
    sweeps.prepare();
    for (int count = 1; count <= kMost && iterations_left_ > 0; ++count) {
      const double before = residual_;
      sweeps.sweep(p_, v_);
      spend(1);
      residual_ = problem_.residual(p_, v_);
      if (solved()) return true;
      if (count == 1) continue;
      const double rate = residual_ / before;
      double promised = residual_;
      for (int more = count; more < kMost; ++more) promised *= rate;
      if (!(promised <= tolerance_)) return false;
    }
    return false;
  }

  /// A robot that lies still asks nearly the same question in every step, which sweeps over many contacts would rather
  /// spoil than improve. Nothing is kept of a failure.
  bool newtonFromWarmStart() {
    if (isZero(warm_start_)) return false;
    NewtonSettings settings;
    settings.own_scale = true;
    settings.max_steps = atMost(2);
    if (newtonFromHere(settings)) return true;
    copyVector(warm_start_, p_, problem_.rows());
    problem_.velocity(p_, v_);
    residual_ = problem_.residual(p_, v_);
    return false;
  }

  /// Where the contacts keep their states this takes one step. The proximal term draws impulses that are not unique a
  /// little towards the smallest ones, which costs nothing.
  bool newtonTowardsLeastNorm() { return newtonTowardsLeastNorm(arena_); }
  bool newtonTowardsLeastNorm(Arena arena) {
    NewtonSettings settings;
    settings.shrink = 0.97;
    settings.max_steps = atMost(5);
    return newtonFromHere(settings, arena);
  }

  /// From scratch; whenever it has come closer by much, Newton's method tries to finish.
  bool interiorPoint() {
    Arena arena = arena_;
    Interior interior(problem_, arena);
    double* x = arena.doubles(problem_.rows());
    double* v = arena.doubles(problem_.rows());
    double best = infinity(), polish_below = 1e-3;
    int stalled = 0;
    interior.begin(x);
    for (int step = 0; step < 45 && stalled <= 10 && iterations_left_ > 0; ++step) {
      problem_.velocity(x, v);
      const double residual = problem_.residual(x, v);
      stalled = residual < 0.9 * best ? 0 : stalled + 1;
      best = smaller(best, residual);
      keepIfBetter(x, residual);
      if (solved()) return true;
      if (residual <= polish_below) {
        polish(x, v, arena);
        if (solved()) return true;
        polish_below = 0.03 * residual;
      }
      spend(1);
      const double length = interior.step(x);
      if (length == 0.0) break;
      if (length < 1e-4) stalled += 2;
    }
    return false;
  }

  /// A few Newton steps from a copy of x, whose velocity is v; v is scratch afterwards.
  void polish(const double* x, double* v, Arena arena) {
    Newton newton(problem_, arena);
    double* trial = arena.doubles(problem_.rows());
    copyVector(x, trial, problem_.rows());
    NewtonSettings settings;
    settings.weight = 1e-7;
    settings.max_steps = settings.steps_per_target = atMost(4);
    settings.max_backtracks = 1;
    const double residual = newton.run(trial, v, tolerance_, settings);
    spend(newton.steps());
    keepIfBetter(trial, residual);
  }

  /// Proximal problems whose term fades in small steps, from the best point so far.
  bool followProximalPath(int max_steps) {
    NewtonSettings settings;
    settings.weight = 1e-5;
    settings.own_scale = true;
    settings.max_steps = atMost(max_steps);
    settings.steps_per_target = 6;
    settings.max_backtracks = 1;
    settings.fade = 0.3;
    settings.turns_back = true;
    problem_.velocity(p_, v_);
    return newtonFromHere(settings);
  }

  /// Needs the velocity of p_ in v_.
  bool newtonFromHere(const NewtonSettings& settings) { return newtonFromHere(settings, arena_); }
  bool newtonFromHere(const NewtonSettings& settings, Arena arena) {
    Newton newton(problem_, arena);
    residual_ = newton.run(p_, v_, tolerance_, settings);
    spend(newton.steps());
    return solved();
  }

  bool isZero(const double* p) const {
    for (int k = 0; k < problem_.rows(); ++k)
      if (p[k] != 0.0) return false;
    return true;
  }

  void keepIfBetter(const double* p, double residual) {
    if (!(residual < residual_)) return;
    residual_ = residual;
    copyVector(p, p_, problem_.rows());
  }

  void spend(int iterations) {
    iterations_ += iterations;
    iterations_left_ -= iterations;
  }

  KernelResult result(bool minimum_norm) {
    if (!solved()) {
      problem_.velocity(p_, v_);
      problem_.residual(p_, v_);  // for the worst contact
      if (!problem_.isFinite()) residual_ = infinity();
    }
    if (residual_ == infinity()) copyVector(warm_start_, p_, problem_.rows());
    return {residual_, iterations_, problem_.worstContact(), minimum_norm && solved()};
  }

  const double tolerance_;
  int iterations_ = 0;
  int iterations_left_;
  double* p_;
  Arena arena_;
  ProblemT problem_;
  double* v_;           ///< velocity of p_ [m/s]
  double* warm_start_;  ///< [N s]
  double residual_ = 0.0;
  bool settled_ = false;  ///< p_ is the limit of equal compliance
};

}  // namespace footfall::FOOTFALL_ISA
