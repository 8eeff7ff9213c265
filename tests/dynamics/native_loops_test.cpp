#include <gtest/gtest.h>

#include "dynamics/dense_loops.hpp"
#include "dynamics/random_model.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/ball_joint.hpp"
#include "tools/random_seed.hpp"

namespace footfall::test {
namespace {

constexpr double kSolve = 1e-8;  // rounding times the condition numbers of M and of the loops

Pose randomPose(std::mt19937& random) {
  const Eigen::Vector4d q = randomVector(4, random).normalized();
  return {Eigen::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix(), 0.3 * randomVector(3, random)};
}

/// A robot with a loop of every kind, between its links and to the world, and more of them in a row than fit in one
/// chunk of the kernels. Some rows depend on others.
struct LoopedRobot {
  const char* name;
  bool floating_base, ball_joints;
};

Model robotWithLoops(std::mt19937& random, const LoopedRobot& robot) {
  Model model =
      randomModel(random, {.joints = 24, .floating_base = robot.floating_base, .ball_joints = robot.ball_joints});
  std::uniform_int_distribution<int> link(0, 24);
  const auto outside = [&](int number) {
    while (isInsideBall(model, LinkIndex(number))) ++number;
    return LinkIndex(number);
  };
  for (const LoopKind kind : {LoopKind::ball, LoopKind::hinge, LoopKind::slider, LoopKind::ball}) {
    const int a = link(random);
    model.loops.push_back({"", kind, outside(a), outside((a + 7) % 25), randomPose(random), randomPose(random)});
  }
  model.loops.push_back({"", LoopKind::weld, outside(3), {}, randomPose(random), randomPose(random)});
  model.loops.push_back(model.loops.back());
  return model;
}

class NativeLoops : public testing::TestWithParam<LoopedRobot> {
 protected:
  NativeLoops()
      : model(robotWithLoops(random, GetParam())),
        rows(loopRows(model)),
        engine(makeDynamics("native", model)),
        state(randomState(model, random)),
        contacts(randomContacts(model, 11, false, random)),
        dense(model) {
    engine->update(state.q, state.nu);
    engine->setContacts(contacts);
  }

  MatrixXd delassus() const {
    const int size = ContactLayout::of(static_cast<int>(contacts.size())).rows();
    MatrixXd G(size, size);
    AlignedVector values(static_cast<std::size_t>(size) * size, 0.0);
    engine->delassus(values.data());
    return Eigen::Map<MatrixXd>(values.data(), size, size);
  }

  std::mt19937 random{randomSeed(31)};
  Model model;
  int rows;
  std::unique_ptr<Dynamics> engine;
  State state;
  std::vector<ContactFrame> contacts;
  DenseLoops dense;
};

TEST_P(NativeLoops, HaveTheJacobianTheBiasAndTheGapsOfDenseAlgebra) {
  engine->prepareLoops();
  dense.prepare(*engine);
  MatrixXd J(rows, model.nv()), J_dense(rows, model.nv());
  engine->loopJacobian(J);
  dense.jacobian(J_dense);
  EXPECT_LT((J - J_dense).norm(), 1e-11 * J_dense.norm());
  VectorXd value(rows), expected(rows);
  engine->loopBiasAcceleration(value);
  dense.biasAcceleration(*engine, expected);
  EXPECT_LT((value - expected).norm(), 1e-11 * expected.norm());
  engine->loopGaps(value);
  dense.gaps(*engine, expected);
  EXPECT_LT((value - expected).norm(), 1e-12 * expected.norm());
  const State elsewhere = randomState(model, random);
  engine->loopGapsAt(elsewhere.q, value);
  dense.gapsAt(elsewhere.q, expected);
  EXPECT_LT((value - expected).norm(), 1e-12 * expected.norm());
}

TEST_P(NativeLoops, TakeAVelocityToTheNearestThatKeepsThemClosed) {
  engine->prepareLoops();
  dense.prepare(*engine);
  MatrixXd J(rows, model.nv());
  engine->loopJacobian(J);
  const VectorXd offset = J * randomVector(model.nv(), random), start = randomVector(model.nv(), random);
  VectorXd x = start, lambda(rows), x_dense = start, lambda_dense(rows);
  engine->closeLoops(offset, x, lambda);
  dense.close(offset, x_dense, lambda_dense);
  EXPECT_LT((J * x + offset).norm(), kSolve * offset.norm());
  EXPECT_LT((x - x_dense).norm(), kSolve * x_dense.norm());
  VectorXd answer = J.transpose() * lambda;
  engine->solveMass(answer);
  EXPECT_LT((x - start - answer).norm(), kSolve * answer.norm());
}

TEST_P(NativeLoops, AnswerImpulsesOfContacts) {
  const MatrixXd open = delassus();
  engine->prepareLoops();
  const MatrixXd closed = delassus();
  dense.prepare(*engine);
  MatrixXd expected = open;
  dense.eliminateFrom(*engine, ContactLayout::of(static_cast<int>(contacts.size())), expected.data());
  EXPECT_GT((open - closed).norm(), 1e-3 * open.norm());
  EXPECT_LT((closed - expected).norm(), kSolve * open.norm());
  engine->update(state.q, state.nu);
  EXPECT_EQ((delassus() - open).norm(), 0.0);
}

INSTANTIATE_TEST_SUITE_P(Bases, NativeLoops,
                         testing::Values(LoopedRobot{"Floating", true, false}, LoopedRobot{"Fixed", false, false},
                                         LoopedRobot{"FloatingWithBalls", true, true},
                                         LoopedRobot{"FixedWithBalls", false, true}),
                         [](const auto& robot) { return robot.param.name; });

}  // namespace
}  // namespace footfall::test
