// Closed kinematic chains: they stay closed, and move as closed forms, other models of the same machine and statics
// say.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <random>

#include "footfall/base/error.hpp"
#include "footfall/contact/loop_assembly.hpp"
#include "footfall/model/kinematics.hpp"
#include "physics/four_bar.hpp"
#include "physics/scene_tools.hpp"
#include "tools/random_seed.hpp"

namespace footfall::physics {
namespace {

constexpr double kPi = std::numbers::pi;

/// Distance of the origins of two frames [m].
double distance(Simulation& simulation, const std::string& a, const std::string& b) {
  const Model& model = simulation.model();
  Dynamics& dynamics = simulation.dynamics();
  return (dynamics.framePose(model.frame(a)).p - dynamics.framePose(model.frame(b)).p).norm();
}

/// Largest gap of the loops of a scene during a run in which the held joints swing about where they started.
double largestGapWhileMoving(const std::string& scene, double swing, double seconds) {
  Simulation simulation(sceneFile(scene));
  const VectorXd start = simulation.state().joints();
  double largest = 0.0;
  for (int k = 0; k < static_cast<int>(1000 * seconds); ++k) {
    if (JointSprings* springs = simulation.springs())
      for (int i = 0; i < simulation.model().jointDofs(); ++i)
        springs->target[i] = start[i] + swing * std::sin(2.0 * kPi * (0.5 + 0.03 * i) * simulation.time());
    const StepResult& result = simulation.step();
    EXPECT_NE(result.status, SolveStatus::failed) << simulation.describeFailure();
    if (result.status == SolveStatus::failed) return largest;
    // Angles count by a lever of 0.1 m: 1e-10 m is 1e-9 rad.
    largest = std::max(largest, largestLoopGap(simulation.model(), simulation.state().q).gap);
  }
  EXPECT_GT((simulation.state().joints() - start).norm(), 0.01);
  return largest;
}

/// Loops within one robot are its own affair, whatever else is in the world. There they cost it a share of 1e-5.
TEST(LoopsInFlight, KeepTheirMomentumBesideAnything) {
  Scene scene = sceneFile("two_arm_box.yaml");
  scene.physics.gravity.setZero();
  scene.ground.point = {0, 0, -1000};
  scene.hold.enabled = false;
  scene.pushes.clear();
  scene.robot.on_ground = false;
  scene.robot.base_angular_velocity = {3, 2, 5};
  SceneBody far;
  far.name = "far";
  far.shape = "sphere";
  far.radius = 0.1;
  far.position = {50, 0, 0};
  scene.bodies.push_back(far);
  Simulation simulation(scene);
  const Vector6d start = simulation.dynamics().momentum();
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
  EXPECT_LT((simulation.dynamics().momentum() - start).head<3>().norm(), 1e-11 * start.norm());
}

/// Loops that hold in the middle of a step are open at its end, and closing them moves what touches: a five-bar
/// linkage that fell over went 1 mm into the ground within ten steps.
TEST(FiveBar, FallsOverOnTheGroundAndStaysOutOfIt) {
  Simulation simulation(parseScene(R"(
robot:
  model: five_bar
  initial: {left_motor: 40 deg, right_motor: -40 deg, left_elbow: -70 deg, right_elbow: 70 deg}
  base: {position: [0, 0, 0.9], rpy: [2.0665, 1.5477, -0.4766], velocity: [0, 0, -1]}
loops: [{name: hand, between: [left_end, right_end], joint: hinge, axis: [0, 1, 0]}]
contacts: [{frame: all, collision: true}]
hold: {enabled: false}
)",
                                   "five_bar.yaml"));
  double deepest = 0.0;
  while (simulation.time() < 0.7) {
    const StepResult& result = simulation.step();
    ASSERT_NE(result.status, SolveStatus::failed) << simulation.describeFailure();
    for (const ContactReport& contact : result.contacts)
      if (!result.impact) deepest = std::min(deepest, contact.gap);
  }
  EXPECT_GT(deepest, -50e-6);  // the promise of README [m]
}

TEST(FourBar, StaysClosedForAMinute) { EXPECT_LT(largestGapWhileMoving("four_bar.yaml", 0.0, 60.0), 1e-10); }
TEST(FiveBar, StaysClosedForAMinute) { EXPECT_LT(largestGapWhileMoving("five_bar.yaml", 0.3, 60.0), 1e-10); }
TEST(StewartPlatform, StaysClosedForAMinute) {
  EXPECT_LT(largestGapWhileMoving("stewart_platform.yaml", 0.03, 60.0), 1e-10);
}

// --- the four-bar in closed form ----------------------------------------------------------------------

/// The four-bar at a crank angle, turning with the crank's rate.
Simulation turningFourBar(double theta, double side, double rate, double step) {
  Scene scene = sceneFile("four_bar.yaml");
  scene.physics.step = step;
  const Vector3d s = FourBar::joints(theta, side);
  scene.robot.initial = {{"crank_joint", s[0]}, {"coupler_joint", s[1]}, {"rocker_joint", s[2]}};
  Simulation simulation(scene);
  State state = simulation.state();
  const Eigen::Vector2d k = FourBar::rates(theta, side);
  state.nu = rate * Vector3d(1.0, k[0] - 1.0, k[1]);
  simulation.setState(state);
  return simulation;
}

/// ν̇ from a dense system with multipliers: nothing of it comes from the elimination of loops.
VectorXd accelerationWithMultipliers(Simulation& simulation, const VectorXd& tau) {
  const Model& model = simulation.model();
  Dynamics& dynamics = simulation.dynamics();
  const int n = model.nv();
  MatrixXd J_a(6, n), J_b(6, n), A = MatrixXd::Zero(n + 2, n + 2), M(n, n);
  VectorXd h(n), rhs(n + 2);
  const FrameIndex a = model.frame("coupler_end"), b = model.frame("rocker_end");
  dynamics.frameJacobian(a, J_a);
  dynamics.frameJacobian(b, J_b);
  dynamics.massMatrix(M);
  dynamics.biasForces(h);
  const MatrixXd difference = J_b - J_a;
  const Vector6d bias = dynamics.frameBiasAcceleration(b) - dynamics.frameBiasAcceleration(a);
  A.topLeftCorner(n, n) = M;
  for (int k = 0; k < 2; ++k) {
    A.row(n + k).head(n) = difference.row(2 * k);  // x and z
    A.col(n + k).head(n) = -difference.row(2 * k).transpose();
    rhs[n + k] = -bias[2 * k];
  }
  rhs.head(n) = tau - h;
  return A.fullPivLu().solve(rhs).head(n);
}

TEST(FourBar, NeedsTheCrankTorqueOfTheClosedForm) {
  for (const double side : {-1.0, 1.0}) {
    for (double theta = -2.9; theta < 3.0; theta += 0.83) {
      SCOPED_TRACE(testing::Message() << "crank at " << theta << " rad, side " << side);
      const double rate = 4.0, wanted = 7.0, step = 1e-5;
      Simulation simulation = turningFourBar(theta, side, rate, step);
      const VectorXd tau = Vector3d(FourBar::torque(theta, side, rate, wanted), 0.0, 0.0);
      // Differences of fourth order leave 1e-12 of I'.
      EXPECT_NEAR(accelerationWithMultipliers(simulation, tau)[0], wanted, 1e-6);
      simulation.input().tau = tau;
      // A step starts with half of the centripetal acceleration of the loop; from the second on it is whole, and the
      // mean over the step is off by its share of the change of the acceleration.
      simulation.step();
      EXPECT_NEAR(simulation.step().nu_dot[0], wanted, 2e-2);
    }
  }
}

TEST(FourBar, TurnsEvenlyWithTheTorqueOfTheClosedForm) {
  const double rate = 6.0;
  const auto worstRate = [&](double step) {
    Simulation simulation = turningFourBar(0.4, 1.0, rate, step);
    double worst = 0.0;
    while (simulation.time() < 2.0 * kPi / rate) {
      simulation.input().tau[0] = FourBar::torque(simulation.state().joints()[0], 1.0, rate, 0.0);
      simulation.step();
      worst = std::max(worst, std::abs(simulation.state().nu[0] - rate));
    }
    return worst;
  };
  const double coarse = worstRate(1e-3), fine = worstRate(1e-4);
  EXPECT_LT(fine, 1e-2);
  EXPECT_LT(fine, 0.15 * coarse);  // first order
}

// --- the same machine in other words ----------------------------------------------------------------

TEST(FixedFrame, IsAFixedBase) {
  Scene scene = freeBody("rr_arm");
  scene.robot.initial = {{"shoulder", 1.0}, {"elbow", -0.7}};
  scene.robot.base_position = {0.0, 0.0, 1.0};
  Scene bolted = scene;
  bolted.robot.fixed_base = true;
  SceneLoop loop;
  loop.frame = "base";
  loop.fixed = true;
  scene.loops = {loop};
  bolted.physics.integrator = "rk4";  // as where nothing but loops holds a robot
  Simulation fixed(bolted), tied(scene);
  for (int k = 0; k < 1000; ++k) {
    fixed.step();
    ASSERT_NE(tied.step().status, SolveStatus::failed);
  }
  EXPECT_GT((fixed.state().joints() - Eigen::Vector2d(1.0, -0.7)).norm(), 0.5);
  EXPECT_LT((fixed.state().joints() - tied.state().joints()).norm(), 1e-8);
  EXPECT_LT((tied.state().q.head<7>() - fixed.state().q.head<7>()).norm(), 1e-9);
}

/// Bars that turn about y, one after the other, with `lengths`; the last one ends where the first one starts plus
/// `reach`.
Model planarChain(const std::vector<double>& lengths) {
  Model model;
  model.name = "chain";
  model.floating_base = false;
  model.links.push_back({"ground", {}});
  model.frames.push_back({"ground", LinkIndex(0), {}});
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    SpatialInertia bar;
    bar.mass = 2.0 * lengths[k];
    bar.com = {0.5 * lengths[k], 0.0, 0.0};
    bar.I_com = bar.mass / 12.0 * lengths[k] * lengths[k] * Vector3d(0.01, 1.0, 1.0).asDiagonal();
    const std::string name = "bar_" + std::to_string(k);
    model.links.push_back({name, bar});
    Joint joint;
    joint.name = name;
    joint.parent = LinkIndex(static_cast<int>(k));
    joint.X_PJ.p.x() = k == 0 ? 0.0 : lengths[k - 1];
    joint.axis = Vector3d::UnitY();
    joint.dof = DofIndex(static_cast<int>(k));
    model.joints.push_back(joint);
    model.dofs.push_back({.name = name});
    model.frames.push_back({name, LinkIndex(static_cast<int>(k) + 1), {}});
  }
  return model;
}

