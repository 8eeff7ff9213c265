// Every robot of the packages icub-models and example-robot-data: real files are odder than any we would write.

#include <cmath>
#include <map>

#include "footfall/robot_file/urdf.hpp"
#include "tools/test_tools.hpp"

namespace footfall {
namespace {

/// Files of the packages that are broken, and what must be said about them.
const std::map<std::string, std::string> kBroken = {
    {"alex_description/alex_psyonic_hands", "joint 'Left_index_q2' mimics 'index_q1', which is no joint of this robot"},
    {"falcon_description/falcon", "joint 'top_propeller_joint': there is no link 'Z_propeller', its child"},
    {"ur_description/ur3", "robot: there is no <link> in it"},
};

/// Files with fingers that have no mass: refused by default, usable with the fingers locked.
const std::vector<std::string> kMassless = {
    "bravo7_description/bravo7_gripper",        "romeo_description/romeo",
    "romeo_description/romeo_laas_small",       "bluevolta_description/bluevolta_bravo7_gripper",
    "falcon_description/falcon_bravo7_gripper",
};

std::vector<KnownModel> packagedRobots() {
  std::vector<KnownModel> robots = ResourcePath::standard().models();
  std::erase_if(robots, [](const KnownModel& robot) {
    return robot.path.string().find("example-robot-data") == std::string::npos &&
           robot.path.string().find("iCub") == std::string::npos;
  });
  return robots;
}

void expectSane(const Model& model) {
  EXPECT_GT(model.totalMass(), 0.0);
  EXPECT_EQ(model.links.size(), model.joints.size() + 1);
  std::vector<bool> driven(model.dofs.size(), false);
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    EXPECT_LE(model.joints[j].parent, static_cast<int>(j));
    EXPECT_NEAR(model.joints[j].axis.norm(), 1.0, 1e-15);
    driven[static_cast<std::size_t>(model.joints[j].dof)] = true;
  }
  for (std::size_t i = 0; i < driven.size(); ++i) EXPECT_TRUE(driven[i]) << model.dofs[i].name << " moves nothing";
  for (const Link& link : model.links) EXPECT_TRUE(link.inertia.I_com.allFinite() && link.inertia.com.allFinite());
}

TEST(PackagedRobots, AllLoadOrSayWhyNot) {
  const std::vector<KnownModel> robots = packagedRobots();
  if (robots.empty()) GTEST_SKIP() << "the Python packages icub-models and example-robot-data are not installed";
  EXPECT_GE(robots.size(), 90u);
  for (const KnownModel& robot : robots) {
    SCOPED_TRACE(robot.name);
    const auto broken = kBroken.find(robot.name);
    if (broken != kBroken.end()) {
      EXPECT_EQ(errorOf([&] { loadUrdf(robot.path.string()); }).problem(), broken->second);
      continue;
    }
    UrdfOptions options;
    if (std::find(kMassless.begin(), kMassless.end(), robot.name) != kMassless.end()) {
      EXPECT_NE(errorOf([&] { loadUrdf(robot.path.string()); }).problem().find("has no mass"), std::string::npos);
      options.massless_links = MasslessLinks::ignore;
    }
    EXPECT_NO_THROW(expectSane(loadUrdf(robot.path.string(), options).model));
  }
}

TEST(PackagedRobots, HaveTheSizesTheyAreKnownFor) {
  if (packagedRobots().empty()) GTEST_SKIP() << "the Python packages of robots are not installed";
  const auto nv = [](const std::string& name) { return loadUrdf(name).model.nv(); };
  EXPECT_EQ(nv("package://example-robot-data/robots/anymal_c_simple_description/urdf/anymal.urdf"), 18);
  EXPECT_EQ(nv("package://example-robot-data/robots/g1_description/urdf/g1_29dof_rev_1_0.urdf"), 35);
  EXPECT_EQ(nv("package://example-robot-data/robots/talos_data/robots/talos_reduced.urdf"), 38);
  EXPECT_EQ(nv("model://iCub/robots/iCubGazeboV2_5/model.urdf"), 38);
  // Seven joints and two fingers, of which one follows the other.
  EXPECT_EQ(nv("package://example-robot-data/robots/panda_description/urdf/panda.urdf"), 14);
}

}  // namespace
}  // namespace footfall
