#pragma once

#include "solver/native/dense_lu.hpp"
#include "solver/native/vectors.hpp"

namespace footfall::FOOTFALL_ISA {

/// How far a solve has come: the impulses so far, their residual, and what that took.
template <class ProblemT>
class SolveProgress {
 public:
  SolveProgress(const KernelProblem& problem, double tolerance, double* impulse, KernelMemory memory)
      : tolerance_(tolerance),
        without_(problem.without),
        p_(impulse),
        arena_(memory.begin, memory.size),
        problem_(problem, arena_) {
    for (double** vector : {&v_, &warm_start_}) *vector = arena_.take<double>(problem_.rows());
  }

 protected:
  /// Of the vectors; the problem's own memory is beside it.
  static std::size_t vectorSize(int stride) { return 2 * DenseLu::paddedSize(3 * stride); }

  /// Measures the warm start. Returns whether anything is left to do.
  bool begin(bool minimum_norm) {
    copyVector(p_, warm_start_, problem_.rows());
    problem_.velocity(p_, v_);
    residual_ = problem_.residual(p_, v_);
    if (residual_ == infinity()) return false;
    return !(solved() && (minimum_norm || startsCold()));
  }
  bool startsCold() const {
    for (int k = 0; k < problem_.rows(); ++k)
      if (warm_start_[k] != 0.0) return false;
    return true;
  }

  bool solved() const { return residual_ <= tolerance_; }
  bool uses(SolverStage stage) const { return (without_ >> static_cast<int>(stage) & 1u) == 0; }
  void count(SolverStage stage, int steps) { steps_[static_cast<int>(stage)] += steps; }

  void keep(const double* p, double residual) {
    residual_ = residual;
    copyVector(p, p_, problem_.rows());
  }

  /// @param minimum_norm whether the impulses, if they solve the problem, are the ones that are wanted of all
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

  const double tolerance_;
  const unsigned without_;  ///< stages that are left out
  int iterations_ = 0;
  int steps_[kSolverStages] = {};  ///< of each stage
  double* p_;
  Arena arena_;
  ProblemT problem_;
  double* v_;           ///< velocity of p_ [m/s]
  double* warm_start_;  ///< [N s]
  double residual_ = 0.0;
};

}  // namespace footfall::FOOTFALL_ISA
