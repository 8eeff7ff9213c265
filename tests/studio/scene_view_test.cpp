// Scenes of this project that say how they want to be shown ask for what there is.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "studio/server/live_session.hpp"
#include "tools/source_dir.hpp"

namespace footfall::studio {
namespace {

TEST(SceneViews, PlotChannelsThatThereAre) {
  int scenes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(sourceDir() + "/scenes")) {
    if (entry.path().extension() != ".yaml" || loadScene(entry.path()).view.plots.empty()) continue;
    LiveOptions options;
    options.playing = false;
    const LiveSession session(entry.path(), std::move(options));
    const std::vector<Column>& columns = session.recording().columns();
    for (const std::vector<std::string>& plot : loadScene(entry.path()).view.plots)
      for (const std::string& name : plot)
        EXPECT_TRUE(std::any_of(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; }))
            << entry.path() << ": " << name;
    ++scenes;
  }
  EXPECT_GE(scenes, 10);
}

TEST(SceneViews, SetTheSpeedUntilSomebodyElseDoes) {
  LiveOptions options;
  options.playing = false;
  const LiveSession slow(sourceDir() + "/scenes/euler_disc.yaml", options);
  EXPECT_EQ(slow.pace().speed, 0.1);
  options.speed = 2.0;
  const LiveSession quick(sourceDir() + "/scenes/euler_disc.yaml", options);
  EXPECT_EQ(quick.pace().speed, 2.0);
}

}  // namespace
}  // namespace footfall::studio