/// Joint positions of a chain after a second, tied to the world by one loop at the point `p_L` of its last link.
VectorXd swing(Model model, LoopKind kind, const Vector3d& p_L, const VectorXd& s) {
  State state = makeState(model);
  state.joints() = s;
  std::vector<Pose> X_WL;
  forwardKinematics(model, state.q, X_WL);
  Matrix3d R_WF;  // z along the world's y
  R_WF << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  const Pose& X_WB = X_WL.back();
  model.loops.push_back({.name = "loop",
                         .kind = kind,
                         .link_a = {},
                         .link_b = LinkIndex(static_cast<int>(model.links.size()) - 1),
                         .X_AF = {R_WF, X_WB * p_L},
                         .X_BF = {X_WB.R.transpose() * R_WF, p_L}});
  const Plane ground(Vector3d(0, 0, -10), Vector3d::UnitZ(), 0.5, 0.0);
  Workspace workspace(model, ground, Settings{});
  const Input input = makeInput(model);
  for (int k = 0; k < 1000; ++k) {
    const StepResult& result = step(state, input, nullptr, workspace);
    EXPECT_NE(result.status, SolveStatus::failed);
    state = result.next;
  }
  EXPECT_LT(largestLoopGap(model, state.q).gap, 1e-10);
  return state.joints();
}

