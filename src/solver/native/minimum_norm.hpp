#pragma once

#include "solver/native/contact_system.hpp"
#include "solver/native/pins.hpp"

namespace footfall::FOOTFALL_ISA {

/// Where impulses are not unique, makes a solution smaller without changing any velocity: one damped step towards the
/// smallest of all solutions. Contacts are pinned to the limits of friction that the step would run through.
template <class Law, class Pins, class ProblemT>
class MinimumNorm {
 public:
  MinimumNorm(const ProblemT& problem, Arena& arena) : problem_(problem), system_(problem, arena) {
    for (double** vector : {&pull_, &step_, &trial_, &trial_velocity_}) *vector = arena.take<double>(problem.rows());
    pins_ = reinterpret_cast<Pins*>(arena.take<double>((problem.stride() * sizeof(Pins) + 7) / sizeof(double)));
  }
  static std::size_t scratchSize(int stride) {
    return ContactSystem<ProblemT>::scratchSize(stride) + 4 * DenseLu::paddedSize(3 * stride) +
           (stride + 8) * sizeof(Pins) / sizeof(double);
  }

  /// Needs a solution p with velocity v; keeps the residual within the tolerance. Returns whether p is the smallest.
  bool shrink(double* p, const double* v, double tolerance, double& residual) {
    const double size = largestEntry(p);
    weight_ = NormRules::kWeight * problem_.mean_g;
    pinWhatMoves(p, v, tolerance);
    for (int k = 0; k < problem_.rows(); ++k) pull_[k] = weight_ * NormRules::kShare * p[k];
    double length = 0.0;
    for (int round = 0; round < NormRules::kRounds; ++round)
      if (!findStep(p, length)) break;
    for (int k = 0; k < problem_.rows(); ++k) trial_[k] = p[k] + length * step_[k];
    problem_.project(trial_);
    problem_.velocity(trial_, trial_velocity_);
    const double trial_residual = problem_.residual(trial_, trial_velocity_);
    if (!(trial_residual <= tolerance)) return false;
    const bool smallest =
        length == 1.0 && largestEntry(step_) <= NormRules::kSettled * NormRules::kShare * size && pinsHold(p, v);
    copyVector(trial_, p, problem_.rows());
    residual = trial_residual;
    return smallest;
  }

 private:
  double largestEntry(const double* vector) const {
    double largest = 0.0;
    for (int k = 0; k < problem_.rows(); ++k) largest = larger(largest, magnitude(vector[k]));
    return largest;
  }

  /// Contacts that recede carry nothing, contacts that slide keep their direction; the others may share the load.
  void pinWhatMoves(const double* p, const double* v, double tolerance) {
    const int stride = problem_.stride();
    for (int i = 0; i < problem_.contacts; ++i) {
      const Vector3<double> v_i = contactOf(v, stride, i);
      pins_[i] = Pins{};
      pins_[i].pinSliding(problem_.mu[i], v_i, tolerance);
      const bool recedes = p[2 * stride + i] == 0.0 && Law::normalVelocity(problem_.mu[i], v_i) > tolerance;
      pins_[i].at_zero = recedes || !problem_.movable(i);
    }
  }

  /// Solves for the step with the present pins and finds how far it can be followed. Returns whether pins
  /// were added.
  bool findStep(const double* p, double& length) {
    const int stride = problem_.stride();
    setZero(step_, problem_.rows());
    system_.begin();
    for (int i = 0; i < problem_.contacts; ++i)
      if (!pins_[i].at_zero) system_.add(i);
    system_.reserveRows();
    for (int q = 0; q < system_.count(); ++q) {
      const int i = system_.contact(q);
      const LocalEquations e = pins_[i].equations(problem_.g[i], problem_.mu[i], contactOf(p, stride, i), weight_);
      system_.writeRows(q, e, pull_, weight_);
    }
    system_.solve(step_, true);

    length = 1.0;
    bool changed = false;
    for (int q = 0; q < system_.count(); ++q) {
      const int i = system_.contact(q);
      const Vector3<double> p_i = contactOf(p, stride, i);
      const double longest = pins_[i].stepOrPin(problem_.mu[i], p_i, contactOf(step_, stride, i));
      if (longest < NormRules::kBlocked) {
        changed = true;
        pins_[i].at_zero = p_i.n == 0.0;
      }
      length = smaller(length, longest);
    }
    return changed;
  }

  /// Whether the smallest solution presses against every pin; one that it would leave was pinned in vain.
  bool pinsHold(const double* p, const double* v) const {
    const int stride = problem_.stride();
    for (int i = 0; i < problem_.contacts; ++i) {
      Vector3<double> pull;
      double* entry[] = {&pull.x, &pull.y, &pull.n};
      for (int c = 0; c < 3; ++c) {
        const int k = c * stride + i;
        *entry[c] = trial_velocity_[k] - v[k] + weight_ * step_[k] + pull_[k];
      }
      if (!pins_[i].at_zero && !pins_[i].hold(problem_.mu[i], contactOf(p, stride, i), pull)) return false;
    }
    return true;
  }

  const ProblemT& problem_;
  ContactSystem<ProblemT> system_;
  double weight_ = 0.0;
  double* pull_;  ///< gradient of the norm, as a velocity
  double* step_;
  double* trial_;
  double* trial_velocity_;
  Pins* pins_;
};

}  // namespace footfall::FOOTFALL_ISA
