// What a solver keeps of a matrix serves the next problem with it, and nobody notices.

#include <gtest/gtest.h>

#include "solver/native/native_solver.hpp"
#include "solver/ncp_file.hpp"
#include "solver/problems.hpp"
#include "tools/source_dir.hpp"

namespace footfall::test {
namespace {

TEST(MatrixName, IsNobodyElses) {
  MatrixName one, other;
  EXPECT_EQ(one.value(), 0u);
  one.renew();
  other.renew();
  const std::uint64_t first = one.value();
  one.renew();
  EXPECT_NE(first, 0u);
  EXPECT_NE(first, one.value());
  EXPECT_NE(one.value(), other.value());
}

TEST(MatrixName, IsNotInherited) {
  MatrixName one, assigned;
  one.renew();
  assigned.renew();
  const MatrixName copy = one;
  assigned = one;
  EXPECT_EQ(copy.value(), 0u);
  EXPECT_EQ(assigned.value(), 0u);
}

/// A solver that has met the matrix before, beside one that has not.
class KeptFactors : public testing::Test {
 protected:
  KeptFactors() { problem_.matrix.renew(); }

  void expectSameBits(const char* what) {
    const ContactSolution kept = solveCold(*keeps_, problem_), fresh = solveCold(*makeNativeSolver(), problem_);
    EXPECT_EQ(kept.status, SolveStatus::converged) << what;
    EXPECT_EQ(kept.iterations, fresh.iterations) << what;
    EXPECT_EQ(kept.impulse, fresh.impulse) << what;
  }

  ContactProblem problem_ = readFamily(sourceDir() + "/tests/data/contact_problems", "fallen").front().problem;
  std::unique_ptr<ContactSolver> keeps_ = makeNativeSolver();
};

TEST_F(KeptFactors, ServeOtherVelocities) {
  expectSameBits("first");
  for (double& b : problem_.b) b *= 0.9;
  problem_.makePaddingInert();
  expectSameBits("slower");
}

TEST_F(KeptFactors, AreMadeAnewForAnotherMatrix) {
  expectSameBits("first");
  for (double& g : problem_.G) g *= 2.0;
  problem_.matrix.renew();
  expectSameBits("lighter");
}

/// Contacts without friction take less part in them.
TEST_F(KeptFactors, AreMadeAnewForOtherFriction) {
  expectSameBits("first");
  for (int i = 0; i < problem_.layout.contacts; i += 2) problem_.mu[i] = 0.0;
  expectSameBits("half of it smooth");
}

TEST_F(KeptFactors, AreMadeAnewAfterAnotherProblem) {
  expectSameBits("first");
  const ContactProblem other = readFamily(sourceDir() + "/tests/data/contact_problems", "fallen").back().problem;
  ASSERT_NE(other.layout.stride, problem_.layout.stride);
  solveCold(*keeps_, other);
  for (double& b : problem_.b) b *= 0.9;
  problem_.makePaddingInert();
  expectSameBits("after another size");
  problem_.law = FrictionLaw::convex_pyramid;
  solveCold(*keeps_, problem_);
  problem_.law = FrictionLaw::cone;
  expectSameBits("after another law");
}

}  // namespace
}  // namespace footfall::test
