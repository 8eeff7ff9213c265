#include "solver/native/native_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "footfall/base/error.hpp"
#include "solver/native/kernel.hpp"

namespace footfall {
namespace {

/// The kernels that this machine runs, the widest first.
std::vector<const Kernel*> kernelsForThisMachine() {
  std::vector<const Kernel*> kernels;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v4")) kernels.push_back(&avx512::kernel);
  if (__builtin_cpu_supports("x86-64-v3")) kernels.push_back(&avx2::kernel);
#endif
  kernels.push_back(&baseline::kernel);
  return kernels;
}

/// The widest kernel that this machine runs, or the one that FOOTFALL_ISA names.
const Kernel& chooseKernel() {
  const std::vector<const Kernel*> kernels = kernelsForThisMachine();
  const char* wish = std::getenv("FOOTFALL_ISA");
  if (wish == nullptr || *wish == '\0') return *kernels.front();
  std::string names;
  for (const Kernel* kernel : kernels) {
    if (std::string_view(wish) == kernel->name) return *kernel;
    names += (names.empty() ? "" : ", ") + std::string(kernel->name);
  }
  throw Error("FOOTFALL_ISA", fmt::format("there is no kernel '{}' for this machine; it runs: {}", wish, names),
              "unset it to let Footfall choose");
}

SolveStatus statusOf(double residual, const SolverSettings& settings) {
  if (residual <= settings.tolerance) return SolveStatus::converged;
  return residual <= settings.acceptable ? SolveStatus::inaccurate : SolveStatus::failed;
}

class NativeSolver final : public ContactSolver {
 public:
  NativeSolver() : kernel_(chooseKernel()) {}

  std::string_view name() const override { return "native"; }
  bool supports(FrictionLaw) const override { return true; }

  void reserve(int max_contacts) override {
    const int stride = ContactLayout::of(max_contacts).stride;
    if (stride <= reserved_stride_) return;
    scratch_.resize(kernel_.scratchSize(stride));
    reserved_stride_ = stride;
  }

  void solve(const ContactProblem& problem, const SolverSettings& settings, ContactSolution& solution) override {
    const ContactLayout& layout = problem.layout;
    reserve(layout.contacts);
    solution.impulse.resize(layout.rows(), 0.0);
    const KernelProblem view{layout.contacts,  layout.stride,    problem.law,
                             problem.G.data(), problem.b.data(), problem.mu.data()};
    const KernelResult result =
        kernel_.solve(view, settings, solution.impulse.data(), solution.minimum_norm, scratch_.data());
    solution.status = statusOf(result.residual, settings);
    solution.iterations = result.iterations;
    solution.residual = result.residual;
    solution.worst_contact = result.worst_contact;
    solution.minimum_norm = result.minimum_norm;
  }

 private:
  const Kernel& kernel_;
  int reserved_stride_ = 0;
  AlignedVector scratch_;
};

}  // namespace

std::unique_ptr<ContactSolver> makeNativeSolver() { return std::make_unique<NativeSolver>(); }

}  // namespace footfall
