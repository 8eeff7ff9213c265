// What a good URDF file becomes.

#include "footfall/robot_file/urdf.hpp"

#include <limits>

#include "tools/test_tools.hpp"

namespace footfall {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

LoadedModel load(const std::string& text, const UrdfOptions& options = {}) { return parseUrdf(text, "test", options); }

std::vector<std::string> dofNames(const Model& model) {
  std::vector<std::string> names;
  for (const Dof& dof : model.dofs) names.push_back(dof.name);
  return names;
}

/// base ─ hip ─ thigh ─ knee ─ shank ─ (weld) ─ sole, and base ─ neck ─ head, written with the joints mixed up.
std::string legAndHead() {
  return robot(link("sole", 0.0) + link("shank") + link("head") + link("thigh") + link("base") +
               joint("knee", "revolute", "thigh", "shank") + joint("neck", "continuous", "base", "head") +
               joint("weld", "fixed", "shank", "sole") + joint("hip", "prismatic", "base", "thigh"));
}

TEST(Urdf, NumbersLinksDepthFirstWithParentsBeforeChildren) {
  const Model model = load(legAndHead()).model;
  ASSERT_EQ(model.links.size(), 4u);
  EXPECT_EQ(model.links[0].name, "base");
  EXPECT_EQ(model.links[1].name, "head");
  EXPECT_EQ(model.links[2].name, "thigh");
  EXPECT_EQ(model.links[3].name, "shank");
  for (std::size_t j = 0; j < model.joints.size(); ++j) EXPECT_LE(model.joints[j].parent, static_cast<int>(j));
}

TEST(Urdf, OrdersCoordinatesAsTheFileOrAsTheList) {
  EXPECT_EQ(dofNames(load(legAndHead()).model), (std::vector<std::string>{"knee", "neck", "hip"}));
  UrdfOptions options;
  options.joints = {"hip", "knee"};
  const Model model = load(legAndHead(), options).model;
  EXPECT_EQ(dofNames(model), options.joints);
  EXPECT_EQ(model.joints[0].name, "hip");
  EXPECT_EQ(model.joints[0].dof, 0);
  EXPECT_EQ(model.joints[1].dof, 1);
  EXPECT_EQ(model.links[model.frames[model.frame("head")].link].name, "base");
}

TEST(Urdf, GivesEveryLinkAFrame) {
  const Model model = load(legAndHead()).model;
  EXPECT_EQ(model.frames.size(), 5u);
  const Frame& sole = model.frames[model.frame("sole")];
  EXPECT_EQ(model.links[sole.link].name, "shank");
  EXPECT_EQ(sole.X_LF.p, Vector3d(0, 0, 1));
}

TEST(Urdf, ReadsWhatTheFileSaysAboutJoints) {
  const Model model = load(robot(link("a") + link("b") + link("c") +
                                 joint("turn", "revolute", "a", "b", "<dynamics damping=\"0.5\" friction=\"0.25\"/>") +
                                 joint("spin", "continuous", "b", "c")))
                          .model;
  const Dof& turn = model.dofs[model.dof("turn")];
  EXPECT_EQ(turn.lower, -1.0);
  EXPECT_EQ(turn.upper, 1.0);
  EXPECT_EQ(turn.max_effort, 2.0);
  EXPECT_EQ(turn.max_velocity, 3.0);
  EXPECT_EQ(turn.damping, 0.5);
  EXPECT_EQ(turn.friction, 0.25);
  const Dof& spin = model.dofs[model.dof("spin")];
  EXPECT_EQ(spin.lower, -kInfinity);
  EXPECT_EQ(spin.upper, kInfinity);
  EXPECT_EQ(spin.max_effort, 2.0);
}

TEST(Urdf, TurnsTheInertiaWithItsOrigin) {
  const Model model = load(R"(<robot name="r"><link name="a"><inertial>
      <origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><mass value="2"/>
      <inertia ixx="1" iyy="2" izz="2.5"/></inertial></link></robot>)")
                          .model;
  const SpatialInertia& inertia = model.links[0].inertia;
  EXPECT_EQ(inertia.com, Vector3d(1, 2, 3));
  // A quarter turn about z swaps x and y, up to the rounding of π/2.
  EXPECT_NEAR(inertia.I_com(0, 0), 2.0, 1e-15);
  EXPECT_NEAR(inertia.I_com(1, 1), 1.0, 1e-15);
  EXPECT_EQ(inertia.I_com(2, 2), 2.5);
}

TEST(Urdf, NormalisesAxes) {
  const Model model = load(R"(<robot name="r">)" + link("a") + link("b") +
                           R"(<joint name="j" type="continuous"><parent link="a"/><child link="b"/>
                              <axis xyz="0 3 4"/></joint></robot>)")
                          .model;
  EXPECT_TRUE(model.joints[0].axis.isApprox(Vector3d(0, 0.6, 0.8), 1e-15));
}

TEST(UrdfMimic, FollowsAlsoThroughAChain) {
  const Model model =
      load(robot(link("a") + link("b") + link("c") + link("d") +
                 joint("third", "revolute", "c", "d", "<mimic joint=\"second\" multiplier=\"2\" offset=\"0.5\"/>") +
                 joint("first", "revolute", "a", "b") +
                 joint("second", "revolute", "b", "c", "<mimic joint=\"first\" multiplier=\"-3\" offset=\"0.1\"/>")))
          .model;
  EXPECT_EQ(dofNames(model), (std::vector<std::string>{"first"}));
  EXPECT_TRUE(model.hasMimicJoints());
  const Joint& third = model.joints[2];
  EXPECT_EQ(third.name, "third");
  EXPECT_EQ(third.dof, 0);
  // third = 2 second + 0.5 = 2 (-3 first + 0.1) + 0.5
  EXPECT_DOUBLE_EQ(third.multiplier, -6.0);
  EXPECT_DOUBLE_EQ(third.offset, 0.7);
}

// x = m s + o: damping d and friction f at x take m² d and |m| f at s.
TEST(UrdfMimic, DampsAndRubsAtItsLeader) {
  const auto dynamics = [](double damping, double friction) {
    return "<dynamics damping=\"" + std::to_string(damping) + "\" friction=\"" + std::to_string(friction) + "\"/>";
  };
  const LoadedModel loaded =
      parseUrdf(robot(link("a") + link("b") + link("c") + link("d") +
                      joint("third", "continuous", "c", "d",
                            "<mimic joint=\"second\" multiplier=\"2\" offset=\"0.5\"/>" + dynamics(0.5, 0.25)) +
                      joint("first", "continuous", "a", "b", dynamics(1.0, 3.0)) +
                      joint("second", "continuous", "b", "c",
                            "<mimic joint=\"first\" multiplier=\"-3\"/>" + dynamics(0.125, 2.0))),
                "test.urdf");
  ASSERT_EQ(loaded.model.jointDofs(), 1);
  EXPECT_DOUBLE_EQ(loaded.model.dofs[0].damping, 1.0 + 9.0 * 0.125 + 36.0 * 0.5);
  EXPECT_DOUBLE_EQ(loaded.model.dofs[0].friction, 3.0 + 3.0 * 2.0 + 6.0 * 0.25);
}

TEST(UrdfMimic, OfALockedLeaderChangesNoOther) {
  const std::string damped = "<dynamics damping=\"2\" friction=\"1\"/>";
  UrdfOptions options;
  options.joints = {"keep"};
  const Model model = load(robot(link("a") + link("b") + link("c") + link("d") + joint("keep", "revolute", "a", "d") +
                                 joint("lead", "revolute", "a", "b") +
                                 joint("follow", "revolute", "b", "c", "<mimic joint=\"lead\"/>" + damped)),
                           options)
                          .model;
  EXPECT_EQ(model.dofs[0].damping, 0.0);
  EXPECT_EQ(model.dofs[0].friction, 0.0);
}

TEST(UrdfMimic, OfALockedJointIsLockedWhereItBelongs) {
  const std::string text =
      robot(link("a") + link("b") + link("c") + link("d") + joint("keep", "revolute", "a", "d") +
            joint("lead", "prismatic", "a", "b") +
            joint("follow", "prismatic", "b", "c", "<mimic joint=\"lead\" multiplier=\"-0.5\" offset=\"0.25\"/>"));
  UrdfOptions options;
  options.joints = {"keep"};
  options.positions = {{"lead", 0.5}};
  const Model model = load(text, options).model;
  EXPECT_FALSE(model.hasMimicJoints());
  // Two origins of 1 m, then 0.5 m and -0.5 · 0.5 + 0.25 = 0 m along z.
  EXPECT_DOUBLE_EQ(model.frames[model.frame("b")].X_LF.p.z(), 1.5);
  EXPECT_DOUBLE_EQ(model.frames[model.frame("c")].X_LF.p.z(), 2.5);
}

TEST(UrdfMimic, OfAFixedJointIsFixedAndSaysSo) {
  const std::string text =
      robot(link("a") + link("b") + link("c") + link("d") + joint("lead", "fixed", "a", "b") +
            joint("follow", "prismatic", "b", "c", "<mimic joint=\"lead\" multiplier=\"-0.5\" offset=\"0.25\"/>") +
            joint("keep", "revolute", "a", "d"));
  const LoadedModel loaded = load(text);
  EXPECT_DOUBLE_EQ(loaded.model.frames[loaded.model.frame("c")].X_LF.p.z(), 2.25);
  ASSERT_EQ(loaded.warnings.size(), 1U);
  EXPECT_EQ(loaded.warnings[0].what, "joint 'follow' mimics 'lead', which is fixed: it is fixed, too, at 0.25");
}

TEST(UrdfMimic, WithoutMassOfItsOwnIsNoError) {
  const Model model = load(robot(link("a") + link("b") + "<link name=\"c\"/>" + joint("lead", "revolute", "a", "b") +
                                 joint("follow", "revolute", "a", "c", "<mimic joint=\"lead\"/>")))
                          .model;
  EXPECT_EQ(model.joints.size(), 2u);
}

TEST(UrdfPlanar, BecomesTwoSlidersAndATurn) {
  const std::string text = robot(link("a") + link("b") +
                                 "<joint name=\"j\" type=\"planar\"><parent link=\"a\"/><child link=\"b\"/>"
                                 "<axis xyz=\"0 1 0\"/></joint>");
  const Model model = load(text).model;
  EXPECT_EQ(dofNames(model), (std::vector<std::string>{"j_x", "j_y", "j_yaw"}));
  ASSERT_EQ(model.joints.size(), 3u);
  EXPECT_EQ(model.links[3].name, "b");
  EXPECT_EQ(model.links[1].inertia.mass, 0.0);
  // Both sliders lie in the plane, the turn is about its normal, and the three make a right-handed frame.
  EXPECT_TRUE(model.joints[2].axis.isApprox(Vector3d::UnitY(), 1e-15));
  EXPECT_TRUE(model.joints[0].axis.cross(model.joints[1].axis).isApprox(Vector3d::UnitY(), 1e-15));
}

TEST(UrdfPlanar, CanBeLocked) {
  UrdfOptions options;
  options.joints = {"k"};
  options.positions = {{"j_x", 0.5}, {"j_yaw", 0.25}};
  const Model model =
      load(robot(link("a") + link("b") + link("c") + joint("j", "planar", "a", "b") + joint("k", "revolute", "b", "c")),
           options)
          .model;
  EXPECT_EQ(model.links.size(), 2u);
  EXPECT_TRUE(model.frames[model.frame("b")].X_LF.p.isApprox(Vector3d(0.5, 0.0, 1.0), 1e-15));
  EXPECT_NEAR(model.frames[model.frame("b")].X_LF.R(1, 0), std::sin(0.25), 1e-15);
}

TEST(UrdfFloating, OfAMasslessRootIsTheFloatingBase) {
  const std::string text =
      robot("<link name=\"world\"/>" + link("trunk") + link("leg") + joint("free", "floating", "world", "trunk") +
            joint("hip", "revolute", "trunk", "leg"));
  const LoadedModel floating = load(text);
  EXPECT_EQ(floating.model.links[0].name, "trunk");
  EXPECT_EQ(floating.model.nv(), 7);
  EXPECT_TRUE(floating.warnings.empty());
  UrdfOptions options;
  options.floating_base = false;
  const Model fixed = load(text, options).model;
  EXPECT_EQ(fixed.links[0].name, "world");
  EXPECT_EQ(fixed.nv(), 1);
  EXPECT_EQ(fixed.frames[fixed.frame("trunk")].X_LF.p, Vector3d(0, 0, 1));
}

TEST(UrdfFloating, ElsewhereIsThreeSlidersAndABall) {
  const std::string text = robot(link("a") + link("b") + joint("j", "floating", "a", "b"));
  const LoadedModel loaded = load(text);
  EXPECT_EQ(dofNames(loaded.model), (std::vector<std::string>{"j_x", "j_y", "j_z", "j_rx", "j_ry", "j_rz"}));
  EXPECT_EQ(loaded.model.balls, std::vector<DofIndex>{DofIndex(3)});
  EXPECT_TRUE(loaded.warnings.empty());
  VectorXd s(6);
  s << 0.1, 0.2, 0.3, 1.0, -2.0, 1.5;
  const Pose X_BL = linkPoses(loaded.model, s).back();
  EXPECT_TRUE(X_BL.R.isApprox(expQuaternion(Vector3d(s.tail<3>())).toRotationMatrix(), 1e-14));
  EXPECT_TRUE(X_BL.p.isApprox(Vector3d(0.1, 0.2, 1.3), 1e-14));  // its <origin> is 1 m up
  // Locked, it stands where the same numbers put it.
  UrdfOptions options;
  options.joints = {"hinge"};
  for (int i = 0; i < 6; ++i) options.positions[dofNames(loaded.model)[i]] = s[i];
  const std::string more = robot(link("a") + link("b") + link("c") + joint("j", "floating", "a", "b") +
                                 joint("hinge", "revolute", "a", "c"));
  const Model locked = load(more, options).model;
  const Pose X_LF = locked.frames[locked.frame("b")].X_LF;
  EXPECT_TRUE(X_LF.R.isApprox(X_BL.R, 1e-14));
  EXPECT_TRUE(X_LF.p.isApprox(X_BL.p, 1e-14));
}

TEST(UrdfMassless, FramesAndLumpedLinksAreNoMatter) {
  const LoadedModel loaded = load(robot("<link name=\"root\"/>" + link("trunk") + "<link name=\"imu\"/>" +
                                        joint("w", "fixed", "root", "trunk") + joint("i", "fixed", "trunk", "imu")));
  EXPECT_TRUE(loaded.warnings.empty());
  EXPECT_EQ(loaded.model.links.size(), 1u);
  EXPECT_EQ(loaded.model.totalMass(), 1.0);
}

TEST(UrdfMassless, LinkWithMassBelowItIsReported) {
  const LoadedModel loaded =
      load(robot(link("a") + "<link name=\"cross\"/>" + link("b") + joint("roll", "revolute", "a", "cross") +
                 joint("pitch", "revolute", "cross", "b")));
  EXPECT_EQ(loaded.model.jointDofs(), 2);
  EXPECT_TRUE(warns(loaded, "link 'cross' moves and has no mass; what follows it has"));
}

TEST(UrdfMassless, JointIsLockedWhenAskedTo) {
  UrdfOptions options;
  options.massless_links = MasslessLinks::ignore;
  const LoadedModel loaded = load(robot(link("a") + link("b") + "<link name=\"c\"/>" +
                                        joint("j", "revolute", "a", "b") + joint("idle", "revolute", "b", "c")),
                                  options);
  EXPECT_EQ(dofNames(loaded.model), (std::vector<std::string>{"j"}));
  EXPECT_TRUE(warns(loaded, "joint 'idle' moves link 'c', which has no mass"));
}

TEST(UrdfWarning, NamesWhatRealFilesGetWrong) {
  EXPECT_TRUE(warns(load(R"(<robot name="r"><link name="a"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="3"/></inertial></link></robot>)"),
                    "the largest exceeds the sum of the others"));
  EXPECT_TRUE(warns(load(R"(<robot name="r"><link name="a"><inertial><mass value="1"/></inertial></link></robot>)"),
                    "taken as a point mass"));
  const LoadedModel equal = load("<robot name=\"r\">" + link("a") + link("b") +
                                 R"(<joint name="j" type="revolute"><parent link="a"/><child link="b"/>
                                    <limit lower="0" upper="0"/></joint></robot>)");
  EXPECT_TRUE(warns(equal, "lower and upper are equal; taken as no limits"));
  EXPECT_EQ(equal.model.dofs[0].upper, kInfinity);
  UrdfOptions options;
  options.joints = {"k"};
  options.positions = {{"j", 2.0}};
  EXPECT_TRUE(warns(load(robot(link("a") + link("b") + link("c") + joint("j", "revolute", "a", "b") +
                               joint("k", "revolute", "b", "c")),
                         options),
                    "joint 'j' is locked at 2, outside of its limits -1 to 1"));
}

TEST(UrdfWarning, SaysWhatMayBeMisspelt) {
  const auto warningsOf = [](const std::string& inside_link, const std::string& inside_joint) {
    return parseUrdf(
               "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
               "</inertial>" +
                   inside_link + "</link>" + link("b") +
                   "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>" + inside_joint +
                   "</joint></robot>",
               "r.urdf")
        .warnings;
  };
  const auto slips = warningsOf("<colision/>", "<dynamic damping='1'/><axis xyz='0 0 1'/><dynamics dampng='1'/>");
  ASSERT_EQ(slips.size(), 3U);
  EXPECT_EQ(slips[0].what, "link 'a': <colision> is not read; did you mean <collision>?");
  EXPECT_EQ(slips[1].what, "joint 'j': <dynamic> is not read; did you mean <dynamics>?");
  EXPECT_EQ(slips[2].what, "joint 'j', <dynamics>: the attribute 'dampng' is not read; did you mean 'damping'?");
  // What other programs want of a file is not our business.
  EXPECT_TRUE(warningsOf("<self_collision_checking/><audio/>", "<safety_controller k_position='1'/>").empty());
}

LoadedModel withOrigin(const std::string& attributes) {
  return load("<robot name='r' version='1.2'><link name='a'>" + inertial() + "</link><link name='b'>" + inertial() +
              "</link><joint name='j' type='fixed'><origin " + attributes +
              "/><parent link='a'/><child link='b'/></joint></robot>");
}

TEST(Urdf, OriginsMayBeTurnedByQuaternions) {
  const auto rotationOf = [](const std::string& attributes) {
    const Model model = withOrigin(attributes).model;
    return model.frames[model.frame("b")].X_LF.R;
  };
  const Matrix3d right_angle = rotationFromRollPitchYaw({0.5 * std::acos(-1.0), 0, 0});
  EXPECT_LT((rotationOf("xyz='0 0 1' quat_xyzw='0.7071067811865476 0 0 0.7071067811865476'") - right_angle).norm(),
            1e-15);
  EXPECT_LT((rotationOf("quat_xyzw='3 0 0 3'") - right_angle).norm(), 1e-15);  // of any length
  EXPECT_TRUE(withOrigin("quat_xyzw='1 0 0 1'").warnings.empty());
}

TEST(Urdf, RefusesQuaternionsThatSayNothing) {
  const auto problemOf = [](const std::string& attributes) {
    return errorOf([&] { withOrigin(attributes); }).problem();
  };
  EXPECT_EQ(problemOf("rpy='0 0 0' quat_xyzw='0 0 0 1'"),
            "joint 'j', <origin>: it has both rpy and quat_xyzw, expected one of them");
  EXPECT_EQ(problemOf("quat_xyzw='0 0 0 0'"),
            "joint 'j', <origin>: quat_xyzw=\"0 0 0 0\" is no rotation, expected a quaternion of length 1");
  EXPECT_EQ(problemOf("quat_xyzw='0 0 1'"), "joint 'j', <origin>: quat_xyzw=\"0 0 1\", expected 4 numbers");
  EXPECT_EQ(problemOf("quat_xyzw='0 0 nan 1'"),
            "joint 'j', <origin>: quat_xyzw=\"0 0 nan 1\", expected 4 finite numbers");
}

TEST(UrdfWarning, SaysWhichAttributesAreNotRead) {
  const auto warnings = withOrigin("xyz='0 0 1' quaternion='1 0 0 1' drake:xyz='1 2 3'").warnings;
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].what, "joint 'j', <origin>: the attribute 'quaternion' is not read");
}

