#pragma once

#include "solver/native/newton_system.hpp"

namespace footfall::FOOTFALL_ISA {

struct NewtonSettings {
  double weight = 1e-9;      ///< of the proximal term, as a share of the mean of g
  double shrink = 1.0;       ///< the term pulls towards this share of the starting impulses
  int max_steps = 5;         ///< in all
  int steps_per_target = 5;  ///< before the proximal term is moved
  int max_backtracks = 3;
  int max_restarts = 0;  ///< from the best point, with a stronger term, when it got stuck
};

/// Semismooth Newton on the Alart–Curnier map with the proximal term  weight·(p − target)  added to the velocity. The
/// term makes the system regular where impulses are not unique, and decides which of them is returned.
template <class Law, class ProblemT>
class ProximalNewton {
 public:
  ProximalNewton(const ProblemT& problem, Arena& arena) : problem_(problem), system_(problem, arena) {
    for (double** vector : {&v_proximal_, &direction_, &start_, &target_, &best_})
      *vector = arena.doubles(problem.rows());
  }
  static std::size_t scratchSize(int stride) {
    return NewtonSystem<Law, ProblemT>::scratchSize(stride) + 5 * DenseLu::paddedSize(3 * stride);
  }

  /// Improves p until its residual is within the tolerance or no more progress is made; p is the best point found.
  /// @param v velocity of p at the start, scratch afterwards
  /// @param rescue rescue(p) may improve a point at which the method got stuck
  /// @return the residual of p
  template <class Rescue>
  double run(double* p, double* v, double tolerance, const NewtonSettings& settings, Rescue rescue) {
    begin(p, v, settings);
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
        if (keepIfBetter(p) <= tolerance) break;
        weight_ = smaller(30.0 * weight_, kLargestWeight * problem_.mean_g);
      } else {
        break;
      }
      copyVector(p, target_, problem_.rows());
    }
    copyVector(best_, p, problem_.rows());
    return best_residual_;
  }
  double run(double* p, double* v, double tolerance, const NewtonSettings& settings) {
    return run(p, v, tolerance, settings, [](double*) {});
  }

  int steps() const { return steps_; }

 private:
  static constexpr double kSmallestWeight = 1e-11, kLargestWeight = 1e-2;
  enum class Progress { solved, arrived, stuck };

  void begin(const double* p, double* v, const NewtonSettings& settings) {
    v_ = v;
    weight_ = settings.weight * problem_.mean_g;
    for (int k = 0; k < problem_.rows(); ++k) target_[k] = settings.shrink * p[k];
    best_residual_ = infinity();
    keepIfBetter(p);
  }

  /// Newton steps towards the present target. `arrived`: the proximal problem is solved, the term itself is what is
  /// left of the residual.
  Progress approach(double* p, double tolerance, const NewtonSettings& settings, int& steps_left) {
    double merit = proximalResidual(p);
    for (int step = 0; step < settings.steps_per_target && steps_left > 0; ++step) {
      --steps_left;
      ++steps_;
      system_.direction(p, v_proximal_, weight_, direction_);
      merit = searchAlongDirection(p, merit, settings.max_backtracks);
      const double residual = keepIfBetter(p);
      if (residual <= tolerance) return Progress::solved;
      if (merit < 0.05 * residual || merit < tolerance) return Progress::arrived;
    }
    return Progress::stuck;
  }

  /// Returns the residual of the problem proper.
  double keepIfBetter(const double* p) {
    const double residual = problem_.residual(p, v_);
    if (residual < best_residual_) {
      best_residual_ = residual;
      copyVector(p, best_, problem_.rows());
    }
    return residual;
  }

  /// Residual of the problem with the proximal term; v_ must be up to date.
  double proximalResidual(const double* p) {
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
      problem_.velocity(p, v_);
      const double trial_merit = proximalResidual(p);
      if (trial_merit < (1.0 - 0.1 * length) * merit || trial >= max_backtracks) return trial_merit;
      length *= 0.4;
    }
  }

  const ProblemT& problem_;
  NewtonSystem<Law, ProblemT> system_;
  double weight_ = 0.0;  ///< [1/kg]
  double best_residual_ = 0.0;
  int steps_ = 0;
  double* v_ = nullptr;  ///< G p + b
  double* v_proximal_;   ///< the same with the proximal term
  double* direction_;
  double* start_;
  double* target_;
  double* best_;
};

}  // namespace footfall::FOOTFALL_ISA