TEST(DependentRows, ChangeNothingOfThePlanarMotion) {
  const std::vector<double> bars = {0.2, 0.5, 0.4};
  const VectorXd s = Vector3d(-1.2, 0.9, 1.1);
  const Vector3d end(0.4, 0.0, 0.0);
  const VectorXd ball = swing(planarChain(bars), LoopKind::ball, end, s);    // one row depends
  const VectorXd hinge = swing(planarChain(bars), LoopKind::hinge, end, s);  // three rows depend
  EXPECT_GT((ball - s).norm(), 0.5);
  EXPECT_LT((ball - hinge).norm(), 1e-8);

  // A pin that turns in the last bar and is welded to the world is the same hinge: three of its six rows depend.
  std::vector<double> with_pin = bars;
  with_pin.push_back(0.05);
  VectorXd s_pin(4);
  s_pin << s, 0.3;
  const VectorXd weld = swing(planarChain(with_pin), LoopKind::weld, Vector3d::Zero(), s_pin);
  EXPECT_LT((weld.head<3>() - hinge).norm(), 1e-8);
}

/// A bead of 1 kg on a rod that turns about z; all of it in a plane, without gravity.
Model beadOnRod(bool with_loop) {
  Model model;
  model.floating_base = false;
  model.gravity.setZero();
  model.links.push_back({"ground", {}});
  const auto add = [&](const char* name, JointKind kind, int parent, const Vector3d& axis, bool massive) {
    SpatialInertia body;
    body.mass = massive ? 1.0 : 0.0;
    body.I_com = body.mass * 0.1 * Matrix3d::Identity();
    Joint joint;
    joint.name = name;
    joint.kind = kind;
    joint.parent = LinkIndex(parent);
    joint.axis = axis;
    joint.dof = DofIndex(static_cast<int>(model.dofs.size()));
    model.joints.push_back(joint);
    model.dofs.push_back({.name = name, .kind = kind});
    model.links.push_back({name, body});
  };
  add("rod", JointKind::revolute, 0, Vector3d::UnitZ(), true);
  if (!with_loop) {
    add("bead", JointKind::prismatic, 1, Vector3d::UnitX(), true);
    return model;
  }
  add("x", JointKind::prismatic, 0, Vector3d::UnitX(), false);
  add("y", JointKind::prismatic, 2, Vector3d::UnitY(), false);
  add("bead", JointKind::revolute, 3, Vector3d::UnitZ(), true);
  Pose X_LF;
  X_LF.R << 0, 0, 1, 1, 0, 0, 0, 1, 0;  // z along the rod's x
  model.loops.push_back({"slot", LoopKind::slider, LinkIndex(1), LinkIndex(4), X_LF, X_LF});
  return model;
}

