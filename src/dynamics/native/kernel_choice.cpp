#include "dynamics/native/kernel_table.hpp"
#include "footfall/simd/instruction_set.hpp"

namespace footfall::native {

namespace baseline {
extern const KernelSet kKernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const KernelSet kKernels;
}
namespace avx512 {
extern const KernelSet kKernels;
}
#endif

const KernelSet& kernels() {
#if defined(FOOTFALL_ONLY_ISA)
  return FOOTFALL_ONLY_ISA::kKernels;
#elif defined(__x86_64__)
  switch (instructionSet()) {
    case InstructionSet::avx512:
      return avx512::kKernels;
    case InstructionSet::avx2:
      return avx2::kKernels;
    case InstructionSet::baseline:
      break;
  }
  return baseline::kKernels;
#else
  return baseline::kKernels;
#endif
}

}  // namespace footfall::native
