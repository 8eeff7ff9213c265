#pragma once

#include <cstddef>

#include "footfall/solver/contact_problem.hpp"

namespace footfall {

/// A contact problem as the kernels see it: plain pointers, laid out as ContactLayout says.
struct KernelProblem {
  int contacts = 0;
  int stride = 0;
  FrictionLaw law = FrictionLaw::cone;
  const double* G = nullptr;
  const double* b = nullptr;
  const double* mu = nullptr;
  unsigned without = 0;  ///< stages that are left out, a bit for each: to see what they buy
};

struct KernelResult {
  double residual = 0.0;  ///< [m/s]
  int iterations = 0;     ///< sweeps, Newton steps and interior-point steps together
  int worst_contact = -1;
  bool minimum_norm = false;
  int steps[kSolverStages] = {};  ///< of each stage
};

/// @param impulse in: the warm start; out: the result
/// @param minimum_norm whether the warm start is known to have the smallest norm
/// @param scratch scratchSize() doubles that start at a cache line; their content does not matter
using SolveFunction = KernelResult (*)(const KernelProblem& problem, const SolverSettings& settings, double* impulse,
                                       bool minimum_norm, double* scratch);

/// One source, compiled once for each instruction set (footfall_kernel in CMake).
struct Kernel {
  const char* name;
  SolveFunction solve;
  std::size_t (*scratchSize)(int stride);  ///< memory for problems up to this stride [doubles]
};

namespace baseline {
extern const Kernel kernel;
}
#if defined(__x86_64__)
namespace avx2 {
extern const Kernel kernel;
}
namespace avx512 {
extern const Kernel kernel;
}
#endif

}  // namespace footfall
