#include "dynamics/native/kernel_table.hpp"
#include "footfall/base/instruction_set.hpp"

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
#if defined(__x86_64__)
  switch (instructionSet()) {
    case InstructionSet::avx512:
      return avx512::kKernels;
    case InstructionSet::avx2:
      return avx2::kKernels;
    case InstructionSet::baseline:
      break;
  }
#endif
  return baseline::kKernels;
}

}  // namespace footfall::native
