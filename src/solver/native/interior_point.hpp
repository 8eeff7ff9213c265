#pragma once

#include "solver/native/interior_system.hpp"

namespace footfall::FOOTFALL_ISA {

/// Primal–dual interior point with Mehrotra's corrector for all contacts at once. Needs no starting point and is hard
/// to confuse; the Coulomb law, which is not the optimum of anything, enters by the De Saxcé term inside the Newton
/// matrix. `Pair` knows the cone of one contact.
template <class Pair, class ProblemT>
class InteriorPoint {
 public:
  InteriorPoint(const ProblemT& problem, Arena& arena) : problem_(problem), system_(problem, arena) {
    pairs_ = reinterpret_cast<Pair*>(arena.take<double>(problem.stride() * sizeof(Pair) / sizeof(double)));
    contact_ = arena.take<int>(problem.stride());
    for (double** vector : {&v_, &dp_, &dv_, &right_, &solution_}) *vector = arena.take<double>(problem.rows());
  }
  static std::size_t scratchSize(int stride) {
    return InteriorSystem<ProblemT>::scratchSize(stride) + (stride + 8) * sizeof(Pair) / sizeof(double) +
           DenseLu::paddedSize(stride) + 5 * DenseLu::paddedSize(3 * stride);
  }

  /// Starts afresh. p receives the first point.
  void begin(double* p) {
    count_ = 0;
    size_ = 0.0;
    for (int i = 0; i < problem_.contacts; ++i) {
      if (!problem_.movable(i)) continue;
      contact_[count_] = i;
      pairs_[count_] = Pair{};
      const double size = pairs_[count_].begin(problem_.g[i], problem_.mu[i], contactOf(problem_.b, stride(), i));
      size_ = larger(size_, size);
      ++count_;
    }
    for (int q = 0; q < count_; ++q) pairs_[q].start(size_, contactOf(problem_.b, stride(), contact_[q]));
    system_.begin(contact_, count_);
    writeImpulses(p);
  }

  /// One predictor–corrector step; returns its length, zero if the numbers have gone bad.
  double step(double* p) {
    const double mean = meanComplementarity();
    if (!(mean > 0.0 && mean < 1e100)) return 0.0;
    const double smoothing = mean * mean / (size_ * size_);
    problem_.velocity(p, v_);
    for (int q = 0; q < count_; ++q) pairs_[q].linearise(contactOf(v_, stride(), contact_[q]), smoothing);
    factorise();

    for (int q = 0; q < count_; ++q) pairs_[q].aimPredictor();
    findDirection();
    const double predicted = smaller(1.0, longestStep());
    const double aim = centring(predicted, mean) * mean;
    for (int q = 0; q < count_; ++q) pairs_[q].aimCorrector(aim);
    findDirection();
    const double length = smaller(1.0, InteriorRules::kStayInside * longestStep());
    for (int q = 0; q < count_; ++q) pairs_[q].advance(length);
    writeImpulses(p);
    return length;
  }

 private:
  int stride() const { return problem_.stride(); }

  double meanComplementarity() const {
    double sum = 0.0;
    for (int q = 0; q < count_; ++q) sum += pairs_[q].complementarity();
    return sum / (count_ * Pair::kDegree);
  }

  /// Mehrotra's rule: the better the predictor does, the less centring.
  double centring(double predicted_step, double mean) const {
    double sum = 0.0;
    for (int q = 0; q < count_; ++q) sum += pairs_[q].complementarityAfter(predicted_step);
    const double ratio = larger(sum / (count_ * Pair::kDegree), 0.0) / mean;
    const double sigma = smaller(larger(ratio * ratio * ratio, InteriorRules::kLeastCentring), 1.0);
    return predicted_step < InteriorRules::kPoorPredictor ? larger(sigma, InteriorRules::kCentring) : sigma;
  }

  void factorise() {
    for (int q = 0; q < count_; ++q) pairs_[q].addBlock(system_.block(q));
    system_.factorise();
  }

  void findDirection() {
    for (int q = 0; q < count_; ++q) setContact(right_, count_, q, pairs_[q].rightSide());
    system_.solve(right_, solution_);
    setZero(dp_, problem_.rows());
    for (int q = 0; q < count_; ++q) setContact(dp_, stride(), contact_[q], contactOf(solution_, count_, q));
    problem_.velocity(dp_, dv_);
    for (int k = 0; k < problem_.rows(); ++k) dv_[k] -= problem_.b[k];
    for (int q = 0; q < count_; ++q)
      pairs_[q].takeDirection(contactOf(dp_, stride(), contact_[q]), contactOf(dv_, stride(), contact_[q]));
  }

  double longestStep() const {
    double step = infinity();
    for (int q = 0; q < count_; ++q) step = smaller(step, pairs_[q].longestStep());
    return step;
  }

  void writeImpulses(double* p) const {
    setZero(p, problem_.rows());
    for (int q = 0; q < count_; ++q) setContact(p, stride(), contact_[q], pairs_[q].impulse());
  }

  const ProblemT& problem_;
  InteriorSystem<ProblemT> system_;
  Pair* pairs_;
  int* contact_;  ///< which contact each pair belongs to: those that can move
  int count_ = 0;
  double size_ = 0.0;  ///< largest scaled velocity that impulses must remove
  double* v_;
  double* dp_;
  double* dv_;
  double* right_;
  double* solution_;
};

}  // namespace footfall::FOOTFALL_ISA
