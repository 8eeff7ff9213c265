#include "footfall/block/signal.hpp"

#include <gtest/gtest.h>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

const SignalType kBus = SignalType::bus(
    {{"pose", SignalType::pose()},
     {"inner", SignalType::bus({{"nu", SignalType::vector(29)}, {"M", SignalType::matrix(29, 29, "kg")}})},
     {"flag", SignalType::boolean()}});

TEST(Signal, CountsItsDoubles) {
  EXPECT_EQ(SignalType::scalar().size(), 1);
  EXPECT_EQ(SignalType::matrix(3, 4).size(), 12);
  EXPECT_EQ(kBus.size(), 7 + 29 + 29 * 29 + 1);
  EXPECT_FALSE(SignalType::vector().complete());
}

TEST(Signal, FindsFieldsOfBusesInBuses) {
  const SignalPart nu = findField(kBus, "inner.nu");
  EXPECT_EQ(nu.offset, 7);
  EXPECT_EQ(nu.type.size(), 29);
  EXPECT_EQ(findField(kBus, "flag").offset, 7 + 29 + 29 * 29);
  EXPECT_THROW(findField(kBus, "inner.mu"), Error);
  EXPECT_THROW(findField(kBus, "pose.x"), Error);
}

TEST(Signal, FitsWhereShapeAndUnitAgree) {
  const auto fits = [](const SignalType& given, const SignalType& wanted) { return mismatch(given, wanted).empty(); };
  EXPECT_TRUE(fits(SignalType::vector(3, "N"), SignalType::vector(-1, "N")));
  EXPECT_TRUE(fits(SignalType::vector(3, "N m"), SignalType::vector(3, "N·m")));
  EXPECT_TRUE(fits(SignalType::scalar(), SignalType::vector(1)));
  EXPECT_TRUE(fits(SignalType::boolean(), SignalType::scalar()));
  EXPECT_TRUE(fits(kBus, SignalType::bus({})));
  EXPECT_TRUE(fits(kBus, kBus));
  EXPECT_FALSE(fits(SignalType::scalar(), SignalType::boolean()));
  EXPECT_FALSE(fits(SignalType::vector(3, "N"), SignalType::vector(3, "m")));
  EXPECT_FALSE(fits(SignalType::vector(3), SignalType::vector(4)));
  EXPECT_FALSE(fits(SignalType::vector(7), SignalType::pose()));
  EXPECT_FALSE(fits(SignalType::function("f"), SignalType::function("g")));
  EXPECT_FALSE(fits(kBus, SignalType::bus({{"pose", SignalType::pose()}})));
}

}  // namespace
}  // namespace footfall
