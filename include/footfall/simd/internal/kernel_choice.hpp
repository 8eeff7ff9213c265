#pragma once

#include "footfall/simd/instruction_set.hpp"

/// FOOTFALL_CHOSEN_KERNEL(name): of what footfall_kernel() has compiled under this name for each instruction set, that
/// of the one that is used.
#if defined(FOOTFALL_ONLY_ISA)
#define FOOTFALL_CHOSEN_KERNEL(name) FOOTFALL_ONLY_ISA::name
#elif defined(__x86_64__)
#define FOOTFALL_CHOSEN_KERNEL(name) ::footfall::simd::chosenKernel(baseline::name, avx2::name, avx512::name)
#else  // there is one, but another that somebody asks for is refused
#define FOOTFALL_CHOSEN_KERNEL(name) (static_cast<void>(::footfall::instructionSet()), baseline::name)
#endif

namespace footfall::simd {

template <class Kernel>
const Kernel& chosenKernel(const Kernel& baseline, const Kernel& avx2, const Kernel& avx512) {
  switch (instructionSet()) {
    case InstructionSet::avx512:
      return avx512;
    case InstructionSet::avx2:
      return avx2;
    case InstructionSet::baseline:
      break;
  }
  return baseline;
}

}  // namespace footfall::simd
