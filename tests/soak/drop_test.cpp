#include "soak/drop.hpp"

#include <gtest/gtest.h>

#include "footfall/base/error.hpp"

namespace footfall::soak {
namespace {

/// Half a second of drops, with limp, damped and held joints; `./dev soak` runs millions of such steps.
class Soak : public testing::TestWithParam<DropRobot> {};

TEST_P(Soak, EveryStepOfARandomDropIsSolved) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    Drop drop(GetParam(), seed);
    const DropReport report = drop.run(250);
    EXPECT_EQ(report.failed, 0) << "seed " << seed;
    EXPECT_EQ(report.not_finite, 0) << "seed " << seed;
    EXPECT_LE(report.inaccurate, 1) << "seed " << seed << ", residual " << report.largest_residual;
    EXPECT_LT(report.largest_residual, 1e-7) << "seed " << seed;
  }
}

std::string robotName(const testing::TestParamInfo<DropRobot>& robot) { return robot.param.name; }
INSTANTIATE_TEST_SUITE_P(Of, Soak, testing::ValuesIn(kRobots), robotName);

}  // namespace
}  // namespace footfall::soak
