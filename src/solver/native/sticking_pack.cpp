#include "footfall/solver/sticking_pack.hpp"

#include <algorithm>

#include "footfall/simd/instruction_set.hpp"
#include "solver/native/sticking_kernel.hpp"

namespace footfall {
namespace {

const StickingKernel& chooseStickingKernel() {
#if defined(FOOTFALL_ONLY_ISA)
  return FOOTFALL_ONLY_ISA::sticking_kernel;
#elif defined(__x86_64__)
  switch (instructionSet()) {
    case InstructionSet::avx512:
      return avx512::sticking_kernel;
    case InstructionSet::avx2:
      return avx2::sticking_kernel;
    case InstructionSet::baseline:
      break;
  }
  return baseline::sticking_kernel;
#else
  return baseline::sticking_kernel;
#endif
}

const ProblemPack* packs(const double* values) { return reinterpret_cast<const ProblemPack*>(values); }
ProblemPack* packs(double* values) { return reinterpret_cast<ProblemPack*>(values); }

}  // namespace

StickingPack::StickingPack(int contacts)
    : kernel_(chooseStickingKernel()),
      rows_(3 * contacts),
      part_(static_cast<std::size_t>(rows_) * kProblems, 0.0),
      L_(static_cast<std::size_t>(rows_) * (rows_ + 1) / 2 * kProblems, 0.0),
      inverse_(part_) {}

void StickingPack::factorise(const double* G, const double* part, const double* compliance) {
  std::copy_n(part, part_.size(), part_.begin());
  kernel_.factorise(rows_, packs(G), packs(part_.data()), *packs(compliance), packs(L_.data()), packs(inverse_.data()));
}

void StickingPack::solve(const double* b, double* p) const {
  kernel_.solve(rows_, packs(L_.data()), packs(inverse_.data()), packs(part_.data()), packs(b), packs(p));
}

void StickingPack::velocity(const double* G, const double* b, const double* p, double* v) const {
  kernel_.velocity(rows_, packs(G), packs(b), packs(p), packs(v));
}

}  // namespace footfall