TEST(Slider, LetsABeadFlyOutAlongATurningRod) {
  const Plane ground(Vector3d(0, 0, -10), Vector3d::UnitZ(), 0.5, 0.0);
  const auto distanceAfter = [&](const std::string& integrator, bool with_loop) {
    const Model model = beadOnRod(with_loop);
    Settings settings;
    settings.integrator = integrator;
    State state = makeState(model);
    state.joints()[1] = 0.2;
    if (with_loop) {
      state.nu << 3.0, 0.0, 0.6, 3.0;
    } else {
      state.nu << 3.0, 0.0;
    }
    Workspace workspace(model, ground, settings);
    const Input input = makeInput(model);
    for (int k = 0; k < 500; ++k) state = step(state, input, nullptr, workspace).next;
    return with_loop ? state.joints().segment<2>(1).norm() : state.joints()[1];
  };
  const double exact = distanceAfter("rk4", false);
  EXPECT_GT(exact, 0.4);
  EXPECT_NEAR(distanceAfter("rk4", true), exact, 1e-6);
  EXPECT_NEAR(distanceAfter("midpoint", true), exact, 1e-5);
  EXPECT_NEAR(distanceAfter("semi_implicit_euler", true), exact, 1e-2);
}

TEST(FourBar, KeepsItsEnergyForAMinuteWithTheSecondOrderScheme) {
  Simulation simulation(sceneFile("four_bar.yaml", {{"physics.integrator", "midpoint"}}));
  const auto swingEnergy = [&] {
    // Of the bars that move: the ground bar stands 1 m high.
    return simulation.dynamics().energy().total() - 2.0 * kGravity;
  };
  const double start = swingEnergy();
  double worst = 0.0;
  for (int k = 0; k < 60000; ++k) {
    simulation.step();
    if (k % 10 == 0) worst = std::max(worst, std::abs(swingEnergy() - start));
  }
  EXPECT_LT(worst, 1e-3 * std::abs(start));
  EXPECT_LT(worst, 1e-3);  // [J], of swings of about 0.5 J
}

