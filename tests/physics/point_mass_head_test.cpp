// A head that is a point in its file, on three joints without mass: M is singular, and only dampers resist the turning
// of the point about itself. Some iCubs of icub-models are such robots.

#include <gtest/gtest.h>

#include "physics/made_models.hpp"

namespace footfall::physics {
namespace {

constexpr double kDamping = 1.0;  ///< of each joint of the neck [N m s/rad]
constexpr double kHeight = 0.05;  ///< how far it falls [m]

/// A block with four feet and a neck; `moment` of the head about its centre of mass [kg m²].
Model blockWithHead(const Vector3d& com, double moment) {
  Model model = freeBodyModel(bodyInertia(10.0, Vector3d::Zero(), Vector3d(0.1, 0.12, 0.15)));
  for (const double x : {-0.1, 0.1})
    for (const double y : {-0.08, 0.08}) addContactPoint(model, LinkIndex(0), {x, y, -0.1});
  const LinkIndex pitch = addHinge(model, LinkIndex(0), Vector3d::UnitY(), {0.002, 0.0, 0.19}, {});
  const LinkIndex roll = addHinge(model, pitch, Vector3d::UnitX(), {0.0095, 0.0, 0.0}, {});
  const LinkIndex head =
      addHinge(model, roll, Vector3d::UnitZ(), Vector3d::Zero(), bodyInertia(1.3, com, Vector3d::Constant(moment)));
  addContactPoint(model, head, com);
  for (Dof& dof : model.dofs) dof.damping = kDamping;
  return model;
}

/// How a robot that was dropped stands 50 ms after the first touch (7 + 3).
VectorXd drop(const Model& model) {
  Motion run(model, 1e-3);
  run.state.q[2] = 0.1 + kHeight;
  const double start = run.energy();
  for (int k = 0; k < 150; ++k) {
    EXPECT_EQ(run.step().status, SolveStatus::converged) << k;
    EXPECT_LE(run.energy(), start + 1e-6) << k;
    if (testing::Test::HasFailure()) break;
  }
  return run.state.q;
}

/// Rounding leaves of M what is as likely below zero as above: of twenty heads some have either. What a little moment
/// changes is in proportion to it: 1e-9 m or rad for 1e-9 kg m², and a tenfold of it is the tolerance.
TEST(PointMassHead, FallsAsOneThatHardlyResistsItsTurning) {
  for (int k = 0; k < 20; ++k) {
    SCOPED_TRACE(k);
    const Vector3d com(0.0185 + 0.001 * k, 0.0, 0.1108 - 0.0007 * k);
    const VectorXd point = drop(blockWithHead(com, 0.0)), body = drop(blockWithHead(com, 1e-9));
    EXPECT_LT((point - body).cwiseAbs().maxCoeff(), 1e-8);
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace footfall::physics
