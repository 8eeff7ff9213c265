#include <gtest/gtest.h>

#include "dynamics/random_model.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "tools/random_seed.hpp"

namespace footfall::test {
namespace {

struct Robot {
  const char* name;
  bool floating_base, ball_joints;
};

class TurningInertiaOf : public testing::TestWithParam<Robot> {
 protected:
  TurningInertiaOf()
      : model(randomModel(
            random, {.joints = 20, .floating_base = GetParam().floating_base, .ball_joints = GetParam().ball_joints})),
        engine(makeDynamics("native", model)),
        state(randomState(model, random)) {
    engine->update(state.q, state.nu);
    for (std::size_t k = 0; k < model.links.size(); ++k) {
      const Vector3d a = randomVector(3, random), b = randomVector(3, random);
      P.push_back(a * a.transpose() + b * b.transpose());
    }
  }

  /// Σ J_ωᵀ P J_ω from unit couples.
  MatrixXd dense() const {
    MatrixXd sum = MatrixXd::Zero(model.nv(), model.nv());
    for (std::size_t k = 0; k < model.links.size(); ++k) {
      MatrixXd JT = MatrixXd::Zero(model.nv(), 3);
      for (int c = 0; c < 3; ++c) {
        Vector6d couple = Vector6d::Zero();
        couple[3 + c] = 1.0;
        VectorXd column = VectorXd::Zero(model.nv());
        engine->addWrench(LinkIndex(static_cast<int>(k)), Vector3d::Zero(), couple, column);
        JT.col(c) = column;
      }
      sum += JT * P[k] * JT.transpose();
    }
    return sum;
  }

  std::mt19937 random{randomSeed(7)};
  Model model;
  std::unique_ptr<Dynamics> engine;
  State state;
  std::vector<Matrix3d> P;
};

TEST_P(TurningInertiaOf, LinksEntersTheInverseAndLeavesTheMassMatrixAlone) {
  MatrixXd M(model.nv(), model.nv()), after(model.nv(), model.nv());
  engine->massMatrix(M);
  ASSERT_TRUE(engine->addTurningInertia(P));
  engine->massMatrix(after);
  EXPECT_EQ(M, after);
  const MatrixXd X = dense();
  const VectorXd x = randomVector(model.nv(), random);
  VectorXd y(model.nv());
  engine->multiplyTurningInertia(x, y);
  EXPECT_LT((y - X * x).norm(), 1e-12 * y.norm());
  VectorXd solved = (M + X) * x;
  engine->solveMass(solved);
  EXPECT_LT((solved - x).norm(), 1e-9 * x.norm());
}

TEST_P(TurningInertiaOf, LinksIsGoneAfterTheNextUpdate) {
  VectorXd before = VectorXd::Ones(model.nv()), after = before;
  engine->solveMass(before);
  ASSERT_TRUE(engine->addTurningInertia(P));
  engine->update(state.q, state.nu);
  engine->solveMass(after);
  EXPECT_EQ(before, after);
}

INSTANTIATE_TEST_SUITE_P(Robots, TurningInertiaOf,
                         testing::Values(Robot{"fixed", false, false}, Robot{"floating", true, false},
                                         Robot{"balls", true, true}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace footfall::test
