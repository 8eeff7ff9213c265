#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "dynamics/random_model.hpp"
#include "footfall/run/instrumented_simulation.hpp"
#include "physics/scene_tools.hpp"
#include "sensor/sensor_tools.hpp"
#include "tools/random_seed.hpp"
#include "tools/source_dir.hpp"
#include "tools/test_tools.hpp"

namespace footfall {
namespace {

using physics::kGravity;
using test::forceTorqueIn;
using test::MadeUpStep;
using test::measureOnce;

Vector6d wrenchOnce(const Model& model, const SensorSpec& spec, const MadeUpStep& step) {
  Vector6d wrench;
  wrench << measureOnce(model, spec, spec.name + ".force", step), measureOnce(model, spec, spec.name + ".moment", step);
  return wrench;
}

TEST(ForceTorque, ReadsTheWeightBelowItOnAnArmAtRest) {
  Scene scene = physics::freeBody("rr_arm");
  scene.robot.fixed_base = true;
  scene.robot.initial = {{"shoulder", 0.7}, {"elbow", 0.5}};
  scene.hold.enabled = true;
  scene.sensors = {forceTorqueIn("shoulder", "base"), forceTorqueIn("elbow", "base")};
  InstrumentedSimulation arm(scene);
  for (int k = 0; k < 100; ++k) arm.step();
  // Rods of 1 kg and 1 m that hang from joints about y; the origin of `base` is the shoulder.
  const double upper_x = -std::sin(0.7), fore_x = -std::sin(1.2);
  const double fore_com_x = upper_x + 0.5 * fore_x;
  const double shoulder_moment = -kGravity * (0.5 * upper_x + fore_com_x);
  EXPECT_LT((arm.read("ft_shoulder.force").values - Vector3d(0, 0, 2.0 * kGravity)).norm(), 1e-9);
  EXPECT_LT((arm.read("ft_shoulder.moment").values - Vector3d(0, shoulder_moment, 0)).norm(), 1e-9);
  EXPECT_LT((arm.read("ft_elbow.force").values - Vector3d(0, 0, kGravity)).norm(), 1e-9);
  EXPECT_LT((arm.read("ft_elbow.moment").values - Vector3d(0, -kGravity * fore_com_x, 0)).norm(), 1e-9);
}

/// The links from `first` on of a chain, as a floating robot of its own.
Model restOfChain(const Model& chain, int first) {
  Model rest = chain;
  rest.floating_base = true;
  rest.links.erase(rest.links.begin(), rest.links.begin() + first);
  rest.joints.erase(rest.joints.begin(), rest.joints.begin() + first);
  rest.dofs.erase(rest.dofs.begin(), rest.dofs.begin() + first);
  rest.frames.clear();
  for (Joint& joint : rest.joints) {
    joint.parent = LinkIndex(joint.parent - first);
    joint.dof = DofIndex(joint.dof - first);
  }
  return rest;
}

TEST(ForceTorque, OnAMovingArmIsTheInverseDynamicsOfWhatHangsBelow) {
  std::mt19937 random(randomSeed(11));
  Model model = test::randomModel(random, {.joints = 7, .straightness = 1.0});
  for (std::size_t i = 0; i < model.links.size(); ++i) model.frames[i].X_LF = {};
  MadeUpStep step(model);
  step.start = test::randomState(model, random);
  step.result.nu_dot = 5.0 * test::randomVector(model.nv(), random);
  const auto engine = makeDynamics("native", model);
  engine->update(step.start.q, step.start.nu);
  for (int link = 1; link <= 7; ++link) {
    // The rest of the chain as a floating robot: what moves its base is what the joint above transmits.
    const Model rest = restOfChain(model, link);
    const int n = rest.jointDofs();
    MatrixXd J(6, model.nv());
    engine->frameJacobian(FrameIndex(link), J);
    State state = makeState(rest);
    state.setBasePose(engine->linkPose(LinkIndex(link)));
    state.joints() = step.start.joints().tail(n);
    state.nu << J * step.start.nu, step.start.nu.tail(n);
    VectorXd nu_dot(6 + n), forces(6 + n), bias(6 + n);
    nu_dot << J * step.result.nu_dot + engine->frameBiasAcceleration(FrameIndex(link)), step.result.nu_dot.tail(n);
    const auto rest_engine = makeDynamics("native", rest);
    rest_engine->update(state.q, state.nu);
    rest_engine->multiplyMass(nu_dot, forces);
    rest_engine->biasForces(bias);
    forces += bias;
    const Matrix3d R_LW = engine->linkPose(LinkIndex(link)).R.transpose();
    const Vector6d wrench = wrenchOnce(model, forceTorqueIn(model.joints[link - 1].name), step);
    EXPECT_LT((wrench.head<3>() - R_LW * forces.head<3>()).norm(), 1e-10);
    EXPECT_LT((wrench.tail<3>() - R_LW * forces.segment<3>(3)).norm(), 1e-10);
  }
}

TEST(ForceTorque, AlongEachAxisIsTheGeneralizedForce) {
  // The engine says which generalized forces give an acceleration while wrenches and contacts act from outside.
  std::mt19937 random(randomSeed(12));
  Model model = test::randomModel(random, {.joints = 15});
  for (Dof& dof : model.dofs) dof.reflected_inertia = 0.0;  // it sits in the motors and does not pass through the joint
  for (int link : {3, 9, 15})
    model.candidates.push_back({"c", FrameIndex(link), LinkIndex(link), Vector3d(0.1, -0.2, 0.3), 0.0});
  MadeUpStep step(model);
  step.start = test::randomState(model, random);
  step.result.nu_dot = 5.0 * test::randomVector(model.nv(), random);
  const auto engine = makeDynamics("native", model);
  engine->update(step.start.q, step.start.nu);
  VectorXd forces(model.nv()), bias(model.nv()), outside = VectorXd::Zero(model.nv());
  engine->multiplyMass(step.result.nu_dot, forces);
  engine->biasForces(bias);
  for (int link : {0, 4, 8, 15}) {
    step.wrenches.push_back({LinkIndex(link), Vector3d(0.3, 0.1, -0.2), 10.0 * test::randomVector(6, random)});
    engine->addWrench(LinkIndex(link), step.wrenches.back().p_LP, step.wrenches.back().wrench_W, outside);
  }
  for (int k = 0; k < 3; ++k) {
    const ContactCandidate& candidate = model.candidates[k];
    ContactReport contact;
    contact.candidate = k;
    contact.frame = candidate.frame;
    contact.force_p_W = engine->linkPose(candidate.link) * candidate.p_LC;
    contact.force_W = 10.0 * test::randomVector(3, random);
    step.result.contacts.push_back(contact);
    Vector6d wrench;
    wrench << contact.force_W, Vector3d::Zero();
    engine->addWrench(candidate.link, candidate.p_LC, wrench, outside);
  }
  forces += bias - outside;
  for (const Joint& joint : model.joints) {
    const Vector6d wrench = wrenchOnce(model, forceTorqueIn(joint.name), step);
    const bool turns = joint.kind == JointKind::revolute;
    const Vector3d part = turns ? wrench.tail<3>() : wrench.head<3>();
    EXPECT_NEAR(joint.axis.dot(part), forces[6 + joint.dof], 1e-10) << joint.name;
  }
}

TEST(ForceTorque, InTheHipsOfAQuadrupedCarryTheTrunk) {
  Scene scene = parseScene(sceneTemplate(), sourceDir() + "/scenes/template");
  scene.pushes[0].start = 0.1;
  for (const std::string leg : {"lf", "rf", "lh", "rh"}) scene.sensors.push_back(forceTorqueIn(leg + "_haa", "trunk"));
  scene.sensors.push_back(test::imuOn("trunk"));
  InstrumentedSimulation robot(scene);
  const double trunk_mass = robot.simulation().model().links[0].inertia.mass;
  for (int k = 0; k < 300; ++k) {
    robot.step();
    State middle = robot.simulation().state();
    middle.q = robot.simulation().result().q_forces;
    const Matrix3d R_WB = middle.basePose().R;
    // Newton about the trunk: m (a − g) = push − Σ (trunk on leg), before, during and after the push.
    Vector3d balance = -trunk_mass * Vector3d(robot.read("imu.acceleration").values);
    for (const std::string leg : {"lf", "rf", "lh", "rh"}) balance -= robot.read("ft_" + leg + "_haa.force").values;
    if (k >= 100 && k < 200) balance += R_WB.transpose() * scene.pushes[0].force;
    ASSERT_LT(balance.norm(), 1e-8) << "step " << k;
  }
}

/// An arm whose hand is fixed to the fore-arm by a joint `wrist`; a finger moves on the hand, and a palm is fixed to
/// it.
Model armWithHand(bool locked_elbow) {
  const std::string text =
      robot(link("base", 2.0) + link("upper") + link("hand", 0.7) + link("palm", 0.2) + link("finger", 0.1) +
            joint("elbow", "revolute", "base", "upper",
                  "<axis xyz='0 1 0'/><limit lower='-2' upper='2' effort='1' "
                  "velocity='1'/>") +
            joint("wrist", "fixed", "upper", "hand") + joint("palm_fixed", "fixed", "hand", "palm") +
            joint("knuckle", "revolute", "hand", "finger", "<limit lower='-2' upper='2' effort='1' velocity='1'/>"));
  UrdfOptions options;
  if (locked_elbow) options.joints = {"knuckle"};
  options.positions = {{"elbow", 0.6}};
  return parseUrdf(text, "arm.urdf", options).model;
}

TEST(ForceTorque, InAFixedJointReadsTheWeightOfItsSideOnly) {
  const Model model = armWithHand(false);
  const MadeUpStep step(model);
  EXPECT_NEAR(wrenchOnce(model, forceTorqueIn("wrist", "base"), step)[2], (0.7 + 0.2 + 0.1) * kGravity, 1e-12);
  EXPECT_NEAR(wrenchOnce(model, forceTorqueIn("palm_fixed", "base"), step)[2], 0.2 * kGravity, 1e-12);
}

/// The arm in some motion, its elbow at 0.6 rad and still; a contact on the palm, a push on the hand, one on the base.
MadeUpStep handInMotion(Model& model) {
  const FrameIndex palm = model.frame("palm"), hand = model.frame("hand");
  model.candidates.push_back({"palm[0]", palm, model.frames[palm].link, Vector3d::Zero(), 0.0});
  MadeUpStep step(model);
  if (model.jointDofs() == 2) step.start.joints()[0] = 0.6;
  step.start.setBasePose({rotationFromRollPitchYaw({0.3, 0.2, 0.1}), {1.0, 2.0, 3.0}});
  step.start.nu.head<6>() << 0.1, 0.2, 0.3, 1.0, -2.0, 3.0;
  step.start.nu.tail<1>()[0] = 4.0;
  step.result.nu_dot.head<6>() << 1.0, 2.0, 3.0, -4.0, 5.0, 6.0;
  step.result.nu_dot.tail<1>()[0] = 7.0;
  ContactReport contact;
  contact.candidate = 0;
  contact.frame = palm;
  contact.force_p_W = {1.5, 2.5, 3.5};
  contact.force_W = {10.0, 20.0, 30.0};
  step.result.contacts.push_back(contact);
  const Vector6d push = (Vector6d() << 1, -2, 3, -4, 5, -6).finished();
  step.wrenches.push_back({model.frames[hand].link, model.frames[hand].X_LF.p, push, hand});
  step.wrenches.push_back({LinkIndex(0), Vector3d::Zero(), push, {}});
  return step;
}

TEST(ForceTorque, InALockedJointReadsWhatItReadsInTheSameJointAtRest) {
  Model moving = armWithHand(false), locked = armWithHand(true);
  const MadeUpStep step_moving = handInMotion(moving), step_locked = handInMotion(locked);
  for (const std::string joint : {"elbow", "wrist", "knuckle"}) {
    const Vector6d a = wrenchOnce(moving, forceTorqueIn(joint), step_moving);
    const Vector6d b = wrenchOnce(locked, forceTorqueIn(joint), step_locked);
    EXPECT_LT((a - b).norm(), 1e-11) << joint;
  }
}

TEST(ForceTorque, OfAFixedJointSeesForcesOnItsSideOnly) {
  Model model = armWithHand(true);  // one link from base to palm
  MadeUpStep step = handInMotion(model);
  const auto wrist = [&] { return wrenchOnce(model, forceTorqueIn("wrist", "base"), step); };
  const auto palm = [&] { return wrenchOnce(model, forceTorqueIn("palm_fixed", "base"), step); };
  const Vector6d wrist_before = wrist(), palm_before = palm();
  step.wrenches.clear();
  EXPECT_GT((wrist() - wrist_before).norm(), 1.0) << "the push on the hand passes through the wrist";
  EXPECT_EQ(palm(), palm_before) << "but not through what is fixed to the hand";
  const Vector6d wrist_without = wrist();
  step.result.contacts.clear();
  EXPECT_GT((wrist() - wrist_without).norm(), 1.0);
  EXPECT_GT((palm() - palm_before).norm(), 1.0);
}

TEST(ForceTorque, SeesTheForcesOfLoopsThatItCarries) {
  Model model = armWithHand(false);
  model.loops.push_back({"rope", LoopKind::weld, LinkIndex(0), model.link("finger"), {}, {}});
  MadeUpStep step(model);
  const auto engine = makeDynamics("native", model);
  engine->update(step.start.q, step.start.nu);
  const Matrix3d R = engine->linkPose(model.link("finger")).R.transpose() * engine->linkPose(LinkIndex(0)).R;
  step.result.loop_wrenches = {Vector6d::Zero()};
  const Vector6d slack = wrenchOnce(model, forceTorqueIn("knuckle"), step);
  const Vector6d pull = (Vector6d() << 3, 2, 1, 0.3, 0.2, 0.1).finished();
  step.result.loop_wrenches = {pull};
  // It is told in the axes of the base, about the origin of the finger, which is the sensor's too.
  const Vector6d given = (Vector6d() << R * pull.head<3>(), R * pull.tail<3>()).finished();
  EXPECT_LT((wrenchOnce(model, forceTorqueIn("knuckle"), step) - (slack - given)).norm(), 1e-12);
}

const char* const kPlate = R"(<robot name="stand">
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="plate"><inertial><mass value="0.5"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="sensor" type="fixed"><parent link="base"/><child link="plate"/><origin xyz="0 0 0.2"/></joint>
</robot>)";

/// A plate of 0.5 kg is fixed to the base by the sensor's joint, and holds other things.
/// @param tied_to where a crate that is there is tied to before the first step; empty: nowhere
/// @param saved_between the state goes through a file after the tie is made
Vector3d forceOnAPlate(const std::string& what_it_holds, const std::string& tied_to = "", bool saved_between = false) {
  const TempFolder folder;
  folder.write("plate.urdf", kPlate);
  const auto scene = folder.write("scene.yaml",
                                  "robot: {model: plate.urdf, base: {fixed: true, position: [0, 0, 1]}}\n"
                                  "sensors: [{type: force_torque, name: sensor, joint: sensor}]\n" +
                                      what_it_holds);
  InstrumentedSimulation simulation(loadScene(scene.string()));
  if (!tied_to.empty()) simulation.simulation().tie({.between = {tied_to, "crate"}});
  if (saved_between) {
    std::stringstream file;
    saveState(simulation.state(), simulation.model(), file);
    simulation.simulation().setState(loadState(simulation.model(), file, "file"));
  }
  for (int k = 0; k < 20; ++k) simulation.step();
  return Vector3d(simulation.read("sensor.force").values);
}

TEST(ForceTorque, OfAFixedJointFeelsLoopsOfItsPart) {
  const auto withCrateOn = [](const std::string& part, const std::string& height) {
    return forceOnAPlate("bodies: [{name: crate, shape: box, size: [0.1, 0.1, 0.1], mass: 3, position: [0, 0, " +
                         height + "]}]\nloops: [{between: [" + part + ", crate], joint: weld}]\n");
  };
  EXPECT_LT((withCrateOn("plate", "1.2") - Vector3d(0.0, 0.0, 3.5 * kGravity)).norm(), 1e-6);
  EXPECT_LT((withCrateOn("base", "1") - Vector3d(0.0, 0.0, 0.5 * kGravity)).norm(), 1e-6);
}

// A bob that swings down from the side, about a hinge on the plate: the plate feels what gravity and the hinge do not
// give to the bob, whichever of the two the loop begins at.
TEST(ForceTorque, FollowsLoopsThatTurn) {
  for (const std::string between : {"[plate, bob]", "[bob, plate]"})
    for (const std::string joint : {"hinge, axis: [0, 1, 0]", "ball"}) {
      const TempFolder folder;
      folder.write("plate.urdf", kPlate);
      folder.write("bob.urdf", R"(<robot name="bob"><link name="bob"><inertial><origin xyz="0.3 0 0"/><mass value="3"/>
        <inertia ixx="0.01" iyy="0.02" izz="0.02"/></inertial></link></robot>)");
      const auto scene = folder.write("scene.yaml",
                                      "robot: {model: plate.urdf, base: {fixed: true, position: [0, 0, 1]}}\n"
                                      "sensors: [{type: force_torque, name: sensor, joint: sensor}]\n"
                                      "bodies: [{name: bob, model: bob.urdf, position: [0, 0, 1.2]}]\n"
                                      "loops: [{between: " +
                                          between + ", joint: " + joint + "}]\n");
      InstrumentedSimulation simulation(loadScene(scene.string()));
      Dynamics& engine = simulation.simulation().dynamics();
      const auto momentum = [&] { return Vector3d(engine.momentum().head<3>()); };
      for (int k = 0; k < 200; ++k) simulation.step();
      const Vector3d before = momentum();
      simulation.step();
      const Vector3d force_on_bob = (momentum() - before) / 1e-3 + Vector3d(0.0, 0.0, 3.0 * kGravity);
      const Vector3d felt = Vector3d(simulation.read("sensor.force").values) - Vector3d(0.0, 0.0, 0.5 * kGravity);
      EXPECT_GT(std::abs(force_on_bob.x()), 1.0);
      // The sensor reads the middle of the step, the momentum tells the mean: they differ by Δt²/24 F̈, F̈ ≈ (2 ω)² F.
      EXPECT_LT((felt - force_on_bob).norm(), 1e-5 * force_on_bob.norm()) << between << joint;
    }
}

TEST(ForceTorque, OfAFixedJointFeelsTiesOfItsPart) {
  const auto withCrateOn = [](const std::string& part, const std::string& height, bool saved_between) {
    return forceOnAPlate(
        "bodies: [{name: crate, shape: box, size: [0.1, 0.1, 0.1], mass: 3, position: [0, 0, " + height + "]}]\n", part,
        saved_between);
  };
  for (const bool saved_between : {false, true}) {
    EXPECT_LT((withCrateOn("plate", "1.25", saved_between) - Vector3d(0.0, 0.0, 3.5 * kGravity)).norm(), 1e-6);
    EXPECT_LT((withCrateOn("base", "1.05", saved_between) - Vector3d(0.0, 0.0, 0.5 * kGravity)).norm(), 1e-6);
  }
}

TEST(ForceTorque, OfAFixedJointFeelsSpringsOfItsPart) {
  const std::string spring =
      "springs: [{from: {link: PART}, to: {link: world, point: [0, 0, 3]}, stiffness: 10, rest_length: 1}]\n";
  const Vector3d pulled = forceOnAPlate(std::string(spring).replace(spring.find("PART"), 4, "plate"));
  EXPECT_LT((pulled - Vector3d(0.0, 0.0, 0.5 * kGravity - 10.0 * (1.8 - 1.0))).norm(), 1e-9);
  const Vector3d beside = forceOnAPlate(std::string(spring).replace(spring.find("PART"), 4, "base"));
  EXPECT_LT((beside - Vector3d(0.0, 0.0, 0.5 * kGravity)).norm(), 1e-9);
}

/// SDF: an arm of 1 kg whose centre of mass is its origin; the joint is 0.3 m beside it.
Model armBesideItsJoint(const std::string& type, const std::string& more = "") {
  const std::string inertial =
      "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";
  UrdfOptions options;
  options.floating_base = false;
  return parseUrdf(
             "<sdf version='1.7'><model name='m'><link name='base'>" + inertial +
                 "</link><link name='arm'><pose>0.5 0 0 0 0 0.5</pose>" + inertial + "</link><joint name='h' type='" +
                 type + "'><pose>-0.3 0 0 " + more +
                 "</pose><parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>",
             "m.sdf", options)
      .model;
}

std::string frameOfChannel(const Model& model, const SensorSpec& spec) {
  return SensorSuite(model, {spec}, 1e-3).channels().back().frame;
}

TEST(ForceTorque, SitsOnTheChildOfTheFileThatLiesBesideItsJoint) {
  for (const std::string type : {"revolute", "fixed", "ball"}) {
    const Model model = armBesideItsJoint(type, "0.4 0 0");
    const MadeUpStep step(model);
    const Vector6d wrench = wrenchOnce(model, forceTorqueIn("h"), step);
    EXPECT_LT((wrench - wrenchOnce(model, forceTorqueIn("h", "arm"), step)).norm(), 1e-14) << type;
    EXPECT_LT((wrench - (Vector6d() << 0, 0, kGravity, 0, 0, 0).finished()).norm(), 1e-14) << type;
    EXPECT_EQ(frameOfChannel(model, forceTorqueIn("h")), "arm") << type;
  }
}

/// A bob of 1 kg, 0.5 m below a joint with several coordinates at which it hangs.
Model bobOn(const std::string& type) {
  const std::string inertia = "<inertia ixx='1' iyy='1' izz='1'/></inertial></link>";
  const std::string urdf = "<robot name='m'><link name='base'><inertial><mass value='1'/>" + inertia +
                           "<link name='bob'><inertial><origin xyz='0 0 -0.5'/><mass value='1'/>" + inertia +
                           "<joint name='j' type='" + type +
                           "'><parent link='base'/><child link='bob'/><axis xyz='0 0 1'/></joint></robot>";
  const std::string sdf =
      "<sdf version='1.7'><model name='m'><link name='base'/><link name='bob'><inertial><pose>0 0 -0.5 0 0 0</pose>"
      "<mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>"
      "<joint name='j' type='ball'><parent>base</parent><child>bob</child></joint></model></sdf>";
  UrdfOptions options;
  options.floating_base = false;
  return parseUrdf(type == "ball" ? sdf : urdf, "bob", options).model;
}

TEST(ForceTorque, InAJointOfSeveralCoordinatesIsInTheAxesOfTheChild) {
  for (const auto& [type, names] :
       std::map<std::string, std::vector<std::string>>{{"ball", {"j", "j_x", "j_y", "j_z"}},
                                                       {"planar", {"j", "j_x", "j_yaw"}},
                                                       {"floating", {"j", "j_x", "j_ry"}}}) {
    const Model model = bobOn(type);
    MadeUpStep step(model);
    step.start.joints().tail<3>() = Vector3d(0.5, -0.2, 0.7);
    const Vector3d turn = type == "planar" ? Vector3d(0.0, 0.0, 0.7) : Vector3d(0.5, -0.2, 0.7);
    const Matrix3d R_CW = expQuaternion(turn).toRotationMatrix().transpose();
    const Vector3d force = R_CW * Vector3d(0.0, 0.0, kGravity);
    Vector6d expected;
    expected << force, Vector3d(0.0, 0.0, -0.5).cross(force);
    for (const std::string& name : names) {
      EXPECT_LT((wrenchOnce(model, forceTorqueIn(name), step) - expected).norm(), 1e-14) << type << name;
      EXPECT_EQ(frameOfChannel(model, forceTorqueIn(name)), "bob") << type << name;
    }
  }
}

TEST(ForceTorque, ThatNamesNoJointHearsTheNamesOfWholeJoints) {
  const Model model = bobOn("ball");
  const Error error = errorOf([&] { SensorSuite(model, {forceTorqueIn("ball")}, 1e-3); });
  EXPECT_EQ(error.problem(), "sensor 'ft_ball': there is no joint 'ball'");
  EXPECT_NE(error.hint().find("'j'"), std::string::npos) << error.hint();
}

/// The same arm as a further body: its names have that of the body before them.
TEST(ForceTorque, OfABodySitsOnTheChildOfTheFileToo) {
  const TempFolder folder;
  folder.write("plate.urdf", kPlate);
  folder.write("arm.sdf", R"(<sdf version='1.7'><model name='m'>
    <link name='base'><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
    <link name='arm'><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
    <joint name='h' type='ball'><pose>-0.3 0 0 0 0 0</pose><parent>base</parent><child>arm</child></joint>
    </model></sdf>)");
  const auto scene = folder.write("scene.yaml",
                                  "robot: {model: plate.urdf, base: {fixed: true, position: [0, 0, 1]}}\n"
                                  "bodies: [{name: other, model: arm.sdf, position: [3, 0, 2]}]\n"
                                  "sensors: [{type: force_torque, name: ft, joint: other/h}]\n");
  InstrumentedSimulation simulation(loadScene(scene.string()));
  EXPECT_EQ(frameOfChannel(simulation.simulation().model(), forceTorqueIn("other/h")), "other/arm");
}

}  // namespace
}  // namespace footfall
