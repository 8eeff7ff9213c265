#pragma once

#include "solver/native/compliant_newton.hpp"

namespace footfall::FOOTFALL_ISA {

/// Solves the rigid problem as the limit of equally compliant contacts (compliant_newton.hpp): with a compliance so
/// small that no contact gives way by more than a share of the tolerance. Impulses that are not unique are those of the
/// limit.
template <class Law, class ProblemT>
class CompliantPath {
 public:
  CompliantPath(const ProblemT& problem, double tolerance, Arena& arena)
      : problem_(problem), tolerance_(tolerance), newton_(problem, arena) {
    for (double** vector : {&best_, &velocity_}) *vector = arena.take<double>(problem.rows());
    newton_.begin();
  }
  static std::size_t scratchSize(const typename ProblemT::Size& size) {
    const int rows = 3 * ProblemT::strideOf(size);
    return CompliantNewton<Law, ProblemT>::scratchSize(size) + 2 * DenseLu::paddedSize(rows) + 16;
  }

  /// Impulses follow from velocities: there is nothing to choose.
  bool unique() const { return newton_.regular(); }

  /// At once with the final compliance, from impulses p and v = G p + b: good where contacts keep their states.
  /// @return whether best() is the limit of equal compliance
  bool solveFrom(const double* p, const double* v, int max_steps, int patience = CompliantRules::kPatience) {
    return startFrom(p, v, max_steps) && finish(max_steps, patience);
  }

  /// From rest, wherever the solution is. Returns as solveFrom() does; best() may solve the problem in any case.
  bool solveFromRest(int max_steps) {
    if (!(problem_.mean_g > 0.0)) return false;
    const int end = newton_.steps() + max_steps;
    const bool alike = problem_.largest_g < PathRules::kAlike * problem_.mean_g;
    if (alike && follow(Shares::equal, smaller(firstWay(), max_steps))) return true;
    if (follow(Shares::own, smaller(firstWay(), end - newton_.steps()))) {
      problem_.velocity(best_, velocity_);
      if (solveFrom(best_, velocity_, smaller(PathRules::kLastSteps, end - newton_.steps()))) return true;
    }
    const bool solved = best_residual_ <= tolerance_;
    if (alike || (solved && problem_.contacts > PathRules::kFewContacts)) return false;
    return follow(Shares::equal, end - newton_.steps());
  }

  /// How many times as many steps the problem is worth as a small one: many contacts change their states one after the
  /// other.
  int grown() const { return larger(1, problem_.contacts / PathRules::kContactsOfAWay); }

  const double* best() const { return best_; }
  double residual() const { return best_residual_; }
  int steps() const { return newton_.steps(); }
  CompliantNewton<Law, ProblemT>& newton() { return newton_; }  ///< for others, in turns

 private:
  using Shares = typename CompliantNewton<Law, ProblemT>::Shares;

  double finalCompliance(double largest_impulse) const {
    return PathRules::kShareOfTolerance * tolerance_ / largest_impulse;
  }
  int firstWay() const { return PathRules::kFirstWay * grown(); }
  int stepsPerPoint() const { return PathRules::kStepsPerPoint * grown(); }
  int atMost(int steps) const { return smaller(steps, end_ - newton_.steps()); }

  /// In the states that p and v = G p + b make likely. False: nothing presses.
  bool startFrom(const double* p, const double* v, int max_steps) {
    const double guess = largestGuess(p, v);
    if (!(guess > 0.0)) return false;
    end_ = newton_.steps() + max_steps;
    newton_.setShares(Shares::equal);
    newton_.startFrom(p, v, finalCompliance(guess));
    return true;
  }

  /// With the final compliance, which depends on the largest impulse.
  bool finish(int max_steps, int patience) {
    while (newton_.steps() < end_) {
      const bool arrived =
          newton_.solve(atMost(max_steps), PathRules::kFinalPrecision, PathRules::kHopeless * tolerance_, patience);
      const double residual = look();
      if (!arrived) return false;
      if (residual <= tolerance_) return accept(residual);
      newton_.changeCompliance(finalCompliance(newton_.largestImpulse()));
    }
    return false;
  }

  double largestGuess(const double* p, const double* v) const {
    double largest = 0.0;
    for (int i = 0; i < problem_.contacts; ++i) {
      if (!problem_.movable(i)) continue;
      const int row = 2 * problem_.stride() + i;
      largest = larger(largest, larger(p[row], p[row] - v[row] / problem_.g[i]));
    }
    return largest;
  }

  /// Measures the present impulses against the rigid problem, and keeps the best.
  double look() {
    problem_.velocity(newton_.impulse(), velocity_);
    const double residual = problem_.residual(newton_.impulse(), velocity_);
    if (residual < best_residual_) accept(residual);
    return residual;
  }

  bool accept(double residual) {
    best_residual_ = residual;
    copyVector(newton_.impulse(), best_, problem_.rows());
    return true;
  }

