// Every scene of this project loads, says what one sees, and runs.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "footfall/base/error.hpp"
#include "footfall/run/simulation.hpp"
#include "tools/source_dir.hpp"

namespace footfall {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> sceneNames() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(sourceDir()) / "scenes"))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class SceneFile : public testing::TestWithParam<std::string> {
 protected:
  fs::path path() const { return fs::path(sourceDir()) / "scenes" / (GetParam() + ".yaml"); }
};

TEST_P(SceneFile, SaysInItsFirstLineWhatOneSees) {
  std::ifstream in(path());
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line.substr(0, 2), "# ");
  EXPECT_GT(line.size(), 20u);
}

TEST_P(SceneFile, RunsAHundredMillisecondsWithoutTrouble) {
  Simulation simulation(withoutDiagram(loadScene(path().string())));
  while (simulation.time() < 0.1)
    ASSERT_EQ(simulation.step().status, SolveStatus::converged) << simulation.describeFailure();
  EXPECT_TRUE(simulation.state().q.allFinite());
}

TEST(SceneWithADiagram, IsNotRunWithoutIt) {
  const Scene scene = loadScene(sourceDir() + "/scenes/icub_balancing.yaml");
  try {
    Simulation simulation(scene);
    FAIL() << "a robot without its controller";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), scene.diagram.where);
    EXPECT_NE(error.problem().find("diagram"), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SceneFile, testing::ValuesIn(sceneNames()),
                         [](const testing::TestParamInfo<std::string>& scene) { return scene.param; });

}  // namespace
}  // namespace footfall
