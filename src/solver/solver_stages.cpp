#include "footfall/solver/solver_stages.hpp"

namespace footfall {

const char* nameOf(SolverStage stage) {
  constexpr std::array<const char*, kSolverStages> kNames = {
      "sweeps", "newton", "compliant", "compliant_path", "interior_point", "proximal_path", "minimum_norm"};
  return kNames[static_cast<std::size_t>(stage)];
}

SolverCounters& SolverCounters::operator+=(const SolverCounters& other) {
  solves += other.solves;
  for (int k = 0; k < kSolverStages; ++k) steps[k] += other.steps[k];
  return *this;
}

}  // namespace footfall
