#include "footfall/solver/island_solver.hpp"

#include <algorithm>
#include <numeric>

namespace footfall {
namespace {

class IslandSolver : public ContactSolver {
 public:
  explicit IslandSolver(std::unique_ptr<ContactSolver> solver) : solver_(std::move(solver)) {}

  std::string_view name() const override { return solver_->name(); }
  bool supports(FrictionLaw law) const override { return solver_->supports(law); }
  void reserve(int max_contacts) override {
    solver_->reserve(max_contacts);
    parent_.reserve(max_contacts);
    members_.reserve(max_contacts);
    part_.reserve(max_contacts);
    part_solution_.impulse.reserve(ContactLayout::of(max_contacts).rows());
  }

  void solve(const ContactProblem& problem, const SolverSettings& settings, ContactSolution& solution) override {
    if (findIslands(problem) <= 1) return solver_->solve(problem, settings, solution);
    const bool minimum_norm = solution.minimum_norm;
    ContactSolution all;
    std::swap(all.impulse, solution.impulse);
    all.status = SolveStatus::converged;
    all.minimum_norm = true;
    for (int first = 0; first < problem.layout.contacts; ++first) {
      if (parent_[first] != first) continue;
      takeIsland(first, problem);
      part_solution_.minimum_norm = minimum_norm;
      copyImpulses(problem.layout, all.impulse.data(), true);
      solver_->solve(part_, settings, part_solution_);
      copyImpulses(problem.layout, all.impulse.data(), false);
      addTo(all);
    }
    std::swap(all.impulse, solution.impulse);
    solution.status = all.status;
    solution.iterations = all.iterations;
    solution.residual = all.residual;
    solution.worst_contact = all.worst_contact;
    solution.minimum_norm = all.minimum_norm;
    solution.counters = all.counters;
  }

 private:
  int rootOf(int contact) {
    while (parent_[contact] != contact) contact = parent_[contact] = parent_[parent_[contact]];
    return contact;
  }

  static bool coupled(const ContactProblem& problem, int i, int j) {
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c)
        if (problem(i, a, j, c) != 0.0) return true;
    return false;
  }

  /// Afterwards parent_ of each contact is the first one of its island; returns how many islands there are.
  int findIslands(const ContactProblem& problem) {
    const int contacts = problem.layout.contacts;
    parent_.resize(contacts);
    std::iota(parent_.begin(), parent_.end(), 0);
    for (int i = 1; i < contacts; ++i)
      for (int j = 0; j < i; ++j) {
        const int a = rootOf(i), b = rootOf(j);
        if (a != b && coupled(problem, i, j)) parent_[std::max(a, b)] = std::min(a, b);
      }
    int islands = 0;
    for (int i = 0; i < contacts; ++i) {
      parent_[i] = rootOf(i);
      islands += parent_[i] == i;
    }
    return islands;
  }

  void takeIsland(int first, const ContactProblem& problem) {
    members_.clear();
    for (int i = first; i < problem.layout.contacts; ++i)
      if (parent_[i] == first) members_.push_back(i);
    const int count = static_cast<int>(members_.size());
    part_.reserve(count);
    part_.resize(count);
    part_.law = problem.law;
    for (int i = 0; i < count; ++i) {
      part_.mu[i] = problem.mu[members_[i]];
      for (int a = 0; a < 3; ++a) {
        part_.b[part_.layout.row(i, a)] = problem.b[problem.layout.row(members_[i], a)];
        for (int j = 0; j < count; ++j)
          for (int c = 0; c < 3; ++c) part_(i, a, j, c) = problem(members_[i], a, members_[j], c);
      }
    }
  }

  void copyImpulses(const ContactLayout& layout, double* all, bool into_island) {
    if (into_island) part_solution_.impulse.assign(part_.layout.rows(), 0.0);
    for (int i = 0; i < static_cast<int>(members_.size()); ++i)
      for (int c = 0; c < 3; ++c) {
        double& own = part_solution_.impulse[part_.layout.row(i, c)];
        double& whole = all[layout.row(members_[i], c)];
        (into_island ? own : whole) = into_island ? whole : own;
      }
  }

  void addTo(ContactSolution& all) const {
    all.status = std::max(all.status, part_solution_.status);
    all.iterations += part_solution_.iterations;
    all.counters += part_solution_.counters;
    all.minimum_norm = all.minimum_norm && part_solution_.minimum_norm;
    // Not-a-number gives infinity, which is larger than all.
    if (all.worst_contact >= 0 && !(part_solution_.residual > all.residual)) return;
    all.residual = part_solution_.residual;
    if (part_solution_.worst_contact >= 0) all.worst_contact = members_[part_solution_.worst_contact];
  }

  std::unique_ptr<ContactSolver> solver_;
  std::vector<int> parent_;   ///< of each contact, towards the first of its island
  std::vector<int> members_;  ///< contacts of the island at hand
  ContactProblem part_;
  ContactSolution part_solution_;
};

}  // namespace

std::unique_ptr<ContactSolver> makeIslandSolver(std::unique_ptr<ContactSolver> solver) {
  return std::make_unique<IslandSolver>(std::move(solver));
}

}  // namespace footfall
