#include "footfall/solver/island_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "footfall/base/internal/disjoint_sets.hpp"
#include "solver/shared_trees.hpp"

namespace footfall {
namespace {

/// Islands of fewer contacts are solved with G written out. Measured (docs/contact_solver.md): towers of boxes.
constexpr int kDenseContacts = 24;
/// Numbers of the matrix of a small island, for each of its contacts: 17 contacts have 72 rows, with padding.
constexpr std::size_t kMostWrittenOfAContact = 72 * 72 / 17 + 1;
/// What is not solved by trees is tried once more with G written out, unless that takes too long.
constexpr int kMostDenseContacts = IslandSolver::kContactsOfAHeap;

/// In a world of bodies a residual of this share of the fastest contact does not stop the run: with 1 m/s and a step of
/// a millisecond it is a tenth of a micrometre (docs/contact_solver.md).
constexpr double kAcceptableShare = 1e-4;

/// G of contacts i and j, row by row: ContactProblem::entry() nine times at once, in the same order, so that sums do
/// not wait for each other.
using Block = std::array<double, 9>;
Block blockOf(const TreeMotions& trees, int i, int j) {
  constexpr int kBlock = TreeMotions::kBlock;
  Block sums{};
  const auto add = [&](auto termOf) {
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) sums[3 * a + c] += termOf(a, c);
  };
  for (int a = 0; i == j && a < 3; ++a) sums[4 * a] = trees.own[i][a];
  forSharedTrees(
      trees, i, j,
      [&](const TreeMotions::Side& mine, int theirs) {
        const ContactLayout& layout = trees.written[mine.tree].layout;
        add([&](int a, int c) { return trees.row(mine, a)[layout.row(theirs, c)]; });
      },
      [&](const double* V_i, const double* V_j) {
        for (int k = 0; k < kBlock; ++k) add([&](int a, int c) { return V_i[a * kBlock + k] * V_j[c * kBlock + k]; });
      });
  return sums;
}

class SolverOfIslands : public IslandSolver {
 public:
  explicit SolverOfIslands(std::unique_ptr<ContactSolver> solver) : solver_(std::move(solver)) {}

  std::string_view name() const override { return solver_->name(); }
  bool supports(FrictionLaw law) const override { return solver_->supports(law); }
  bool takesTrees(FrictionLaw) const override { return true; }
  void reserve(int max_contacts) override {
    solver_->reserve(std::min(max_contacts, kMostDenseContacts));
    united_.reserve(max_contacts);
    members_.reserve(max_contacts);
    island_begin_.reserve(max_contacts + 1);
    part_.reserve(std::min(max_contacts, kMostDenseContacts));
    part_solution_.impulse.reserve(ContactLayout::of(max_contacts).rows());
    outcomes_.reserve(max_contacts);
    motion_.reserve(std::size_t{16} * max_contacts);
    velocity_.reserve(ContactLayout::of(max_contacts).rows());
    written_.reserve(kMostWrittenOfAContact * (max_contacts + kDenseContacts));
    written_at_.reserve(max_contacts);
  }

  std::span<const Outcome> outcomes() const override { return outcomes_; }
  void leaveAlone(std::span<const char> settled) override { settled_ = settled; }

