#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "block_library/library_tools.hpp"

namespace footfall::test {
namespace {

constexpr double kPi = std::numbers::pi;

/// What a source gives at each of some steps.
std::vector<VectorXd> samples(const std::string& kind, const Parameters& parameters, int count, double step,
                              const std::string& output = "out") {
  const Diagram diagram = Rig().add("source", kind, parameters).build(step);
  Context context = diagram.makeContext();
  std::vector<VectorXd> values;
  for (int k = 0; k < count; ++k) {
    diagram.step(context);
    values.push_back(context.signal("source." + output));
  }
  return values;
}

TEST(Step, JumpsExactlyAtItsTime) {
  const auto values = samples("Step", {{"time", 0.3}, {"before", -1.0}, {"after", 2.0}}, 6, 0.1);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(values[k][0], k < 3 ? -1.0 : 2.0) << k;
}

TEST(Ramp, RisesFromItsStart) {
  const auto values = samples("Ramp", {{"slope", list({2, -1})}, {"start", "500 ms"}, {"initial", 1.0}}, 11, 0.1);
  EXPECT_EQ(values[5], vec({1, 1}));
  EXPECT_NEAR(values[10][0], 2.0, 1e-15);
  EXPECT_NEAR(values[10][1], 0.5, 1e-15);
}

TEST(Sine, IsTheFormulaOfItsDescription) {
  const auto values =
      samples("Sine", {{"amplitude", 3.0}, {"frequency", 0.5}, {"phase", 0.2}, {"bias", -1.0}}, 50, 0.01);
  for (int k = 0; k < 50; ++k) EXPECT_NEAR(values[k][0], -1.0 + 3.0 * std::sin(kPi * 0.01 * k + 0.2), 1e-14);
}

TEST(Sine, TakesFrequenciesAndPhasesWithTheirUnits) {
  const auto plain = samples("Sine", {{"frequency", list({2000, 3})}, {"phase", kPi / 2}}, 20, 0.01);
  const auto units =
      samples("Sine", {{"frequency", ParameterValue::List{"2 kHz", "3 Hz"}}, {"phase", "90 deg"}}, 20, 0.01);
  for (int k = 0; k < 20; ++k) EXPECT_LT((units[k] - plain[k]).norm(), 1e-12) << k;  // 90 deg is π/2 to rounding
}

TEST(Chirp, HasTheFrequenciesThatWereAskedFor) {
  const auto values = samples("Chirp", {{"from", 1.0}, {"to", 3.0}, {"duration", 2.0}}, 3001, 1e-3);
  const auto phase = [](double t) { return 2.0 * kPi * (t < 2.0 ? t + 0.5 * t * t : 4.0 + 3.0 * (t - 2.0)); };
  for (const int k : {0, 500, 1999, 2000, 2700, 3000}) EXPECT_NEAR(values[k][0], std::sin(phase(k * 1e-3)), 1e-11) << k;
}

TEST(Noise, HasTheMeanAndTheDeviationThatWereAskedFor) {
  constexpr int kSamples = 40000;
  const auto values =
      samples("Noise", {{"mean", 1.5}, {"deviation", 0.2}, {"seed", 7}, {"sample", 1e-3}}, kSamples, 1e-3);
  double mean = 0.0, square = 0.0, product = 0.0;
  for (int k = 0; k < kSamples; ++k) {
    const double x = (values[k][0] - 1.5) / 0.2;
    mean += x / kSamples;
    square += x * x / kSamples;
    if (k > 0) product += x * (values[k - 1][0] - 1.5) / 0.2 / kSamples;
  }
  const double five_errors = 5.0 / std::sqrt(kSamples);  // of a mean of numbers with variance 1
  EXPECT_NEAR(mean, 0.0, five_errors);
  EXPECT_NEAR(square, 1.0, std::sqrt(2.0) * five_errors);  // x² has variance 2
  EXPECT_NEAR(product, 0.0, five_errors) << "samples must not depend on each other";
}

TEST(Noise, HasNoDeviationBelowZero) {
  EXPECT_THROW(samples("Noise", {{"deviation", list({1, -1})}, {"sample", 1e-3}}, 1, 1e-3), Error);
}

TEST(Noise, DependsOnTheSeedAndDiffersBetweenElements) {
  const auto noise = [](int seed) {
    return samples("Noise", {{"deviation", list({1, 1})}, {"seed", seed}, {"sample", 1e-3}}, 3, 1e-3);
  };
  EXPECT_EQ(noise(1)[2], noise(1)[2]);
  EXPECT_NE(noise(1)[2], noise(2)[2]);
  EXPECT_NE(noise(1)[1], noise(1)[2]);
  EXPECT_NE(noise(1)[2][0], noise(1)[2][1]);
}

TEST(Noise, IsHeldBetweenItsSamples) {
  const auto values = samples("Noise", {{"sample", "5 ms"}}, 15, 1e-3);
  EXPECT_EQ(values[0], values[4]);
  EXPECT_NE(values[4], values[5]);
}

TEST(MinimumJerk, IsAtRestInEachPointAndGoesThroughIt) {
  const Parameters parameters{{"times", list({0.5, 1.5, 2.0})}, {"points", rows({{0, 1}, {2, -1}, {2, 3}})}};
  const auto position = samples("MinimumJerk", parameters, 26, 0.1, "position");
  const auto velocity = samples("MinimumJerk", parameters, 26, 0.1, "velocity");
  const auto acceleration = samples("MinimumJerk", parameters, 26, 0.1, "acceleration");
  const std::map<int, VectorXd> points = {
      {0, vec({0, 1})}, {5, vec({0, 1})}, {15, vec({2, -1})}, {20, vec({2, 3})}, {25, vec({2, 3})}};
  for (const auto& [k, point] : points) {
    EXPECT_TRUE(position[k].isApprox(point, 1e-13)) << k;
    // Times are rounded in the last bit: s and 1 − s are up to 4e-16, and rates are of that order.
    EXPECT_LT(velocity[k].norm(), 1e-12) << k;
    EXPECT_LT(acceleration[k].norm(), 1e-10) << k;
  }
  EXPECT_TRUE(position[10].isApprox(vec({1, 0}), 1e-13)) << "half of the way at half of the time";
  EXPECT_NEAR(velocity[10][0], 1.875 * 2.0, 1e-12) << "the largest speed is 15/8 of the mean one";
}

TEST(MinimumJerk, VelocityAndAccelerationAreTheRates) {
  const Parameters parameters{{"times", list({0, 1})}, {"points", list({0, 1})}};
  constexpr double h = 1e-4;
  const auto position = samples("MinimumJerk", parameters, 9001, h, "position");
  const auto velocity = samples("MinimumJerk", parameters, 9001, h, "velocity");
  const auto acceleration = samples("MinimumJerk", parameters, 9001, h, "acceleration");
  for (int k = 100; k < 9000; k += 100) {
    // Central differences: third derivatives are at most 60 and 360.
    EXPECT_NEAR(velocity[k][0], (position[k + 1][0] - position[k - 1][0]) / (2 * h), 60.0 * h * h / 6.0 + 1e-11);
    EXPECT_NEAR(acceleration[k][0], (velocity[k + 1][0] - velocity[k - 1][0]) / (2 * h), 360.0 * h * h / 6.0 + 1e-10);
  }
}

class Table : public ::testing::Test {
 protected:
  std::string path_ =
      std::filesystem::temp_directory_path() / ("footfall_table_" + std::to_string(::getpid()) + ".csv");
  void SetUp() override { std::ofstream(path_) << "time [s],q [rad],v [rad/s]\n0.1,1,5\n0.3,3,6\n0.4,-1,7\n"; }
  void TearDown() override { std::filesystem::remove(path_); }
};

TEST_F(Table, IsInterpolatedBetweenItsRowsAndHeldBeyond) {
  const auto q = samples("FromFile", {{"file", path_}, {"columns", texts({"q", "v"})}}, 6, 0.1);
  const double expected[] = {1, 1, 2, 3, -1, -1};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(q[k][0], expected[k], 1e-14) << k;
  EXPECT_NEAR(q[2][1], 5.5, 1e-14);
}

TEST_F(Table, HoldsTheRowBefore) {
  const auto q = samples("FromFile", {{"file", path_}, {"columns", "q"}, {"interpolation", "hold"}}, 5, 0.05);
  EXPECT_EQ(q[3][0], 1.0);
}

/// Like all files that a file names; one that code or the command names is looked for where the program runs.
TEST_F(Table, IsLookedForBesideTheFileThatNamesIt) {
  const std::filesystem::path path(path_);
  ParameterValue named(path.filename().string());
  const auto make = [&](const std::string& where) {
    named.where = where;
    return messageOf([&] { library().make("FromFile", {{"file", named}, {"columns", "q"}}); });
  };
  EXPECT_EQ(make((path.parent_path() / "diagram.yaml:12").string()), "");
  EXPECT_NE(make("--set diagram.blocks.table.file").find("there is no such log"), std::string::npos);
  EXPECT_NE(make("").find("there is no such log"), std::string::npos);
  EXPECT_NE(make((path.parent_path() / "elsewhere" / "diagram.yaml:12").string()).find("elsewhere"), std::string::npos);
}

TEST_F(Table, NamesAColumnThatIsMissing) {
  const std::string message = messageOf([&] { library().make("FromFile", {{"file", path_}, {"columns", "qq"}}); });
  EXPECT_NE(message.find("did you mean 'q'"), std::string::npos) << message;
}

}  // namespace
}  // namespace footfall::test
