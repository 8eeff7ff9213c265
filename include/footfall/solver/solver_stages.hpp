#pragma once

#include <array>
#include <cstddef>

namespace footfall {

/// The stages of the native solver (docs/contact_solver.md says what each does and what it buys).
enum class SolverStage {
  sweeps,          ///< block Gauss–Seidel
  newton,          ///< proximal Newton from the point so far
  compliant,       ///< compliant contacts, at once with the final compliance
  compliant_path,  ///< from soft contacts to rigid ones
  interior_point,  ///< from scratch, with the Newton steps that try to finish it
  proximal_path,   ///< proximal Newton with a term that fades
  minimum_norm,    ///< towards the smallest impulses
};
inline constexpr int kSolverStages = 7;

/// "sweeps", "compliant_path", …
const char* nameOf(SolverStage stage);

/// What solves took. A step is a sweep or a linear system. Zeros for solvers that do not tell.
struct SolverCounters {
  int solves = 0;
  std::array<int, kSolverStages> steps{};  ///< of each stage

  int operator[](SolverStage stage) const { return steps[static_cast<std::size_t>(stage)]; }
  SolverCounters& operator+=(const SolverCounters& other);
};

}  // namespace footfall