  void solve(const ContactProblem& problem, const SolverSettings& settings, ContactSolution& solution) override {
    findIslands(problem);
    const std::span<const char> settled = std::exchange(settled_, {});
    const int islands = static_cast<int>(island_begin_.size()) - 1;
    outcomes_.assign(problem.layout.contacts, Outcome{});
    if (islands <= 1 && !problem.byTrees() && settled.empty()) {
      solver_->solve(problem, settings, solution);
      const Outcome outcome{solution.status, solution.iterations, solution.residual, solution.worst_contact};
      std::fill(outcomes_.begin(), outcomes_.end(), outcome);
      return;
    }
    const bool minimum_norm = solution.minimum_norm;
    ContactSolution all;
    std::swap(all.impulse, solution.impulse);
    all.status = SolveStatus::converged;
    all.minimum_norm = true;
    for (int island = 0; island < islands; ++island) {
      if (!settled.empty() && settled[member(island, 0)]) continue;
      part_solution_.minimum_norm = minimum_norm;
      solveIsland(island, problem, settings, all.impulse.data());
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
  // --- which contacts feel each other

  static bool coupled(const ContactProblem& problem, int i, int j) {
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c)
        if (problem(i, a, j, c) != 0.0) return true;
    return false;
  }

  /// Afterwards members_ holds the contacts island by island, islands in the order of their first contacts. Problems
  /// with the same matrix have the same islands.
  void findIslands(const ContactProblem& problem) {
    if (problem.matrix.value() != 0 && problem.matrix.value() == matrix_) return;
    matrix_ = problem.matrix.value();
    if (problem.byTrees())
      uniteByTrees(problem.trees);
    else
      uniteByMatrix(problem);
    const int contacts = problem.layout.contacts;
    island_of_.assign(united_.size(), -1);
    island_begin_.assign(1, 0);
    for (int i = 0; i < contacts; ++i) {
      int& island = island_of_[united_.rootOf(i)];
      if (island < 0) {
        island = static_cast<int>(island_begin_.size()) - 1;
        island_begin_.push_back(0);
      }
      ++island_begin_[island + 1];
    }
    std::partial_sum(island_begin_.begin(), island_begin_.end(), island_begin_.begin());
    next_ = island_begin_;
    members_.resize(contacts);
    for (int i = 0; i < contacts; ++i) members_[next_[island_of_[united_.rootOf(i)]]++] = i;
    written_.clear();
    written_at_.assign(island_begin_.size() - 1, kNotWritten);
  }

  void uniteByMatrix(const ContactProblem& problem) {
    const int contacts = problem.layout.contacts;
    united_.reset(contacts);
    for (int i = 1; i < contacts; ++i)
      for (int j = 0; j < i; ++j)
        if (united_.rootOf(i) != united_.rootOf(j) && coupled(problem, i, j)) united_.unite(i, j);
  }

  /// Contacts, then trees.
  void uniteByTrees(const TreeMotions& trees) {
    const int contacts = trees.contacts();
    united_.reset(contacts + static_cast<int>(trees.size.size()));
    for (int i = 0; i < contacts; ++i)
      for (const TreeMotions::Side& side : trees.sides[i])
        if (side.tree >= 0) united_.unite(i, contacts + side.tree);
  }

  // --- one island

  int sizeOf(int island) const { return island_begin_[island + 1] - island_begin_[island]; }
  int member(int island, int i) const { return members_[island_begin_[island] + i]; }

  void solveIsland(int island, const ContactProblem& problem, const SolverSettings& settings, double* impulse) {
    const int count = sizeOf(island);
    island_ = island;
    if (isLeftInPeace(problem, impulse)) {
      part_solution_.status = SolveStatus::converged;
      part_solution_.minimum_norm = true;
      part_solution_.iterations = 0;
      part_solution_.residual = 0.0;
      part_solution_.worst_contact = -1;
      part_solution_.counters = {};
      return;
    }
    const bool by_trees =
        problem.byTrees() && count > kDenseContacts && solver_->takesTrees(problem.law) && writtenTree(problem) < 0;
    if (by_trees) {
      takeByTrees(problem);
    } else {
      takeDense(problem);
    }
    copyImpulses(problem.layout, impulse, true);
    SolverSettings own = settings;
    if (!by_trees || count <= kContactsOfAHeap) own.good_enough = 0.0;
    solver_->solve(part_, own, part_solution_);
    if (by_trees && part_solution_.status != SolveStatus::converged && count <= kMostDenseContacts &&
        settings.max_iterations > kFewIterations)
      solveAgainDense(problem, settings);
    copyImpulses(problem.layout, impulse, false);
    if (problem.byTrees() && part_solution_.status == SolveStatus::failed &&
        (part_solution_.residual <= kAcceptableShare * fastest() || isGoodEnough(own)))
      part_solution_.status = SolveStatus::inaccurate;
  }

  /// What heaps end with in time: it is known well enough, and makes no energy.
  bool isGoodEnough(const SolverSettings& settings) {
    if (!(part_solution_.residual <= settings.good_enough)) return false;
    velocity_.resize(part_.layout.rows());
    part_.velocity(part_solution_.impulse.data(), motion_, velocity_.data());
    return std::inner_product(velocity_.begin(), velocity_.end(), part_solution_.impulse.begin(), 0.0) <= 0.0;
  }

  /// Nothing of it closes, and no impulses are what it begins with: they solve it.
  bool isLeftInPeace(const ContactProblem& problem, const double* impulse) const {
    if (problem.law == FrictionLaw::convex_pyramid) return false;
    for (int i = 0; i < sizeOf(island_); ++i) {
      const int contact = member(island_, i);
      if (!(problem.b[problem.layout.row(contact, 2)] >= 0.0)) return false;
      for (int c = 0; c < 3; ++c) {
        const int row = problem.layout.row(contact, c);
        if (impulse[row] != 0.0 || !std::isfinite(problem.b[row])) return false;
      }
    }
    return true;
  }

  /// Largest velocity that the island's contacts would have without impulses [m/s].
  double fastest() const {
    double speed = 0.0;
    for (int i = 0; i < sizeOf(island_); ++i)
      for (int a = 0; a < 3; ++a) speed = std::max(speed, std::abs(part_.b[part_.layout.row(i, a)]));
    return speed;
  }

  /// There are more ways where G is written out.
  void solveAgainDense(const ContactProblem& problem, const SolverSettings& settings) {
    const SolverCounters before = part_solution_.counters;
    const int iterations = part_solution_.iterations;
    takeDense(problem);
    part_solution_.minimum_norm = false;
    solver_->solve(part_, settings, part_solution_);
    part_solution_.counters += before;
    part_solution_.iterations += iterations;
  }

  void takeRows(const ContactProblem& problem) {
    part_.law = problem.law;
    for (int i = 0; i < sizeOf(island_); ++i) {
      part_.mu[i] = problem.mu[member(island_, i)];
      for (int a = 0; a < 3; ++a)
        part_.b[part_.layout.row(i, a)] = problem.b[problem.layout.row(member(island_, i), a)];
    }
  }

  void takeByTrees(const ContactProblem& problem) {
    const int count = sizeOf(island_);
    const TreeMotions& from = problem.trees;
    part_.resizeByTrees(count);
    takeRows(problem);
    number_.assign(from.size.size(), -1);
    for (int i = 0; i < count; ++i) {
      const int contact = member(island_, i);
      for (const TreeMotions::Side& side : from.sides[contact]) {
        if (side.tree < 0 || number_[side.tree] >= 0) continue;
        number_[side.tree] = static_cast<int>(part_.trees.size.size());
        part_.trees.addTree(from.size[side.tree]);
      }
      part_.trees.addContact();
      part_.trees.own.back() = from.own[contact];
      for (const TreeMotions::Side& side : from.sides[contact])
        if (side.tree >= 0)
          std::copy_n(from.V.data() + side.first, TreeMotions::kRows * from.blocks(side.tree),
                      part_.trees.addSide(number_[side.tree]));
    }
  }

  /// A step solves several problems with the same G, which is written out once.
  void takeDense(const ContactProblem& problem) {
    const int count = sizeOf(island_);
    part_.resize(count);
    takeRows(problem);
    if (const double* G = writtenOut(problem)) {
      std::copy_n(G, part_.G.size(), part_.G.data());
      return;
    }
    if (count > kDenseContacts) return writeDense(problem);
    std::size_t& at = written_at_[island_];
    if (at == kNotWritten) {
      writeDense(problem);
      at = written_.size();
      written_.insert(written_.end(), part_.G.begin(), part_.G.end());
    } else {
      std::copy_n(written_.data() + at, part_.G.size(), part_.G.data());
    }
  }

  /// That is all of the island and is written out; −1: it is not.
  int writtenTree(const ContactProblem& problem) const {
    if (!problem.byTrees()) return -1;
    const int tree = problem.trees.sides[member(island_, 0)][0].tree;
    return tree >= 0 && problem.trees.isWritten(tree) ? tree : -1;
  }

  /// G of such an island, if it has all of the tree's contacts, which are in the same order.
  const double* writtenOut(const ContactProblem& problem) const {
    const int tree = writtenTree(problem);
    if (tree < 0 || problem.trees.written[tree].layout.contacts != sizeOf(island_)) return nullptr;
    return problem.trees.G.data() + problem.trees.written[tree].first;
  }

  void writeDense(const ContactProblem& problem) {
    for (int i = 0; i < sizeOf(island_); ++i)
      for (int j = 0; j <= i; ++j) {
        const Block block = blockBetween(problem, member(island_, i), member(island_, j));
        for (int a = 0; a < 3; ++a)
          for (int c = 0; c < 3; ++c) part_(i, a, j, c) = part_(j, c, i, a) = block[3 * a + c];
      }
  }

  static Block blockBetween(const ContactProblem& problem, int i, int j) {
    if (problem.byTrees()) return blockOf(problem.trees, i, j);
    Block block;
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) block[3 * a + c] = problem(i, a, j, c);
    return block;
  }

