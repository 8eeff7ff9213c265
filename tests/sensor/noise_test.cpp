#include <gtest/gtest.h>

#include <cmath>

#include "footfall/base/internal/counter_noise.hpp"
#include "sensor/sensor_tools.hpp"

namespace footfall {
namespace {

using test::MadeUpStep;
using test::sensor;

TEST(Philox, GivesTheNumbersOfItsAuthors) {
  using Block = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}), (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

constexpr int kSamples = 40000;

/// The readings of a channel of the slider that stands still at zero.
std::vector<double> readings(const std::vector<SensorSpec>& specs, const std::string& channel, std::uint64_t seed = 0,
                             int count = kSamples) {
  const Model model = test::slider();
  const MadeUpStep step(model);
  SensorSuite suite(model, specs, 1e-3, seed);
  SensorState state = suite.makeState();
  std::vector<double> values;
  for (int k = 0; k < count; ++k) {
    suite.sample(step.record(), state);
    values.push_back(suite.read(channel, state).values[0]);
  }
  return values;
}

SensorSpec noisyEncoder(const std::string& name = "enc") {
  SensorSpec spec = sensor("encoder", name);
  spec.noise = {{"position", 0.2}, {"velocity", 3.0}};
  return spec;
}

/// Mean of a[i] b[i + lag].
double meanProduct(const std::vector<double>& a, const std::vector<double>& b, int lag = 0) {
  double sum = 0.0;
  for (std::size_t i = 0; i + lag < a.size(); ++i) sum += a[i] * b[i + lag];
  return sum / static_cast<double>(a.size() - lag);
}

double mean(const std::vector<double>& a) { return meanProduct(a, std::vector<double>(a.size(), 1.0)); }

const double kFiveErrors = 5.0 / std::sqrt(kSamples);  // of a mean of numbers with variance 1

TEST(Noise, HasTheMeanAndTheDeviationThatWereAskedFor) {
  SensorSpec spec = noisyEncoder();
  spec.bias["position"] = {1.5};
  std::vector<double> x = readings({spec}, "enc.x.position");
  for (double& value : x) value = (value - 1.5) / 0.2;
  EXPECT_LT(std::abs(mean(x)), kFiveErrors);
  EXPECT_LT(std::abs(meanProduct(x, x) - 1.0), std::sqrt(2.0) * kFiveErrors);  // the variance of x² is 2
  int beyond_two = 0;
  for (const double value : x) beyond_two += std::abs(value) > 2.0;
  const double expected = std::erfc(2.0 / std::sqrt(2.0));
  EXPECT_LT(std::abs(beyond_two / double(kSamples) - expected), std::sqrt(expected) * kFiveErrors) << "not Gaussian";
}

TEST(Noise, OfAnotherChannelSensorSeedOrTimeIsIndependent) {
  const auto scaled = [](std::vector<double> values, double deviation) {
    for (double& value : values) value /= deviation;
    return values;
  };
  const std::vector<double> x = scaled(readings({noisyEncoder()}, "enc.x.position"), 0.2);
  SensorSpec reseeded = noisyEncoder();
  reseeded.seed = 1;
  EXPECT_LT(std::abs(meanProduct(x, scaled(readings({noisyEncoder()}, "enc.x.velocity"), 3.0))), kFiveErrors);
  EXPECT_LT(std::abs(meanProduct(x, scaled(readings({noisyEncoder("b")}, "b.x.position"), 0.2))), kFiveErrors);
  EXPECT_LT(std::abs(meanProduct(x, scaled(readings({reseeded}, "enc.x.position"), 0.2))), kFiveErrors);
  EXPECT_LT(std::abs(meanProduct(x, scaled(readings({noisyEncoder()}, "enc.x.position", 1), 0.2))), kFiveErrors);
  EXPECT_LT(std::abs(meanProduct(x, x, 1)), kFiveErrors) << "with the sample before";
}

TEST(Noise, IsTheSameBitsInEveryRunWhateverElseIsMeasured) {
  const std::vector<double> alone = readings({noisyEncoder()}, "enc.x.position", 5, 100);
  EXPECT_EQ(readings({noisyEncoder()}, "enc.x.position", 5, 100), alone);
  EXPECT_EQ(readings({noisyEncoder("a"), test::imuOn("cart"), noisyEncoder()}, "enc.x.position", 5, 100), alone);
}

TEST(BiasWalk, GrowsWithTheRootOfTime) {
  SensorSpec spec = sensor("encoder", "enc");
  spec.bias_walk["position"] = 0.5;  // m/√s
  std::vector<double> x = readings({spec}, "enc.x.position");
  EXPECT_EQ(x[0], 0.0);
  std::vector<double> steps;
  for (std::size_t i = 1; i < x.size(); ++i) steps.push_back((x[i] - x[i - 1]) / (0.5 * std::sqrt(1e-3)));
  EXPECT_LT(std::abs(mean(steps)), kFiveErrors);
  EXPECT_LT(std::abs(meanProduct(steps, steps) - 1.0), std::sqrt(2.0) * kFiveErrors);
  EXPECT_LT(std::abs(meanProduct(steps, steps, 1)), kFiveErrors);
}

TEST(BiasWalk, DoesNotDependOnTheSampleRate) {
  SensorSpec spec = sensor("encoder", "enc");
  spec.bias_walk["position"] = 0.5;
  spec.rate = 100.0;  // ten steps of 1 ms
  const std::vector<double> x = readings({spec}, "enc.x.position", 0, 10 * kSamples / 4);
  double sum = 0.0;
  int count = 0;
  for (std::size_t i = 10; i < x.size(); i += 10, ++count) sum += std::pow((x[i] - x[i - 10]) / 0.5, 2) / 0.01;
  EXPECT_LT(std::abs(sum / count - 1.0), std::sqrt(2.0) * 5.0 / std::sqrt(count));
}

TEST(OrientationNoise, TurnsTheFrameByARandomVector) {
  const Model model = test::slider();
  MadeUpStep step(model);
  const Matrix3d R_WS = rotationFromRollPitchYaw({0.3, -1.1, 2.0});
  step.start.setBasePose({R_WS, Vector3d::Zero()});
  SensorSpec spec = test::imuOn("base");
  spec.noise["orientation"] = 0.01;
  spec.bias["orientation"] = {0.0, 0.0, 0.1};
  SensorSuite suite(model, {spec}, 1e-3);
  SensorState state = suite.makeState();
  Vector3d sum = Vector3d::Zero();
  double squares = 0.0;
  const int count = 10000;
  for (int k = 0; k < count; ++k) {
    suite.sample(step.record(), state);
    const auto q = suite.read("imu.orientation", state).values;
    ASSERT_NEAR(q.norm(), 1.0, 1e-15);
    const Matrix3d R_measured = Eigen::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix();
    ASSERT_LT((rotationFromRollPitchYaw(suite.read("imu.rpy", state).values) - R_measured).norm(), 1e-14);
    const Eigen::AngleAxisd error(Matrix3d(R_WS.transpose() * R_measured));
    const Vector3d theta = error.angle() * error.axis() - Vector3d(0.0, 0.0, 0.1);
    sum += theta / 0.01;
    squares += theta.squaredNorm() / 1e-4;
  }
  EXPECT_LT((sum / count).norm(), 5.0 * std::sqrt(3.0 / count));
  EXPECT_LT(std::abs(squares / count - 3.0), 5.0 * std::sqrt(6.0 / count));
}

}  // namespace
}  // namespace footfall