  /// From soft contacts to rigid ones in steps that are as long as Newton's method can follow. With shares of their own
  /// heavy and light become rigid together, which is the shorter way, but leads elsewhere where impulses are not
  /// unique.
  bool follow(Shares shares, int max_steps) {
    end_ = newton_.steps() + max_steps;
    fade_ = PathRules::kFade;
    takes_short_cut_ = false;
    bool on_path = false;
    newton_.setShares(shares);
    newton_.startFromRest(PathRules::kFirst * problem_.mean_g);
    while (newton_.steps() < end_) {
      const int before = newton_.steps();
      const double likely_yield = newton_.compliance() * yield_per_compliance_;
      const bool arrived =
          newton_.solve(atMost(takes_short_cut_ ? PathRules::kStepsOfAShortCut : stepsPerPoint()),
                        PathRules::kPrecision, on_path ? PathRules::kHopeless * likely_yield : infinity());
      const double residual = look();
      if (arrived && residual <= tolerance_) return sharpen();
      if (arrived) {
        relax(on_path && newton_.steps() - before <= PathRules::kQuick);
        on_path = true;
      } else if (takes_short_cut_) {
        takeShortCutBack();
      } else if (!on_path) {
        if (!startSofter()) return false;
      } else if (!shortenStep() && !getOverFold()) {
        return false;
      }
    }
    return false;
  }

  /// Solved; now to the precision that impulses deserve.
  bool sharpen() {
    const bool sharp = newton_.solve(atMost(stepsPerPoint()), PathRules::kFinalPrecision);
    const double residual = look();
    return !sharp || residual > tolerance_ || accept(residual);
  }

  /// The next point of the path, with less compliance; where the last one was reached quickly, its end.
  void relax(bool quick) {
    newton_.save();
    const double compliance = newton_.compliance();
    yield_per_compliance_ = newton_.yielding() / compliance;
    const double final = PathRules::kShareOfTolerance * tolerance_ / yield_per_compliance_;
    takes_short_cut_ = quick && fade_ * compliance > final;
    if (takes_short_cut_)
      newton_.changeCompliance(final);
    else
      newton_.changeCompliance(compliance > final ? larger(fade_ * compliance, final)
                                                  : PathRules::kBelowFinal * compliance);
    fade_ = larger(fade_ * squareRoot(fade_), PathRules::kFade);
  }

  /// States change on the way: step by step then, and another short cut after the next point.
  void takeShortCutBack() {
    takes_short_cut_ = false;
    newton_.restore();
    newton_.changeCompliance(fade_ * newton_.compliance());
  }

  bool startSofter() {
    const double compliance = PathRules::kSofter * newton_.compliance();
    newton_.startFromRest(compliance);
    return compliance < PathRules::kSoftest * problem_.mean_g;
  }

  bool shortenStep() {
    fade_ = squareRoot(squareRoot(fade_));  // a point that is out of reach is dear: the next try is a good deal closer
    if (fade_ > PathRules::kSlowestFade) return false;
    newton_.restore();
    newton_.changeCompliance(fade_ * newton_.compliance());
    return true;
  }

  /// The path turns back: contacts with less compliance than here have a solution elsewhere. It is looked for by
  /// holding the bounds of friction, solving, taking the new bounds, and so on.
  bool getOverFold() {
    fade_ = FoldRules::kFadeAfter;
    double share = 1.0;
    for (int trial = 0; trial < FoldRules::kTries && newton_.steps() < end_; ++trial) {
      newton_.restore();
      share *= FoldRules::kShare;
      findBounds(share * newton_.compliance());
      const bool arrived = newton_.solve(atMost(stepsPerPoint()), PathRules::kPrecision);
      look();
      if (!arrived) continue;
      relax(false);
      return true;
    }
    return false;
  }

  void findBounds(double compliance) {
    double last = infinity(), share = 1.0;
    newton_.holdBounds(1.0);
    newton_.changeCompliance(compliance);
    for (int round = 0; round < FoldRules::kRounds && newton_.steps() < end_; ++round) {
      newton_.solve(atMost(FoldRules::kStepsPerRound * grown()), PathRules::kPrecision);
      const double change = newton_.holdBounds(share);
      share = round < FoldRules::kFreeRounds || change < FoldRules::kSlow * last ? 1.0 : FoldRules::kDamped;
      last = change;
      if (change < FoldRules::kSettled * newton_.largestImpulse()) break;
    }
    newton_.releaseBounds();
  }

  const ProblemT& problem_;
  const double tolerance_;
  CompliantNewton<Law, ProblemT> newton_;
  int end_ = 0;                        ///< of the steps that may be made
  double yield_per_compliance_ = 0.0;  ///< at the last point of the path [N s]
  double fade_ = 0.0;                  ///< by which the compliance becomes smaller
  bool takes_short_cut_ = false;       ///< to the final compliance at once
  double best_residual_ = infinity();
  double* best_;
  double* velocity_;
};

}  // namespace footfall::FOOTFALL_ISA
