#pragma once

#include "solver/native/contact_system.hpp"

namespace footfall::FOOTFALL_ISA {

/// The linear system of one semismooth Newton step. Open contacts are eliminated: their impulses go to zero.
template <class Law, class ProblemT>
class NewtonSystem {
 public:
  NewtonSystem(const ProblemT& problem, Arena& arena) : problem_(problem), system_(problem, arena) {
    closed_velocity_ = arena.take<double>(problem.rows());
  }
  static std::size_t scratchSize(int stride) {
    return ContactSystem<ProblemT>::scratchSize(stride) + DenseLu::paddedSize(3 * stride);
  }

  /// Newton direction dp at (p, v) for the law with G + weight·scale in place of G; there is a scale for each contact.
  void direction(const double* p, const double* v, double weight, const double* scale, double* dp) {
    const double* v_closed = eliminateOpenContacts(p, v, dp);
    if (system_.count() == 0) return;
    system_.reserveRows();
    for (int q = 0; q < system_.count(); ++q) {
      const int i = system_.contact(q);
      const LocalEquations e = Law::linearise(problem_.g[i], problem_.mu[i], contactOf(p, problem_.stride(), i),
                                              contactOf(v, problem_.stride(), i));
      system_.writeRows(q, e, v_closed, weight * scale[i]);
    }
    system_.solve(dp, false);
  }

 private:
  /// Lists the closed contacts, sends the others to zero in dp, and returns the velocity after that.
  const double* eliminateOpenContacts(const double* p, const double* v, double* dp) {
    const int stride = problem_.stride();
    setZero(dp, problem_.rows());
    system_.begin();
    bool changed = false;
    for (int i = 0; i < problem_.contacts; ++i) {
      const Vector3<double> p_i = contactOf(p, stride, i);
      const double pressing = problem_.g[i] * p_i.n - Law::normalVelocity(problem_.mu[i], contactOf(v, stride, i));
      if (pressing > 0.0 && problem_.movable(i)) {
        system_.add(i);
      } else if (p_i.n != 0.0) {
        if (!changed) copyVector(v, closed_velocity_, problem_.rows());
        changed = true;
        setContact(dp, stride, i, {-p_i.x, -p_i.y, -p_i.n});
        problem_.addContact(i, {-p_i.x, -p_i.y, -p_i.n}, closed_velocity_);
      }
    }
    return changed ? closed_velocity_ : v;
  }

  const ProblemT& problem_;
  ContactSystem<ProblemT> system_;
  double* closed_velocity_;
};

}  // namespace footfall::FOOTFALL_ISA
