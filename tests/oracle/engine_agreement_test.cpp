// Three libraries that were written by different people, on the same robots in the same states.

#include <gtest/gtest.h>

#include <map>

#include "dynamics/random_model.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/ball_joint.hpp"
#include "model/error_of.hpp"
#include "oracle/robots.hpp"
#include "tools/random_seed.hpp"

namespace footfall::test {
namespace {

/// What the port says, by name, each flattened to a vector.
using Quantities = std::map<std::string, VectorXd>;

/// Where and how a comparison looks: the same for every engine.
struct Probe {
  State state;
  VectorXd other_nu;  ///< set by updateVelocity()
  VectorXd x;         ///< any vector of velocities or forces
  VectorXd implicit_inertia;
  Vector6d wrench;
  std::vector<ContactFrame> contacts;
  VectorXd impulse;  ///< in the layout of the contacts
};

Probe randomProbe(const Model& model, std::mt19937& random) {
  constexpr int kContacts = 9;
  const ContactLayout layout = ContactLayout::of(kContacts);
  Probe probe;
  probe.state = randomState(model, random);
  probe.other_nu = randomVector(model.nv(), random);
  probe.x = randomVector(model.nv(), random);
  probe.implicit_inertia = randomVector(model.jointDofs(), random).cwiseAbs();
  // One joint gives way to nothing, as prescribed joints do.
  if (model.jointDofs() > 2) probe.implicit_inertia[model.jointDofs() / 2] = 1e100;
  probe.wrench = randomVector(6, random);
  probe.contacts = randomContacts(model, kContacts, false, random);
  probe.impulse = VectorXd::Zero(layout.rows());
  const VectorXd values = randomVector(3 * kContacts, random);
  for (int i = 0; i < kContacts; ++i) {
    for (int c = 0; c < 3; ++c) probe.impulse[layout.row(i, c)] = values[3 * i + c];
  }
  return probe;
}

void append(VectorXd& to, const Eigen::Ref<const VectorXd>& values) {
  to.conservativeResize(to.size() + values.size());
  to.tail(values.size()) = values;
}

void readGeneralized(const Dynamics& engine, const Probe& probe, Quantities& out) {
  const int nv = engine.model().nv();
  MatrixXd M(nv, nv);
  engine.massMatrix(M);
  out["mass matrix"] = M.reshaped();
  VectorXd v(nv);
  engine.biasForces(v);
  out["bias forces"] = v;
  engine.gravityForces(v);
  out["gravity forces"] = v;
  v = probe.x;
  engine.solveMass(v);
  out["M⁻¹ x, with implicit inertia"] = v;
  engine.multiplyMass(probe.x, v);
  out["M x"] = v;
  out["momentum"] = engine.momentum();
  out["centre of mass"] = engine.centerOfMass();
  out["kinetic energy"] = VectorXd::Constant(1, engine.energy().kinetic);
  out["potential energy"] = VectorXd::Constant(1, engine.energy().potential);
}

void readFrames(const Dynamics& engine, const Probe& probe, Quantities& out) {
  const Model& model = engine.model();
  MatrixXd J(6, model.nv());
  for (int f = 0; f < static_cast<int>(model.frames.size()); ++f) {
    const FrameIndex frame(f);
    const Pose X_WF = engine.framePose(frame);
    append(out["frame positions"], X_WF.p);
    append(out["frame rotations"], X_WF.R.reshaped());
    engine.frameJacobian(frame, J);
    append(out["frame Jacobians"], J.reshaped());
    append(out["frame bias accelerations"], engine.frameBiasAcceleration(frame));
  }
  VectorXd tau = probe.x;
  for (int l = 0; l < static_cast<int>(model.links.size()); ++l) {
    if (isInsideBall(model, LinkIndex(l))) continue;
    append(out["link velocities"], engine.linkVelocity(LinkIndex(l)));
    engine.addWrench(LinkIndex(l), probe.wrench.head<3>(), probe.wrench, tau);
  }
  out["forces of wrenches"] = tau;
}

void readContacts(Dynamics& engine, const Probe& probe, Quantities& out) {
  const int rows = ContactLayout::of(static_cast<int>(probe.contacts.size())).rows();
  const int nv = engine.model().nv();
  engine.setContacts(probe.contacts);
  VectorXd v(rows), G(rows * rows), tau = probe.x;
  engine.contactVelocity(probe.x, v.data());
  out["contact velocities"] = v;
  engine.contactBiasAcceleration(v.data());
  out["contact bias accelerations"] = v;
  engine.addContactImpulse(probe.impulse.data(), tau);
  out["forces of contact impulses"] = tau;
  engine.delassus(G.data());
  out["Delassus matrix, with implicit inertia"] = G;
  MatrixXd J(3 * probe.contacts.size(), nv);
  engine.contactJacobian(J);
  out["contact Jacobian"] = J.reshaped();
}

void readAfterImpact(Dynamics& engine, const Probe& probe, Quantities& out) {
  engine.updateVelocity(probe.other_nu);
  VectorXd h(engine.model().nv()), a(probe.impulse.size());
  engine.biasForces(h);
  out["bias forces after an impact"] = h;
  engine.contactBiasAcceleration(a.data());
  out["contact bias accelerations after an impact"] = a;
}

Quantities everyQuantity(Dynamics& engine, const Probe& probe) {
  engine.setImplicitInertia(probe.implicit_inertia);
  engine.update(probe.state.q, probe.state.nu);
  Quantities out;
  readGeneralized(engine, probe, out);
  readFrames(engine, probe, out);
  readContacts(engine, probe, out);
  readAfterImpact(engine, probe, out);
  return out;
}

/// Relative to the largest entry; entries below 1e-2 of an SI unit are compared absolutely.
double difference(const VectorXd& a, const VectorXd& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  return (a - b).lpNorm<Eigen::Infinity>() / std::max(b.lpNorm<Eigen::Infinity>(), 1e-2);
}

void expectAgreement(const Model& model, const std::string& engine_name, unsigned seed) {
  // Rounding is 1e-16 an operation; the condition of M (up to 1e6 with fingers and toes) multiplies it in M⁻¹ x.
  constexpr double kTolerance = 1e-9;
  std::mt19937 random(seed);
  const auto native = makeDynamics("native", model);
  const auto engine = makeDynamics(engine_name, model);
  for (int trial = 0; trial < 3; ++trial) {
    const Probe probe = randomProbe(model, random);
    const Quantities expected = everyQuantity(*native, probe);
    const Quantities found = everyQuantity(*engine, probe);
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [name, value] : expected) {
      EXPECT_LE(difference(found.at(name), value), kTolerance) << name << " of " << engine_name << ", trial " << trial;
    }
  }
}

class Engines : public testing::TestWithParam<Robot> {
 protected:
  void expectAgreementWith(const std::string& engine) {
    if (!hasPlugin("engine", engine)) GTEST_SKIP() << "engine " << engine << " was not built";
    const auto model = load(GetParam());
    if (!model) GTEST_SKIP() << GetParam().file << " is not installed";
    expectAgreement(*model, engine, 1);
  }
};

TEST_P(Engines, NativeAgreesWithPinocchio) { expectAgreementWith("pinocchio"); }
TEST_P(Engines, NativeAgreesWithIDynTree) { expectAgreementWith("idyntree"); }
INSTANTIATE_TEST_SUITE_P(Oracle, Engines, testing::ValuesIn(robots()), testName);
/// Hands and grippers that move as one, with negative multipliers, offsets and sliders.
INSTANTIATE_TEST_SUITE_P(OracleOfMimics, Engines,
                         testing::Values(Robot{"Romeo", "romeo_description/romeo"}, Robot{"Pr2", "pr2_description/pr2"},
                                         Robot{"Baxter", "baxter_description/baxter", false},
                                         Robot{"TiagoPro", "tiago_pro_description/tiago_pro", false}),
                         testName);

TEST(Engines, AtLeastEightRobotsAreCompared) {
  int installed = 0;
  for (const Robot& robot : robots()) installed += load(robot).has_value() ? 1 : 0;
  if (installed < 4) GTEST_SKIP() << "the robots of icub-models and example-robot-data are not installed";
  EXPECT_GE(installed, 8);
}

/// Trees whose links are numbered across the branches, with reflected inertias: files seldom have either.
class EnginesOnRandomTrees : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!hasPlugin("engine", GetParam())) GTEST_SKIP() << "engine " << GetParam() << " was not built";
  }
  void expectAgreementOn(const RandomModelOptions& options) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      std::mt19937 random(seed);
      Model model = randomModel(random, options);
      for (Dof& dof : model.dofs) dof.reflected_inertia += 0.1;
      model.gravity = Vector3d(1.0, -2.0, -9.0);
      expectAgreement(model, GetParam(), seed);
    }
  }
};

