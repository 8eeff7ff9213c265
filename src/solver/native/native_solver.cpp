#include "solver/native/native_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "footfall/simd/internal/kernel_choice.hpp"
#include "solver/native/block_pattern.hpp"
#include "solver/native/kernel.hpp"

namespace footfall {
namespace {

SolveStatus statusOf(double residual, const SolverSettings& settings) {
  if (residual <= settings.tolerance) return SolveStatus::converged;
  return residual <= settings.acceptable ? SolveStatus::inaccurate : SolveStatus::failed;
}

/// What rounding leaves unknown of the velocities. Where no impulses do what is asked, as between two walls that both
/// throw back, they grow until they swallow it, and seem to solve the problem [m/s].
double roundingOf(const ContactProblem& problem, const AlignedVector& impulse) {
  double largest = 0.0;
  for (int i = 0; i < problem.layout.contacts; ++i)
    largest = std::max(largest, problem.own(i, 2, 2) * std::abs(impulse[problem.layout.row(i, 2)]));
  return std::numeric_limits<double>::epsilon() * largest;
}

class NativeSolver final : public ContactSolver {
 public:
  explicit NativeSolver(unsigned without) : kernel_(FOOTFALL_CHOSEN_KERNEL(kernel)), without_(without) {}

  std::string_view name() const override { return "native"; }
  bool supports(FrictionLaw) const override { return true; }
  bool takesTrees(FrictionLaw law) const override { return law != FrictionLaw::convex_pyramid; }

  void reserve(int max_contacts) override {
    const int stride = ContactLayout::of(max_contacts).stride;
    if (stride <= reserved_stride_) return;
    scratch_.resize(std::max(scratch_.size(), kernel_.scratchSize(stride)));
    reserved_stride_ = stride;
  }

  void solve(const ContactProblem& problem, const SolverSettings& settings, ContactSolution& solution) override {
    const ContactLayout& layout = problem.layout;
    KernelProblem view{layout.contacts,  layout.stride,     problem.law, problem.G.data(),
                       problem.b.data(), problem.mu.data(), without_};
    view.matrix = problem.matrix.value();
    view.memo = &memo_;
    // Solves of another kind or size have other things where the factors are.
    if (problem.byTrees() || layout.stride != last_stride_ || problem.law != last_law_) memo_.matrix = 0;
    last_stride_ = layout.stride;
    last_law_ = problem.law;
    solution.impulse.resize(layout.rows(), 0.0);
    if (problem.byTrees()) {
      view.trees = &pattern_.of(problem.trees);
      const std::size_t size = kernel_.scratchSizeByTrees(layout.stride, *view.trees);
      if (scratch_.size() < size) scratch_.resize(size);
    } else {
      reserve(layout.contacts);
    }
    const KernelResult result = kernel_.solve(view, settings, solution.impulse.data(), solution.minimum_norm,
                                              {scratch_.data(), scratch_.size()});
    solution.iterations = result.iterations;
    solution.residual = std::max(result.residual, roundingOf(problem, solution.impulse));
    solution.status = statusOf(solution.residual, settings);
    solution.worst_contact = result.worst_contact;
    solution.minimum_norm = result.minimum_norm;
    solution.counters.solves = 1;
    std::copy_n(result.steps, kSolverStages, solution.counters.steps.begin());
  }

 private:
  const Kernel& kernel_;
  const unsigned without_;
  int reserved_stride_ = 0;
  int last_stride_ = 0;
  FrictionLaw last_law_ = FrictionLaw::cone;
  FactorMemo memo_;
  BlockPattern pattern_;
  AlignedVector scratch_;
};

}  // namespace

std::unique_ptr<ContactSolver> makeNativeSolver(unsigned without) { return std::make_unique<NativeSolver>(without); }

}  // namespace footfall