// --- contacts and loops -----------------------------------------------------------------------------

/// Runs until the ground gives this much in an impact [N s], and returns the state before. A landing may take two
/// steps: one that arrives at the ground and one that stays there.
State runToImpact(Simulation& simulation, double impulse) {
  State before = simulation.state();
  double given = 0.0;
  while (given < impulse && simulation.time() < 1.0) {
    before = simulation.state();
    EXPECT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
    given = 0.0;
    for (const ContactReport& contact : simulation.result().contacts) given += contact.impulse_C.z();
  }
  return before;
}

TEST(BipedWithRodAnkles, LandsWithItsLoopsClosedAndMomentumBalanced) {
  Scene scene = sceneFile("biped_rod_ankles.yaml");
  scene.robot.base_position.z() = 1.1;
  scene.robot.base_rpy = {0.05, 0.1, 0.0};
  Simulation simulation(scene);
  const State before = runToImpact(simulation, 0.3);
  const StepResult& result = simulation.result();
  ASSERT_TRUE(result.impact);
  EXPECT_LT(largestLoopGap(simulation.model(), simulation.state().q).gap, 1e-10);
  EXPECT_LT(result.loop_gap, 1e-10);

  // What the ground gives in the impact is what momentum gains: loops are internal.
  const auto engine = makeDynamics("native", simulation.model());
  engine->update(before.q, before.nu);
  const Vector6d momentum = engine->momentum();
  const Vector3d com = engine->centerOfMass();
  const VectorXd after_impact = result.next.nu - simulation.settings().step * result.nu_dot;
  engine->update(before.q, after_impact);
  Vector6d given = Vector6d::Zero();
  for (const ContactReport& contact : result.contacts) {
    given.head<3>() += contact.impulse_W;
    given.tail<3>() += (contact.p_WC - com).cross(contact.impulse_W);
  }
  EXPECT_GT(given.norm(), 0.3);
  EXPECT_LT((engine->momentum() - momentum - given).norm(), 1e-10 * given.norm());
  // And no loop opens with the velocity after it.
  EXPECT_LT((loopJacobian(simulation.model(), *engine) * after_impact).norm(), 1e-10);
}

/// tau += Jᵀ of the reported wrenches of all loops.
void addLoopImpulses(const Model& model, const std::vector<Vector6d>& wrenches, const Dynamics& engine, VectorXd& tau) {
  for (std::size_t k = 0; k < model.loops.size(); ++k) {
    const Loop& loop = model.loops[k];
    const Matrix3d R_WF = engine.linkPose(loop.link_a).R * axesOfWrench(model, loop);
    const Vector3d p_W = engine.linkPose(loop.link_b) * loop.X_BF.p;
    Vector6d wrench_W;
    wrench_W << R_WF * wrenches[k].head<3>(), R_WF * wrenches[k].tail<3>();
    engine.addWrench(loop.link_b, loop.X_BF.p, wrench_W, tau);
    engine.addWrench(loop.link_a, engine.linkPose(loop.link_a).inverse() * p_W, -wrench_W, tau);
  }
}

