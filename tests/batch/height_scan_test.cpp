#include <gtest/gtest.h>

#include <cmath>

#include "batch/batch_tools.hpp"
#include "model/error_of.hpp"

namespace footfall {
namespace {

using Point = Eigen::Vector2d;

Scene onGround(const std::string& ground) {
  return parseScene("robot: {model: quadruped, base: {position: [0, 0, 0.5]}}\n" + ground, "scan.yaml", {});
}

/// Where a world is: place of the base, turned about z and then pitched.
void put(BatchSimulation& batch, int world, const Vector3d& place, double yaw, double pitch = 0.0) {
  const Eigen::Quaterniond attitude =
      Eigen::AngleAxisd(yaw, Vector3d::UnitZ()) * Eigen::AngleAxisd(pitch, Vector3d::UnitY());
  auto q = batch.values("q").row(world);
  q.head<3>() = place;
  q.segment<4>(3) = attitude.coeffs();
}

constexpr const char* kSlope = "ground: {shape: height_field, formula: 0.2*x + 0.1*y, extent: [20, 20]}";

TEST(HeightScan, GivesTheGroundAroundEachRobotWithItsHeading) {
  BatchSimulation batch(onGround(kSlope), {.copies = 3, .threads = 2});
  put(batch, 0, {0, 0, 1}, 0.0);
  put(batch, 1, {2, -1, 0.7}, M_PI / 2);
  put(batch, 2, {0, 0, 1}, 0.0, 0.6);  // it looks down: the points stay where they are
  const std::vector<Point> points = {{0, 0}, {0.5, 0}, {0, 0.5}, {-0.3, -0.2}};
  std::vector<double> heights(3 * points.size());
  batch.scanHeights(points, 1.0, 3.0, heights);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Point& p = points[k];
    const Point turned(-p.y(), p.x());
    const auto slope = [](double x, double y) { return 0.2 * x + 0.1 * y; };
    EXPECT_NEAR(heights[k], slope(p.x(), p.y()) - 1.0, 1e-14);
    EXPECT_NEAR(heights[points.size() + k], slope(2 + turned.x(), -1 + turned.y()) - 0.7, 1e-14);
    EXPECT_NEAR(heights[2 * points.size() + k], heights[k], 1e-14);
  }
}

TEST(HeightScan, ARobotThatPointsUpTurnsWithItsSide) {
  BatchSimulation batch(onGround(kSlope), {.copies = 1});
  put(batch, 0, {0, 0, 1}, 0.0, -M_PI / 2);
  const std::vector<Point> points = {{0.5, 0}};
  double height = 0.0;
  batch.scanHeights(points, 1.0, 3.0, {&height, 1});
  EXPECT_NEAR(height, 0.1 - 1.0, 1e-14);
}

TEST(HeightScan, SeesStairsAndBoxesAndTheEndOfTheReach) {
  const Scene scene = onGround("ground: [{shape: plane}, {shape: box, position: [1, 0, 0.1], size: [1, 1, 0.2]}]");
  BatchSimulation batch(scene, {.copies = 2});
  put(batch, 0, {0, 0, 0.5}, 0.0);
  put(batch, 1, {0, 0, 9.0}, 0.0);
  const std::vector<Point> points = {{0, 0}, {1, 0}};
  std::vector<double> heights(4);
  batch.scanHeights(points, 1.0, 3.0, heights);
  EXPECT_NEAR(heights[0], -0.5, 1e-14);
  EXPECT_NEAR(heights[1], -0.3, 1e-14);
  EXPECT_EQ(heights[2], -2.0) << "nothing within reach: above − reach";
}

TEST(HeightScan, DoesNotDependOnThreadsAndAWorldThatIsNowhereHarmsNoOther) {
  const Scene scene = onGround("ground: {shape: height_field, formula: 0.1*sin(3*x)*cos(2*y), extent: [20, 20]}");
  std::vector<Point> points;
  for (int i = 0; i < 17; ++i)
    for (int j = 0; j < 11; ++j) points.push_back({0.1 * (i - 8), 0.1 * (j - 5)});
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 3}) {
    BatchSimulation batch(scene, {.copies = 40, .threads = threads});
    for (int world = 0; world < 40; ++world) put(batch, world, {0.1 * world, -0.2 * world, 0.6}, 0.3 * world);
    batch.values("q")(7, 1) = NAN;
    results.emplace_back(40 * points.size());
    batch.scanHeights(points, 1.0, 3.0, results.back());
  }
  for (std::size_t k = 0; k < results[0].size(); ++k) {
    const bool nowhere = k / points.size() == 7;
    EXPECT_EQ(std::isnan(results[0][k]), nowhere);
    if (!nowhere) {
      EXPECT_EQ(results[0][k], results[1][k]);
    }
  }
}