  void copyImpulses(const ContactLayout& layout, double* all, bool into_island) {
    if (into_island) part_solution_.impulse.assign(part_.layout.rows(), 0.0);
    for (int i = 0; i < sizeOf(island_); ++i)
      for (int c = 0; c < 3; ++c) {
        double& own = part_solution_.impulse[part_.layout.row(i, c)];
        double& whole = all[layout.row(member(island_, i), c)];
        (into_island ? own : whole) = into_island ? whole : own;
      }
  }

  void addTo(ContactSolution& all) {
    const int worst = part_solution_.worst_contact >= 0 ? member(island_, part_solution_.worst_contact) : -1;
    for (int i = 0; i < sizeOf(island_); ++i)
      outcomes_[member(island_, i)] = {part_solution_.status, part_solution_.iterations, part_solution_.residual,
                                       worst};
    all.status = std::max(all.status, part_solution_.status);
    all.iterations += part_solution_.iterations;
    all.counters += part_solution_.counters;
    all.minimum_norm = all.minimum_norm && part_solution_.minimum_norm;
    // Not-a-number gives infinity, which is larger than all.
    if (all.worst_contact >= 0 && !(part_solution_.residual > all.residual)) return;
    all.residual = part_solution_.residual;
    if (worst >= 0) all.worst_contact = worst;
  }

  std::unique_ptr<ContactSolver> solver_;
  std::vector<Outcome> outcomes_;
  std::span<const char> settled_;   ///< of the next solve
  DisjointSets united_;             ///< contacts, then trees
  std::vector<int> island_of_;      ///< of each root
  std::vector<int> island_begin_;   ///< in members_, and the end
  std::vector<int> members_;        ///< contacts
  std::vector<int> next_, number_;  ///< scratch
  std::uint64_t matrix_ = 0;        ///< whose islands these are; 0: it has no name
  AlignedVector written_;           ///< G of islands, one after the other
  static constexpr auto kNotWritten = static_cast<std::size_t>(-1);
  std::vector<std::size_t> written_at_;  ///< of each island, in written_
  int island_ = 0;                       ///< at hand
  ContactProblem part_;
  ContactSolution part_solution_;
  std::vector<double> motion_;  ///< scratch
  AlignedVector velocity_;      ///< scratch
};

}  // namespace

std::unique_ptr<IslandSolver> makeIslandSolver(std::unique_ptr<ContactSolver> solver) {
  return std::make_unique<SolverOfIslands>(std::move(solver));
}

}  // namespace footfall
