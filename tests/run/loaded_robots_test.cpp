// Scenes that share what they have read are the same to the bit as those that read for themselves.

#include "footfall/scene/loaded_robots.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "footfall/run/simulation.hpp"
#include "tools/source_dir.hpp"

namespace footfall {
namespace {

using Changes = std::vector<SceneOverride>;

VectorXd endOf(const char* name, const Changes& changes) {
  Simulation simulation(loadScene(sourceDir() + "/scenes/" + name, changes));
  while (simulation.time() < 0.05) simulation.step();
  return simulation.state().q;
}

bool sameBits(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

class SharedRobot : public testing::TestWithParam<std::pair<const char*, Changes>> {};

TEST_P(SharedRobot, MovesAsOneThatWasReadForThisScene) {
  const auto& [name, changes] = GetParam();
  LoadedRobots robots;
  const LoadedRobots::Use use(robots);
  endOf(name, {});  // this one is read
  const VectorXd shared = endOf(name, changes);
  LoadedRobots others;
  const LoadedRobots::Use use_others(others);
  EXPECT_TRUE(sameBits(shared, endOf(name, changes)));
}

// The second one moves a joint that the scene locks: another robot. The last two have meshes as collision shapes.
INSTANTIATE_TEST_SUITE_P(All, SharedRobot,
                         testing::Values(std::pair{"icub.yaml", Changes{{"robot.initial.l_knee", "-0.6"},
                                                                        {"ground.friction", "0.3"}}},
                                         std::pair{"icub.yaml", Changes{{"robot.initial.neck_pitch", "0.3"}}},
                                         std::pair{"icub.yaml", Changes{{"robot.joints", "[l_knee, r_knee]"}}},
                                         std::pair{"quadruped.yaml", Changes{{"robot.base.fixed", "true"},
                                                                             {"robot.base.on_ground", "false"},
                                                                             {"robot.base.position", "[0, 0, 1]"}}},
                                         std::pair{"fallen_g1.yaml", Changes{}},
                                         std::pair{"fallen_g1.yaml", Changes{{"ground.friction", "0.3"}}}));

TEST(LoadedRobots, AreReadOnceAndOnlyWhereTheyAreUsed) {
  LoadedRobots robots;
  int reads = 0;
  const auto read = [&reads] {
    ++reads;
    return LoadedModel{};
  };
  robots.find("a", read);
  robots.find("a", read);
  EXPECT_EQ(reads, 1);
  robots.find("b", read);
  EXPECT_EQ(reads, 2);
  EXPECT_EQ(LoadedRobots::inUse(), nullptr);
  {
    const LoadedRobots::Use use(robots);
    EXPECT_EQ(LoadedRobots::inUse(), &robots);
  }
  EXPECT_EQ(LoadedRobots::inUse(), nullptr);
}

}  // namespace
}  // namespace footfall
