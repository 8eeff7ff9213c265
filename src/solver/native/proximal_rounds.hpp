#pragma once

#include <type_traits>

#include "solver/native/compliant_newton.hpp"

namespace footfall::FOOTFALL_ISA {

/// Solves a problem in rounds, from whatever impulses there are. A round of the proximal point method:
/// contacts give way by a compliance times the *change* of their impulses, which is a problem that Newton's method
/// solves in a few steps, for it starts close by; the next round starts from there. What a round changes becomes
/// smaller from round to round, and so does the compliance. Sweeps come first, and again where Newton's method got
/// lost twice: once, the compliance that was good before is nearer to the solution than sweeps are.
///
/// Unlike a path from soft contacts it uses what is known already, and redundant points do not harm: impulses that the
/// motion does not decide stay as they are.
template <class Law, class ProblemT>
class ProximalRounds {
 public:
  using Newton = CompliantNewton<Law, ProblemT>;
  static constexpr bool kSweeps = std::is_same_v<Law, Cone>;  ///< one contact by itself is solved for the cone alone

  ProximalRounds(const ProblemT& problem, double tolerance, Newton& newton, Arena& arena)
      : problem_(problem), tolerance_(tolerance), newton_(newton), sweeps_(problem, arena) {
    for (double** vector : {&p_, &v_, &best_}) *vector = arena.take<double>(problem.rows());
  }
  static std::size_t scratchSize(const typename ProblemT::Size& size) {
    return Sweeps::scratchSize(size) + 3 * DenseLu::paddedSize(3 * ProblemT::strideOf(size)) + 24;
  }

  /// After so many Newton steps impulses will do that are wrong by no more than `good_enough`, if they do no work and
  /// rounds are not about to arrive.
  void endInTime(int steps, double good_enough) {
    time_ = steps;
    good_enough_ = good_enough;
  }

  /// From impulses p. Returns whether best() solves the problem.
  bool solveFrom(const double* p, const RoundPreset& preset, int max_steps) {
    preset_ = preset;
    newton_.setShares(Newton::Shares::own);
    end_ = newton_.steps() + max_steps;
    copyVector(p, p_, problem_.rows());
    look();
    compliance_ = preset.first;
    fade_ = preset.fade;
    level_ = infinity();
    grace_ = preset.grace;
    got_lost_ = converges_ = false;
    int waited = 0;
    const double given = residual_;
    sweep();
    if (!preset.trusts_sweeps && residual_ > given) returnToBest();
    while (!solved() && hasStepsLeft() && waited < ProximalRules::kPatience) {
      const double before = best_residual_;
      takeRound(smaller(ProximalRules::kStepsPerRound, end_ - newton_.steps()));
      waited = best_residual_ < ProximalRules::kProgress * before ? 0 : waited + 1;
    }
    return solved();
  }

  const double* best() const { return best_; }
  double residual() const { return best_residual_; }
  int sweeps() const { return swept_; }

 private:
  using Sweeps = typename ProblemT::Sweeping;
  bool solved() const { return best_residual_ <= tolerance_; }

  /// Measures p_, and keeps the best.
  void look() {
    problem_.velocity(p_, v_);
    residual_ = problem_.residual(p_, v_);
    if (!(residual_ < best_residual_)) return;
    best_residual_ = residual_;
    copyVector(p_, best_, problem_.rows());
    best_work_ = 0.0;
    for (int row = 0; row < problem_.rows() && good_enough_ > 0.0; ++row) best_work_ += p_[row] * v_[row];
  }
  bool isGoodEnough() const { return best_residual_ <= good_enough_ && best_work_ <= 0.0; }

  void returnToBest() {
    copyVector(best_, p_, problem_.rows());
    look();
  }

  /// Rounds that are about to arrive are not cut short.
  bool hasStepsLeft() {
    if (newton_.steps() >= time_ && isGoodEnough() && !converges_) return false;
    if (newton_.steps() < end_) return true;
    if (!converges_ || grace_ == 0) return false;
    end_ = newton_.steps() + grace_;
    grace_ = 0;
    return true;
  }

  void takeRound(int max_steps) {
    const int before = newton_.steps();
    newton_.startNear(p_, v_, compliance_ * problem_.mean_g);
    const bool arrived =
        newton_.solveTo(larger(preset_.precision * residual_, ProximalRules::kShareOfTolerance * tolerance_), max_steps,
                        preset_.patience);
    const double last = residual_;
    if (!arrived) {
      if (newton_.steps() < end_) converges_ = false;
      return softenAndSweep();
    }
    copyVector(newton_.impulse(), p_, problem_.rows());
    look();
    const bool much_worse = residual_ > ProximalRules::kMuchWorse * larger(last, level_);
    level_ = residual_;
    converges_ = residual_ <= ProximalRules::kSlow * last && residual_ <= best_residual_;
    if (much_worse) return softenAndSweep();
    got_lost_ = false;
    fade_ = larger(fade_ * squareRoot(fade_), preset_.fade);
    const bool easy = newton_.steps() - before <= ProximalRules::kFewSteps;
    if (easy || residual_ > ProximalRules::kSlow * last)
      compliance_ = larger(fade_ * compliance_, ProximalRules::kStiffest);
  }

  void softenAndSweep() {
    if (end_ - newton_.steps() < preset_.worth) {
      end_ = newton_.steps();
      return;
    }
    compliance_ = smaller(compliance_ / (preset_.trusts_sweeps ? preset_.fade : fade_), ProximalRules::kSoftest);
    fade_ = squareRoot(fade_);
    if (preset_.trusts_sweeps || got_lost_) sweep();
    got_lost_ = true;
  }

  void sweep() {
    if constexpr (kSweeps) {
      sweeps_.sweep(preset_.sweeps, p_);
      swept_ += preset_.sweeps;
      end_ -= preset_.worth;
    }
    look();
  }

  const ProblemT& problem_;
  const double tolerance_;
  Newton& newton_;
  Sweeps sweeps_;
  RoundPreset preset_ = kRoundsOfOneRobot;
  double compliance_ = 0.0;  ///< of a contact, in units of its own g
  double fade_ = 0.0;        ///< by which it becomes smaller
  double residual_ = 0.0, best_residual_ = infinity();
  double best_work_ = 0.0;  ///< of the best impulses, on the velocities that they lead to [J]
  double good_enough_ = 0.0;
  int time_ = 0;        ///< steps after which these will do
  double level_ = 0.0;  ///< residual of the last round; sweeps after it hide what they cannot mend
  int end_ = 0;         ///< of the steps that may be made
  int grace_ = 0;       ///< more of them, once
  bool converges_ = false, got_lost_ = false;  ///< the last round
  int swept_ = 0;
  double *p_, *v_, *best_;
};

}  // namespace footfall::FOOTFALL_ISA
