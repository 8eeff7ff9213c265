// Our reading of URDF files against Pinocchio's own: the only test that includes Pinocchio.

#include <gtest/gtest.h>

#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/joint/joint-free-flyer.hpp>
#include <pinocchio/multibody/model.hpp>
#include <pinocchio/parsers/urdf.hpp>

#include "dynamics/random_model.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "oracle/robots.hpp"
#include "tools/random_seed.hpp"

namespace footfall::test {
namespace {

struct Reference {
  MatrixXd M;
  VectorXd g;
};

const pinocchio::JointModel& sameJoint(const pinocchio::Model& theirs, const Joint& joint) {
  return theirs.joints[theirs.getJointId(joint.name)];
}

/// Pinocchio's coordinates of our state. It keeps unlimited turning joints as (cos, sin), and reads mimic joints as
/// joints of their own.
VectorXd configuration(const Model& ours, const pinocchio::Model& theirs, const State& state) {
  VectorXd q = VectorXd::Zero(theirs.nq);
  if (ours.floating_base) q.head<7>() = state.q.head<7>();
  for (const Joint& joint : ours.joints) {
    const auto& same = sameJoint(theirs, joint);
    const double position = joint.multiplier * state.joints()[joint.dof] + joint.offset;
    if (same.nq() == 1) {
      q[same.idx_q()] = position;
    } else {
      q.segment<2>(same.idx_q()) << std::cos(position), std::sin(position);
    }
  }
  return q;
}

/// T with (Pinocchio's velocities) = T ν.
MatrixXd velocityMap(const Model& ours, const pinocchio::Model& theirs, const State& state) {
  MatrixXd T = MatrixXd::Zero(theirs.nv, ours.nv());
  if (ours.floating_base) {
    T.block<3, 3>(0, 0) = T.block<3, 3>(3, 3) = state.basePose().R.transpose();
  }
  for (const Joint& joint : ours.joints) {
    T(sameJoint(theirs, joint).idx_v(), ours.baseDofs() + joint.dof) = joint.multiplier;
  }
  return T;
}

Reference pinocchioTerms(const Model& ours, const pinocchio::Model& theirs, const State& state) {
  pinocchio::Data data(theirs);
  const VectorXd q = configuration(ours, theirs, state);
  const MatrixXd T = velocityMap(ours, theirs, state);
  pinocchio::crba(theirs, data, q, pinocchio::Convention::LOCAL);
  const MatrixXd M = data.M.selfadjointView<Eigen::Upper>();
  return {T.transpose() * M * T, T.transpose() * pinocchio::computeGeneralizedGravity(theirs, data, q)};
}

pinocchio::Model parse(const Robot& robot) {
  const std::string path = ResourcePath::standard().findModel(robot.file);
  pinocchio::Model model;
  if (robot.floating_base) {
    pinocchio::urdf::buildModel(path, pinocchio::JointModelFreeFlyer(), model);
  } else {
    pinocchio::urdf::buildModel(path, model);
  }
  return model;
}

class UrdfLoader : public testing::TestWithParam<Robot> {};

TEST_P(UrdfLoader, ReadsTheSameMassMatrixAndGravityAsPinocchio) {
  const auto model = load(GetParam());
  if (!model) GTEST_SKIP() << GetParam().file << " is not installed";
  const pinocchio::Model theirs = parse(GetParam());
  ASSERT_EQ(model->baseDofs() + static_cast<int>(model->joints.size()), theirs.nv);
  const auto native = makeDynamics("native", *model);
  std::mt19937 random(randomSeed(11));
  MatrixXd M(model->nv(), model->nv());
  VectorXd g(model->nv());
  for (int trial = 0; trial < 3; ++trial) {
    State state = randomState(*model, random);
    if (!model->floating_base) state.setBasePose({});  // where Pinocchio has it
    native->update(state.q, state.nu);
    native->massMatrix(M);
    native->gravityForces(g);
    const Reference expected = pinocchioTerms(*model, theirs, state);
    // The numbers are the same doubles; only rounding differs.
    EXPECT_LE((M - expected.M).norm(), 1e-12 * expected.M.norm());
    EXPECT_LE((g - expected.g).norm(), 1e-12 * expected.g.norm());
  }
}

/// Reduced models are our own affair.
std::vector<Robot> wholeRobots() {
  std::vector<Robot> whole;
  for (const Robot& robot : robots()) {
    if (robot.joints.empty()) whole.push_back(robot);
  }
  return whole;
}

INSTANTIATE_TEST_SUITE_P(Oracle, UrdfLoader, testing::ValuesIn(wholeRobots()), testName);

}  // namespace
}  // namespace footfall::test
