// Light links that carry heavy ones. The tension of a load makes them swing far faster than a step can follow, and none
// of it may become energy.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <tuple>

#include "footfall/base/internal/temporary_folder.hpp"
#include "physics/made_models.hpp"
#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

constexpr double kLength = 0.1;  ///< of a link [m]
constexpr int kLinks = 5;
constexpr double kLoad = 1000.0;  ///< [kg]

enum class Joints { parallel, crossed, balls };

const char* nameOf(Joints joints) {
  return joints == Joints::parallel ? "parallel" : joints == Joints::crossed ? "crossed" : "balls";
}

SpatialInertia rod(double mass) {
  return bodyInertia(mass, {0.0, 0.0, -0.5 * kLength}, mass * kLength * kLength / 12.0 * Vector3d(1.0, 1.0, 0.02));
}

SpatialInertia load() { return bodyInertia(kLoad, {0.0, 0.0, -0.1}, 0.004 * kLoad * Vector3d::Ones()); }

/// Links of this mass below `model`'s base, and a ton at their end. Swings with √(T/(m l)): 20,000 rad/s for a gram.
Model chainBelow(Model model, Joints joints, double mass, const Vector3d& first = Vector3d::Zero()) {
  LinkIndex last(0);
  for (int k = 0; k <= kLinks; ++k) {
    const Vector3d place = k == 0 ? first : Vector3d(0.0, 0.0, -kLength);
    const SpatialInertia inertia = k == kLinks ? load() : rod(mass);
    const Vector3d axis = joints == Joints::crossed && k % 2 == 1 ? Vector3d::UnitX() : Vector3d::UnitY();
    last = joints == Joints::balls ? addBall(model, last, {Matrix3d::Identity(), place}, inertia)
                                   : addHinge(model, last, axis, place, inertia);
  }
  return model;
}

/// What the load falls by from this angle [J].
double swingEnergy(double angle) { return kLoad * 9.81 * (kLinks * kLength + 0.1) * (1.0 - std::cos(angle)); }

void lean(const Model& model, double angle, VectorXd& q) { q[model.balls.empty() ? 7 : 8] = angle; }

class LightChain : public testing::TestWithParam<std::tuple<Joints, double>> {
 protected:
  Model chain() const { return chainBelow(fixedBaseModel(), std::get<0>(GetParam()), std::get<1>(GetParam())); }
};

TEST_P(LightChain, SwingsWithItsLoadAndGainsNoEnergy) {
  constexpr double kAngle = 0.3;
  Motion run(chain(), 1e-3);
  lean(run.model(), kAngle, run.state.q);
  const double start = run.energy(), scale = swingEnergy(kAngle);
  for (int k = 0; k < 3000; ++k) {
    const StepResult& result = run.step();
    ASSERT_EQ(result.status, SolveStatus::converged) << k;
    ASSERT_EQ(result.order, 2) << k;
    ASSERT_NEAR(run.energy(), start, 2e-5 * scale) << k;
  }
}

/// Bent at random: its links would go around at thousands of radians a second, and come to rest within some steps.
TEST_P(LightChain, ThatWasBentIsPulledStraightAndGainsNoEnergy) {
  for (const double bend : {0.01, 0.1, 0.5}) {
    Motion run(chain(), 1e-3);
    for (int i = 0; i < run.model().jointDofs(); ++i) run.state.q[7 + i] = bend * std::sin(2.3 * i + 0.4);
    const double start = run.energy(), scale = swingEnergy(0.3);
    for (int k = 0; k < 1000; ++k) {
      ASSERT_EQ(run.step().status, SolveStatus::converged) << k;
      ASSERT_LT(run.energy() - start, 1e-3 * scale) << bend << " " << k;
    }
    EXPECT_LT(run.state.nu.cwiseAbs().maxCoeff(), 30.0) << bend;
  }
}

INSTANTIATE_TEST_SUITE_P(Masses, LightChain,
                         testing::Combine(testing::Values(Joints::parallel, Joints::crossed, Joints::balls),
                                          testing::Values(1e-3, 1e-2, 1e-1)),
                         [](const auto& test) {
                           return std::string(nameOf(std::get<0>(test.param))) + std::to_string(test.index % 3);
                         });

/// Of the load's place, from 2 to 0.25 ms. (Its links tremble by 1e-5 rad in truth, and for ever; here they come to
/// rest.)
class LightChainOrder : public testing::TestWithParam<Joints> {};

