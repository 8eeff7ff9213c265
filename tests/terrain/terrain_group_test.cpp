#include "footfall/terrain/terrain_group.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "footfall/terrain/box.hpp"
#include "footfall/terrain/formula.hpp"
#include "footfall/terrain/moving_terrain.hpp"
#include "model/error_of.hpp"
#include "tools/random_seed.hpp"

namespace footfall {
namespace {

using Members = std::vector<std::shared_ptr<const Terrain>>;

std::shared_ptr<const Terrain> floorPlane(double friction = 0.5) {
  return std::make_shared<Plane>(Vector3d::Zero(), Vector3d::UnitZ(), Material{friction, 0.0});
}

/// A box along the world's axes.
std::shared_ptr<const Terrain> boxBetween(const Vector3d& low, const Vector3d& high, double friction = 0.5) {
  return std::make_shared<Box>(Pose{Matrix3d::Identity(), 0.5 * (low + high)}, high - low, Material{friction, 0.0});
}

Vector3d normalAt(const Terrain& terrain, const Vector3d& p_W) { return terrain.at(p_W, 0.0).R_WC.col(2); }

TEST(TerrainGroup, TakesTheNearestSurfaceWithItsMaterial) {
  const TerrainGroup group({floorPlane(0.5), boxBetween({1, -1, -0.1}, {2, 1, 0.5}, 0.9)});
  EXPECT_EQ(group.at({0.0, 0, 0.2}, 0.0).friction, 0.5);
  EXPECT_EQ(group.at({0.9, 0, 0.2}, 0.0).friction, 0.9);
  EXPECT_EQ(group.at({1.5, 0, 0.6}, 0.0).friction, 0.9);
  EXPECT_NEAR(group.at({1.5, 0, 0.6}, 0.0).gap, 0.1, 1e-15);
  EXPECT_EQ(group.at({1.5, 0, 0.49}, 0.0).friction, 0.9);
  EXPECT_NEAR(group.at({1.5, 0, 0.49}, 0.0).gap, -0.01, 1e-15);
}

TEST(TerrainGroup, HasNoGhostNormalsWhereBoxesMeet) {
  const TerrainGroup group({boxBetween({-1, -1, -0.3}, {0, 1, 0}), boxBetween({0, -1, -0.4}, {1, 1, 0})});
  for (const double depth : {1e-9, 1e-6, 1e-3, 0.02})
    for (const double x : {-0.01, -1e-4, -1e-7, -1e-12, 0.0, 1e-12, 1e-7, 1e-4, 0.01}) {
      const SurfacePoint surface = group.at({x, 0.1, -depth}, 0.0);
      EXPECT_EQ(surface.R_WC.col(2), Vector3d::UnitZ()) << x << ' ' << depth;
      EXPECT_NEAR(surface.gap, -depth, 1e-15);
      // Above the seam the edge of the other box may be as near to rounding: its normal then leans by that little.
      EXPECT_LT((normalAt(group, {x, 0.1, depth}) - Vector3d::UnitZ()).norm(), 2e-6) << x << ' ' << -depth;
    }
}

TEST(TerrainGroup, HasNoGhostNormalsBetweenFloorAndAPlateLetIntoIt) {
  for (const Members& members : {Members{floorPlane(), boxBetween({0, -1, -0.05}, {1, 1, 0})},
                                 Members{boxBetween({0, -1, -0.05}, {1, 1, 0}), floorPlane()}}) {
    const TerrainGroup group(members);
    for (const double depth : {1e-9, 1e-6, 1e-3, 0.04})
      for (const double x : {-1e-3, -1e-7, 0.0, 1e-9, 1e-7, 1e-3}) {
        EXPECT_EQ(normalAt(group, {x, 0.1, -depth}), Vector3d::UnitZ()) << x << ' ' << depth;
        EXPECT_NEAR(group.at({x, 0.1, -depth}, 0.0).gap, -depth, 1e-15);
      }
  }
}

TEST(TerrainGroup, HasNoGhostNormalsOnStairs) {
  Stairs stairs;
  stairs.number = 5;
  Members members = makeStairs(stairs);
  members.push_back(floorPlane());
  const TerrainGroup group(members);
  for (int k = 0; k < stairs.number; ++k) {
    const double tread = (k + 1) * stairs.rise, riser = k * stairs.run;
    // On the tread, up to the inner corner with the next riser.
    for (const double before : {1e-3, 1e-5, 2e-6})
      EXPECT_EQ(normalAt(group, {riser + stairs.run - before, 0.1, tread - 1e-6}), Vector3d::UnitZ());
    // On the riser, down to the inner corner with the tread (or the floor) below.
    for (const double above : {1e-3, 1e-5, 2e-6})
      EXPECT_EQ(normalAt(group, {riser + 1e-6, 0.1, k * stairs.rise + above}), -Vector3d::UnitX());
  }
}

TEST(TerrainGroup, LetsTheSurfaceListedLastLieOnTop) {
  // Heights that no binary number hits exactly: the gaps agree only to rounding.
  const auto floor = std::make_shared<Plane>(Vector3d(0, 0, 0.3), Vector3d::UnitZ(), Material{0.5, 0.0});
  const auto ice = boxBetween({-1, -1, 0.17}, {1, 1, 0.3}, 0.05);
  std::mt19937 random(randomSeed(3));
  std::uniform_real_distribution<double> any(-0.9, 0.9), height(0.299, 0.301);
  for (int i = 0; i < 200; ++i) {
    const Vector3d p_W(any(random), any(random), height(random));
    EXPECT_EQ(TerrainGroup({floor, ice}).at(p_W, 0.0).friction, 0.05);
    EXPECT_EQ(TerrainGroup({ice, floor}).at(p_W, 0.0).friction, 0.5);
  }
}

TEST(TerrainGroup, TakesTheDeepestSurfaceInAnInnerCorner) {
  const auto wall = std::make_shared<Plane>(Vector3d::Zero(), Vector3d::UnitX(), Material{0.2, 0.0});
  const TerrainGroup corner({floorPlane(0.5), wall});
  EXPECT_EQ(corner.at({-1e-3, 0, -1e-4}, 0.0).friction, 0.2);
  EXPECT_NEAR(corner.at({-1e-3, 0, -1e-4}, 0.0).gap, -1e-3, 1e-18);
  EXPECT_EQ(corner.at({-1e-4, 0, -1e-3}, 0.0).friction, 0.5);
}

/// Gap of a union of boxes along the axes by brute force: the distance to the nearest sample outside all of them.
double depthByTrying(const std::vector<Bounds>& boxes, const Vector3d& p_W, double reach, int steps) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = -steps; i <= steps; ++i)
    for (int j = -steps; j <= steps; ++j)
      for (int k = -steps; k <= steps; ++k) {
        const Vector3d sample = p_W + reach / steps * Vector3d(i, j, k);
        bool outside = true;
        for (const Bounds& box : boxes) outside = outside && box.distance(sample) > 0.0;
        if (outside) least = std::min(least, (sample - p_W).norm());
      }
  return least;
}

