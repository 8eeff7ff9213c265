#include <gtest/gtest.h>

#include <Eigen/QR>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

/// A box on a footprint of 4 × 3 points: 36 force components for 6 equations.
Scene twelvePoints() {
  Scene scene = freeBody("box");
  SceneContact foot;
  foot.frame = "box";
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j) foot.points.emplace_back(-0.09 + 0.06 * i, -0.08 + 0.08 * j, -0.1);
  scene.contacts.push_back(foot);
  scene.robot.on_ground = true;
  return scene;
}

double totalNormalForce(const StepResult& result) {
  double total = 0.0;
  for (const ContactReport& contact : result.contacts) total += contact.force_C.z();
  return total;
}

TEST(FlatFoot, TwelvePointsCarryTheWeightSymmetrically) {
  Simulation simulation(twelvePoints());
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
  const double weight = simulation.model().totalMass() * kGravity;
  ASSERT_EQ(simulation.result().contacts.size(), 12u);
  EXPECT_NEAR(totalNormalForce(simulation.result()), weight, 1e-6 * weight);
  for (const ContactReport& contact : simulation.result().contacts) {
    EXPECT_NEAR(contact.force_C.z(), weight / 12.0, 1e-6 * weight);
    EXPECT_LT(contact.force_C.head<2>().norm(), 1e-6 * weight);
  }
}

TEST(FlatFoot, OffCentreLoadIsCarriedByTheForcesOfLeastNorm) {
  Scene scene = twelvePoints();
  // A steady pull sideways and down, off the middle: the points at the loaded side carry more.
  scene.pushes.push_back({"", "box", {0.5, 0.2, -1.0}, {0.1, 0.15, 0.0}, 0.0, 100.0});
  Simulation simulation(scene);
  for (int k = 0; k < 2000; ++k) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
  const auto& contacts = simulation.result().contacts;
  ASSERT_EQ(contacts.size(), 12u);
  Eigen::Matrix<double, 6, 36> A;
  VectorXd forces(36);
  for (int i = 0; i < 12; ++i) {
    A.block<3, 3>(0, 3 * i).setIdentity();
    A.block<3, 3>(3, 3 * i) = skew(contacts[i].p_WC);
    forces.segment<3>(3 * i) = contacts[i].force_W;
  }
  const VectorXd least = A.completeOrthogonalDecomposition().solve(A * forces);
  EXPECT_LT((forces - least).norm(), 1e-5 * forces.norm());
}

TEST(FlatFoot, ItsWrenchIsThatOfItsPoints) {
  Scene scene = twelvePoints();
  scene.ground.incline = 0.2;
  scene.ground.heading = 1.0;
  Simulation simulation(scene);
  for (int k = 0; k < 500; ++k) simulation.step();
  const StepResult& result = simulation.result();
  ASSERT_EQ(result.soles.size(), 1u);
  const Pose X_WF = simulation.dynamics().framePose(result.soles[0].frame);
  // Static equilibrium: the ground's wrench on the box, seen from the box, is minus its weight at its centre.
  Vector6d expected;
  expected << X_WF.R.transpose() * Vector3d(0, 0, simulation.model().totalMass() * kGravity), Vector3d::Zero();
  EXPECT_LT((result.soles[0].wrench_F - expected).norm(), 1e-6);
}

}  // namespace
}  // namespace footfall::physics
