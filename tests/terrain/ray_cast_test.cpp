#include "footfall/terrain/ray_cast.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "footfall/terrain/box.hpp"
#include "footfall/terrain/formula.hpp"
#include "footfall/terrain/height_field.hpp"
#include "footfall/terrain/moving_terrain.hpp"
#include "footfall/terrain/terrain_group.hpp"
#include "model/error_of.hpp"

namespace footfall {
namespace {

constexpr double kReach = 10.0;
const Material kMaterial{0.6, 0.0};
const Vector3d kDown(0, 0, -1);

double cast(const Terrain& ground, const Vector3d& from, const Vector3d& along, double time = 0.0) {
  const Ray ray{from, along.normalized()};
  double distance = 0.0;
  castRays(ground, {&ray, 1}, kReach, time, {&distance, 1});
  return distance;
}

class Randoms {
 public:
  explicit Randoms(int seed) : random_(seed) {}
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  Vector3d point(double half) { return {number(-half, half), number(-half, half), number(-half, half)}; }

 private:
  std::mt19937 random_;
};

/// The first place inside, by many small steps: slow, and blind for what is thinner than a step.
double stepThrough(const Terrain& ground, const Vector3d& from, const Vector3d& along, double time, double step) {
  for (double t = 0.0; t < kReach; t += step)
    if (ground.at(from + t * along, time).gap <= 0.0) return t;
  return kReach;
}

/// Rays at random against small steps. A step may pass over what a ray cuts off an edge: what the ray finds then must
/// be the surface, and nothing before it inside.
void expectFirstPlaceInside(const Terrain& ground, double time, int seed) {
  constexpr double kStep = 2e-3;
  Randoms randoms(seed);
  int met = 0;
  for (int k = 0; k < 150; ++k) {
    const Vector3d from = randoms.point(1.5), along = (randoms.point(0.7) - from).normalized();
    const double found = cast(ground, from, along, time);
    const double stepped = stepThrough(ground, from, along, time, kStep);
    ASSERT_LE(found, stepped + 1e-9) << "ray " << k;
    if (found == kReach) continue;
    ++met;
    if (found == 0.0) {
      EXPECT_LE(ground.at(from, time).gap, 1e-12);
    } else {
      EXPECT_NEAR(ground.at(from + found * along, time).gap, 0.0, 1e-9) << "ray " << k;
      if (stepped - found > kStep) {
        EXPECT_GT(ground.at(from + (found + kStep) * along, time).gap, -kStep) << "it grazes, ray " << k;
      }
    }
  }
  EXPECT_GT(met, 30);
}

TEST(RayCast, MeetsAPlaneWhereItsEquationSays) {
  const double incline = 0.3;
  const Vector3d normal(std::sin(incline), 0.0, std::cos(incline));
  const Plane plane(Vector3d(0, 0, 0.5), normal, kMaterial);
  EXPECT_NEAR(cast(plane, {0, 0, 2.5}, kDown), 2.0, 1e-14);
  EXPECT_NEAR(cast(plane, {1, 0, 2.5}, kDown), 2.0 + std::tan(incline), 1e-14);
  EXPECT_EQ(cast(plane, {0, 0, 2.5}, {0, 1, 0}), kReach) << "along it";
  EXPECT_EQ(cast(plane, {0, 0, 2.5}, {0, 0, 1}), kReach) << "away from it";
  EXPECT_EQ(cast(plane, {0, 0, 0.4}, {0, 0, 1}), 0.0) << "from inside";
  EXPECT_EQ(cast(plane, {0, 0, 50.0}, kDown), kReach) << "too far";
}

TEST(RayCast, MeetsFacesEdgesAndCornersOfABox) {
  const Pose X_WB{rotationFromRollPitchYaw({0.0, 0.0, std::numbers::pi / 4}), Vector3d(1, 0, 0)};
  const Box box(X_WB, {1, 1, 2}, kMaterial);
  EXPECT_NEAR(cast(box, {1, 0, 3}, kDown), 2.0, 1e-14);
  EXPECT_NEAR(cast(box, {-1, 0, 0}, {1, 0, 0}), 2.0 - std::sqrt(0.5), 1e-12) << "the edge looks at us";
  EXPECT_NEAR(cast(box, {-1, 0.2, 0}, {1, 0, 0}), 2.0 - std::sqrt(0.5) + 0.2, 1e-12);
  EXPECT_EQ(cast(box, {-1, 0.8, 0}, {1, 0, 0}), kReach) << "beside it";
  EXPECT_EQ(cast(box, {1, 0, 0}, {1, 0, 0}), 0.0) << "from inside";
  EXPECT_EQ(cast(box, {3, 0, 0}, {1, 0, 0}), kReach) << "behind us";
  EXPECT_EQ(cast(box, {1, 0, 1.5}, {1, 0, 0}), kReach) << "above it, along its face";
  expectFirstPlaceInside(
      Box({rotationFromRollPitchYaw({0.3, -0.5, 1.1}), Vector3d(0.2, 0.1, 0)}, {1, 2, 0.7}, kMaterial), 0.0, 1);
}

TEST(RayCast, MeetsTheStepsOfAFlightOfStairs) {
  Stairs stairs;
  stairs.number = 5;
  std::vector<std::shared_ptr<const Terrain>> parts = makeStairs(stairs);
  parts.push_back(std::make_shared<Plane>());
  const TerrainGroup ground(parts);
  for (int k = 0; k < 5; ++k)
    EXPECT_NEAR(cast(ground, {0.15 + 0.3 * k, 0.1, 2.0}, kDown), 2.0 - 0.15 * (k + 1), 1e-14) << "tread " << k;
  EXPECT_NEAR(cast(ground, {-1, 0, 0.4}, {1, 0, 0}), 1.6, 1e-14) << "the third riser";
  EXPECT_NEAR(cast(ground, {-0.5, 0, 2}, kDown), 2.0, 1e-14) << "the floor in front";
}

HeightTable randomTable(int rows, int columns) {
  Randoms randoms(11);
  HeightTable table{rows, columns, {}};
  for (int i = 0; i < rows * columns; ++i) table.heights.push_back(randoms.number(-0.2, 0.2));
  return table;
}

TEST(RayCast, MeetsAHeightFieldStraightBelowAtItsHeight) {
  for (const Interpolation interpolation : {Interpolation::bilinear, Interpolation::bicubic}) {
    const auto grid = std::make_shared<HeightGrid>(randomTable(12, 9), 0.25, 1.0, interpolation);
    const HeightField field(grid, {0.3, -0.2, 0.1}, kMaterial);
    Randoms randoms(3);
    for (int k = 0; k < 500; ++k) {  // beyond the border as well
      const Vector3d from(randoms.number(-2, 2), randoms.number(-2, 2), 1.0);
      const double height = grid->at(from.x() - 0.3, from.y() + 0.2).z;
      // Coordinates round to 1e-15 of a cell, over which heights change by 0.4 m at most.
      EXPECT_NEAR(grid->heightAt(from.x() - 0.3, from.y() + 0.2), height, 1e-14);
      EXPECT_NEAR(cast(field, from, kDown), 0.9 - height, 1e-14);
    }
  }
}

TEST(RayCast, MeetsASlopeWhereItsEquationSays) {
  // z = 0.5 x, from (−2, 0, 1) to the right: x = 2.
  const HeightField field(std::make_shared<FormulaMap>("0.5*x", 8.0, 8.0), Vector3d::Zero(), kMaterial);
  EXPECT_NEAR(cast(field, {-2, 0, 1}, {1, 0, 0}), 4.0, 1e-10);
  EXPECT_NEAR(cast(field, {-2, 0, 1}, {1, 0, -1}), std::sqrt(2.0) * 4.0 / 3.0, 1e-10) << "z = −1 − x = 0.5 x";
  EXPECT_EQ(cast(field, {-2, 0, 1}, {-1, 0, 0}), kReach) << "it falls away from us";
}

TEST(RayCast, FindsTheFirstHillOfMany) {
  for (const Interpolation interpolation : {Interpolation::bilinear, Interpolation::bicubic}) {
    const auto grid = std::make_shared<HeightGrid>(randomTable(12, 12), 0.25, 1.0, interpolation);
    const HeightField field(grid, Vector3d::Zero(), kMaterial);
    Randoms randoms(4);
    for (int k = 0; k < 200; ++k) {
      const Vector3d from(randoms.number(-1, 1), randoms.number(-1, 1), randoms.number(0.3, 1.0));
      const Vector3d along = Vector3d(randoms.number(-1, 1), randoms.number(-1, 1), -0.2).normalized();
      const double found = cast(field, from, along);
      const auto above = [&](double t) {
        const Vector3d p = from + t * along;
        return p.z() - grid->at(p.x(), p.y()).z;
      };
      EXPECT_NEAR(above(found), 0.0, 1e-12);
      for (double t = 0.0; t < found - kRayStep; t += 1e-3) ASSERT_GT(above(t), -2e-3) << "an earlier one, ray " << k;
    }
  }
}

TEST(RayCast, AFormulaWithoutKnownSlopeIsSearchedInSmallSteps) {
  const HeightField field(std::make_shared<FormulaMap>("sqrt(abs(x))*0.5", 8.0, 8.0), Vector3d::Zero(), kMaterial);
  EXPECT_NEAR(cast(field, {-4, 0, 0.5}, {1, 0, 0}), 0.0, 1e-12) << "inside";
  EXPECT_NEAR(cast(field, {0, 0, 0.5}, {1, 0, 0}), 1.0, 1e-9);
}

TEST(RayCast, GoesWithAGroundThatMoves) {
  auto floor = std::make_shared<Plane>();
  Motion lift({{Vector3d::UnitZ(), TimeFunction::linear(0.0, 0.5)}}, {});
  const MovingTerrain ground(floor, lift);
  EXPECT_NEAR(cast(ground, {0, 0, 3}, kDown, 0.0), 3.0, 1e-14);
  EXPECT_NEAR(cast(ground, {0, 0, 3}, kDown, 2.0), 2.0, 1e-14);
  Motion turn({}, {{Vector3d::UnitZ(), Vector3d(0.3, 0, 0), TimeFunction::linear(0.0, 1.0)}});
  const auto box = std::make_shared<Box>(Pose{Matrix3d::Identity(), {0.5, 0, 0}}, Vector3d(1.5, 0.5, 1.0), kMaterial);
  expectFirstPlaceInside(MovingTerrain(box, turn), 0.7, 2);
  expectFirstPlaceInside(Conveyor(box, Vector3d::UnitX(), TimeFunction::linear(0.0, 1.0)), 0.7, 3);
}

/// A ground of somebody else: it knows nothing of rays.
class Ball : public Terrain {
 public:
  SurfacePoint at(const Vector3d& p_W, TimeSpan) const override {
    SurfacePoint surface;
    surface.gap = p_W.norm() - 0.5;
    return surface;
  }
};

TEST(RayCast, AGroundThatKnowsNothingOfRaysIsSearchedByItsGaps) {
  const Ball ball;
  EXPECT_NEAR(cast(ball, {-2, 0, 0}, {1, 0, 0}), 1.5, 1e-12);
  EXPECT_NEAR(cast(ball, {-2, 0.3, 0}, {1, 0, 0}), 1.6, 1e-12);
  EXPECT_EQ(cast(ball, {-2, 0.6, 0}, {1, 0, 0}), kReach);
  EXPECT_EQ(cast(ball, {0.1, 0, 0}, {1, 0, 0}), 0.0);
}

TEST(RayCast, TheNearestOfSeveralGroundsCounts) {
  const TerrainGroup ground(
      {std::make_shared<Plane>(),
       std::make_shared<Box>(Pose{Matrix3d::Identity(), {0, 0, 0.2}}, Vector3d(1, 1, 0.4), kMaterial),
       std::make_shared<Ball>()});
  EXPECT_NEAR(cast(ground, {0, 0, 2}, kDown), 1.5, 1e-12) << "the ball";
  EXPECT_NEAR(cast(ground, {0.45, 0.45, 2}, kDown), 1.6, 1e-14) << "the box";
  EXPECT_NEAR(cast(ground, {2, 0, 2}, kDown), 2.0, 1e-14) << "the floor";
}

TEST(RayCast, BadRaysAreTold) {
  const Plane plane;
  std::array<double, 2> distance{};
  const auto problem = [&](const Ray& ray, double reach, std::size_t room) {
    return errorOf([&] { castRays(plane, {&ray, 1}, reach, 0.0, std::span(distance).first(room)); }).problem();
  };
  const Ray good{{0, 0, 1}, kDown}, nowhere{{NAN, 0, 1}, kDown}, long_one{{0, 0, 1}, 2.0 * kDown};
  EXPECT_EQ(problem(nowhere, 1.0, 1), "the origin of ray 0 is not finite");
  EXPECT_EQ(problem(long_one, 1.0, 1), "the direction of ray 0 has the length 2, expected 1");
  EXPECT_EQ(problem(good, INFINITY, 1), "the reach is inf m, expected a finite length above zero");
  EXPECT_EQ(problem(good, 1.0, 2), "there is room for 2 distances, expected 1");
}

}  // namespace
}  // namespace footfall
