#pragma once

#include "solver/native/cone_pair.hpp"
#include "solver/native/interior_point.hpp"
#include "solver/native/proximal_newton.hpp"
#include "solver/native/pyramid_pair.hpp"
#include "solver/native/sweeps.hpp"

namespace footfall::FOOTFALL_ISA {

/// What the stages of the solver need to know of a law beyond its equations.
template <class Law>
struct Stages;
template <>
struct Stages<Cone> {
  using Pair = ConePair;
  static constexpr bool kSweeps = true;
};
template <>
struct Stages<Pyramid> {
  using Pair = PyramidPair<true>;
  static constexpr bool kSweeps = false;
};
template <>
struct Stages<ConvexPyramid> {
  using Pair = PyramidPair<false>;
  static constexpr bool kSweeps = false;
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
    v_ = arena_.doubles(problem_.rows());
    start_ = arena_.doubles(problem_.rows());
  }

  KernelResult solve(bool minimum_norm) {
    problem_.velocity(p_, v_);
    residual_ = problem_.residual(p_, v_);
    copyVector(p_, start_, problem_.rows());
    if (residual_ == infinity()) return result();
    if (residual_ <= tolerance_) {
      minimum_norm_ = minimum_norm;
      if (!minimum_norm_) shrink();
      return result();
    }
    if (sweepWhileItPays() || newtonFromHere() || interiorPoint()) return result();
    longNewton();
    return result();
  }

 private:
  using ProblemT = Problem<Law, kStride>;
  using Newton = ProximalNewton<Law, ProblemT>;

  bool solved() const { return residual_ <= tolerance_; }

  /// Two sweeps, more only while the observed contraction promises to finish soon.
  bool sweepWhileItPays() {
    if constexpr (!Stages<Law>::kSweeps) return false;
    Arena arena = arena_;
    Sweeps<ProblemT> sweeps(problem_, arena);
    sweeps.prepare();
    double before = residual_;
    int count = 2;
    int total = 0;
    for (;;) {
      for (int k = 0; k < count; ++k) sweeps.sweep(p_, v_);
      total += count;
      spend(count);
      residual_ = problem_.residual(p_, v_);
      if (solved()) return true;
      const double rate = __builtin_pow(residual_ / before, 1.0 / count);
      if (!(rate < 0.9)) return false;
      const double needed = __builtin_ceil(__builtin_log(tolerance_ / residual_) / __builtin_log(rate));
      if (!(total + needed <= 6)) return false;
      before = residual_;
      count = needed < 1 ? 1 : (int)needed;
    }
  }

  bool newtonFromHere() {
    Arena arena = arena_;
    Newton newton(problem_, arena);
    copyVector(p_, start_, problem_.rows());
    NewtonSettings s;
    s.shrink = 0.97;
    residual_ = newton.run(p_, tolerance_, s);
    spend(newton.steps());
    return solved();
  }
  void shrink() {
    Arena arena = arena_;
    Newton newton(problem_, arena);
    copyVector(p_, start_, problem_.rows());
    double size = 0.0;
    for (int k = 0; k < problem_.rows(); ++k) size = larger(size, magnitude(p_[k]));
    NewtonSettings s;
    s.shrink = 0.7;
    s.weight = 1e-6;
    s.max_backtracks = 0;
    s.max_steps = s.steps_per_target = 6;
    s.proximal_accuracy = 0.01 * s.weight * problem_.mean_g * (1.0 - s.shrink) * size;
    double r = newton.run(p_, 1e-3, s);
    const bool ok = newton.proximalResidual() <= s.proximal_accuracy;
    if (r > tolerance_) {
      NewtonSettings t;
      t.weight = 1e-9;
      r = newton.run(p_, tolerance_, t);
    }
    spend(newton.steps());
    minimum_norm_ = r <= tolerance_ && ok && settled();
    if (!(r <= tolerance_)) copyVector(start_, p_, problem_.rows()); else residual_ = r;
  }
  bool settled() {
    double change = 0, size = 0;
    for (int k = 0; k < problem_.rows(); ++k) {
      change = larger(change, magnitude(p_[k] - start_[k]));
      size = larger(size, magnitude(p_[k]));
    }
    return change <= 1e-6 * size;
  }

  bool interiorPoint() {
    Arena arena = arena_;
    InteriorPoint<typename Stages<Law>::Pair, ProblemT> interior(problem_, arena);
    double* x = arena.doubles(problem_.rows());
    double* trial = arena.doubles(problem_.rows());
    double* v = arena.doubles(problem_.rows());
    double best = infinity();
    int stalled = 0;
    double polish_below = larger(1e-3, tolerance_);
    interior.begin(x);
    for (int iteration = 0; iteration < 45; ++iteration) {
      problem_.velocity(x, v);
      const double residual = problem_.residual(x, v);
      if (residual < 0.9 * best) stalled = 0; else ++stalled;
      if (residual < best) best = residual;
      keepIfBetter(x, residual);
      if (solved()) return true;
      if (residual <= polish_below) {
        copyVector(x, trial, problem_.rows());
        Arena a2 = arena;
        Newton newton(problem_, a2);
        NewtonSettings s;
        s.weight = 1e-7; s.max_steps = s.steps_per_target = 4; s.max_backtracks = 1;
        const double polished = newton.run(trial, tolerance_, s);
        spend(newton.steps());
        keepIfBetter(trial, polished);
        if (solved()) return true;
        polish_below = 0.03 * residual;
      }
      if (stalled > 10) break;
      const double length = interior.step(x);
      spend(1);
      if (length == 0.0) break;
      if (length < 1e-4) stalled += 2;
    }
    return false;
  }

  void keepIfBetter(const double* p, double residual) {
    if (!(residual < residual_)) return;
    residual_ = residual;
    copyVector(p, p_, problem_.rows());
  }

  void longNewton() {
    Arena arena = arena_;
    Newton newton(problem_, arena);
    Sweeps<ProblemT> sweeps(problem_, arena);
    sweeps.prepare();
    int count = 4;
    NewtonSettings s;
    s.weight = 1e-5; s.max_steps = 40; s.steps_per_target = 6; s.max_restarts = 8;
    residual_ = newton.run(p_, tolerance_, s, [&](double* p) {
      if constexpr (!Stages<Law>::kSweeps) return;
      problem_.velocity(p, v_);
      for (int k = 0; k < count; ++k) sweeps.sweep(p, v_);
      spend(count);
      count = count < 256 ? 2 * count : count;
    });
    spend(newton.steps());
  }

  void spend(int iterations) {
    iterations_ += iterations;
    iterations_left_ -= iterations;
  }

  KernelResult result() {
    problem_.velocity(p_, v_);
    problem_.residual(p_, v_);
    KernelResult r;
    r.residual = residual_;
    r.iterations = iterations_;
    r.worst_contact = problem_.worstContact();
    r.minimum_norm = minimum_norm_;
    return r;
  }

  const double tolerance_;
  int iterations_ = 0;
  int iterations_left_;
  double* p_;
  Arena arena_;
  ProblemT problem_;
  double* v_;
  double* start_;
  double residual_ = 0.0;
  bool minimum_norm_ = false;
};

}  // namespace footfall::FOOTFALL_ISA