TEST(HeightScan, RaysOfWorldsMeetTheGroundAtTheTimeOfTheWorld) {
  const Scene scene = onGround(
      "ground: {shape: plane, motion: {translate: [{direction: [0, 0, 1], speed: 0.5}]}}\nphysics: {step: 1 ms}");
  BatchSimulation batch(scene, {.copies = 2});
  put(batch, 0, {0, 0, 50}, 0.0);
  put(batch, 1, {0, 0, 50}, 0.0);
  batch.values("start_q") = batch.values("q");
  batch.step(100);
  std::vector<std::uint8_t> first = {1, 0};
  batch.reset(first);
  const std::vector<Ray> rays(2, Ray{{0, 0, 2}, -Vector3d::UnitZ()});
  std::vector<double> distance(2);
  batch.castRays(rays, 5.0, distance);
  EXPECT_NEAR(distance[0], 2.0, 1e-14);
  EXPECT_NEAR(distance[1], 1.95, 1e-12);
}

constexpr const char* kBodies = R"(
bodies:
  - {name: box, shape: box, size: [0.4, 0.4, 0.2], mass: 1, position: [1, 0, 0.1]}
  - {name: ball, shape: sphere, radius: 0.2, mass: 1, position: [0, 2, 0.2]}
ground: {shape: plane}
)";

TEST(HeightScan, SeesBodiesWhereTheyAreInEachWorldAndNotTheRobot) {
  BatchSimulation batch(onGround(kBodies), {.copies = 2, .threads = 2});
  put(batch, 0, {0, 0, 0.5}, 0.0);
  put(batch, 1, {0, 0, 0.5}, 0.0);
  batch.values("q")(1, batch.bodyPosition("box") + 2) += 0.3;  // it hangs in the air of one world
  const std::vector<Point> points = {{0, 0}, {1, 0}, {1.21, 0}, {0.1, 2}};
  std::vector<double> heights(8);
  batch.scanHeights(points, 1.0, 3.0, heights);
  const double ball = 0.2 + std::sqrt(0.2 * 0.2 - 0.1 * 0.1);
  for (const int world : {0, 4}) {
    EXPECT_NEAR(heights[world], -0.5, 1e-14) << "the robot's own back is not seen";
    EXPECT_NEAR(heights[world + 1], (world == 0 ? 0.2 : 0.5) - 0.5, 1e-14);
    EXPECT_NEAR(heights[world + 2], -0.5, 1e-14) << "beside the box";
    EXPECT_NEAR(heights[world + 3], ball - 0.5, 1e-14);
  }
}

TEST(HeightScan, WithoutARobotRaysSeeEveryBody) {
  BatchSimulation batch(parseScene(kBodies, "bodies.yaml", {}), {.copies = 1});
  const std::vector<Ray> rays = {{{1, 0, 2}, -Vector3d::UnitZ()}, {{0, 2, 2}, -Vector3d::UnitZ()}};
  std::vector<double> distance(2);
  batch.castRays(rays, 5.0, distance);
  EXPECT_NEAR(distance[0], 1.8, 1e-14);
  EXPECT_NEAR(distance[1], 1.6, 1e-14);
}

TEST(HeightScan, ABodyThatIsNowhereIsNotSeen) {
  BatchSimulation batch(onGround(kBodies), {.copies = 1});
  batch.values("q")(0, batch.bodyPosition("box")) = NAN;
  const std::vector<Ray> rays = {{{1, 0, 2}, -Vector3d::UnitZ()}};
  std::vector<double> distance(1);
  batch.castRays(rays, 5.0, distance);
  EXPECT_NEAR(distance[0], 2.0, 1e-14);
}

TEST(HeightScan, MistakesAreTold) {
  BatchSimulation batch(onGround(kSlope), {.copies = 2});
  const std::vector<Point> points = {{0, 0}};
  std::vector<double> heights(2);
  EXPECT_NE(errorOf([&] { batch.scanHeights(points, 1.0, -1.0, heights); }).problem().find("reach"), std::string::npos);
  EXPECT_NE(errorOf([&] { batch.scanHeights(points, NAN, 1.0, heights); }).problem().find("above"), std::string::npos);
  heights.resize(3);
  EXPECT_NE(errorOf([&] { batch.scanHeights(points, 1.0, 1.0, heights); }).problem().find("room"), std::string::npos);
  const std::vector<Ray> rays(3, Ray{{0, 0, 2}, -Vector3d::UnitZ()});
  EXPECT_NE(errorOf([&] { batch.castRays(rays, 1.0, heights); }).problem().find("as many for each"), std::string::npos);
}

}  // namespace
}  // namespace footfall