TEST(BipedWithRodAnkles, ReportsTheImpulsesWithWhichLoopsAnswerAnImpact) {
  Simulation simulation(sceneFile("biped_rod_ankles.yaml"));
  const State before = runToImpact(simulation, 0.3);
  const StepResult& result = simulation.result();
  ASSERT_TRUE(result.impact);
  const Model& model = simulation.model();
  const auto engine = makeDynamics("native", model);
  engine->update(before.q, before.nu);
  const VectorXd jump = result.next.nu - simulation.settings().step * result.nu_dot - before.nu;
  VectorXd momentum(model.nv()), given = VectorXd::Zero(model.nv());
  engine->multiplyMass(jump, momentum);
  for (const ContactReport& contact : result.contacts) {
    const LinkIndex link = model.candidates[contact.candidate].link;
    Vector6d wrench_W = Vector6d::Zero();
    wrench_W.head<3>() = contact.impulse_W;
    engine->addWrench(link, engine->linkPose(link).inverse() * contact.p_WC, wrench_W, given);
  }
  const VectorXd by_ground = given;
  addLoopImpulses(model, result.loop_impulses, *engine, given);
  // Joints that neither springs nor dampers hold, which would take a share: ankles and rods, those between the loops.
  double missing = 0.0, by_loops = 0.0;
  for (int i = 0; i < model.jointDofs(); ++i) {
    if (simulation.springs()->stiffness[i] > 0.0 || model.dofs[i].damping > 0.0) continue;
    missing = std::max(missing, std::abs((momentum - given)[6 + i]));
    by_loops = std::max(by_loops, std::abs((given - by_ground)[6 + i]));
  }
  EXPECT_GT(by_loops, 0.01);
  EXPECT_LT(missing, 1e-10);
  EXPECT_LT((momentum - given).head<6>().norm(), 1e-10 * by_ground.norm());
  // A step without an impact has none.
  while (simulation.step().impact) continue;
  for (const Vector6d& impulse : simulation.result().loop_impulses) EXPECT_EQ(impulse.norm(), 0.0);
}

TEST(BipedWithRodAnkles, StandsOnCranksAlone) {
  Simulation simulation(sceneFile("biped_rod_ankles.yaml"));
  double largest = 0.0;
  for (int k = 0; k < 4000; ++k) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
    largest = std::max(largest, simulation.result().loop_gap);
  }
  EXPECT_LT(largest, 1e-10);
  EXPECT_GT(simulation.state().q[2], 0.8);
  EXPECT_LT(simulation.state().nu.norm(), 0.05);
}

TEST(TwoArmsWithABox, HoldItWithHalfOfItsWeightEach) {
  Simulation simulation(sceneFile("two_arm_box.yaml"));
  for (int k = 0; k < 900; ++k)
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
  const Model& model = simulation.model();
  const double box = model.links[model.link("box")].inertia.mass;
  double carried = 0.0;
  for (const Vector6d& wrench : simulation.result().loop_wrenches) {
    EXPECT_NEAR(wrench.head<3>().norm(), 0.5 * box * kGravity, 1e-4 * box * kGravity);
    carried += wrench.head<3>().norm();
  }
  EXPECT_NEAR(carried, box * kGravity, 1e-4 * box * kGravity);
}

TEST(Cassie, StandsWithItsFourLoopsClosed) {
  Simulation simulation(sceneFile("cassie.yaml"));
  ASSERT_EQ(simulation.model().loops.size(), 4u);
  double largest = 0.0;
  for (int k = 0; k < 3000; ++k) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
    largest = std::max(largest, largestLoopGap(simulation.model(), simulation.state().q).gap);
  }
  EXPECT_LT(largest, 1e-10);
  EXPECT_LT(simulation.state().nu.norm(), 1e-4);
  double carried = 0.0;
  for (const ContactReport& contact : simulation.result().contacts) carried += contact.force_W.z();
  EXPECT_NEAR(carried, simulation.model().totalMass() * kGravity, 1e-3);
}

TEST(Cassie, StandsFromTheFileWithGearboxesAndSixLoops) {
  Scene scene = sceneFile("cassie.yaml");
  std::string& model = scene.robot.model;
  model.replace(model.find("cassie_v2.sdf"), std::string::npos, "cassie.sdf");
  Simulation simulation(scene);
  EXPECT_EQ(simulation.model().loops.size(), 6u);
  EXPECT_EQ(simulation.model().joints.size() - simulation.model().dofs.size(), 10u);  // rotors follow their gears
  double largest = 0.0;
  for (int k = 0; k < 1000; ++k) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
    largest = std::max(largest, largestLoopGap(simulation.model(), simulation.state().q).gap);
  }
  // The axes of this file are parallel to 1e-3 only: rows that nearly depend on each other are left to that rounding.
  EXPECT_LT(largest, 1e-7);
  double carried = 0.0;
  for (const ContactReport& contact : simulation.result().contacts) carried += contact.force_W.z();
  EXPECT_NEAR(carried, simulation.model().totalMass() * kGravity, 1.0);
}