TEST_P(EnginesOnRandomTrees, FloatingBase) { expectAgreementOn({}); }
TEST_P(EnginesOnRandomTrees, FixedBaseAtAnyPose) { expectAgreementOn({.floating_base = false}); }
TEST_P(EnginesOnRandomTrees, MimicJoints) { expectAgreementOn({.mimic_joints = 4}); }
TEST_P(EnginesOnRandomTrees, MimicJointsOnAFixedBase) {
  expectAgreementOn({.floating_base = false, .mimic_joints = 4});
}
TEST_P(EnginesOnRandomTrees, MotorsThatCoupleAJointWithTheOneBelow) { expectAgreementOn({.couplings = 6}); }
TEST_P(EnginesOnRandomTrees, MotorsThatCoupleBranches) { expectAgreementOn({.couplings = 6, .across_branches = true}); }
/// Pinocchio's JointModelSpherical against our three joints in a row.
TEST_P(EnginesOnRandomTrees, BallJoints) {
  if (std::string(GetParam()) == "idyntree") GTEST_SKIP() << "idyntree refuses ball joints";
  expectAgreementOn({.ball_joints = true});
  expectAgreementOn({.floating_base = false, .ball_joints = true});
  expectAgreementOn({.ball_joints = true, .mimic_joints = 3});
  expectAgreementOn({.ball_joints = true, .couplings = 4});
}

TEST(Engines, IDynTreeSaysThatItHasNoBallJoints) {
  if (!hasPlugin("engine", "idyntree")) GTEST_SKIP() << "engine idyntree was not built";
  std::mt19937 random(randomSeed(1));
  const Model model = randomModel(random, {.ball_joints = true});
  ASSERT_FALSE(model.balls.empty());
  expectError("ball joints", [&] { makeDynamics("idyntree", model); });
}

INSTANTIATE_TEST_SUITE_P(Oracle, EnginesOnRandomTrees, testing::Values("pinocchio", "idyntree"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace footfall::test
