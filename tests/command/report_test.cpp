// The verbs that tell and write: help, inspect, doctor, init, demo.

#include "command/command_fixture.hpp"
#include "tools/source_dir.hpp"

namespace footfall::test {
namespace {

bool has(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

TEST_F(Command, HelpHasExamplesAndExitCodes) {
  const Outcome outcome = call("--help");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(has(outcome.out, "Examples:")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "Exit codes:")) << outcome.out;
}

TEST_F(Command, InspectShowsTreeMassesLimitsAndFrames) {
  const Outcome outcome = call("inspect robot.urdf");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* word :
       {"stander: 2.5 kg", "floating base", "foot", "└─ arm  0.5 kg  by revolute shoulder", "Nothing suspicious"})
    EXPECT_TRUE(has(outcome.out, word)) << word << " is not in\n" << outcome.out;
}

TEST_F(Command, InspectShowsABallJointAsOneJoint) {
  const Outcome outcome = call("inspect " + sourceDir() + "/models/ball_quadruped.sdf");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("by ball lf_hip (lf_hip_x, lf_hip_y, lf_hip_z)\n"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("9 links, 8 joints, 16 coordinates"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("by revolute lf_knee\n"), std::string::npos) << outcome.out;
}

TEST_F(Command, InspectNamesWhatIsSuspicious) {
  // Millimetres taken for metres, and moments that no body has.
  write("robot.urdf", replaced(replaced(robotUrdf(), "0 0 0.1", "0 0 100"), "izz=\"0.03\"", "izz=\"3\""));
  const Outcome outcome = call("inspect robot.urdf");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "Suspicious")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "robot.urdf:5: link 'foot'")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "link 'arm': its centre of mass is 100 m away")) << outcome.out;
}

/// A run needs shapes only where something touches with them; here they are all looked at.
TEST_F(Command, InspectNamesShapesThatCanTouchNothing) {
  write("short.stl", "solid x\nfacet normal 0 0 1\n");
  write("shapes.urdf", replaced(robotUrdf(), "</link>",
                                "<collision><geometry><sphere radius=\"-0.1\"/></geometry></collision>"
                                "<collision><geometry><mesh filename=\"short.stl\"/></geometry></collision></link>"));
  const Outcome outcome = call("inspect shapes.urdf");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* word : {"sphere shape: radius is -0.1", "short.stl:3: the file ends where 'outer' is expected"})
    EXPECT_TRUE(has(outcome.out, word)) << word << " is not in\n" << outcome.out;
}

TEST_F(Command, InspectListsLoops) {
  const Outcome outcome = call("inspect " + sourceDir() + "/scenes/four_bar.yaml");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "  pin: hinge between coupler_end and rocker_end\n")) << outcome.out;
  EXPECT_FALSE(has(call("inspect scene.yaml").out, "\nLoops"));
}

TEST_F(Command, InspectSaysThatThePostureIsHeld) {
  const std::string held = "every joint is held where it starts by springs and dampers";
  const std::string robot = "robot: {model: robot.urdf, base: {fixed: true}}\n";
  write("held.yaml", robot);
  write("some.yaml", robot + "hold: {joints: [shoulder]}\n");
  write("free.yaml", robot + "hold: {enabled: false}\n");
  EXPECT_NE(call("inspect held.yaml").out.find(held), std::string::npos) << call("inspect held.yaml").out;
  EXPECT_NE(call("inspect some.yaml").out.find("1 joint is held where it starts"), std::string::npos);
  EXPECT_EQ(call("inspect free.yaml").out.find("held where"), std::string::npos);
}

TEST_F(Command, InspectOfASceneShowsItsContactPoints) {
  const Outcome outcome = call("inspect scene.yaml");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "foot[3]")) << outcome.out;
}

TEST_F(Command, InspectListsPairsThatPassThroughEachOther) {
  write("self.yaml", "robot: {model: quadruped, base: {position: [0, 0, 1]}}\ncollisions: {self: true}\n");
  const Outcome outcome = call("inspect self.yaml");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "Pairs that pass through each other")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "neighbours: one joint between them (")) << outcome.out;
}

/// Two tetrahedra side by side as one mesh, which fill half of their hull or less; and a hull with fewer corners.
TEST_F(Command, InspectSaysHowMeshesTouch) {
  write("two.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 3 0 0\nv 4 0 0\nv 3 1 0\nv 3 0 1\n"
        "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\nf 5 7 6\nf 5 6 8\nf 6 7 8\nf 5 8 7\n");
  write("two.urdf", replaced(robotUrdf(), "</link>",
                             "<collision><geometry><mesh filename=\"two.obj\"/></geometry></collision></link>"));
  const auto inspected = [&](int corners) {
    write("mesh.yaml",
          "robot: {model: two.urdf, base: {position: [0, 0, 9]}}\ncontacts: [{frame: all, collision: true}]\n"
          "collisions: {hull_corners: " +
              std::to_string(corners) + "}\n");
    return call("inspect mesh.yaml");
  };
  const Outcome outcome = inspected(64);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "Meshes, which touch as their convex hulls")) << outcome.out;
  // 2/6 m³ of 1/6 + 3/2.
  EXPECT_TRUE(has(outcome.out, "6 corners, and fills 20 % of it")) << outcome.out;
  EXPECT_TRUE(has(inspected(5).out, "5 corners, the mesh reaches out by up to"));
  EXPECT_TRUE(has(inspected(3).err, "hull_corners is 3, expected 4 to 256"));
}

TEST_F(Command, DoctorListsEnginesSolversAndRobots) {
  const Outcome outcome = call("doctor");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* word : {"instruction set", "Physics engines", "Contact solvers", "native", "robots found", "box"})
    EXPECT_TRUE(has(outcome.out, word)) << word << " is not in\n" << outcome.out;
}

TEST_F(Command, InitWritesASceneThatRunsAndOverwritesOnlyWhenAsked) {
  ASSERT_EQ(call("init new.yaml").exit_code, 0);
  const Outcome outcome = call("run new.yaml --duration 0.01");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  write("new.yaml", "mine");
  EXPECT_EQ(call("init new.yaml").exit_code, 3);
  EXPECT_EQ(read("new.yaml"), "mine");
  EXPECT_EQ(call("init new.yaml --force").exit_code, 0);
  EXPECT_NE(read("new.yaml"), "mine");
}

TEST_F(Command, DemoRunsFromAnyFolder) {
  if (!has(call("doctor").out, "iCubGazeboV2_5")) GTEST_SKIP() << "the robots' wheels are not installed";
  const Outcome outcome = call("demo --duration 0.02 --page ''");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "iCub")) << outcome.out;
}

TEST_F(Command, DemoWithoutADisplayWritesAPageThatHoldsItsRun) {
  if (!has(call("doctor").out, "iCubGazeboV2_5")) GTEST_SKIP() << "the robots' wheels are not installed";
  const Outcome outcome = call("demo --duration 0.02");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "footfall-demo.html")) << outcome.out;
  EXPECT_TRUE(has(read("footfall-demo.html"), "id=\"footfall-report\""));
  EXPECT_FALSE(has(outcome.out, "push.mcap")) << "the log is gone: " << outcome.out;
}

}  // namespace
}  // namespace footfall::test
