// SDF files: poses in the frame of the model, joints beside their links, and joints that close loops.

#include "footfall/base/error.hpp"
#include "footfall/model/kinematics.hpp"
#include "footfall/model/state.hpp"
#include "footfall/robot_file/urdf.hpp"
#include "tools/test_tools.hpp"

namespace footfall {
namespace {

std::string link(const std::string& name, const std::string& pose) {
  return "<link name='" + name + "'><pose>" + pose +
         "</pose><inertial><pose>0.1 0 0 0 0 "
         "0</pose><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>"
         "</inertial></link>";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& inside) {
  return "<joint name='" + name + "' type='" + type + "'><parent>" + parent + "</parent><child>" + child + "</child>" +
         inside + "</joint>";
}

LoadedModel load(const std::string& parts, UrdfOptions options = {}) {
  options.floating_base = false;
  return parseUrdf("<sdf version='1.6'><model name='m'>" + parts + "</model></sdf>", "m.sdf", options);
}

TEST(Sdf, AnInertiaThatIsNoNumberIsAnError) {
  for (const char* entry : {"ixx", "iyy", "izz"}) {
    std::string text = link("base", "0 0 0 0 0 0");
    text.replace(text.find(entry) + 4, 1, "one");
    EXPECT_NE(std::string(errorOf([&] { load(text); }).problem()).find("'one' is inside"), std::string::npos);
  }
}

TEST(Sdf, AMeshWithoutExtentIsAnError) {
  const std::string shape =
      "<collision name='c'><geometry><mesh><uri>a.stl</uri><scale>1 1 0</scale></mesh></geometry></collision>";
  std::string text = link("base", "0 0 0 0 0 0");
  text.insert(text.rfind("</link>"), shape);
  EXPECT_NE(std::string(errorOf([&] { load(text); }).problem()).find("scale is (1 1 0), expected three numbers"),
            std::string::npos);
}

TEST(Sdf, JointsMayNameFramesInPlaceOfLinks) {
  // The same arm twice: by its links, and by frames that are attached to them, one by another one.
  const std::string links = link("base", "0 0 1 0 0 0") + link("arm", "1 0 1 0 0 0.5");
  const std::string limits = "<axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis>";
  const LoadedModel plain =
      load(links + joint("turn", "revolute", "base", "arm", "<pose>0.25 0.3 0 0 0 0</pose>" + limits));
  const LoadedModel framed =
      load(links + "<frame name='shoulder' attached_to='mount'><pose relative_to='arm'>0 0.3 0 0 0 0</pose></frame>" +
           "<frame name='mount' attached_to='arm'><pose>0.2 0 0 0 0 0</pose></frame><frame name='here'/>" +
           joint("turn", "revolute", "here", "shoulder", "<pose>0.25 0 0 0 0 0</pose>" + limits));
  const auto arm = [](const LoadedModel& loaded, double angle) {
    State state = makeState(loaded.model);
    state.joints()[0] = angle;
    std::vector<Pose> X_WL;
    forwardKinematics(loaded.model, state.q, X_WL);
    const Frame& frame = loaded.model.frames[loaded.model.frame("arm")];
    return X_WL[frame.link] * frame.X_LF;
  };
  ASSERT_EQ(framed.model.jointDofs(), 1);
  for (const double angle : {0.0, 0.7}) {
    EXPECT_LT((arm(framed, angle).p - arm(plain, angle).p).norm(), 1e-15) << angle;
    EXPECT_LT((arm(framed, angle).R - arm(plain, angle).R).norm(), 1e-15) << angle;
  }
}

TEST(Sdf, FramesThatEndAtNoLinkCannotCarryAJoint) {
  const std::string links = link("base", "0 0 1 0 0 0") + link("arm", "1 0 1 0 0 0.5");
  const auto problem = [&](const std::string& frames) {
    return errorOf([&] { load(links + frames + joint("turn", "fixed", "base", "grip", "")); });
  };
  const Error circle = problem(
      "<frame name='grip' attached_to='b'><pose relative_to='arm'>0 0 0 0 0 0</pose></frame>"
      "<frame name='b' attached_to='grip'><pose relative_to='arm'>0 0 0 0 0 0</pose></frame>");
  EXPECT_EQ(circle.where(), "m.sdf:1");
  EXPECT_NE(circle.problem().find("'grip' is attached to itself in the end"), std::string::npos) << circle.what();
  const Error nobody =
      problem("<frame name='grip' attached_to='amr'><pose relative_to='arm'>0 0 0 0 0 0</pose></frame>");
  EXPECT_NE(nobody.problem().find("there is no link, joint or frame 'amr'"), std::string::npos) << nobody.what();
  EXPECT_EQ(nobody.hint(), "did you mean 'arm'?");
}

TEST(Sdf, AFrameOfTheModelStandsForItsCanonicalLink) {
  const std::string parts = link("base", "0 0 1 0 0 0") + link("arm", "1 0 1 0 0 0.5") + "<frame name='here'/>" +
                            joint("turn", "revolute", "here", "base", "<axis><xyz>0 1 0</xyz></axis>");
  UrdfOptions options;
  options.floating_base = false;
  const LoadedModel loaded = parseUrdf(
      "<sdf version='1.8'><model name='m' canonical_link='arm'>" + parts + "</model></sdf>", "m.sdf", options);
  EXPECT_EQ(loaded.model.links[0].name, "arm");
}

TEST(Sdf, PutsLinksWhereTheModelHasThem) {
  // The joint lies 0.3 m before its child, whose frame is turned by a right angle that is written with five digits.
  const LoadedModel loaded =
      load(link("base", "0 0 1 0 0 0") + link("arm", "1 0 1 0 0 1.5708") +
           joint("turn", "revolute", "base", "arm",
                 "<pose>0 0.3 0 0 0 0</pose><axis><xyz>0 2 0</xyz><use_parent_model_frame>1</use_parent_model_frame>"
                 "<limit><lower>-1</lower><upper>1e16</upper></limit></axis>"));
  const Model& model = loaded.model;
  ASSERT_EQ(model.jointDofs(), 1);
  EXPECT_EQ(model.dofs[0].lower, -1.0);
  EXPECT_EQ(model.dofs[0].upper, std::numeric_limits<double>::infinity());
  State state = makeState(model);
  std::vector<Pose> X_WL;
  const auto arm = [&] {
    forwardKinematics(model, state.q, X_WL);
    const Frame& frame = model.frames[model.frame("arm")];
    return X_WL[frame.link] * frame.X_LF;
  };
  EXPECT_LT((arm().p - Vector3d(1.0, 0.0, 0.0)).norm(), 1e-15);
  EXPECT_LT((arm().R.col(0) - Vector3d::UnitY()).norm(), 1e-15);
  // The joint is at x = 0.7 and turns about y: x goes to −z.
  state.joints()[0] = 0.5 * std::acos(-1.0);
  EXPECT_LT((arm().p - Vector3d(0.7, 0.0, -0.3)).norm(), 1e-15);
  EXPECT_EQ(model.totalMass(), 4.0);
}

TEST(Sdf, ClosesALoopWithTheSecondJointOfALink) {
  const std::string axis = "<axis><xyz>0 1 0</xyz></axis>";
  const LoadedModel loaded =
      load(link("base", "0 0 0 0 0 0") + link("a", "1 0 0 0 0 0") + link("b", "1 0 1 0 0 0") +
           joint("base_a", "revolute", "base", "a", axis) + joint("base_b", "revolute", "base", "b", axis) +
           joint("a_b", "revolute", "a", "b", "<pose>0 0 0.5 0 0 0</pose>" + axis));
  const Model& model = loaded.model;
  ASSERT_EQ(model.loops.size(), 1u);
  const Loop& loop = model.loops[0];
  EXPECT_EQ(loop.kind, LoopKind::hinge);
  EXPECT_EQ(model.links[loop.link_a].name, "a");
  EXPECT_EQ(model.links[loop.link_b].name, "b");
  EXPECT_LT((loop.X_AF.p - Vector3d(0.0, 0.0, 1.5)).norm(), 1e-15);
  EXPECT_LT((loop.X_BF.p - Vector3d(0.0, 0.0, 0.5)).norm(), 1e-15);
  EXPECT_LT((loop.X_AF.R.col(2) - Vector3d::UnitY()).norm(), 1e-15);
}

TEST(Sdf, TakesPosesRelativeToOtherFrames) {
  const auto placed = [](const std::string& name, const std::string& reference, const std::string& pose) {
    return "<link name='" + name + "'><pose relative_to='" + reference + "'>" + pose +
           "</pose><inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>";
  };
  // The arm lies in the joint that moves it, which is given in the base; a frame stands between them.
  const LoadedModel loaded = load(placed("arm", "turn", "0 0 0.2 0 0 0") + placed("base", "", "1 0 0 0 0 0") +
                                  "<frame name='mount' attached_to='base'><pose>0 1 0 0 0 1.5708</pose></frame>" +
                                  joint("turn", "revolute", "base", "arm",
                                        "<pose relative_to='mount'>0.5 0 0 0 0 0</pose><axis><xyz>1 0 0</xyz></axis>"));
  const Model& model = loaded.model;
  std::vector<Pose> X_WL;
  forwardKinematics(model, makeState(model).q, X_WL);
  const Frame& arm = model.frames[model.frame("arm")];
  EXPECT_LT(((X_WL[arm.link] * arm.X_LF).p - Vector3d(0.0, 1.5, 0.2)).norm(), 1e-15);
  EXPECT_LT((X_WL[1].R * model.joints[0].axis - Vector3d::UnitY()).norm(), 1e-15);
}

TEST(Sdf, ReadsTheSpringOfAJoint) {
  const LoadedModel loaded =
      load(link("base", "0 0 0 0 0 0") + link("arm", "1 0 0 0 0 0") +
           joint("leaf", "revolute", "base", "arm",
                 "<axis><xyz>0 1 0</xyz><dynamics><spring_stiffness>1500</spring_stiffness>"
                 "<spring_reference>0.1</spring_reference><damping>2</damping></dynamics></axis>"));
  EXPECT_TRUE(loaded.warnings.empty());
  EXPECT_EQ(loaded.model.dofs[0].spring_stiffness, 1500.0);
  EXPECT_EQ(loaded.model.dofs[0].spring_reference, 0.1);
  EXPECT_EQ(loaded.model.dofs[0].damping, 2.0);
}

TEST(Sdf, NegativeDampingFrictionAndSpringsAreRefusedByName) {
  for (const std::string tag : {"damping", "friction", "spring_stiffness"}) {
    const std::string text = link("base", "0 0 0 0 0 0") + link("arm", "1 0 0 0 0 0") +
                             joint("leaf", "revolute", "base", "arm",
                                   "<axis><xyz>0 1 0</xyz><dynamics><" + tag + ">-2</" + tag + "></dynamics></axis>");
    const std::string problem = errorOf([&] { load(text); }).problem();
    EXPECT_NE(problem.find("<" + tag + "> is -2, expected 0 or more"), std::string::npos) << problem;
    EXPECT_NE(problem.find("leaf"), std::string::npos) << problem;
  }
}

std::string gearedArm(const std::string& reference_body, const std::string& axis) {
  const std::string turn = "<axis><xyz>0 1 0</xyz></axis>";
  return link("base", "0 0 0 0 0 0") + link("rotor", "0 0 0 0 0 0") + link("arm", "0 0 0 0 0 0") +
         joint("input", "revolute", "base", "rotor", turn) + joint("output", "revolute", "base", "arm", turn) +
         joint("gear", "gearbox", "rotor", "arm",
               "<gearbox_reference_body>" + reference_body +
                   "</gearbox_reference_body><gearbox_ratio>0.04</gearbox_ratio>" + "<axis><xyz>" + axis +
                   "</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>");
}

TEST(Sdf, AGearboxLetsTheRotorFollowTheJoint) {
  for (const auto& [axis, multiplier] : {std::pair{"0 1 0", -25.0}, {"0 -1 0", 25.0}}) {
    const Model model = load(gearedArm("base", axis)).model;
    ASSERT_EQ(model.jointDofs(), 1);
    EXPECT_EQ(model.dofs[0].name, "output");
    ASSERT_EQ(model.joints.size(), 2u);
    for (const Joint& joint : model.joints)
      EXPECT_DOUBLE_EQ(joint.multiplier, joint.name == "input" ? multiplier : 1.0);
  }
}

const std::string kBallArm = link("base", "0 0 0 0 0 0") + link("arm", "0 0 1 0 0 0.5");

TEST(Sdf, ABallJointThatMovesALinkIsOne) {
  const LoadedModel loaded =
      load(kBallArm + joint("hip", "ball", "base", "arm",
                            "<pose>0 0 0.2 0 0 0</pose><axis><dynamics><damping>0.3</damping></dynamics></axis>"));
  const Model& model = loaded.model;
  ASSERT_EQ(model.jointDofs(), 3);
  ASSERT_EQ(model.balls, std::vector<DofIndex>{DofIndex(0)});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(model.dofs[i].name, std::string("hip_") + "xyz"[i]);
    EXPECT_EQ(model.dofs[i].kind, JointKind::ball);
    EXPECT_EQ(model.dofs[i].damping, 0.3);
    EXPECT_EQ(model.joints[i].axis, Vector3d::Unit(i));
  }
  EXPECT_TRUE(loaded.warnings.empty());
  // The arm turns about the joint, 0.2 m above its own origin, by a quarter about an axis askew.
  State state = makeState(model);
  state.joints() = 0.5 * M_PI * Vector3d(0.6, 0.8, 0.0);
  std::vector<Pose> X_WL;
  forwardKinematics(model, state.q, X_WL);
  const Frame& frame = model.frames[model.frame("arm")];
  const Pose X_WJ{Eigen::AngleAxisd(0.5, Vector3d::UnitZ()).toRotationMatrix(), {0.0, 0.0, 1.2}};
  const Vector3d expected = X_WJ * (expQuaternion(state.joints()) * Vector3d(0.0, 0.0, -0.2));
  EXPECT_LT(((X_WL[frame.link] * frame.X_LF).p - expected).norm(), 1e-15);
}

std::string hinge(const std::string& name, const std::string& child, const std::string& more = "") {
  return joint(name, "revolute", "base", child, "<axis><xyz>0 0 1</xyz>" + more + "</axis>");
}

const std::string kTwoArms = link("base", "0 0 0 0 0 0") + link("a", "1 0 0 0 0 0") + link("b", "0 1 0 0 0 0");

TEST(Sdf, AJointThatMimicsAnotherFollowsItFromTheReference) {
  const LoadedModel loaded = load(
      kTwoArms + hinge("leads", "a") +
      hinge("follows", "b",
            "<mimic joint='leads'><multiplier>2</multiplier><offset>0.5</offset><reference>0.1</reference></mimic>"));
  ASSERT_EQ(loaded.model.jointDofs(), 1);
  const Joint& follower = loaded.model.joints[1];
  EXPECT_EQ(follower.name, "follows");
  EXPECT_EQ(follower.dof, loaded.model.joints[0].dof);
  EXPECT_EQ(follower.multiplier, 2.0);
  EXPECT_DOUBLE_EQ(follower.offset, 0.5 - 2.0 * 0.1);
  EXPECT_TRUE(loaded.warnings.empty());
}

std::string dynamics(const std::string& inside) { return "<dynamics>" + inside + "</dynamics>"; }

std::string spring(double stiffness, double reference) {
  return "<spring_stiffness>" + std::to_string(stiffness) + "</spring_stiffness><spring_reference>" +
         std::to_string(reference) + "</spring_reference>";
}

TEST(Sdf, SpringsOfFollowersPullAtTheLeader) {
  const std::string mimic = "<mimic joint='leads'><multiplier>-2</multiplier><offset>0.5</offset></mimic>";
  // V = k₁/2 (s − r₁)² + k₂/2 (−2 s + 0.5 − r₂)² is a spring at s, but for a constant.
  for (const double k_1 : {0.0, 3.0}) {
    const double r_1 = 0.25, k_2 = 2.0, r_2 = -0.125;
    const Model model =
        load(kTwoArms + hinge("leads", "a", dynamics(spring(k_1, r_1))) +
             hinge("follows", "b", mimic + dynamics(spring(k_2, r_2) + "<damping>0.5</damping><friction>3</friction>")))
            .model;
    ASSERT_EQ(model.jointDofs(), 1);
    const Dof& dof = model.dofs[0];
    for (const double s : {-1.0, 0.0, 0.7}) {
      const double torque = -k_1 * (s - r_1) + 2.0 * k_2 * (-2.0 * s + 0.5 - r_2);
      EXPECT_NEAR(-dof.spring_stiffness * (s - dof.spring_reference), torque, 1e-14) << k_1;
    }
    EXPECT_DOUBLE_EQ(dof.damping, 4.0 * 0.5);
    EXPECT_DOUBLE_EQ(dof.friction, 2.0 * 3.0);
  }
}

TEST(Sdf, FollowersWithoutSpringsLeaveThoseOfTheLeader) {
  const std::string leads = hinge("leads", "a", dynamics(spring(3.0, 0.3)));
  for (const std::string multiplier : {"-2", "0"}) {
    const std::string mimic = "<mimic joint='leads'><multiplier>" + multiplier + "</multiplier></mimic>";
    const std::string own = multiplier == "0" ? dynamics(spring(5.0, 1.0)) : dynamics(spring(0.0, 1.0));
    const Dof dof = load(kTwoArms + leads + hinge("follows", "b", mimic + own)).model.dofs[0];
    EXPECT_EQ(dof.spring_stiffness, 3.0);
    EXPECT_EQ(dof.spring_reference, 0.3);
  }
}

TEST(Sdf, WhatTurnsWithAGearboxDampsThroughIt) {
  std::string text = gearedArm("base", "0 1 0");
  const std::string rotor = "<axis><xyz>0 1 0</xyz>";
  text.insert(text.find(rotor) + rotor.size(), dynamics("<damping>0.01</damping>"));
  const Model model = load(text).model;
  ASSERT_EQ(model.dofs[0].name, "output");
  EXPECT_DOUBLE_EQ(model.dofs[0].damping, 25.0 * 25.0 * 0.01);
}

/// What is told about the joint that closes the loop between two arms.
std::vector<Warning> warningsOfLoop(const std::string& type, const std::string& inside) {
  return load(kTwoArms + hinge("leads", "a") + hinge("other", "b") +
              joint("shut", type, "a", "b", "<axis><xyz>0 0 1</xyz>" + inside + "</axis>"))
      .warnings;
}

TEST(Sdf, AJointThatClosesALoopSaysWhatOfItIsNotRead) {
  const auto onlyOne = [](const std::vector<Warning>& warnings) {
    EXPECT_EQ(warnings.size(), 1U);
    return warnings.empty() ? "" : warnings[0].what;
  };
  const std::string all = "<damping>50</damping><friction>100</friction><spring_stiffness>7</spring_stiffness>";
  EXPECT_EQ(
      onlyOne(warningsOfLoop("revolute", "<limit><lower>-0.01</lower><upper>0.02</upper></limit>" + dynamics(all))),
      "joint 'shut' closes a loop; this of it is not read: damping 50 N m s/rad, friction 100 N m, "
      "spring 7 N m/rad, limits -0.01 to 0.02 rad");
  EXPECT_EQ(onlyOne(warningsOfLoop("prismatic", "<limit><upper>0.1</upper></limit>" + dynamics(all))),
            "joint 'shut' closes a loop; this of it is not read: damping 50 N s/m, friction 100 N, spring 7 N/m, "
            "limits -inf to 0.1 m");
  EXPECT_EQ(onlyOne(warningsOfLoop("ball", dynamics("<damping>2</damping>"))),
            "joint 'shut' closes a loop; this of it is not read: damping 2 N m s/rad");
}

TEST(Sdf, AJointThatClosesALoopAndLosesNothingSaysNothing) {
  const std::string none = "<limit><lower>-inf</lower><upper>1e16</upper><effort>5</effort></limit>" +
                           dynamics("<damping>0</damping><friction>0</friction>");
  EXPECT_TRUE(warningsOfLoop("revolute", none).empty());
  EXPECT_TRUE(warningsOfLoop("fixed", dynamics("<damping>2</damping>")).empty());
}

TEST(Sdf, AMimicThatLeavesItsOwnLimitsIsTold) {
  const auto limits = [](double lower, double upper) {
    return "<limit><lower>" + std::to_string(lower) + "</lower><upper>" + std::to_string(upper) + "</upper></limit>";
  };
  const auto follower = [&](double lower, double upper) {
    return load(
        kTwoArms + hinge("leads", "a", limits(-1.0, 0.5)) +
        hinge("follows", "b", limits(lower, upper) + "<mimic joint='leads'><multiplier>-2</multiplier></mimic>"));
  };
  EXPECT_TRUE(follower(-1.0, 2.0).warnings.empty());
  const LoadedModel loaded = follower(-1.0, 1.5);
  ASSERT_EQ(loaded.warnings.size(), 1U);
  EXPECT_EQ(
      loaded.warnings[0].what,
      "joint 'follows' goes from -1 to 2 as it mimics 'leads', beyond its own limits -1 to 1.5, which are not used");
}

TEST(Sdf, AMimicThatCannotBeIsRefused) {
  const auto problem = [](const std::string& parts) { return errorOf([&] { load(kTwoArms + parts); }).problem(); };
  EXPECT_EQ(problem(hinge("leads", "a") + hinge("follows", "b", "<mimic joint='leeds'/>")),
            "joint 'follows' mimics 'leeds', which is no joint of this robot");
  EXPECT_NE(problem(hinge("leads", "a") + hinge("follows", "b", "<mimic joint='leads' axis='axis2'/>")).find("axis2"),
            std::string::npos);
  EXPECT_NE(problem(hinge("leads", "a") + hinge("other", "b") +
                    joint("shut", "revolute", "a", "b", "<axis><xyz>0 0 1</xyz><mimic joint='leads'/></axis>"))
                .find("closes a loop"),
            std::string::npos);
}

TEST(Sdf, ABallJointNeitherLeadsNorFollows) {
  const auto problem = [](const std::string& parts) { return errorOf([&] { load(kTwoArms + parts); }).problem(); };
  const std::string ball = joint("ball", "ball", "base", "a", "");
  EXPECT_EQ(problem(ball + hinge("hinge", "b", "<mimic joint='ball'/>")),
            "joint 'hinge' mimics 'ball', which has several coordinates");
  EXPECT_EQ(problem(joint("ball", "ball", "base", "a", "<axis><xyz>0 0 1</xyz><mimic joint='hinge'/></axis>") +
                    hinge("hinge", "b")),
            "joint 'ball' mimics 'hinge', but has several coordinates");
}

TEST(Sdf, ABallJointHasNoLimits) {
  const LoadedModel loaded = load(
      kBallArm + joint("hip", "ball", "base", "arm", "<axis><limit><lower>-1</lower><upper>1</upper></limit></axis>"));
  EXPECT_EQ(loaded.model.dofs[1].upper, std::numeric_limits<double>::infinity());
  ASSERT_EQ(loaded.warnings.size(), 1u);
  EXPECT_NE(loaded.warnings[0].what.find("ball joint 'hip' has limits"), std::string::npos);
}

TEST(Sdf, APositionNamesACoordinateOfABallJoint) {
  const std::string text = kBallArm + joint("hip", "ball", "base", "arm", "");
  UrdfOptions options;
  options.positions = {{"hip", 0.3}};
  const Error whole = errorOf([&] { load(text, options); });
  EXPECT_EQ(whole.problem(), "joint 'hip' has several coordinates");
  EXPECT_EQ(whole.hint(), "name one of them: 'hip_x', 'hip_y', 'hip_z'");
  options.positions = {{"hip_yaw", 0.3}};
  const Error unknown = errorOf([&] { load(text, options); });
  EXPECT_EQ(unknown.problem(), "there is no joint 'hip_yaw'");
  EXPECT_EQ(unknown.hint(), "did you mean 'hip_y'?");
}

TEST(Sdf, ABallJointsSpringIsAtRestAtZeroAndSaysSo) {
  const LoadedModel loaded = load(kBallArm + joint("hip", "ball", "base", "arm",
                                                   "<axis><dynamics><spring_stiffness>5</spring_stiffness>"
                                                   "<spring_reference>0.3</spring_reference></dynamics></axis>"));
  ASSERT_EQ(loaded.warnings.size(), 1u);
  EXPECT_NE(loaded.warnings[0].what.find("<spring_reference> of 0.3 rad is not read"), std::string::npos);
  for (const Dof& dof : loaded.model.dofs) EXPECT_EQ(dof.spring_reference, 0.0);
}

TEST(Sdf, ABallJointIsLockedWhereItIsTold) {
  UrdfOptions options;
  options.floating_base = false;
  options.positions = {{"hip_x", 0.3}, {"hip_z", -1.1}, {"knee", 0.1}};
  options.joints = {"knee"};
  const std::string text = "<sdf version='1.6'><model name='m'>" + kBallArm + link("shank", "0 0 1 0 0 0.5") +
                           joint("hip", "ball", "base", "arm", "") +
                           joint("knee", "revolute", "arm", "shank", "<axis><xyz>0 1 0</xyz></axis>") +
                           "</model></sdf>";
  const Model model = parseUrdf(text, "m.sdf", options).model;
  ASSERT_EQ(model.jointDofs(), 1);
  EXPECT_TRUE(model.balls.empty());
  std::vector<Pose> X_WL;
  forwardKinematics(model, makeState(model).q, X_WL);
  const Frame& frame = model.frames[model.frame("arm")];
  const Matrix3d expected = Eigen::AngleAxisd(0.5, Vector3d::UnitZ()).toRotationMatrix() *
                            expQuaternion(Vector3d(0.3, 0.0, -1.1)).toRotationMatrix();
  EXPECT_LT(((X_WL[frame.link] * frame.X_LF).R - expected).norm(), 1e-15);
}

std::string modelNamed(const std::string& name, const std::string& parts) {
  return "<model name='" + name + "'>" + parts + "</model>\n";
}

std::string world(const std::string& parts) {
  return "<sdf version='1.6'>\n<world name='w'>\n" + parts + "</world></sdf>";
}

TEST(SdfWorld, HasOneModelThatMoves) {
  const std::string ground = modelNamed("ground_plane", "<static>true</static>" + link("plane", "0 0 0 0 0 0"));
  const LoadedModel loaded = parseUrdf(world(ground + modelNamed("arm", link("base", "0 0 0 0 0 0"))), "w.sdf");
  EXPECT_EQ(loaded.model.name, "arm");
}

TEST(SdfWorld, WithSeveralModelsAsksForAName) {
  const std::string text = world(
      modelNamed("a", link("base", "0 0 0 0 0 0")) +
      modelNamed("b", link("base", "0 0 0 0 0 0") + link("c", "0 0 0 0 0 0") + joint("j", "fixed", "base", "c", "")));
  const Error error = errorOf([&] { parseUrdf(text, "w.sdf"); });
  EXPECT_EQ(error.where(), "w.sdf:4");
  EXPECT_NE(error.problem().find("there are 2 models ('a', 'b'), expected one"), std::string::npos) << error.problem();
  const TempFolder folder;
  const std::string path = folder.write("w.sdf", text).string();
  EXPECT_EQ(loadUrdf(path + "#b").model.name, "b");
  EXPECT_NE(errorOf([&] { loadUrdf(path + "#c"); }).hint().find("'a', 'b'"), std::string::npos);
}

TEST(SdfWorld, WithoutModelsNamesTheFilesThatItIncludes) {
  const Error error = errorOf([] { parseUrdf(world("<include><uri>model://cassie</uri></include>"), "w.sdf"); });
  EXPECT_EQ(error.problem(), "sdf: there is no <model> in it");
  EXPECT_NE(error.hint().find("model://cassie"), std::string::npos);
}

TEST(Sdf, AJointToTheWorldStartsAtARootWithoutMass) {
  const std::string parts =
      link("arm", "0 0 1 0 0 0") + joint("hinge", "revolute", "world", "arm", "<axis><xyz>0 1 0</xyz></axis>");
  const Model fixed = load(parts).model;
  ASSERT_EQ(fixed.jointDofs(), 1);
  EXPECT_EQ(fixed.links[0].name, "world");
  EXPECT_EQ(fixed.joints[0].X_PJ.p, Vector3d(0, 0, 1));
  const std::string text = "<sdf version='1.6'><model name='m'>" + parts + "</model></sdf>";
  EXPECT_EQ(errorOf([&] { parseUrdf(text, "m.sdf"); }).problem(), "link 'world' is the floating base, and has no mass");
}

TEST(Sdf, SaysWhenABaseThatIsFixedToTheWorldFloats) {
  const std::string text = "<sdf version='1.6'><model name='m'>" + link("arm", "0 0 1 0 0 0") +
                           joint("bolt", "fixed", "world", "arm", "") + "</model></sdf>";
  const LoadedModel loaded = parseUrdf(text, "m.sdf");
  EXPECT_TRUE(warns(loaded, "joint 'bolt' fixes link 'arm' to the world, but the base floats"));
}

/// Where the axis of the only joint points in the base.
Vector3d axisOf(const std::string& version, const std::string& axis) {
  UrdfOptions options;
  options.floating_base = false;
  const Model model = parseUrdf("<sdf version='" + version + "'><model name='m'>" + link("base", "0 0 0 0 0 0") +
                                    link("arm", "0 0 1 0 0 1.570796326794897") +
                                    joint("turn", "revolute", "base", "arm", "<axis>" + axis + "</axis>") +
                                    "<frame name='tilted'><pose>0 0 0 1.570796326794897 0 0</pose></frame>"
                                    "</model></sdf>",
                                "m.sdf", options)
                          .model;
  return model.joints[0].X_PJ.R * model.joints[0].axis;
}

TEST(Sdf, AxesAreExpressedInTheFrameThatTheyName) {
  EXPECT_LT((axisOf("1.9", "<xyz>0 1 0</xyz>") + Vector3d::UnitX()).norm(), 1e-15);
  EXPECT_LT((axisOf("1.9", "<xyz expressed_in='__model__'>0 1 0</xyz>") - Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_LT((axisOf("1.9", "<xyz expressed_in='base'>0 1 0</xyz>") - Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_LT((axisOf("1.9", "<xyz expressed_in='arm'>0 1 0</xyz>") + Vector3d::UnitX()).norm(), 1e-15);
  EXPECT_LT((axisOf("1.9", "<xyz expressed_in='tilted'>0 1 0</xyz>") - Vector3d::UnitZ()).norm(), 1e-15);
  EXPECT_NE(errorOf([&] { axisOf("1.9", "<xyz expressed_in='tiltd'>0 1 0</xyz>"); }).hint().find("'tilted'"),
            std::string::npos);
}

TEST(Sdf, AxesOfOldFilesAreThoseOfTheModel) {
  EXPECT_LT((axisOf("1.4", "<xyz>0 1 0</xyz>") - Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_LT(
      (axisOf("1.4", "<xyz>0 1 0</xyz><use_parent_model_frame>0</use_parent_model_frame>") + Vector3d::UnitX()).norm(),
      1e-15);
  EXPECT_LT((axisOf("1.5", "<xyz>0 1 0</xyz>") + Vector3d::UnitX()).norm(), 1e-15);
}

TEST(Sdf, RotationsMayBeInDegreesOrQuaternions) {
  const auto rotationOf = [](const std::string& pose) {
    const Model model = load(link("base", "0 0 0 0 0 0") + "<link name='arm'>" + pose + "</link>" +
                             joint("bolt", "fixed", "base", "arm", ""))
                            .model;
    return model.frames[model.frame("arm")].X_LF.R;
  };
  const Matrix3d right_angle = rotationFromRollPitchYaw({0, 0, 0.5 * std::acos(-1.0)});
  EXPECT_LT((rotationOf("<pose degrees='true'>0 0 1 0 0 90</pose>") - right_angle).norm(), 1e-15);
  EXPECT_LT((rotationOf("<pose rotation_format='quat_xyzw'>0 0 1 0 0 1 1</pose>") - right_angle).norm(), 1e-15);
  EXPECT_EQ(errorOf([&] { rotationOf("<pose rotation_format='quat_xyzw'>0 0 1 0 0 0 0</pose>"); }).problem(),
            "link 'arm', <pose>: its quaternion is zero");
  EXPECT_NE(errorOf([&] { rotationOf("<pose rotation_format='wxyz'>0 0 1 0 0 0 0</pose>"); })
                .problem()
                .find("expected euler_rpy or quat_xyzw"),
            std::string::npos);
}

TEST(Sdf, ARingSaysHowItIsClosed) {
  const std::string links =
      link("a", "0 0 0 0 0 0") + link("b", "1 0 0 0 0 0") + link("c", "1 1 0 0 0 0") + link("d", "0 1 0 0 0 0");
  const std::string axis = "<axis><xyz>0 0 1</xyz></axis>";
  const std::string chain = joint("ab", "revolute", "a", "b", axis) + joint("bc", "revolute", "b", "c", axis) +
                            joint("cd", "revolute", "c", "d", axis);
  const Error error = errorOf([&] { load(links + chain + joint("da", "revolute", "d", "a", axis)); });
  EXPECT_NE(error.problem().find("the joints form a cycle: "), std::string::npos) << error.problem();
  EXPECT_NE(error.hint().find("swap <parent> and <child> of one of these joints"), std::string::npos) << error.hint();
  EXPECT_EQ(error.hint().find("URDF"), std::string::npos) << error.hint();
  // What the hint says, done.
  const Model closed =
      load(links + chain + joint("da", "revolute", "a", "d", "<pose relative_to='a'>0 0 0 0 0 0</pose>" + axis)).model;
  EXPECT_EQ(closed.dofs.size(), 3U);
  EXPECT_EQ(closed.loops.size(), 1U);
}

TEST(Sdf, InfiniteLimitsAreNone) {
  const std::vector<std::pair<std::string, std::string>> none = {
      {"-inf", "inf"}, {"-infinity", "Infinity"}, {"-INF", "+inf"}, {"-1e16", "inf"}};
  for (const auto& [lower, upper] : none) {
    const Dof dof = load(link("base", "0 0 0 0 0 0") + link("arm", "1 0 0 0 0 0") +
                         joint("j", "revolute", "base", "arm",
                               "<axis><xyz>0 1 0</xyz><limit><lower>" + lower + "</lower><upper>" + upper +
                                   "</upper><effort>inf</effort><velocity>-inf</velocity></limit></axis>"))
                        .model.dofs[0];
    EXPECT_TRUE(std::isinf(dof.lower) && dof.lower < 0.0) << lower;
    EXPECT_TRUE(std::isinf(dof.upper) && dof.upper > 0.0) << upper;
    EXPECT_TRUE(std::isinf(dof.max_effort) && std::isinf(dof.max_velocity));
  }
  EXPECT_NE(errorOf([] {
              load(link("base", "0 0 0 0 0 0") + link("arm", "1 0 0 0 0 0") +
                   joint("j", "revolute", "base", "arm", "<axis><limit><lower>nan</lower></limit></axis>"));
            })
                .problem()
                .find("'nan' is inside, expected 1 finite number"),
            std::string::npos);
}

TEST(Sdf, InertiasAreNotMadeFromShapes) {
  for (const char* inside : {"", "<mass>5</mass>"}) {
    const Error error =
        errorOf([&] { load("<link name='a'><inertial auto='true'>" + std::string(inside) + "</inertial></link>"); });
    EXPECT_EQ(error.problem(),
              "link 'a', <inertial>: auto=\"true\" is not offered: masses and inertias are not computed from shapes");
    EXPECT_NE(error.hint().find("write <mass> and <inertia>"), std::string::npos);
  }
}

TEST(Sdf, SaysWhatItDoesNotRead) {
  const std::string base = link("base", "0 0 0 0 0 0");
  EXPECT_TRUE(
      warns(load(base + "<model name='hand'>" + base + "</model>"), "the model 'hand' inside of it is not read"));
  EXPECT_TRUE(warns(load(base + "<include><uri>model://hand</uri></include>"), "it includes 'model://hand'"));
  EXPECT_TRUE(warns(load("<link name='base'><gravity>false</gravity></link>"), "all links have weight"));
  EXPECT_TRUE(load("<link name='base'><gravity>1</gravity></link>").warnings.empty());
  // What stands still in its file falls in a scene that does not hold it.
  const std::string text = "<sdf version='1.6'><model name='m'><static>true</static>" + base + "</model></sdf>";
  EXPECT_TRUE(warns(parseUrdf(text, "m.sdf"), "the model 'm' is static, but its base floats"));
  EXPECT_TRUE(load("<static>true</static>" + base).warnings.empty());
}

TEST(Sdf, SaysWhatMayBeMisspelt) {
  const LoadedModel loaded =
      load("<link name='base'><pose degres='true'>0 0 0 0 0 90</pose><colision name='c'/></link>" +
           link("arm", "0 0 0 0 0 0") +
           joint("j", "revolute", "base", "arm", "<axis><limits><lower>-1</lower></limits></axis><physics/>"));
  ASSERT_EQ(loaded.warnings.size(), 3U);
  EXPECT_EQ(loaded.warnings[0].what,
            "link 'base', <pose>: the attribute 'degres' is not read; did you mean 'degrees'?");
  EXPECT_EQ(loaded.warnings[1].what, "link 'base': <colision> is not read; did you mean <collision>?");
  EXPECT_EQ(loaded.warnings[2].what, "joint 'j', <axis>: <limits> is not read; did you mean <limit>?");
}

TEST(Sdf, RefusesWhatItCannotRead) {
  const auto problem = [](const std::string& parts) {
    try {
      load(parts);
    } catch (const Error& e) {
      return e.problem();
    }
    return std::string();
  };
  const std::string two = link("base", "0 0 0 0 0 0") + link("arm", "0 0 0 0 0 0");
  EXPECT_NE(problem(link("base", "0 0 0")).find("expected 6 finite numbers"), std::string::npos);
  EXPECT_NE(problem(gearedArm("rotor", "0 1 0")).find("no joint leads from the reference body 'rotor'"),
            std::string::npos);
  EXPECT_NE(problem(gearedArm("base", "1 0 0")).find("its axes are not those of the joints"), std::string::npos);
  EXPECT_NE(problem("<link name='a'><pose relative_to='b'>0 0 0 0 0 0</pose></link>"
                    "<link name='b'><pose relative_to='a'>0 0 0 0 0 0</pose></link>")
                .find("relative to itself"),
            std::string::npos);
  EXPECT_NE(problem("<link name='a'><pose relative_to='bse'>0 0 0 0 0 0</pose></link>").find("frame 'bse'"),
            std::string::npos);
  EXPECT_NE(problem(two + joint("j", "screw", "base", "arm", "")).find("'screw' is not supported"), std::string::npos);
  EXPECT_NE(problem(two + joint("j", "revolute", "bse", "arm", "")).find("no link, joint or frame 'bse'"),
            std::string::npos);
}

}  // namespace
}  // namespace footfall
