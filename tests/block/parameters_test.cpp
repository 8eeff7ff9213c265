#include "footfall/block/parameters.hpp"

#include <gtest/gtest.h>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

TEST(Parameters, ReadNumbersWithUnits) {
  const Parameters p{{"plain", 2.5}, {"time", "10 ms"}, {"angle", "180 deg"}};
  EXPECT_EQ(p.number("plain"), 2.5);
  EXPECT_EQ(p.number("time", Quantity::time), 1e-2);
  EXPECT_EQ(p.number("angle", Quantity::angle), 180.0 * (M_PI / 180.0));
  EXPECT_EQ(p.number("none", 7.0), 7.0);
  EXPECT_THROW(p.number("none"), Error);
  EXPECT_THROW(p.number("time", Quantity::length), Error);
}

TEST(Parameters, ReadListsAndMatrices) {
  const VectorXd ones = VectorXd::Constant(2, 1.0), twos = VectorXd::Constant(2, 2.0);
  const Parameters p{{"v", VectorXd(Vector3d(1.0, 2.0, 3.0))},
                     {"m", ParameterValue::List{ones, twos}},
                     {"ragged", ParameterValue::List{ones, VectorXd(Vector3d(1.0, 2.0, 3.0))}},
                     {"names", std::vector<std::string>{"l_sole", "r_sole"}},
                     {"single", "l_sole"}};
  EXPECT_EQ(p.vector("v"), Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(p.matrix("m"), (MatrixXd(2, 2) << 1.0, 1.0, 2.0, 2.0).finished());
  EXPECT_THROW(p.matrix("ragged"), Error);
  EXPECT_EQ(p.texts("names").size(), 2u);
  EXPECT_EQ(p.texts("single"), std::vector<std::string>{"l_sole"});
}

TEST(Parameters, SayWhereAWrongValueStands) {
  Parameters p;
  ParameterValue value("fast");
  value.where = "d.yaml:7";
  p.set("mode", value);
  p.block = "'x' (Filter)";
  try {
    p.choice("mode", {"first", "second"});
    FAIL() << "an unknown choice was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "d.yaml:7");
    EXPECT_NE(std::string(error.what()).find("block 'x' (Filter): parameter 'mode'"), std::string::npos);
  }
  EXPECT_THROW(p.count("mode"), Error);
}

TEST(Environment, FindsThingsByTheirType) {
  Environment environment;
  environment.set(std::make_shared<const int>(5));
  EXPECT_EQ(*environment.find<const int>(), 5);
  EXPECT_EQ(environment.find<double>(), nullptr);
}

}  // namespace
}  // namespace footfall
