#pragma once

#include "solver/native/newton_system.hpp"

namespace footfall::FOOTFALL_ISA {

struct NewtonSettings {
  double weight = 1e-9;      ///< of the proximal term, as a share of the mean of g
  double shrink = 1.0;       ///< the term pulls towards this share of the starting impulses
  int max_steps = 5;         ///< in all
  int steps_per_target = 5;  ///< before the proximal term is moved
  int max_backtracks = 3;
  double proximal_accuracy = 0.0;  ///< [m/s] stop only when the problem with the term is solved as well as this; 0: never mind
  int max_restarts = 0;  ///< from the best point, with a stronger term, when it got stuck
};

/// Semismooth Newton on the Alart–Curnier map with the proximal term  weight·(p − target)  added to the velocity. The
/// term makes the system regular where impulses are not unique, and decides which of them is returned.
template <class Law, class ProblemT>
class ProximalNewton {
 public:
  ProximalNewton(const ProblemT& problem, Arena& arena) : problem_(problem), system_(problem, arena) {
    for (double** vector : {&v_, &v_proximal_, &direction_, &start_, &target_, &best_})
      *vector = arena.doubles(problem.rows());
  }
  static std::size_t scratchSize(int stride) {
    return NewtonSystem<Law, ProblemT>::scratchSize(stride) + 6 * DenseLu::paddedSize(3 * stride);
  }

  /// Improves p until its residual is within the tolerance or no more progress is made; p is the best point found.
  /// Returns its residual. `rescue(p)` may improve a point at which the method got stuck.
  template <class Rescue>
  double run(double* p, double tolerance, const NewtonSettings& settings, Rescue rescue) {
    begin(p, settings);
    int steps_left = settings.max_steps;
    int restarts_left = settings.max_restarts;
    while (steps_left > 0) {
      const Progress progress = approach(p, tolerance, settings, steps_left);
      if (progress == Progress::arrived) {
        weight_ = larger(0.1 * weight_, kSmallestWeight * problem_.mean_g);
      } else if (progress == Progress::stuck && restarts_left-- > 0) {
        copyVector(best_, p, problem_.rows());
        rescue(p);
        problem_.velocity(p, v_);
        best_residual_ = infinity();
        keepIfBetter(p, infinity());
        if (best_residual_ <= tolerance) break;
        weight_ = smaller(30.0 * weight_, kLargestWeight * problem_.mean_g);
      } else {
        break;
      }
      copyVector(p, target_, problem_.rows());
    }
    copyVector(best_, p, problem_.rows());
    return best_residual_;
  }
  double run(double* p, double tolerance, const NewtonSettings& settings) {
    return run(p, tolerance, settings, [](double*) {});
  }

  int steps() const { return steps_; }
  /// Residual of the problem with the proximal term at the point that was returned [m/s].
  double proximalResidual() const { return best_proximal_residual_; }

 private:
  static constexpr double kSmallestWeight = 1e-11, kLargestWeight = 1e-2;
  enum class Progress { solved, arrived, stuck };

  void begin(const double* p, const NewtonSettings& settings) {
    weight_ = settings.weight * problem_.mean_g;
    for (int k = 0; k < problem_.rows(); ++k) target_[k] = settings.shrink * p[k];
    copyVector(p, best_, problem_.rows());
    problem_.velocity(p, v_);
    best_residual_ = problem_.residual(p, v_);
    best_proximal_residual_ = infinity();
  }

  /// Newton steps towards the present target. `arrived`: the proximal problem is solved, the term itself is what is
  /// left of the residual.
  Progress approach(double* p, double tolerance, const NewtonSettings& settings, int& steps_left) {
    double merit = proximalResidual(p);
    for (int step = 0; step < settings.steps_per_target && steps_left > 0; ++step) {
      --steps_left;
      system_.direction(p, v_proximal_, weight_, direction_);
      merit = searchAlongDirection(p, merit, settings.max_backtracks);
      ++steps_;
      const double residual = keepIfBetter(p, merit, tolerance);
      if (residual <= tolerance && (settings.proximal_accuracy == 0.0 || merit <= settings.proximal_accuracy)) return Progress::solved;
      if (merit < 0.05 * residual || merit < tolerance) return Progress::arrived;
    }
    return Progress::stuck;
  }

  /// Returns the residual of the problem proper.
  double keepIfBetter(const double* p, double merit, double tolerance = 0.0) {
    const double residual = problem_.residual(p, v_);
    if (residual < best_residual_ || (residual <= tolerance && merit < best_proximal_residual_)) {
      best_residual_ = residual;
      best_proximal_residual_ = merit;
      copyVector(p, best_, problem_.rows());
    }
    return residual;
  }

  /// Velocity with and without the proximal term; returns the residual with it.
  double proximalResidual(const double* p) {
    problem_.velocity(p, v_);
    for (int k = 0; k < problem_.rows(); ++k) v_proximal_[k] = v_[k] + weight_ * (p[k] - target_[k]);
    return problem_.residual(p, v_proximal_);
  }

  /// Goes along the direction as far as the residual falls; the last trial is taken in any case.
  double searchAlongDirection(double* p, double merit, int max_backtracks) {
    copyVector(p, start_, problem_.rows());
    double length = 1.0;
    for (int trial = 0;; ++trial) {
      for (int k = 0; k < problem_.rows(); ++k) p[k] = start_[k] + length * direction_[k];
      problem_.project(p);
      const double trial_merit = proximalResidual(p);
      if (trial_merit < (1.0 - 0.1 * length) * merit || trial >= max_backtracks) return trial_merit;
      length *= 0.4;
    }
  }

  const ProblemT& problem_;
  NewtonSystem<Law, ProblemT> system_;
  double weight_ = 0.0;  ///< [1/kg]
  double best_residual_ = 0.0;
  double best_proximal_residual_ = 0.0;
  int steps_ = 0;
  double* v_;           ///< G p + b
  double* v_proximal_;  ///< the same with the proximal term
  double* direction_;
  double* start_;
  double* target_;
  double* best_;
};

}  // namespace footfall::FOOTFALL_ISA