TEST(Cassie, DropsWithItsFourLoopsClosed) {
  Simulation simulation(sceneFile("cassie.yaml"));
  State state = simulation.state();
  state.q[2] += 0.1;
  simulation.setState(state);
  double largest = 0.0;
  int impacts = 0;
  for (int k = 0; k < 1000; ++k) {
    const StepResult& result = simulation.step();
    ASSERT_NE(result.status, SolveStatus::failed) << simulation.describeFailure();
    impacts += result.impact ? 1 : 0;
    largest = std::max(largest, largestLoopGap(simulation.model(), simulation.state().q).gap);
  }
  EXPECT_GE(impacts, 1);
  EXPECT_LT(largest, 1e-10);
}

TEST(Truss, CarriesTheForceOfStatics) {
  // Elbows locked: two stiff arms that lean on each other, with hinges at their motors.
  Scene scene = sceneFile("five_bar.yaml");
  scene.robot.joints = {"left_motor", "right_motor"};
  scene.hold = {};
  scene.hold.enabled = false;
  scene.pushes.clear();
  Simulation simulation(scene);
  Dynamics& dynamics = simulation.dynamics();
  const Model& model = simulation.model();
  // Moments about the left motor: the weight of both bars, and the horizontal force of the other arm.
  const auto inBar = [&](const char* bar, double z) {
    return dynamics.framePose(model.frame(bar)) * Vector3d(0, 0, z);
  };
  const Vector3d motor = dynamics.framePose(model.frame("left_upper")).p;
  const Vector3d arm = dynamics.framePose(model.frame("left_end")).p - motor;
  const double weight = 0.4 * kGravity;
  const double moment = -weight * ((inBar("left_upper", -0.1) - motor).x() + (inBar("left_fore", -0.125) - motor).x());
  const double horizontal = moment / -arm.z();  // of the left arm on the right one
  const Matrix3d R_WF = dynamics.linkPose(model.loops[0].link_a).R * axesOfWrench(model, model.loops[0]);
  const StepResult& result = simulation.step();
  const Vector3d force = R_WF * result.loop_wrenches[0].head<3>();
  EXPECT_NEAR(std::abs(force.x()), std::abs(horizontal), 1e-6);
  EXPECT_NEAR(force.y(), 0.0, 1e-9);
  EXPECT_NEAR(force.z(), 0.0, 1e-6);
  EXPECT_LT(result.next.nu.norm(), 1e-9);
}

/// A body of 2 kg that hangs on the world, turned by 90° about x: z of the body is −y of the world.
TEST(LoopWrench, IsInTheAxesOfTheFirstFrameAsItWasNamed) {
  const double weight = 2.0 * kGravity;
  for (const std::string joint : {"weld", "ball", "hinge, axis: [0, 1, 0]", "hinge, axis: [1, 0, 0]",
                                  "slider, axis: [1, 0, 0]", "hinge, axis: [0.6, 0, 0.8]"})
    for (const bool world_first : {true, false}) {
      const std::string between = world_first ? "[world, crate]" : "[crate, world]";
      Simulation simulation(
          parseScene("bodies: [{name: crate, shape: box, size: [0.1, 0.2, 0.3], mass: 2, position: [0, 0, 1], "
                     "rpy: [90 deg, 0, 0]}]\nloops: [{between: " +
                         between + ", joint: " + joint + "}]\n",
                     "crate.yaml"));
      simulation.step();
      const Vector3d force = simulation.result().loop_wrenches.at(0).head<3>();
      const Vector3d expected = world_first ? Vector3d(0.0, 0.0, weight) : Vector3d(0.0, -weight, 0.0);
      EXPECT_LT((force - expected).norm(), 1e-9) << between << joint << ": " << force.transpose();
    }
}

// --- rows and errors --------------------------------------------------------------------------------

