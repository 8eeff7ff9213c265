#include "footfall/base/condition.hpp"

#include <gtest/gtest.h>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

bool holds(const std::string& text, double x, double y) {
  const double numbers[] = {x, y};
  return Condition(text, {"x", "y"}, "here").holds(numbers);
}

std::string problemOf(const std::string& text) {
  try {
    Condition(text, {"x", "y"}, "here");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Condition, ComparesFormulas) {
  EXPECT_TRUE(holds("x < y", 1, 2));
  EXPECT_FALSE(holds("x < y", 2, 2));
  EXPECT_TRUE(holds("x <= y", 2, 2));
  EXPECT_TRUE(holds("2*x + 1 >= (y - 1)*3", 1, 2));
  EXPECT_TRUE(holds("x == y", 3, 3));
  EXPECT_TRUE(holds("x != y", 3, 4));
  EXPECT_TRUE(holds("sqrt(x) > 1", 4, 0));
}

TEST(Condition, AndBindsMoreThanOrAndNotMoreThanBoth) {
  EXPECT_TRUE(holds("x or y and 0", 1, 0));
  EXPECT_FALSE(holds("(x or y) and 0", 1, 0));
  EXPECT_TRUE(holds("not x and not y", 0, 0));
  EXPECT_FALSE(holds("not (x or y)", 0, 1));
  EXPECT_TRUE(holds("not x or y", 1, 1));
  EXPECT_TRUE(holds("not (x > 1 and y > 1) and x + y == 3", 1, 2));
}

TEST(Condition, ANumberHoldsUnlessItIsZero) {
  EXPECT_TRUE(holds("x", -0.5, 0));
  EXPECT_FALSE(holds("x", 0, 0));
}

TEST(Condition, WordsInsideOfNamesAreNoWords) {
  const double numbers[] = {1.0, 0.0};
  EXPECT_TRUE(Condition("floor_force or notch", {"floor_force", "notch"}, "").holds(numbers));
  EXPECT_FALSE(Condition("android and notch", {"android", "notch"}, "").holds(numbers));
}

TEST(Condition, SaysWhatIsWrong) {
  EXPECT_NE(problemOf("x <").find("found the end"), std::string::npos) << problemOf("x <");
  EXPECT_NE(problemOf("x and").find("found nothing"), std::string::npos) << problemOf("x and");
  EXPECT_NE(problemOf("0 < x < 1").find("join them by `and`"), std::string::npos);
  EXPECT_NE(problemOf("x = 1").find("=="), std::string::npos) << problemOf("x = 1");
  EXPECT_NE(problemOf("z > 1").find("unknown name 'z'"), std::string::npos);
  EXPECT_NE(problemOf(std::string(5000, '(') + "x" + std::string(5000, ')')).find("too many"), std::string::npos);
}

}  // namespace
}  // namespace footfall
