#pragma once

#include "solver/native/dense_lu.hpp"
#include "solver/native/problem.hpp"

namespace footfall::FOOTFALL_ISA {

/// The linear system of one semismooth Newton step. Open contacts are eliminated: their impulses go to zero.
template <class Law, class ProblemT>
class NewtonSystem {
 public:
  NewtonSystem(const ProblemT& problem, Arena& arena)
      : problem_(problem), lu_(problem.rows(), arena), closed_(arena.integers(problem.stride())) {
    closed_velocity_ = arena.doubles(problem.rows());
    right_ = arena.doubles(problem.rows());
    solution_ = arena.doubles(problem.rows());
    combined_ = arena.doubles(problem.rows());
  }
  static std::size_t scratchSize(int stride) {
    return DenseLu::scratchSize(3 * stride) + DenseLu::paddedSize(stride) + 4 * DenseLu::paddedSize(3 * stride);
  }

  /// Newton direction dp at (p, v) for the law with G + weight·1 in place of G.
  void direction(const double* p, const double* v, double weight, double* dp) {
    const double* v_closed = eliminateOpenContacts(p, v, dp);
    if (closed_count_ == 0) return;
    lu_.resize(3 * closed_count_);
    bool all_stick = true;
    for (int q = 0; q < closed_count_; ++q) {
      const int i = closed_[q];
      const LocalEquations e = Law::linearise(problem_.g[i], problem_.mu[i], contactOf(p, problem_.stride(), i),
                                              contactOf(v, problem_.stride(), i));
      if (e.sticks)
        writeStickingRows(q, v_closed, weight);
      else
        writeGeneralRows(q, e, v_closed, weight);
      all_stick = all_stick && e.sticks;
    }
    lu_.factorise(!all_stick);
    lu_.solve(right_, solution_);
    for (int c = 0; c < 3; ++c)
      for (int q = 0; q < closed_count_; ++q) dp[problem_.stride() * c + closed_[q]] = solution_[c * closed_count_ + q];
  }

 private:
  /// Lists the closed contacts, sends the others to zero in dp, and returns the velocity after that.
  const double* eliminateOpenContacts(const double* p, const double* v, double* dp) {
    const int stride = problem_.stride();
    setZero(dp, problem_.rows());
    closed_count_ = 0;
    bool changed = false;
    for (int i = 0; i < problem_.contacts; ++i) {
      const Vector3<double> p_i = contactOf(p, stride, i);
      const double pressing = problem_.g[i] * p_i.n - Law::normalVelocity(problem_.mu[i], contactOf(v, stride, i));
      if (pressing > 0.0 && problem_.movable(i)) {
        closed_[closed_count_++] = i;
      } else if (p_i.n != 0.0) {
        if (!changed) copyVector(v, closed_velocity_, problem_.rows());
        changed = true;
        setContact(dp, stride, i, {-p_i.x, -p_i.y, -p_i.n});
        problem_.addContact(i, {-p_i.x, -p_i.y, -p_i.n}, closed_velocity_);
      }
    }
    return changed ? closed_velocity_ : v;
  }

  /// Copies the columns of the closed contacts.
  void gather(const double* from, double* to) const {
    if (closed_count_ == problem_.stride()) {
      copyVector(from, to, problem_.rows());
      return;
    }
    for (int c = 0; c < 3; ++c)
      for (int q = 0; q < closed_count_; ++q) to[c * closed_count_ + q] = from[c * problem_.stride() + closed_[q]];
  }

  void writeStickingRows(int q, const double* v, double weight) {
    for (int c = 0; c < 3; ++c) {
      const int k = c * closed_count_ + q;
      gather(problem_.row(closed_[q], c), lu_.row(k));
      lu_.row(k)[k] += weight;
      right_[k] = -v[c * problem_.stride() + closed_[q]];
    }
  }

  void writeGeneralRows(int q, const LocalEquations& e, const double* v, double weight) {
    const int i = closed_[q];
    const Vector3<double> v_i = contactOf(v, problem_.stride(), i);
    for (int c = 0; c < 3; ++c) {
      const double* C = e.C[c];
      const int k = c * closed_count_ + q;
      double* row = lu_.row(k);
      combineRows(i, C, row);
      for (int d = 0; d < 3; ++d) row[d * closed_count_ + q] += e.D[c][d] + weight * C[d];
      right_[k] = e.right[c] - (C[0] * v_i.x + C[1] * v_i.y + C[2] * v_i.n);
    }
  }

  /// row = C (G_x; G_y; G_n) of contact i, over the closed contacts.
  void combineRows(int i, const double* C, double* row) {
    const double *Gx = problem_.row(i, 0), *Gy = problem_.row(i, 1), *Gn = problem_.row(i, 2);
    if (C[0] == 0.0 && C[1] == 0.0 && C[2] == 0.0) {
      setZero(row, lu_.size());
      return;
    }
    for (int k = 0; k < problem_.rows(); ++k) combined_[k] = C[0] * Gx[k] + C[1] * Gy[k] + C[2] * Gn[k];
    gather(combined_, row);
  }

  const ProblemT& problem_;
  DenseLu lu_;
  int* closed_;
  int closed_count_ = 0;
  double* closed_velocity_;
  double* right_;
  double* solution_;
  double* combined_;
};

}  // namespace footfall::FOOTFALL_ISA
