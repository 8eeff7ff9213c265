#include "footfall/base/step_time.hpp"

#include <gtest/gtest.h>

namespace footfall {
namespace {

TEST(StepTime, IsTheNumberThatAProgramWouldWrite) {
  EXPECT_EQ(stepTime(2000, 1e-3), 2.0);
  EXPECT_EQ(stepTime(300, 1e-3), 0.3);
  EXPECT_EQ(stepTime(3, 0.1), 0.3);        // 3 · 0.1 is not
  EXPECT_EQ(stepTime(70, 0.01), 0.7);      // 70 · 0.01 is not
  EXPECT_EQ(stepTime(4000, 0.003), 12.0);  // not one over a whole number: the product
  EXPECT_EQ(stepTime(-500, 1e-3), -0.5);
}

TEST(StepCount, CountsAWholeNumberOfStepsInEveryLoopUntilATime) {
  for (const double dt : {1e-3, 5e-4, 2e-3, 2.5e-3, 1e-4}) {
    for (const double end : {0.1, 0.3, 0.7, 1.0, 2.0, 9.9}) {
      StepCount count;
      double time = 0.0;
      long steps = 0;
      for (; time < end; ++steps) time = count.next(time, dt);
      EXPECT_EQ(steps, std::lround(end / dt)) << dt << " s until " << end << " s";
    }
  }
}

TEST(StepCount, BeginsAnewFromATimeThatWasSet) {
  StepCount count;
  double time = count.next(0.0, 1e-3);
  time = 0.1234567;  // between two steps
  for (int k = 0; k < 2000; ++k) time = count.next(time, 1e-3);
  EXPECT_EQ(time, 0.1234567 + 2.0);
  time = 0.25;  // a whole number of steps: as if they had been made
  for (int k = 0; k < 50; ++k) time = count.next(time, 1e-3);
  EXPECT_EQ(time, 0.3);
}

TEST(StepCount, GoesOnWhenTheLengthOfStepsChanges) {
  StepCount count;
  double time = 0.0;
  for (int k = 0; k < 7; ++k) time = count.next(time, 1e-3);
  for (int k = 0; k < 10; ++k) time = count.next(time, 3e-4);
  EXPECT_NEAR(time, 0.01, 1e-17);
}

}  // namespace
}  // namespace footfall
