#include "footfall/base/units.hpp"

#include <gtest/gtest.h>

namespace footfall {
namespace {

/// The longest beginning of 1e400 that is a number is 1e40.
TEST(Units, NumbersThatAreTooLargeAreToldAsSuch) {
  const auto problem = [](const char* text, Quantity quantity) {
    try {
      parseQuantity(text, quantity);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(problem("1e400", Quantity::plain), "'1e400', which is too large a number, expected a plain number");
  EXPECT_NE(problem("-1e400", Quantity::length).find("too large"), std::string::npos);
  EXPECT_NE(problem("3 1", Quantity::plain).find("with the unit '1'"), std::string::npos);
}

// A step of 100 us that is a bit less than 1e-4 s makes one step too many in `while (time < 0.3)`.
TEST(Units, SmallOnesAreExactToTheLastBit) {
  EXPECT_EQ(parseQuantity("100 us", Quantity::time), 1e-4);
  EXPECT_EQ(parseQuantity("9 ms", Quantity::time), 9e-3);
  EXPECT_EQ(parseQuantity("0.1 ms", Quantity::time), 1e-4);
  EXPECT_EQ(parseQuantity("29 cm", Quantity::length), 0.29);
  EXPECT_EQ(parseQuantity("9 mm", Quantity::position), 9e-3);
  EXPECT_EQ(parseQuantity("36 km/h", Quantity::speed), 10.0);
}

TEST(Units, LargeOnesAndPlainNumbers) {
  EXPECT_EQ(parseQuantity("2 min", Quantity::time), 120.0);
  EXPECT_EQ(parseQuantity("1.5 kN", Quantity::force), 1500.0);
  EXPECT_EQ(parseQuantity("0.25", Quantity::time), 0.25);
}

}  // namespace
}  // namespace footfall
