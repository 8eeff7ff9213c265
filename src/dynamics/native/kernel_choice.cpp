#include "footfall/simd/internal/kernel_choice.hpp"

#include "dynamics/native/kernel_table.hpp"

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

const KernelSet& kernels() { return FOOTFALL_CHOSEN_KERNEL(kKernels); }

}  // namespace footfall::native
