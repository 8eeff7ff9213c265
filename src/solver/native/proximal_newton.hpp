#pragma once

#include "solver/native/newton_system.hpp"

namespace footfall::FOOTFALL_ISA {

/// How the one proximal Newton method is used.
struct NewtonPreset {
  double weight = 1e-9;      ///< of the proximal term, as a share of the mean of g
  bool own_scale = false;    ///< as a share of each contact's own g; false: impulses tend to those of least norm
  double shrink = 1.0;       ///< the term pulls towards this share of the starting impulses
  int max_steps = 5;         ///< in all
  int steps_per_target = 5;  ///< before the proximal term is moved
  int max_backtracks = 3;
  double fade = 0.1;        ///< by which the term becomes weaker when it has moved, at first
  bool turns_back = false;  ///< where it gets stuck: tries again with a term that is stronger; false: gives up
};

/// From a point that is nearly right: where contacts keep their states, one step. The term draws impulses that are not
/// unique a little towards the smallest ones, which costs nothing. Inherited.
inline constexpr NewtonPreset kFinish{.shrink = 0.97};
/// From a point of the interior-point method, whose states are right or not. Inherited.
inline constexpr NewtonPreset kPolish{.weight = 1e-7, .max_steps = 4, .steps_per_target = 4, .max_backtracks = 1};
/// Proximal problems whose term fades in small steps, from the best point so far. Inherited.
inline constexpr NewtonPreset kFadingTerm{.weight = 1e-5,
                                          .own_scale = true,
                                          .max_steps = 150,
                                          .steps_per_target = 6,
                                          .max_backtracks = 1,
                                          .fade = 0.3,
                                          .turns_back = true};

/// Semismooth Newton on the Alart–Curnier map with the proximal term  weight·(p − target)  added to the velocity. The
/// term makes the system regular where impulses are not unique, and decides which of them is returned. From target to
/// target it becomes weaker; a path that is followed in small steps gets to where one big step does not.
template <class Law, class ProblemT>
class ProximalNewton {
 public:
  ProximalNewton(const ProblemT& problem, Arena& arena) : problem_(problem), system_(problem, arena) {
    for (double** vector : {&v_proximal_, &direction_, &start_, &target_, &reached_, &best_})
      *vector = arena.take<double>(problem.rows());
    scale_ = arena.take<double>(problem.stride());
  }
  static std::size_t scratchSize(int stride) {
    return NewtonSystem<Law, ProblemT>::scratchSize(stride) + 6 * DenseLu::paddedSize(3 * stride) +
           DenseLu::paddedSize(stride);
  }

  /// Improves p until its residual is within the tolerance or no more progress is made; p is the best point found.
  /// @param v velocity of p at the start, scratch afterwards
  /// @return the residual of p
  double run(double* p, double* v, double tolerance, const NewtonPreset& preset, int max_steps) {
    begin(p, v, preset);
    int steps_left = max_steps;
    while (steps_left > 0) {
      const Progress progress = approach(p, tolerance, preset, steps_left);
      if (progress == Progress::solved) break;
      if (progress == Progress::arrived)
        weakenTheTerm(p);
      else if (preset.turns_back)
        turnBack(p);
      else
        break;
      copyVector(p, target_, problem_.rows());
    }
    copyVector(best_, p, problem_.rows());
    return best_residual_;
  }

  int steps() const { return steps_; }

 private:
  enum class Progress { solved, arrived, stuck };

  void begin(const double* p, double* v, const NewtonPreset& preset) {
    v_ = v;
    weight_ = preset.weight;
    for (int i = 0; i < problem_.stride(); ++i) scale_[i] = preset.own_scale ? problem_.g[i] : problem_.mean_g;
    fade_ = preset.fade;
    reached_weight_ = 0.0;
    reached_residual_ = infinity();
    for (int k = 0; k < problem_.rows(); ++k) target_[k] = preset.shrink * p[k];
    best_residual_ = infinity();
    keepIfBetter(p);
  }

