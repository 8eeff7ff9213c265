#include "solver/native/native_solver.hpp"

#include <cmath>
#include <cstdlib>
#include <string_view>

#include "footfall/base/error.hpp"
#include "solver/native/kernel.hpp"

namespace footfall {
namespace {

#if defined(__x86_64__)
struct KernelChoice {
  const char* name;
  Kernel kernel;
  bool runs_here;
};

/// The widest kernel that this machine runs, or the one that FOOTFALL_ISA asks for.
Kernel chooseKernel() {
  const KernelChoice choices[] = {
      {"avx512", avx512::solve, __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd")},
      {"avx2", avx2::solve, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")},
      {"baseline", baseline::solve, true},
  };
  const char* wish = std::getenv("FOOTFALL_ISA");
  for (const KernelChoice& choice : choices) {
    if (wish == nullptr) {
      if (choice.runs_here) return choice.kernel;
    } else if (std::string_view(wish) == choice.name) {
      if (choice.runs_here) return choice.kernel;
      throw Error("FOOTFALL_ISA", std::string("this machine does not run ") + choice.name, "unset it to let Footfall choose");
    }
  }
  throw Error("FOOTFALL_ISA", std::string("unknown instruction set '") + wish + "'", "choose baseline, avx2 or avx512");
}
#else
Kernel chooseKernel() { return baseline::solve; }
#endif

class NativeSolver final : public ContactSolver {
 public:
  NativeSolver() : kernel_(chooseKernel()) {}

  std::string_view name() const override { return "native"; }
  bool supports(FrictionLaw) const override { return true; }
  void reserve(int max_contacts) override {
    const std::size_t size = kernelScratchSize(ContactLayout::of(max_contacts).stride);
    if (scratch_.size() < size) scratch_.resize(size);
  }

  void solve(const ContactProblem& problem, const SolverSettings& settings, ContactSolution& solution) override {
    const ContactLayout& layout = problem.layout;
    reserve(layout.contacts);
    solution.impulse.resize(layout.rows(), 0.0);
    const KernelProblem view{layout.contacts, layout.stride,      problem.law,
                             problem.G.data(), problem.b.data(), problem.mu.data()};
    const KernelResult result =
        kernel_(view, settings, solution.impulse.data(), solution.minimum_norm, scratch_.data());
    solution.residual = result.residual;
    solution.iterations = result.iterations;
    solution.worst_contact = result.worst_contact;
    solution.minimum_norm = result.minimum_norm;
    solution.status = result.residual <= settings.tolerance    ? SolveStatus::converged
                      : result.residual <= settings.acceptable ? SolveStatus::inaccurate
                                                               : SolveStatus::failed;
  }

 private:
  Kernel kernel_;
  AlignedVector scratch_;
};

}  // namespace

std::size_t kernelScratchSize(int stride) {
  const std::size_t rows = 3 * stride + 8;
  return 4 * rows * rows + 200 * rows;
}

std::unique_ptr<ContactSolver> makeNativeSolver() { return std::make_unique<NativeSolver>(); }

}  // namespace footfall
