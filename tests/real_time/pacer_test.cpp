#include "footfall/real_time/pacer.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace footfall::real_time {
namespace {

bool never() { return false; }

TEST(Pacer, NoStepEndsBeforeItsDeadline) {
  using Clock = std::chrono::steady_clock;
  Pacer pacer(2e-3);
  const Clock::time_point before = Clock::now();
  pacer.start();
  for (int k = 1; k <= 20; ++k) {
    EXPECT_TRUE(pacer.wait(never));
    EXPECT_GE(std::chrono::duration<double>(Clock::now() - before).count(), k * 2e-3) << "step " << k;
  }
  EXPECT_EQ(pacer.steps(), 20);
  EXPECT_GE(pacer.worstJitter(), pacer.meanJitter());
  EXPECT_GE(pacer.meanJitter(), 0.0);
}

TEST(Pacer, CountsDeadlinesThatHavePassedAndCatchesUp) {
  Pacer pacer(1e-3);
  pacer.start();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // a step that takes far too long
  for (int k = 0; k < 20; ++k) EXPECT_TRUE(pacer.wait(never));
  EXPECT_EQ(pacer.missed(), 20) << "all of these were over when the first step was done";
  EXPECT_GE(pacer.worstLateness(), 19e-3);
  EXPECT_NE(pacer.summary().find("20 steps to the clock, 20 deadlines missed by up to"), std::string::npos)
      << pacer.summary();
}

TEST(Pacer, StopsWhenItIsAsked) {
  Pacer pacer(1e-4);
  pacer.start();
  EXPECT_FALSE(pacer.wait([] { return true; }));
}

}  // namespace
}  // namespace footfall::real_time
