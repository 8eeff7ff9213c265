#include "plot/ticks.hpp"

#include <gtest/gtest.h>

namespace footfall {
namespace {

TEST(Ticks, AreRoundNumbersWithJustEnoughDigits) {
  EXPECT_EQ(makeTicks(0.0, 1.0, 5).labels, (std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(makeTicks(-13.0, 22.0, 5).labels, (std::vector<std::string>{"-10", "0", "10", "20"}));
  EXPECT_EQ(makeTicks(0.6061, 0.6064, 3).labels, (std::vector<std::string>{"0.6061", "0.6062", "0.6063", "0.6064"}));
}

TEST(Ticks, LieInsideOfTheAxisAndAreNotTooMany) {
  for (const double size : {1e-7, 3.3e-3, 0.7, 42.0, 9.9e8}) {
    const Ticks ticks = makeTicks(-0.37 * size, 0.63 * size, 6);
    ASSERT_GE(ticks.values.size(), 3u) << size;
    EXPECT_LE(ticks.values.size(), 7u) << size;
    EXPECT_GE(ticks.values.front(), -0.371 * size);
    EXPECT_LE(ticks.values.back(), 0.631 * size);
  }
}

TEST(Ticks, AnAxisWithoutLengthHasNone) { EXPECT_TRUE(makeTicks(1.0, 1.0, 5).values.empty()); }

}  // namespace
}  // namespace footfall