TEST_P(LightChainOrder, IsTwo) {
  const Model model = chainBelow(fixedBaseModel(), GetParam(), 1e-2);
  const auto loadAt = [&](const std::string& integrator, double dt) -> Vector3d {
    Motion run(model, dt, 0.6, 0.0, integrator);
    lean(model, 0.6, run.state.q);
    const int steps = static_cast<int>(std::lround(0.5 / dt));
    for (int k = 0; k < steps; ++k) run.step();
    return run.dynamics().linkPose(LinkIndex(static_cast<int>(model.links.size()) - 1)) * load().com;
  };
  const Vector3d exact = loadAt("rk4", 2e-5);
  double last = 0.0;
  for (const double dt : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
    const double error = (loadAt("second_order", dt) - exact).norm();
    if (last > 0.0) {
      EXPECT_GT(std::log2(last / error), 1.8) << dt << " " << error;
    }
    last = error;
  }
}

INSTANTIATE_TEST_SUITE_P(Joints, LightChainOrder, testing::Values(Joints::parallel, Joints::crossed, Joints::balls),
                         [](const auto& test) { return nameOf(test.param); });

/// Two heavy bodies whirl about each other on a light chain: its tension is that of their motion.
TEST(LightChainInFlight, KeepsMomentumAndGainsNoEnergy) {
  Model model = chainBelow(freeBodyModel(bodyInertia(kLoad, Vector3d::Zero(), 4.0 * Vector3d::Ones())), Joints::crossed,
                           1e-3, {0.0, 0.0, -0.1});
  model.gravity.setZero();
  Motion run(model, 1e-3);
  run.state.nu[4] = 5.0;  // all of it turns about y
  run.state.nu[0] = -2.0;
  const double start = run.energy();
  const Vector6d momentum = run.dynamics().momentum();
  for (int k = 0; k < 3000; ++k) {
    ASSERT_EQ(run.step().status, SolveStatus::converged) << k;
    ASSERT_LT(run.energy() - start, 1e-6 * start) << k;
  }
  EXPECT_GT(run.energy() - start, -1e-3 * start);
  EXPECT_LT((run.dynamics().momentum() - momentum).norm(), 1e-11 * momentum.norm());
}

/// The load comes down on the ground and the chain, straight until then, has to give way: no smooth motion does that.
TEST(LightChainAboveGround, GivesWayWithoutMakingEnergy) {
  for (const double height : {0.66, 0.7}) {
    Model model = chainBelow(fixedBaseModel(), Joints::crossed, 1e-3);
    addContactPoint(model, LinkIndex(kLinks + 1), load().com, 0.08);
    Motion run(model, 1e-3);
    run.state.q[2] = height;
    lean(model, -0.6, run.state.q);
    const double start = run.energy(), scale = swingEnergy(0.6);
    for (int k = 0; k < 2000; ++k) {
      ASSERT_NE(run.step().status, SolveStatus::failed) << k;
      ASSERT_LT(run.energy() - start, 1e-3 * scale) << k;
    }
  }
}

/// A load between two chains: one of them hangs on the world by a loop, and only that pulls at it.
TEST(LightChainInALoop, CarriesItsLoadAndGainsNoEnergy) {
  constexpr double kSlant = 0.5, kAngle = 0.3;  // of the chains from the vertical, and of the load at the start [rad]
  for (const double mass : {1e-3, 1e-2, 1e-1}) {
    Model model = chainBelow(fixedBaseModel(), Joints::parallel, mass);
    LinkIndex last(kLinks + 1);
    for (int k = 0; k < kLinks; ++k)
      last = addHinge(model, last, Vector3d::UnitY(), {0.0, 0.0, k == 0 ? 0.0 : -kLength}, rod(mass));
    addBallLoop(model, LinkIndex(), {2.0 * kLinks * kLength * std::sin(kSlant), 0.0, 0.0}, last, {0.0, 0.0, -kLength});
    Motion run(model, 1e-3);
    run.state.joints()[0] = -kSlant;
    run.state.joints()[kLinks] = kSlant + kAngle;
    run.state.joints()[kLinks + 1] = M_PI + kSlant - kAngle;
    const double start = run.energy(), scale = kLoad * 9.81 * 0.1 * (1.0 - std::cos(kAngle));
    for (int k = 0; k < 2000; ++k) {
      ASSERT_EQ(run.step().status, SolveStatus::converged) << mass << " " << k;
      ASSERT_LT(run.energy() - start, 1e-3 * scale) << mass << " " << k;
      ASSERT_LT(run.result().loop_gap, 1e-9) << mass << " " << k;
    }
    EXPECT_GT(run.energy() - start, -0.05 * scale) << mass;
  }
}

