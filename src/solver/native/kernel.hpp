#pragma once

#include <cstddef>
#include <cstdint>

#include "footfall/solver/contact_problem.hpp"

namespace footfall {

/// A problem by trees as the kernels see it, with the pattern of its linear systems (block_pattern.hpp). Nodes are
/// blocks of eight motions, numbered in the order in which they are eliminated. The matrix has a block of 8 × 8 for
/// each node, then those below the diagonal, entry by entry of `row`, then as many to its right.
struct KernelTrees {
  int nodes = 0;
  int blocks = 0;
  const int* node_size = nullptr;     ///< motions without padding
  const int* row_begin = nullptr;     ///< of each node, and the end
  const int* row = nullptr;           ///< later nodes that are connected to it
  const int* target_begin = nullptr;  ///< of each node
  const int* target = nullptr;        ///< the blocks between its rows: row by row
  const int* piece_begin = nullptr;   ///< of each contact, and the end: the nodes that it feels
  const int* piece_node = nullptr;
  const std::size_t* piece_first = nullptr;  ///< where its three rows begin in V
  const int* pair_begin = nullptr;           ///< of each contact
  const int* pair_block = nullptr;           ///< the blocks between its pieces: row by row
  const double* V = nullptr;
  std::size_t V_size = 0;
  const double* own = nullptr;  ///< three of each contact
};

/// Of the memory of a solver: the factors V of a dense G that the last solve left in it (velocity_factor.hpp).
struct FactorMemo {
  std::uint64_t matrix = 0;     ///< MatrixName; 0: there are none
  const double* at = nullptr;   ///< where they begin
  int rank = 0, row_count = 0;  ///< columns, and rows that take part
};

/// A contact problem as the kernels see it: plain pointers, laid out as ContactLayout says.
struct KernelProblem {
  int contacts = 0;
  int stride = 0;
  FrictionLaw law = FrictionLaw::cone;
  const double* G = nullptr;
  const double* b = nullptr;
  const double* mu = nullptr;
  unsigned without = 0;                ///< stages that are left out, a bit for each: to see what they buy
  const KernelTrees* trees = nullptr;  ///< in place of G
  std::uint64_t matrix = 0;            ///< name of G; 0: it has none
  FactorMemo* memo = nullptr;          ///< of the memory that the solve is given
};

struct KernelResult {
  double residual = 0.0;  ///< [m/s]
  int iterations = 0;     ///< sweeps, Newton steps and interior-point steps together
  int worst_contact = -1;
  bool minimum_norm = false;
  int steps[kSolverStages] = {};  ///< of each stage
};

/// Memory of a solve, from a cache line on; its content does not matter, but for what a FactorMemo tells.
struct KernelMemory {
  double* begin = nullptr;
  std::size_t size = 0;  ///< scratchSize() or more; a solve that needs more throws std::bad_alloc [doubles]
};

/// @param impulse in: the warm start; out: the result
/// @param minimum_norm whether the warm start is known to have the smallest norm
using SolveFunction = KernelResult (*)(const KernelProblem& problem, const SolverSettings& settings, double* impulse,
                                       bool minimum_norm, KernelMemory memory);

/// One source, compiled once for each instruction set (footfall_kernel in CMake).
struct Kernel {
  const char* name;
  SolveFunction solve;
  std::size_t (*scratchSize)(int stride);  ///< memory for problems up to this stride [doubles]
  std::size_t (*scratchSizeByTrees)(int stride, const KernelTrees& trees);
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