/// Each of the two covers the face of the other. All that is exposed is the top of the box, a metre away.
TEST(TerrainGroup, LeavesTheCornerOfFloorAndBoxByItsFaces) {
  for (const double bottom : {0.0, -0.5})
    for (const Members& members :
         {Members{floorPlane(), boxBetween({0, -1, bottom}, {1, 1, 1})},
          Members{boxBetween({0, -1, bottom}, {1, 1, 1}), floorPlane()},
          Members{boxBetween({-2, -2, -1}, {2, 2, 0}), boxBetween({0, -1, bottom}, {1, 1, 1})}}) {
      const TerrainGroup group(members);
      for (const double x : {-1e-11, 0.0, 1e-13, 1e-9, 3e-6, 1e-4, 5e-3})
        for (const double depth : {-1e-11, 0.0, 4e-14, 1e-9, 2e-6, 2e-4, 1e-3}) {
          const SurfacePoint surface = group.at({x, 0.1, -depth}, 0.0);
          const double deeper = std::max({x, depth, 0.0});
          EXPECT_GT(surface.gap, -deeper - 1.5e-6) << x << ' ' << depth << ' ' << bottom;  // kTouching, and rounding
          if (bottom == 0.0 || deeper < 1e-5) continue;                                    // else it is inside of both
          EXPECT_NEAR(surface.gap, -deeper, 1e-12) << x << ' ' << depth;
          EXPECT_EQ(surface.R_WC.col(2), x > depth ? Vector3d(-Vector3d::UnitX()) : Vector3d(Vector3d::UnitZ()));
        }
    }
}

TEST(TerrainGroup, FindsTheNearestWayOutOfOverlappingBoxes) {
  // A cross: from its middle, the ends of both bars are the only ways out, and top and bottom.
  const std::vector<Bounds> boxes = {{{-1, -0.3, -0.5}, {1, 0.3, 0.5}}, {{-0.3, -1, -0.5}, {0.3, 1, 0.5}}};
  Members members;
  for (const Bounds& box : boxes) members.push_back(boxBetween(box.low, box.high));
  const TerrainGroup cross(members);
  constexpr int kSteps = 24;
  constexpr double kReach = 0.6;
  // Samples are a 40th of a metre apart; the first one outside is at most a diagonal too far.
  const double spacing = std::sqrt(3.0) * kReach / kSteps;
  for (const Vector3d& p_W : {Vector3d(0, 0, 0.35), Vector3d(0.6, 0.1, 0.0), Vector3d(0.05, 0.8, -0.1)}) {
    const double tried = depthByTrying(boxes, p_W, kReach, kSteps);
    EXPECT_LE(-cross.at(p_W, 0.0).gap, tried + 1e-12);
    EXPECT_GE(-cross.at(p_W, 0.0).gap, tried - spacing);
  }
  EXPECT_NEAR(cross.at({0, 0, 0.35}, 0.0).gap, -0.15, 1e-15);
}