/// Every second hinge turns as the one before it, the other way: the chain bends like a pair of scissors.
TEST(LightChainWithMimics, SwingsWithItsLoadAndGainsNoEnergy) {
  constexpr double kAngle = 0.3;
  Model model = chainBelow(fixedBaseModel(), Joints::parallel, 1e-3);
  for (const int j : {2, 4}) {
    model.joints[j].dof = model.joints[j - 1].dof;
    model.joints[j].multiplier = -1.0;
  }
  std::vector<Dof> dofs;
  for (Joint& joint : model.joints) {
    if (joint.multiplier > 0.0) dofs.push_back(model.dofs[joint.dof]);
    joint.dof = DofIndex(static_cast<int>(dofs.size()) - 1);
  }
  model.dofs = dofs;
  Motion run(model, 1e-3);
  lean(run.model(), kAngle, run.state.q);
  const double start = run.energy(), scale = swingEnergy(kAngle);
  for (int k = 0; k < 3000; ++k) {
    ASSERT_EQ(run.step().status, SolveStatus::converged) << k;
    ASSERT_NEAR(run.energy(), start, 1e-4 * scale) << k;
  }
}

/// A ton on two links of a gram, as a file.
const char* const kPendulum = R"(<robot name="pendulum">
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="thread"><inertial><origin xyz="0 0 -0.05"/><mass value="0.001"/>
    <inertia ixx="1e-6" iyy="1e-6" izz="1e-8" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="end"><inertial><origin xyz="0 0 -0.05"/><mass value="0.001"/>
    <inertia ixx="1e-6" iyy="1e-6" izz="1e-8" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="load"><inertial><mass value="1000"/><inertia ixx="4" iyy="4" izz="4" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="a" type="continuous"><parent link="base"/><child link="thread"/><axis xyz="0 1 0"/></joint>
  <joint name="b" type="continuous"><parent link="thread"/><child link="end"/><origin xyz="0 0 -0.1"/><axis xyz="0 1 0"/></joint>
  <joint name="c" type="continuous"><parent link="end"/><child link="load"/><origin xyz="0 0 -0.1"/><axis xyz="0 1 0"/></joint>
</robot>)";

TEST(LightLink, IsNamedByScenesWhoseStepsMakeEnergyOfIt) {
  const TemporaryFolder folder("light-link");
  const std::string file = (folder.path() / "pendulum.urdf").string();
  std::ofstream(file) << kPendulum;
  Scene scene = freeBody(file);
  scene.robot.fixed_base = true;
  EXPECT_TRUE(Simulation(scene).warnings().empty());
  for (const char* integrator : {"rk4", "semi_implicit_euler"}) {
    scene.physics.integrator = integrator;
    const std::vector<std::string> warnings = Simulation(scene).warnings();
    ASSERT_EQ(warnings.size(), 1u) << integrator;
    EXPECT_NE(warnings[0].find("' is light for what it may carry"), std::string::npos) << warnings[0];
  }
  scene.physics.step = 1e-5;  // Δt ω = 0.3
  EXPECT_TRUE(Simulation(scene).warnings().empty());
}

/// Links that carry no more than is usual swing as slowly as a step can follow, and lose nothing.
TEST(HeavyChain, IsNotDamped) {
  Model model = fixedBaseModel();
  LinkIndex last(0);
  for (int k = 0; k < 4; ++k)
    last = addHinge(model, last, Vector3d::UnitY(), {0.0, 0.0, k == 0 ? 0.0 : -kLength}, rod(0.5));
  Motion run(model, 1e-3);
  run.state.joints() << 0.3, -0.5, 0.4, 0.2;
  const double start = run.energy();
  double lowest = 0.0;
  for (int k = 0; k < 10000; ++k) {
    run.step();
    lowest = std::min(lowest, run.energy() - start);
  }
  EXPECT_GT(lowest, -1e-3);  // of 0.3 J that swing
}

}  // namespace
}  // namespace footfall::physics
