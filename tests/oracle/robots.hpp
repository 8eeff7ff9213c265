#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "footfall/model/model.hpp"
#include "footfall/robot_file/urdf.hpp"

namespace footfall::test {

/// A robot of the wheels icub-models and example-robot-data, or one of ours, as the tests load it.
struct Robot {
  std::string name;  ///< of the test
  std::string file;  ///< as ResourcePath knows it
  bool floating_base = true;
  std::vector<std::string> joints = {};  ///< empty: all
};
void PrintTo(const Robot& robot, std::ostream* out);

/// Humanoids, quadrupeds, arms, and robots with prismatic and mimic joints.
const std::vector<Robot>& robots();

/// Nothing where its package is not installed.
std::optional<Model> load(const Robot& robot);

std::string testName(const testing::TestParamInfo<Robot>& info);

/// Whether a plug-in of this kind was built; `native` always is.
bool hasPlugin(const std::string& kind, const std::string& name);

}  // namespace footfall::test
