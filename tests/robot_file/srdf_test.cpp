// SRDF files: which links of a robot do not touch each other.

#include "footfall/robot_file/srdf.hpp"

#include <gtest/gtest.h>

#include "footfall/base/error.hpp"
#include "model/error_of.hpp"

namespace footfall {
namespace {

TEST(Srdf, TakesThePairsAndLeavesTheRestToPlanners) {
  const auto pairs = parseSrdf(
      "<robot name='r'>\n<group name='arm'><joint name='elbow'/></group>\n"
      "<disable_collisions link1='a' link2='b' reason='Adjacent'/>\n<disable_collisions link1='b' "
      "link2='c'/>\n</robot>",
      "r.srdf");
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].link_a, "a");
  EXPECT_EQ(pairs[0].link_b, "b");
  EXPECT_EQ(pairs[0].where, "r.srdf:3");
  EXPECT_EQ(pairs[1].link_b, "c");
}

TEST(Srdf, SaysWhereItIsWrong) {
  const auto problem = [](const std::string& text) { return errorOf([&] { parseSrdf(text, "r.srdf"); }); };
  EXPECT_EQ(problem("<robot name='r'>\n<disable_collisions link1='a'/></robot>").where(), "r.srdf:2");
  EXPECT_EQ(problem("<robot name='r'>\n<disable_collisions link1='a'/></robot>").problem(),
            "robot, <disable_collisions>: attribute 'link2' is missing");
  EXPECT_NE(problem("<sdf/>").problem().find("the first element is <sdf>, expected <robot>"), std::string::npos);
  EXPECT_NE(problem("<robot").problem().find("not XML"), std::string::npos);
  EXPECT_NE(problem("").problem().find("empty"), std::string::npos);
}

}  // namespace
}  // namespace footfall
