// Every way in which a URDF file can be wrong: the error says file and line, what was found, and what to do.

#include "footfall/robot_file/urdf.hpp"
#include "tools/test_tools.hpp"

namespace footfall {
namespace {

/// The error of a file with this content; its place is given as the line only.
struct FileError {
  std::string line, problem, hint;
};

FileError errorIn(const std::string& text, const UrdfOptions& options = {}) {
  const TempFolder folder;
  const std::string path = folder.write("bad.urdf", text).string();
  const Error error = errorOf([&] { loadUrdf(path, options); });
  EXPECT_EQ(error.where().substr(0, path.size()), path) << error.what();
  return {error.where().size() > path.size() ? error.where().substr(path.size() + 1) : "", error.problem(),
          error.hint()};
}

const std::string kInertia = R"(<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>)";

std::string robotWithInertial(const std::string& content) {
  return robot("<link name=\"body\">\n<inertial>\n" + content + "\n</inertial></link>");
}

/// Two links with a joint between them: line 4 is the joint.
std::string robotWithJoint(const std::string& joint_text) { return robot(link("a") + link("b") + joint_text); }

TEST(UrdfError, TruncatedFile) {
  const std::string whole = robotWithJoint(joint("j", "revolute", "a", "b"));
  // A cut anywhere before the last bracket leaves something open.
  for (std::size_t length = 0; length + 3 < whole.size(); length += 7) {
    const FileError error = errorIn(whole.substr(0, length));
    EXPECT_FALSE(error.line.empty()) << "cut at " << length;
  }
  EXPECT_NE(errorIn(whole.substr(0, whole.size() - 4)).problem.find("truncated"), std::string::npos);
}

TEST(UrdfError, NotARobot) {
  EXPECT_EQ(errorIn("").problem, "the file is empty");
  const FileError sdf = errorIn("<sdf version=\"1.9\"><model name=\"m\"/></sdf>");
  EXPECT_EQ(sdf.problem, "model 'm': there is no <link> in it");
  EXPECT_EQ(sdf.line, "1");
  EXPECT_EQ(errorIn(robot("")).problem, "robot: there is no <link> in it");
}

TEST(UrdfError, OtherFormatsOfRobotsAreNamed) {
  const FileError xacro =
      errorIn("<robot name=\"r\">\n<xacro:property name=\"m\" value=\"1\"/>\n" + link("a") + "</robot>");
  EXPECT_EQ(xacro.line, "2");
  EXPECT_EQ(xacro.problem, "robot: <xacro:property> belongs to a xacro template, which is not yet a robot");
  EXPECT_NE(xacro.hint.find("xacro robot.xacro > robot.urdf"), std::string::npos);
  EXPECT_EQ(errorIn("<mujoco model=\"m\"/>").problem, "robot: this is a model of MuJoCo (MJCF), expected <robot>");
}

TEST(UrdfError, MissingFileNamesTheFoldersThatWereSearched) {
  UrdfOptions options;
  options.resources = ResourcePath({"/tmp"});
  const Error error = errorOf([&] { loadUrdf("no_such_robot.urdf", options); });
  EXPECT_EQ(error.problem(), "model 'no_such_robot.urdf' is not found");
  EXPECT_NE(error.hint().find("/tmp"), std::string::npos);
  EXPECT_NE(error.hint().find("FOOTFALL_MODEL_PATH"), std::string::npos);
}

TEST(UrdfError, CyclicTree) {
  const FileError all =
      errorIn(robot(link("a") + link("b") + joint("ab", "fixed", "a", "b") + joint("ba", "fixed", "b", "a")));
  EXPECT_EQ(all.problem, "the joints form a cycle: a → b → a");
  EXPECT_EQ(all.line, "2");
  const FileError beside = errorIn(
      robot(link("root") + link("a") + link("b") + joint("ab", "fixed", "a", "b") + joint("ba", "fixed", "b", "a")));
  EXPECT_EQ(beside.problem, "the joints form a cycle: a → b → a");
  EXPECT_EQ(errorIn(robot(link("a") + joint("aa", "fixed", "a", "a"))).problem, "the joints form a cycle: a → a");
}

TEST(UrdfError, SeveralRoots) {
  const FileError error = errorIn(robot(link("a") + link("b") + link("c") + joint("ab", "fixed", "a", "b")));
  EXPECT_EQ(error.problem, "2 links have no parent ('a', 'c'), expected one root");
  EXPECT_EQ(error.line, "4");
}

TEST(UrdfError, TwoParents) {
  const FileError error = errorIn(robot(link("a") + link("b") + link("c") + joint("ab", "fixed", "a", "b") +
                                        joint("ac", "fixed", "a", "c") + joint("bc", "fixed", "b", "c")));
  EXPECT_EQ(error.problem, "link 'c' is the child of two joints, 'ac' and 'bc'");
  EXPECT_EQ(error.line, "7");
}

TEST(UrdfError, DoubledNames) {
  const FileError links = errorIn(robot(link("a") + link("a")));
  EXPECT_EQ(links.problem, "link 'a' is defined twice");
  EXPECT_EQ(links.line, "3");
  const FileError joints =
      errorIn(robot(link("a") + link("b") + link("c") + joint("j", "fixed", "a", "b") + joint("j", "fixed", "b", "c")));
  EXPECT_EQ(joints.problem, "joint 'j' is defined twice");
  EXPECT_EQ(joints.line, "6");
}

TEST(UrdfError, UnknownLinks) {
  const FileError child = errorIn(robot(link("pelvis") + link("left_leg") + joint("j", "fixed", "pelvis", "left_lag")));
  EXPECT_EQ(child.problem, "joint 'j': there is no link 'left_lag', its child");
  EXPECT_EQ(child.hint, "did you mean 'left_leg'?");
  EXPECT_EQ(child.line, "4");
  EXPECT_EQ(errorIn(robotWithJoint(joint("j", "fixed", "x", "b"))).problem,
            "joint 'j': there is no link 'x', its parent");
}

TEST(UrdfError, MissingParts) {
  EXPECT_EQ(errorIn(robot("<link/>")).problem, "robot, <link>: attribute 'name' is missing");
  EXPECT_EQ(errorIn(robot("<link name=\"\"/>")).problem, "robot, <link>: attribute 'name' is empty");
  EXPECT_EQ(errorIn(robotWithJoint(R"(<joint name="j" type="fixed"><child link="b"/></joint>)")).problem,
            "joint 'j': <parent> is missing");
  EXPECT_EQ(errorIn(robotWithInertial(kInertia)).problem, "link 'body', <inertial>: <mass> is missing");
  EXPECT_EQ(errorIn(robotWithInertial("<mass value=\"1\"/>\n<inertia ixx=\"1\" iyy=\"1\"/>")).problem,
            "link 'body', <inertial>, <inertia>: attribute 'izz' is missing");
}

TEST(UrdfError, UnknownJointType) {
  const FileError error = errorIn(robotWithJoint(joint("j", "revolut", "a", "b")));
  EXPECT_EQ(error.problem, "joint 'j': unknown type 'revolut'");
  EXPECT_EQ(error.hint, "did you mean 'revolute'?");
}

TEST(UrdfError, NumbersThatAreNone) {
  const FileError nan_inertia = errorIn(robotWithInertial(
      "<mass value=\"1\"/>\n<inertia ixx=\"nan\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>"));
  EXPECT_EQ(nan_inertia.problem, "link 'body', <inertial>, <inertia>: ixx=\"nan\", expected a finite number");
  EXPECT_EQ(nan_inertia.line, "5");
  EXPECT_EQ(errorIn(robotWithInertial("<mass value=\"inf\"/>")).problem,
            "link 'body', <inertial>, <mass>: value=\"inf\", expected a finite number");
  EXPECT_EQ(errorIn(robotWithInertial("<mass value=\"1,5\"/>")).problem,
            "link 'body', <inertial>, <mass>: value=\"1,5\", expected a finite number");
  EXPECT_EQ(errorIn(robotWithInertial("<mass value=\"1e999\"/>")).problem,
            "link 'body', <inertial>, <mass>: value=\"1e999\", expected a finite number");
}

TEST(UrdfError, WrongSizes) {
  EXPECT_EQ(errorIn(robotWithInertial("<origin xyz=\"0 0\"/><mass value=\"1\"/>")).problem,
            "link 'body', <inertial>, <origin>: xyz=\"0 0\", expected three numbers");
  EXPECT_EQ(errorIn(robotWithInertial("<origin rpy=\"0 0 0 1\"/><mass value=\"1\"/>")).problem,
            "link 'body', <inertial>, <origin>: rpy=\"0 0 0 1\", expected three numbers");
  EXPECT_EQ(errorIn(robotWithInertial("<origin xyz=\"0 0 x\"/><mass value=\"1\"/>")).problem,
            "link 'body', <inertial>, <origin>: xyz=\"0 0 x\", expected three finite numbers");
}

TEST(UrdfError, NegativeMass) {
  const FileError error = errorIn(robotWithInertial("<mass value=\"-1\"/>" + kInertia));
  EXPECT_EQ(error.problem, "link 'body', <inertial>, <mass>: mass -1 kg is negative");
  EXPECT_EQ(error.line, "4");
}

TEST(UrdfError, InertiaThatNoBodyHas) {
  const FileError sign = errorIn(robotWithInertial("<mass value=\"1\"/><inertia ixx=\"-1\" iyy=\"1\" izz=\"1\"/>"));
  EXPECT_NE(sign.problem.find("principal moments -1, 1, 1 kg m²"), std::string::npos) << sign.problem;
  const FileError products =
      errorIn(robotWithInertial("<mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"2\"/>"));
  EXPECT_NE(products.problem.find("principal moments -1, 1, 3 kg m²"), std::string::npos) << products.problem;
  EXPECT_NE(products.hint.find("ixy"), std::string::npos);
}

TEST(UrdfError, SwappedLimits) {
  const FileError error =
      errorIn(robotWithJoint("<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n<limit "
                             "lower=\"0.4\" upper=\"0.1\"/>"
                             "</joint>"));
  EXPECT_EQ(error.problem, "joint 'j', <limit>: lower limit 0.4 rad exceeds upper limit 0.1 rad");
  EXPECT_EQ(error.hint, "were the limits swapped?");
  EXPECT_EQ(error.line, "5");
}

TEST(UrdfError, MissingLimits) {
  const FileError error =
      errorIn(robotWithJoint("<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint>"));
  EXPECT_EQ(error.problem, "joint 'j': <limit> is missing");
  EXPECT_NE(error.hint.find("continuous"), std::string::npos);
}

TEST(UrdfError, NegativeLimitsAndDamping) {
  const auto with = [](const std::string& more) {
    return robotWithJoint("<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>" + more +
                          "</joint>");
  };
  EXPECT_EQ(errorIn(with("<limit effort=\"-1\"/>")).problem, "joint 'j', <limit>: effort = -1, expected 0 or more");
  EXPECT_EQ(errorIn(with("<dynamics damping=\"-2\"/>")).problem,
            "joint 'j', <dynamics>: damping = -2, expected 0 or more");
}

TEST(UrdfError, AxisWithoutDirection) {
  const FileError error = errorIn(robotWithJoint(
      "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 0\"/></joint>"));
  EXPECT_EQ(error.problem, "joint 'j', <axis>: xyz=\"0 0 0\" has no direction, expected a unit vector");
}

TEST(UrdfError, MeshWithoutExtent) {
  for (const char* shaped : {"collision", "visual"}) {
    const FileError error =
        errorIn(robot("<link name=\"body\">\n<" + std::string(shaped) +
                      "><geometry><mesh filename=\"a.stl\" scale=\"0.001 0 1\"/></geometry></" + shaped + "></link>"));
    EXPECT_NE(error.problem.find("<mesh>: scale is (0.001 0 1), expected three numbers that are not 0"),
              std::string::npos)
        << error.problem;
    EXPECT_FALSE(error.hint.empty());
    EXPECT_EQ(error.line, "3");
  }
}

TEST(UrdfError, MimicOfNothing) {
  const FileError unknown = errorIn(robot(link("a") + link("b") + link("c") + joint("finger", "revolute", "a", "b") +
                                          joint("thumb", "revolute", "a", "c", "<mimic joint=\"fingr\"/>")));
  EXPECT_EQ(unknown.problem, "joint 'thumb' mimics 'fingr', which is no joint of this robot");
  EXPECT_EQ(unknown.hint, "did you mean 'finger'?");
  EXPECT_EQ(unknown.line, "6");
  EXPECT_EQ(errorIn(robotWithJoint(joint("j", "revolute", "a", "b", "<mimic joint=\"j\"/>"))).problem,
            "joint 'j' mimics itself in the end");
  EXPECT_EQ(errorIn(robot(link("a") + link("b") + link("c") + joint("plane", "planar", "a", "b") +
                          joint("j", "revolute", "a", "c", "<mimic joint=\"plane\"/>")))
                .problem,
            "joint 'j' mimics 'plane', which has several coordinates");
}

TEST(UrdfError, JointThatMovesNoMass) {
  const std::string text = robot(link("a") + "<link name=\"b\"/>" + joint("j", "revolute", "a", "b"));
  const FileError error = errorIn(text);
  EXPECT_EQ(error.problem, "joint 'j' moves link 'b', which has no mass, and nothing below it has any");
  EXPECT_NE(error.hint.find("massless_links: ignore"), std::string::npos);
}

TEST(UrdfError, FloatingBaseWithoutMass) {
  const std::string text = robot("<link name=\"a\"/>" + link("b") + joint("j", "revolute", "a", "b"));
  EXPECT_EQ(errorIn(text).problem, "link 'a' is the floating base, and has no mass");
}

TEST(UrdfError, WrongJointsInTheOptions) {
  const std::string text =
      robot(link("a") + link("b") + link("c") + link("d") + joint("knee", "revolute", "a", "b") +
            joint("toe", "revolute", "b", "c", "<mimic joint=\"knee\"/>") + joint("weld", "fixed", "c", "d"));
  const auto keeping = [](std::vector<std::string> joints) {
    UrdfOptions options;
    options.joints = std::move(joints);
    return options;
  };
  const FileError unknown = errorIn(text, keeping({"kne"}));
  EXPECT_EQ(unknown.problem, "there is no joint 'kne'");
  EXPECT_EQ(unknown.hint, "did you mean 'knee'?");
  EXPECT_EQ(errorIn(text, keeping({"knee", "knee"})).problem, "joint 'knee' is listed twice");
  EXPECT_EQ(errorIn(text, keeping({"weld"})).problem, "joint 'weld' cannot move: it is fixed");
  EXPECT_EQ(errorIn(text, keeping({"toe"})).problem, "joint 'toe' has no position of its own: it mimics 'knee'");
  UrdfOptions positions;
  positions.positions = {{"nee", 1.0}};
  EXPECT_EQ(errorIn(text, positions).problem, "there is no joint 'nee'");
}

}  // namespace
}  // namespace footfall