TEST(LoopRows, AreTheRatesOfTheGaps) {
  Scene scene = freeBody("quadruped");
  Model model = Simulation(scene).model();
  std::mt19937 random(randomSeed(5));
  std::normal_distribution<double> normal;
  const auto randomPose = [&] {
    return Pose{rotationFromRollPitchYaw({normal(random), normal(random), normal(random)}),
                0.2 * Vector3d(normal(random), normal(random), normal(random))};
  };
  int link = 1;
  for (const LoopKind kind : {LoopKind::ball, LoopKind::hinge, LoopKind::slider, LoopKind::weld}) {
    model.loops.push_back({"", kind, LinkIndex(link), LinkIndex(link + 4), randomPose(), randomPose()});
    model.loops.push_back({"", kind, {}, LinkIndex(link), randomPose(), randomPose()});
    model.loops.push_back({"", kind, LinkIndex(link), {}, randomPose(), randomPose()});
    ++link;
  }
  EXPECT_EQ(loopRows(model), 3 * (3 + 5 + 5 + 6));
  State state = makeState(model);
  VectorXd nu(model.nv());
  for (int i = 0; i < nu.size(); ++i) nu[i] = normal(random);
  integrateConfiguration(model, nu, 0.7, state.q);
  for (int i = 0; i < nu.size(); ++i) nu[i] = normal(random);
  const auto engine = makeDynamics("native", model);
  engine->update(state.q, nu);
  const VectorXd rates = loopJacobian(model, *engine) * nu;
  const double e = 1e-5;
  const auto gapsAt = [&](double t) {
    VectorXd q = state.q, gap(loopRows(model));
    integrateConfiguration(model, nu, t, q);
    engine->loopGapsAt(q, gap);
    return gap;
  };
  // Central differences: e² times third derivatives of about 10.
  EXPECT_LT(((gapsAt(e) - gapsAt(-e)) / (2.0 * e) - rates).lpNorm<Eigen::Infinity>(), 1e-7);
  EXPECT_GT(rates.norm(), 1.0);
}

std::string refusal(const Scene& scene) {
  try {
    const Simulation simulation(scene);
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(LoopErrors, NameTheFrameTheLoopAndTheGap) {
  Scene scene = sceneFile("four_bar.yaml");
  scene.loops[0].between[1] = "roker_end";
  EXPECT_NE(refusal(scene).find("rocker_end"), std::string::npos) << refusal(scene);
  EXPECT_NE(refusal(scene).find("four_bar.yaml:7"), std::string::npos) << refusal(scene);

  scene = sceneFile("four_bar.yaml");
  scene.robot.assemble = false;
  EXPECT_NE(refusal(scene).find("'pin' is open by"), std::string::npos) << refusal(scene);
  EXPECT_NE(refusal(scene).find("mm"), std::string::npos);

  scene = sceneFile("four_bar.yaml");
  scene.loops[0].between = {"rocker_end", "crank"};  // 0.35 m of rocker, 0.5 m away
  EXPECT_NE(refusal(scene).find("no posture"), std::string::npos) << refusal(scene);
}

TEST(LoopErrors, NameTheEntryOfTheScene) {
  const auto problem = [](const std::string& loop) -> std::string {
    try {
      parseScene("robot: {model: four_bar}\nloops:\n  - " + loop + "\n", "scene.yaml");
    } catch (const Error& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(problem("{between: [a, b], joint: ball}"), "accepted");
  EXPECT_EQ(problem("{frame: a, fixed: true}"), "accepted");
  EXPECT_NE(problem("{between: [a, b]}").find("loops.0 has no 'joint'"), std::string::npos);
  EXPECT_NE(problem("{between: [a], joint: ball}").find("expected two frames"), std::string::npos);
  EXPECT_NE(problem("{between: [a, a], joint: ball}").find("ties 'a' to itself"), std::string::npos);
  EXPECT_NE(problem("{joint: ball}").find("scene.yaml:3"), std::string::npos);
  EXPECT_NE(problem("{frame: a}").find("'fixed: true'"), std::string::npos);
  EXPECT_NE(problem("{between: [a, b], joint: hinge, axis: [0, 0, 0]}").find("no direction"), std::string::npos);
  EXPECT_NE(problem("{between: [a, b], joint: hing}").find("hinge"), std::string::npos);
}

TEST(Assembly, KeepsTheJointsThatTheSceneNames) {
  Simulation simulation(sceneFile("four_bar.yaml"));
  EXPECT_DOUBLE_EQ(simulation.state().joints()[0], -kPi / 3.0);
  EXPECT_LT(distance(simulation, "coupler_end", "rocker_end"), 1e-12);
}

}  // namespace
}  // namespace footfall::physics