TEST(UrdfWarning, SaysWhatIsThereTwice) {
  const std::string shapes = "<collision><geometry><box size='1 1 1'/><sphere radius='1'/></geometry></collision>";
  const LoadedModel loaded =
      parseUrdf("<robot name='r'><link name='a'>" + inertial() + "<inertial><mass value='7'/></inertial>" + shapes +
                    "<collision><geometry><box size='1 1 1'/></geometry></collision>"
                    "</link></robot>",
                "r.urdf");
  ASSERT_EQ(loaded.warnings.size(), 2U);
  EXPECT_EQ(loaded.warnings[0].what, "link 'a': there is another <inertial> before this one, which is not read");
  EXPECT_EQ(loaded.warnings[1].what,
            "link 'a', <collision>, <geometry>: there are several shapes in it, of which one is read; each needs an "
            "element of its own");
}

TEST(UrdfError, NamesThatAreNotUtf8AreRefused) {
  const auto fileWith = [](const std::string& name) {
    return "<?xml version='1.0' encoding='ISO-8859-1'?><!-- by J\xF6rg --><robot name='r'><link name='" + name + "'>" +
           inertial() + "</link></robot>";
  };
  EXPECT_EQ(parseUrdf(fileWith("Fu\xC3\x9F"), "r.urdf").model.links[0].name, "Fu\xC3\x9F");
  expectError("r.urdf:1: robot, <link>: attribute 'name' is not in UTF-8",
              [&] { parseUrdf(fileWith("Fu\xDF"), "r.urdf"); });
}