  /// Newton steps towards the present target. `arrived`: the proximal problem is solved, the term itself is what is
  /// left of the residual.
  Progress approach(double* p, double tolerance, const NewtonPreset& preset, int& steps_left) {
    double merit = proximalResidual(p);
    for (int step = 0; step < preset.steps_per_target && steps_left > 0; ++step) {
      --steps_left;
      ++steps_;
      system_.direction(p, v_proximal_, weight_, scale_, direction_);
      merit = searchAlongDirection(p, merit, preset.max_backtracks);
      residual_ = keepIfBetter(p);
      if (residual_ <= tolerance) return Progress::solved;
      if (merit < NewtonRules::kOnlyTheTerm * residual_ || merit < tolerance) return Progress::arrived;
    }
    return Progress::stuck;
  }

  /// The next proximal problem: centred at p, with a weaker term.
  void weakenTheTerm(double* p) {
    reached_weight_ = weight_;
    copyVector(p, reached_, problem_.rows());
    const bool slow = residual_ > NewtonRules::kSlow * reached_residual_;
    reached_residual_ = residual_;
    if (slow && extrapolate(p)) {
      reached_residual_ = infinity();
      return;
    }
    weight_ = larger(fade_ * weight_, NewtonRules::kSmallestWeight);
    fade_ = larger(fade_ * fade_, NewtonRules::kQuickestFade);
  }

  /// Back to where the last proximal problem was solved, from where the term becomes weaker by less. Before the first,
  /// or when that is of no use any more: to the best point and a term that is much stronger.
  void turnBack(double* p) {
    fade_ = squareRoot(fade_);
    if (reached_weight_ > 0.0 && fade_ <= NewtonRules::kSlowestFade) {
      weight_ = fade_ * reached_weight_;
      copyVector(reached_, p, problem_.rows());
    } else {
      weight_ = smaller(NewtonRules::kStronger * weight_, NewtonRules::kLargestWeight);
      fade_ = NewtonRules::kNewFade;
      reached_weight_ = 0.0;
      copyVector(best_, p, problem_.rows());
    }
    problem_.velocity(p, v_);
    reached_residual_ = infinity();
  }

  /// Contacts of one body may be asked to stick with velocities that its shape does not allow, by a nanometre per
  /// second. Then impulses against each other have to grow until one of them slides, and every proximal problem lets
  /// them grow by the same amount. This takes all of these steps at once, up to where a contact slides or opens.
  bool extrapolate(double* p) {
    for (int k = 0; k < problem_.rows(); ++k) direction_[k] = p[k] - target_[k];
    double length = NewtonRules::kFarthestExtrapolation;
    for (int i = 0; i < problem_.contacts; ++i)
      length = smaller(length, Law::stepToNextState(problem_.mu[i], contactOf(p, problem_.stride(), i),
                                                    contactOf(direction_, problem_.stride(), i)));
    if (!(length > 1.0)) return false;
    for (int k = 0; k < problem_.rows(); ++k) p[k] += length * direction_[k];
    problem_.project(p);
    problem_.velocity(p, v_);
    return true;
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
    const int stride = problem_.stride();
    for (int c = 0; c < 3; ++c) {
      for (int i = 0; i < stride; ++i) {
        const int k = c * stride + i;
        v_proximal_[k] = v_[k] + weight_ * scale_[i] * (p[k] - target_[k]);
      }
    }
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
      if (trial_merit < (1.0 - NewtonRules::kEnoughDecrease * length) * merit || trial >= max_backtracks)
        return trial_merit;
      length *= NewtonRules::kBacktrack;
    }
  }

  const ProblemT& problem_;
  NewtonSystem<Law, ProblemT> system_;
  double weight_ = 0.0;            ///< of the present proximal term, as a share of scale_
  double fade_ = 0.0;              ///< by which it becomes weaker next time
  double reached_weight_ = 0.0;    ///< of the last proximal problem that was solved; zero: none
  double reached_residual_ = 0.0;  ///< the residual of its solution
  double residual_ = 0.0;          ///< of the latest point
  double best_residual_ = 0.0;
  int steps_ = 0;
  double* scale_;        ///< of each contact [1/kg]
  double* v_ = nullptr;  ///< G p + b
  double* v_proximal_;   ///< the same with the proximal term
  double* direction_;
  double* start_;
  double* target_;
  double* reached_;  ///< solution of the last proximal problem that was solved
  double* best_;
};

}  // namespace footfall::FOOTFALL_ISA
