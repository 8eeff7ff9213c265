// Problems of many bodies that touch few others: kept by trees and solved with sparse systems, they have the solutions
// of the same problems with G written out.

#include <gtest/gtest.h>

#include "footfall/solver/island_solver.hpp"
#include "solver/problems.hpp"
#include "tools/random_seed.hpp"

namespace footfall::test {
namespace {

constexpr double kTolerance = SolverSettings{}.tolerance;

/// A heap: every body touches the ground or an earlier one in some points, with normals that mostly point upwards.
/// Motions count such that masses are one.
struct Heap {
  ContactProblem problem;

  Heap(int bodies, int points, double mu, std::mt19937& random, FrictionLaw law = FrictionLaw::cone, int motions = 6) {
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    std::vector<std::pair<int, int>> touching;  // body, other or −1
    for (int k = 0; k < bodies; ++k) {
      touching.emplace_back(k, k % 3 == 0 ? -1 : k - 1);
      if (k > 3 && k % 2 == 0) touching.emplace_back(k, k - 3);
    }
    problem.resizeByTrees(static_cast<int>(touching.size()) * points);
    problem.law = law;
    for (int k = 0; k < bodies; ++k) problem.trees.addTree(motions);
    int i = 0;
    for (const auto& [body, other] : touching) {
      for (int point = 0; point < points; ++point, ++i) {
        problem.trees.addContact();
        const Eigen::Vector3d p = 0.5 * Eigen::Vector3d(any(random), any(random), any(random));
        addSide(body, 1.0, p, any, random);
        if (other >= 0) addSide(other, -1.0, p, any, random);
        problem.mu[i] = mu;
      }
    }
    moveFreely(any, random);
  }

  /// b as bodies have it that fall and move a little.
  template <class Any>
  void moveFreely(Any& any, std::mt19937& random) {
    TreeMotions& trees = problem.trees;
    std::vector<double> free(trees.motions(), 0.0);
    for (std::size_t tree = 0; tree < trees.size.size(); ++tree)
      for (int k = 0; k < trees.size[tree]; ++k)
        free[trees.begin[tree] + k] = (k == 2 ? -0.01 : 0.0) + 0.003 * any(random);
    for (int i = 0; i < problem.layout.contacts; ++i)
      for (const TreeMotions::Side& side : trees.sides[i])
        for (int k = 0; side.tree >= 0 && k < trees.size[side.tree]; ++k)
          for (int c = 0; c < 3; ++c)
            problem.b[problem.layout.row(i, c)] +=
                trees.V[side.first + (k / 8) * TreeMotions::kRows + c * TreeMotions::kBlock + k % 8] *
                free[trees.begin[side.tree] + k];
  }