TEST(UrdfColor, IsThatOfTheShapeOrOfTheNamedMaterialAndNeverAnError) {
  const auto shape = [](const std::string& material) {
    return "<visual><geometry><sphere radius=\"1\"/></geometry>" + material + "</visual>";
  };
  const std::string red = "<color rgba=\"1 0 0 1\"/>";
  const LoadedModel loaded =
      parseUrdf(robot("<material name=\"red\">" + red + "</material><link name=\"a\">" + inertial() + shape("") +
                      shape("<material name=\"red\"/>") +
                      shape("<material name=\"x\"><color rgba=\"0 0.5 1 0.25\"/></material>") +
                      shape("<material name=\"x\"><color rgba=\"0 0.5 many\"/></material>") + "</link>"),
                "bot.urdf");
  ASSERT_EQ(loaded.geometries.size(), 4u);
  EXPECT_FALSE(loaded.geometries[0].color);
  EXPECT_EQ(loaded.geometries[1].color, Eigen::Vector4d(1, 0, 0, 1));
  EXPECT_EQ(loaded.geometries[2].color, Eigen::Vector4d(0, 0.5, 1, 0.25));
  EXPECT_FALSE(loaded.geometries[3].color);
}

TEST(UrdfLimits, ZeroEffortAndVelocityAreTakenAsNoLimitAndWarnedAbout) {
  const auto arm = [](const std::string& effort, const std::string& velocity) {
    return robot(
        "<link name=\"a\">" + inertial() + "</link><link name=\"b\">" + inertial() +
        "</link><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 1\"/>"
        "<limit lower=\"-1\" upper=\"1\" effort=\"" +
        effort + "\" velocity=\"" + velocity + "\"/></joint>");
  };
  const LoadedModel loaded = parseUrdf(arm("0", "2"), "bot.urdf");
  EXPECT_EQ(loaded.model.dofs[0].max_effort, std::numeric_limits<double>::infinity());
  EXPECT_EQ(loaded.model.dofs[0].max_velocity, 2.0);
  ASSERT_EQ(loaded.warnings.size(), 1u);
  EXPECT_EQ(loaded.warnings[0].what, "effort=\"0\" of 1 joint (j) is taken as no limit");
  EXPECT_EQ(parseUrdf(arm("0", "0"), "bot.urdf").warnings.size(), 2u);
  EXPECT_TRUE(parseUrdf(arm("3", "2"), "bot.urdf").warnings.empty());
}

TEST(UrdfMesh, IsLookedForAndOnlyWarnedAbout) {
  const TempFolder folder;
  folder.write("bot/meshes/there.stl", "solid");
  const auto shape = [](const std::string& file) {
    return "<visual><geometry><mesh filename=\"" + file + "\"/></geometry></visual>";
  };
  const auto path = folder.write(
      "bot/urdf/bot.urdf", robot("<link name=\"a\">" + inertial() + shape("package://bot/meshes/there.stl") +
                                 shape("../meshes/there.stl") + shape("package://bot/meshes/gone.stl") + "</link>"));
  const LoadedModel loaded = loadUrdf(path.string());
  ASSERT_EQ(loaded.geometries.size(), 3u);
  EXPECT_FALSE(loaded.geometries[0].mesh_path.empty());
  EXPECT_FALSE(loaded.geometries[1].mesh_path.empty());
  EXPECT_TRUE(loaded.geometries[2].mesh_path.empty());
  EXPECT_EQ(loaded.warnings.size(), 1u);
  EXPECT_TRUE(warns(loaded, "mesh 'package://bot/meshes/gone.stl' is not found"));
}

}  // namespace
}  // namespace footfall
