#include <gtest/gtest.h>

#include <cmath>

#include "footfall/solver/dense_qp.hpp"
#include "solver/ncp_file.hpp"
#include "solver/problems.hpp"
#include "tools/count_allocations.hpp"
#include "tools/source_dir.hpp"

namespace footfall::test {
namespace {

TEST(Allocations, AreCountedHere) {
  const long before = allocations;
  int* volatile memory = new int(1);  // or the compiler leaves both out
  delete memory;
  EXPECT_EQ(allocations, before + 1);
}

TEST(Allocations, NoneInSolveAfterReserve) {
  const std::string folder = sourceDir() + "/tests/data/contact_problems";
  std::vector<RecordedProblem> records;
  for (const char* family : {"anymal_trot", "impact", "fallen", "random"})  // every stage of the solver is reached
    for (RecordedProblem& record : readFamily(folder, family)) records.push_back(std::move(record));
  const auto solver = makeContactSolver("native");
  solver->reserve(88);
  ContactSolution solution;
  solution.impulse.reserve(ContactLayout::of(88).rows());
  for (FrictionLaw law : {FrictionLaw::cone, FrictionLaw::pyramid, FrictionLaw::convex_pyramid}) {
    for (RecordedProblem& record : records) {
      record.problem.law = law;
      solution.impulse.assign(record.problem.layout.rows(), 0.0);
      solution.minimum_norm = false;
      const long before = allocations;
      for (int k = 0; k < 2; ++k) solver->solve(record.problem, {}, solution);
      ASSERT_EQ(allocations, before);
    }
  }
}

TEST(Allocations, NoneInADenseQpAfterReserve) {
  constexpr int n = 30, m = 60;
  const MatrixXd root =
      MatrixXd::NullaryExpr(n, n, [](auto i, auto k) { return std::sin(0.1 * (i + 1) * (k + 2) * (k + 1)); });
  const MatrixXd A =
      MatrixXd::NullaryExpr(m, n, [](auto i, auto k) { return std::cos(0.1 * (i + 1) * (k + 2) * (k + 1)); });
  const VectorXd g = 10.0 * VectorXd::LinSpaced(n, -1.0, 1.0), upper = VectorXd::Ones(m), lower = -upper;
  DenseQp qp;
  qp.reserve(n, m);
  for (const int rank : {n, n / 2}) {  // with and without proximal iterations
    const MatrixXd H = root.leftCols(rank) * root.leftCols(rank).transpose();
    const long before = allocations;
    EXPECT_EQ(qp.solve(H, g, A, lower, upper).status, QpStatus::solved);
    EXPECT_EQ(allocations, before);
  }
}

}  // namespace
}  // namespace footfall::test