TEST(TerrainGroup, GivesEverySideOfAGroupInsideAGroup) {
  // The stairs alone would let a toe out through their bottom, which the floor covers.
  const auto inner = std::make_shared<TerrainGroup>(makeStairs(Stairs()));
  const TerrainGroup outer({floorPlane(), inner});
  EXPECT_EQ(normalAt(outer, {1e-4, 0.0, 1e-5}), -Vector3d::UnitX());
  const auto carried = std::make_shared<MovingTerrain>(inner, Motion({}, {}));
  EXPECT_EQ(normalAt(TerrainGroup({floorPlane(), carried}), {1e-4, 0.0, 1e-5}), -Vector3d::UnitX());
}

TEST(TerrainGroup, SinksABoxIntoAHeightField) {
  const auto waves = std::make_shared<HeightField>(std::make_shared<FormulaMap>("0.02*sin(x)", 10.0, 10.0),
                                                   Vector3d::Zero(), Material{0.7, 0.0});
  const TerrainGroup group({waves, boxBetween({0, -1, -1}, {1, 1, 0.2}, 0.3)});
  EXPECT_EQ(normalAt(group, {0.5, 0, 0.199}), Vector3d::UnitZ());
  EXPECT_EQ(normalAt(group, {1e-3, 0, 0.1}), -Vector3d::UnitX());
  EXPECT_EQ(group.at({-0.5, 0, -0.02}, 0.0).friction, 0.7);
}

TEST(TerrainGroup, ClearanceIsNeverAboveTheGaps) {
  std::mt19937 random(randomSeed(5));
  std::uniform_real_distribution<double> any(-3.0, 3.0), size(0.1, 1.0);
  Members members = {floorPlane()};
  for (int i = 0; i < 20; ++i) {
    const Pose pose{rotationFromRollPitchYaw({any(random), any(random), any(random)}), {any(random), any(random), 1}};
    members.push_back(std::make_shared<Box>(pose, Vector3d(size(random), size(random), size(random)), Material{}));
  }
  const TerrainGroup group(members);
  int free = 0;
  for (int i = 0; i < 500; ++i) {
    const Vector3d center(any(random), any(random), std::abs(any(random)));
    const double bound = group.clearance(center, 0.1, 0.0), exact = group.at(center, 0.0).gap - 0.1;
    // Below zero it only says that something may touch: where boxes overlap, the way out is longer than out of one.
    EXPECT_LE(bound, std::max(exact, 0.0) + 1e-14);
    if (exact <= 0.0) continue;
    ++free;
    EXPECT_GE(bound, std::min(exact, 0.1) - 1e-14) << "near a box its own distance counts, not that of its bounds";
  }
  EXPECT_GT(free, 200);
}

TEST(TerrainGroup, LeavesOutNoMemberThatCounts) {
  // The same answer as asking every member, bounds or no bounds.
  std::mt19937 random(randomSeed(6));
  std::uniform_real_distribution<double> any(-3.0, 3.0);
  Members members;
  for (int i = 0; i < 30; ++i) {
    const Pose pose{rotationFromRollPitchYaw({any(random), any(random), any(random)}),
                    {any(random), any(random), any(random)}};
    members.push_back(std::make_shared<Box>(pose, Vector3d(0.3, 0.5, 0.2), Material{}));
  }
  const TerrainGroup group(members);
  for (int i = 0; i < 500; ++i) {
    const Vector3d p_W(any(random), any(random), any(random));
    double least = std::numeric_limits<double>::infinity();
    for (const auto& member : members) least = std::min(least, member->at(p_W, 0.0).gap);
    if (least < 0.0) continue;
    EXPECT_NEAR(group.at(p_W, 0.0).gap, least, 1e-12);
  }
}

TEST(TerrainGroup, RefusesToBeEmpty) {
  EXPECT_EQ(errorOf([] { TerrainGroup({}); }).where(), "ground");
  EXPECT_EQ(errorOf([] { TerrainGroup({floorPlane(), nullptr}); }).where(), "ground[1]");
}

}  // namespace
}  // namespace footfall