  template <class Any>
  void addSide(int tree, double sign, const Eigen::Vector3d& p, Any& any, std::mt19937& random) {
    double* blocks = problem.trees.addSide(tree);
    const auto entry = [&](int component, int motion) -> double& {
      return blocks[(motion / 8) * TreeMotions::kRows + component * TreeMotions::kBlock + motion % 8];
    };
    const Eigen::Vector3d axes[] = {Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY(), Eigen::Vector3d::UnitZ()};
    for (int c = 0; c < 3; ++c) {
      const Eigen::Vector3d turning = 2.0 * p.cross(axes[c]);
      for (int k = 0; k < 3; ++k) {
        entry(c, k) = sign * axes[c][k];
        entry(c, 3 + k) = sign * turning[k];
      }
      for (int k = 6; k < problem.trees.size[tree]; ++k) entry(c, k) = 0.3 * any(random);
    }
  }
};

ContactProblem written(const ContactProblem& by_trees) {
  ContactProblem dense;
  const ContactLayout& layout = by_trees.layout;
  dense.resize(layout.contacts);
  dense.law = by_trees.law;
  dense.mu = by_trees.mu;
  dense.b = by_trees.b;
  AlignedVector unit(layout.rows(), 0.0), column(layout.rows());
  std::vector<double> motion;
  for (int j = 0; j < layout.contacts; ++j)
    for (int c = 0; c < 3; ++c) {
      unit[layout.row(j, c)] = 1.0;
      by_trees.velocity(unit.data(), motion, column.data());
      for (int i = 0; i < layout.contacts; ++i)
        for (int a = 0; a < 3; ++a) dense(i, a, j, c) = column[layout.row(i, a)] - by_trees.b[layout.row(i, a)];
      unit[layout.row(j, c)] = 0.0;
    }
  return dense;
}

TEST(ProblemsByTrees, AreTheSameAsWrittenOut) {
  std::mt19937 random(randomSeed(1));
  const Heap heap(7, 2, 0.5, random, FrictionLaw::cone, 11);
  const ContactProblem dense = written(heap.problem);
  AlignedVector impulse(heap.problem.layout.rows(), 0.0);
  for (int i = 0; i < heap.problem.layout.contacts; ++i) {
    for (int c = 0; c < 3; ++c) {
      impulse[heap.problem.layout.row(i, c)] = 0.1 * ((7 * i + c) % 5);
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(heap.problem.own(i, a, c), dense.own(i, a, c), 1e-15);
    }
  }
  EXPECT_NEAR(contactResidual(heap.problem, impulse.data()), contactResidual(dense, impulse.data()), 1e-13);
}

void expectSolved(const ContactProblem& problem, ContactSolver& solver) {
  const ContactSolution solution = solveCold(solver, problem);
  EXPECT_EQ(solution.status, SolveStatus::converged);
  // By the dense matrix: a measure that has nothing to do with how it was solved. Its sums round otherwise.
  EXPECT_LE(contactResidual(written(problem), solution.impulse.data()), kTolerance + 1e-13);
}

TEST(ProblemsByTrees, AreSolvedWhateverTheirSize) {
  std::mt19937 random(randomSeed(2));
  const auto islands = makeIslandSolver(makeContactSolver("native"));
  for (const int bodies : {2, 5, 12, 30, 60})
    for (const double mu : {0.0, 0.3, 1.0}) expectSolved(Heap(bodies, 3, mu, random).problem, *islands);
}

TEST(ProblemsByTrees, AreSolvedWithStrongFriction) {
  std::mt19937 random(randomSeed(8));
  const auto islands = makeIslandSolver(makeContactSolver("native"));
  for (int trial = 0; trial < 8; ++trial) expectSolved(Heap(12, 3, 1.0, random).problem, *islands);
}

TEST(ProblemsByTrees, TakeThePyramidAndTreesOfManyMotions) {
  std::mt19937 random(randomSeed(3));
  const auto islands = makeIslandSolver(makeContactSolver("native"));
  expectSolved(Heap(16, 3, 0.5, random, FrictionLaw::pyramid).problem, *islands);
  expectSolved(Heap(16, 3, 0.5, random, FrictionLaw::cone, 21).problem, *islands);
}

TEST(ProblemsByTrees, AreSolvedWrittenOutWhereTheSolverKnowsNothingElse) {
  std::mt19937 random(randomSeed(4));
  const auto islands = makeIslandSolver(makeContactSolver("native"));
  const Heap heap(16, 3, 0.5, random, FrictionLaw::convex_pyramid);
  const ContactSolution solution = solveCold(*islands, heap.problem);
  EXPECT_LE(contactResidual(heap.problem, solution.impulse.data()), kTolerance + 1e-13);
}

/// Where both find the limit of equal compliance, it is one. With little friction: with more of it there may be
/// several.
TEST(ProblemsByTrees, ShareTheLoadAsWrittenOut) {
  std::mt19937 random(randomSeed(5));
  const auto native = makeContactSolver("native");
  int compared = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Heap heap(10, 4, 0.2, random);
    const ContactProblem dense = written(heap.problem);
    const ContactSolution sparse_solution = solveCold(*native, heap.problem),
                          dense_solution = solveCold(*native, dense);
    if (!sparse_solution.minimum_norm || !dense_solution.minimum_norm) continue;
    ++compared;
    double largest = 0.0;
    for (const double p : dense_solution.impulse) largest = std::max(largest, std::abs(p));
    for (int i = 0; i < dense.layout.contacts; ++i)
      EXPECT_LE((contactOf(dense, sparse_solution.impulse, i) - contactOf(dense, dense_solution.impulse, i)).norm(),
                1e-5 * largest);
  }
  EXPECT_GE(compared, 5);
}

TEST(ProblemsByTrees, GiveTheSameBitsWhateverElseIsInTheWorld) {
  std::mt19937 random(randomSeed(6));
  const Heap a(12, 3, 0.5, random), b(4, 3, 0.5, random);
  ContactProblem both;
  const ContactProblem* parts[] = {&a.problem, &b.problem};
  const int count_a = a.problem.layout.contacts, count_b = b.problem.layout.contacts;
  both.resizeByTrees(count_a + count_b);
  for (const ContactProblem* part : parts)
    for (const int size : part->trees.size) both.trees.addTree(size);
  int i = 0;
  for (int k = 0; k < 2; ++k) {
    const ContactProblem& part = *parts[k];
    for (int j = 0; j < part.layout.contacts; ++j, ++i) {
      both.trees.addContact();
      for (const TreeMotions::Side& side : part.trees.sides[j])
        if (side.tree >= 0)
          std::copy_n(part.trees.V.data() + side.first, TreeMotions::kRows * part.trees.blocks(side.tree),
                      both.trees.addSide(side.tree + (k == 0 ? 0 : 12)));
      both.mu[i] = part.mu[j];
      for (int c = 0; c < 3; ++c) both.b[both.layout.row(i, c)] = part.b[part.layout.row(j, c)];
    }
  }
  const auto islands = makeIslandSolver(makeContactSolver("native"));
  const ContactSolution whole = solveCold(*islands, both);
  const ContactSolution alone[] = {solveCold(*islands, a.problem), solveCold(*islands, b.problem)};
  for (int k = 0; k < count_a + count_b; ++k) {
    const int part = k < count_a ? 0 : 1;
    EXPECT_EQ(contactOf(both, whole.impulse, k),
              contactOf(*parts[part], alone[part].impulse, part == 0 ? k : k - count_a));
  }
}

/// What can be had in no other way: five hundred contacts, from nothing.
TEST(ProblemsByTrees, MayHaveHundredsOfContacts) {
  std::mt19937 random(randomSeed(7));
  const auto islands = makeIslandSolver(makeContactSolver("native"));
  for (const double mu : {0.3, 0.6, 1.0}) {
    const Heap heap(120, 3, mu, random);
    const ContactSolution solution = solveCold(*islands, heap.problem);
    EXPECT_EQ(solution.status, SolveStatus::converged) << mu;
    EXPECT_LE(contactResidual(heap.problem, solution.impulse.data()), kTolerance + 1e-13);
  }
}

/// Much work for the last digits of a heap is spared where that is wanted; small problems get all of them. What is
/// wrong does no work, and so makes no energy.
TEST(ProblemsByTrees, EndInTimeWithImpulsesThatAreGoodEnough) {
  std::mt19937 random(randomSeed(7));
  const auto islands = makeIslandSolver(makeContactSolver("native"));
  SolverSettings in_time;
  in_time.good_enough = 1e-5;
  const Heap heap(120, 3, 0.6, random);
  const ContactSolution exact = solveCold(*islands, heap.problem), quick = solveCold(*islands, heap.problem, in_time);
  EXPECT_EQ(quick.status, SolveStatus::inaccurate);
  EXPECT_LE(contactResidual(heap.problem, quick.impulse.data()), in_time.good_enough);
  EXPECT_LT(quick.counters[SolverStage::proximal_path], exact.counters[SolverStage::proximal_path]);
  std::vector<double> motion;
  AlignedVector v(heap.problem.layout.rows());
  heap.problem.velocity(quick.impulse.data(), motion, v.data());
  double work = 0.0;
  for (int row = 0; row < heap.problem.layout.rows(); ++row) work += quick.impulse[row] * v[row];
  EXPECT_LE(work, 0.0);

  const Heap small(20, 3, 0.6, random);
  ASSERT_LE(small.problem.layout.contacts, IslandSolver::kContactsOfAHeap);
  EXPECT_EQ(solveCold(*islands, small.problem, in_time).status, SolveStatus::converged);
}

/// Whatever the speeds are, no residual that matters beside them ends a run; numbers that are none do.
TEST(ProblemsByTrees, FailOnlyByWhatMattersBesideTheirSpeeds) {
  std::mt19937 random(randomSeed(9));
  const auto islands = makeIslandSolver(makeContactSolver("native"));
  Heap heap(30, 3, 0.6, random);
  for (double& b : heap.problem.b) b *= 1e3;
  SolverSettings nothing_reaches_it;
  nothing_reaches_it.tolerance = 1e-30;
  nothing_reaches_it.acceptable = 1e-29;
  const ContactSolution rounded = solveCold(*islands, heap.problem, nothing_reaches_it);
  EXPECT_EQ(rounded.status, SolveStatus::inaccurate);
  EXPECT_LT(rounded.residual, 1e-6);
  heap.problem.b[0] = std::nan("");
  EXPECT_EQ(solveCold(*islands, heap.problem).status, SolveStatus::failed);
}

}  // namespace
}  // namespace footfall::test
