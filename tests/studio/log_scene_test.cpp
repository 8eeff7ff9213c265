#include "studio/server/log_scene.hpp"

#include <gtest/gtest.h>

namespace footfall::studio {
namespace {

std::string place(const std::string& name) { return placeBelow("/tmp/x", "/tmp/x/robot/model", name).string(); }

TEST(LogScene, LaysPackagesAndRelativeFilesOutBelowItsFolder) {
  EXPECT_EQ(place("package://iCub/meshes/a.stl"), "/tmp/x/iCub/meshes/a.stl");
  EXPECT_EQ(place("model://iCub/meshes/a.stl"), "/tmp/x/iCub/meshes/a.stl");
  EXPECT_EQ(place("../meshes/a.stl"), "/tmp/x/robot/meshes/a.stl");
  EXPECT_EQ(place("a.stl"), "/tmp/x/robot/model/a.stl");
}

TEST(LogScene, WritesNoFileOutsideOfItsFolder) {
  for (const char* name :
       {"../../../a", "../../../../etc/passwd", "package://../a", "package://../../etc/passwd", "package:///../../a",
        "/etc/passwd", "file:///etc/passwd", "http://x/y", "package://", "..", ""})
    EXPECT_EQ(place(name).rfind("/tmp/x/", 0) == 0 || place(name).empty(), true) << name << " → " << place(name);
  EXPECT_EQ(place("/etc/passwd"), "");
  EXPECT_EQ(place("../../../a"), "");
  EXPECT_EQ(place("package://../a"), "");
}

}  // namespace
}  // namespace footfall::studio
