#include "footfall/solver/contact_pack.hpp"

#include <algorithm>

#include "footfall/simd/internal/kernel_choice.hpp"
#include "solver/native/pack_kernel.hpp"

namespace footfall {
namespace {

const ProblemPack* packs(const double* values) { return reinterpret_cast<const ProblemPack*>(values); }
ProblemPack* packs(double* values) { return reinterpret_cast<ProblemPack*>(values); }

}  // namespace

ContactPack::ContactPack(int contacts)
    : kernel_(FOOTFALL_CHOSEN_KERNEL(pack_kernel)),
      rows_(3 * contacts),
      part_(static_cast<std::size_t>(rows_) * kProblems, 0.0),
      L_(static_cast<std::size_t>(rows_) * (rows_ + 1) / 2 * kProblems, 0.0),
      inverse_(part_),
      A_(static_cast<std::size_t>(rows_) * rows_ * kProblems, 0.0),
      pivots_(part_) {}

void ContactPack::factorise(const double* G, const double* part, const double* compliance) {
  std::copy_n(part, part_.size(), part_.begin());
  kernel_.factorise(rows_, packs(G), packs(part_.data()), *packs(compliance), packs(L_.data()), packs(inverse_.data()));
}

void ContactPack::solve(const double* b, double* p) const {
  kernel_.solve(rows_, packs(L_.data()), packs(inverse_.data()), packs(part_.data()), packs(b), packs(p));
}

void ContactPack::solveSliding(const double* G, const double* b, const ContactPackStates& states,
                               const double* compliance, double* p) {
  const ProblemPackStates view{packs(states.presses.data()), packs(states.sticks.data()), packs(states.x.data()),
                               packs(states.y.data()),       packs(states.drag.data()),   packs(states.give.data())};
  kernel_.solveSliding(rows_ / 3, packs(G), packs(b), view, *packs(compliance), packs(A_.data()), packs(pivots_.data()),
                       packs(p));
}

void ContactPack::velocity(const double* G, const double* b, const double* p, double* v) const {
  kernel_.velocity(rows_, packs(G), packs(b), packs(p), packs(v));
}

}  // namespace footfall
