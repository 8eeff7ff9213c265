#include "footfall/terrain/box.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "footfall/terrain/terrain_group.hpp"
#include "model/error_of.hpp"
#include "tools/random_seed.hpp"

namespace footfall {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const Pose kPose{rotationFromRollPitchYaw({0.4, -0.7, 1.1}), {0.5, -0.3, 0.8}};
const Vector3d kSize(1.0, 0.6, 0.4);

/// Smallest distance to a fine lattice of points on the faces, by trying all of them.
double distanceToLattice(const Vector3d& p_W, int nodes) {
  double least = kInfinity;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-0.5, 0.5})
      for (int i = 0; i <= nodes; ++i)
        for (int k = 0; k <= nodes; ++k) {
          Vector3d share;
          share[axis] = side;
          share[(axis + 1) % 3] = static_cast<double>(i) / nodes - 0.5;
          share[(axis + 2) % 3] = static_cast<double>(k) / nodes - 0.5;
          least = std::min(least, (p_W - kPose * Vector3d(share.cwiseProduct(kSize))).norm());
        }
  return least;
}

TEST(Box, GapIsTheDistanceToTheNearestPointOfItsFaces) {
  const Box box(kPose, kSize, Material{});
  std::mt19937 random(randomSeed(1));
  std::uniform_real_distribution<double> share(-0.8, 0.8);
  constexpr int kNodes = 100;
  // The nearest node is at most half a diagonal of the lattice away from the nearest point.
  const double spacing = 0.5 * std::hypot(kSize.x(), kSize.y()) / kNodes;
  int inside = 0;
  for (int i = 0; i < 60; ++i) {
    const Vector3d q_B = Vector3d(share(random), share(random), share(random)).cwiseProduct(kSize);
    const SurfacePoint surface = box.at(kPose * q_B, 0.0);
    const double tried = distanceToLattice(kPose * q_B, kNodes);
    EXPECT_LE(std::abs(surface.gap), tried + 1e-12);
    EXPECT_GE(std::abs(surface.gap), tried - spacing);
    const bool is_inside = (q_B.cwiseAbs() - 0.5 * kSize).maxCoeff() < 0.0;
    EXPECT_EQ(surface.gap < 0.0, is_inside);
    inside += is_inside;
  }
  EXPECT_GT(inside, 5);
  EXPECT_LT(inside, 55);
}

TEST(Box, NormalIsTheGradientOfTheGap) {
  const Box box(kPose, kSize, Material{});
  std::mt19937 random(randomSeed(2));
  std::uniform_real_distribution<double> share(-0.8, 0.8);
  constexpr double kStep = 1e-6;
  for (int i = 0; i < 200; ++i) {
    const Vector3d p_W = kPose * Vector3d(Vector3d(share(random), share(random), share(random)).cwiseProduct(kSize));
    const SurfacePoint surface = box.at(p_W, 0.0);
    Vector3d gradient;
    for (int k = 0; k < 3; ++k) {
      const Vector3d step = kStep * Vector3d::Unit(k);
      gradient[k] = (box.at(p_W + step, 0.0).gap - box.at(p_W - step, 0.0).gap) / (2.0 * kStep);
    }
    // The curvature of the distance is 1/gap: below a millimetre the difference would be too coarse.
    EXPECT_TRUE(surface.R_WC.isUnitary(1e-14));
    if (std::abs(surface.gap) < 1e-3) continue;
    EXPECT_LT((surface.R_WC.col(2) - gradient).norm(), 1e-5);
  }
}

TEST(Box, TurnsItsNormalAroundAnEdge) {
  const Box box(Pose(), Vector3d(2, 2, 2), Material{});
  const SurfacePoint beyond_edge = box.at({1.3, 0.0, 1.4}, 0.0);
  EXPECT_NEAR(beyond_edge.gap, 0.5, 1e-15);
  EXPECT_LT((beyond_edge.R_WC.col(2) - Vector3d(0.6, 0, 0.8)).norm(), 1e-15);
}

TEST(Box, PrefersTheFaceThatLooksUpOnAnEdgeAndInACorner) {
  const Box box(Pose(), Vector3d(2, 2, 2), Material{});
  EXPECT_EQ(box.at({1, 0, 1}, 0.0).R_WC.col(2), Vector3d::UnitZ());
  EXPECT_EQ(box.at({1, -1, 1}, 0.0).R_WC.col(2), Vector3d::UnitZ());
  EXPECT_EQ(box.at({0.9, 0, 0.9}, 0.0).R_WC.col(2), Vector3d::UnitZ());
}

TEST(Box, ListsItsFacesFromTheNearestOn) {
  const Box box(Pose(), Vector3d(2, 4, 6), Material{});
  SurfacePoint faces[Terrain::kMostFaces];
  ASSERT_EQ(box.faces({0.5, -1.8, 2.7}, 0.0, faces), 6);
  EXPECT_EQ(faces[0].R_WC.col(2), -Vector3d::UnitY());
  EXPECT_EQ(faces[1].R_WC.col(2), Vector3d::UnitZ());
  EXPECT_EQ(faces[2].R_WC.col(2), Vector3d::UnitX());
  for (int i = 1; i < 6; ++i) EXPECT_LE(faces[i].gap, faces[i - 1].gap);
}

TEST(Box, ClearanceIsTheGapOfTheSphere) {
  const Box box(kPose, kSize, Material{});
  for (const Vector3d& p_W : {Vector3d(2, 1, 3), Vector3d(0.5, -0.3, 1.4), Vector3d(0.5, -0.3, 0.8)})
    EXPECT_NEAR(box.clearance(p_W, 0.25, 0.0), box.at(p_W, 0.0).gap - 0.25, 1e-15);
}

TEST(Box, BoundsHoldAllItsCorners) {
  const Bounds bounds = Box(kPose, kSize, Material{}).bounds();
  Bounds corners{Vector3d::Constant(kInfinity), Vector3d::Constant(-kInfinity)};
  for (int i = 0; i < 8; ++i) {
    const Vector3d share(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    const Vector3d corner = kPose * Vector3d(share.cwiseProduct(kSize));
    corners = {corners.low.cwiseMin(corner), corners.high.cwiseMax(corner)};
  }
  EXPECT_LT((bounds.low - corners.low).norm(), 1e-15);
  EXPECT_LT((bounds.high - corners.high).norm(), 1e-15);
}

TEST(Box, NamesTheFieldThatIsWrong) {
  const auto where = [](const Pose& pose, const Vector3d& size, const Material& material) {
    return errorOf([&] { Box(pose, size, material); }).where();
  };
  EXPECT_EQ(where(Pose(), {1, -1, 1}, {}), "box.size");
  EXPECT_EQ(where(Pose(), {1, 0, 1}, {}), "box.size");
  EXPECT_EQ(where(Pose(), {1, 1, kInfinity}, {}), "box.size");
  EXPECT_EQ(where({2.0 * Matrix3d::Identity(), Vector3d::Zero()}, {1, 1, 1}, {}), "box.rotation");
  EXPECT_EQ(where({Matrix3d::Identity(), {0, 0, kInfinity}}, {1, 1, 1}, {}), "box.position");
  EXPECT_EQ(where(Pose(), {1, 1, 1}, {-1.0, 0.0}), "ground.friction");
}

Stairs turnedStairs() {
  Stairs stairs;
  stairs.X_WS = {rotationFromRollPitchYaw({0, 0, 0.6}), {1.0, 2.0, 0.1}};
  stairs.number = 4;
  stairs.rise = 0.17;
  stairs.run = 0.28;
  stairs.width = 1.2;
  stairs.landing = 0.5;
  return stairs;
}

TEST(Stairs, HasItsTreadsWhereRiseAndRunPutThem) {
  const Stairs stairs = turnedStairs();
  const TerrainGroup group(makeStairs(stairs));
  for (int k = 0; k < stairs.number; ++k)
    for (const double share : {0.02, 0.5, 0.98}) {
      const Vector3d on_tread((k + share) * stairs.run, 0.55, (k + 1) * stairs.rise);
      const SurfacePoint surface = group.at(stairs.X_WS * on_tread + Vector3d(0, 0, 1e-3), 0.0);
      EXPECT_NEAR(surface.gap, 1e-3, 1e-14);
      EXPECT_LT((surface.R_WC.col(2) - Vector3d::UnitZ()).norm(), 1e-14);
    }
  const Vector3d landing(4.0 * stairs.run + 0.49, 0.0, 4.0 * stairs.rise);
  EXPECT_NEAR(group.at(stairs.X_WS * landing, 0.0).gap, 0.0, 1e-14);
  EXPECT_NEAR(group.bounds().high.z(), 0.1 + 4.0 * stairs.rise, 1e-14);
}

TEST(Stairs, HasItsRisersAcrossTheWay) {
  const Stairs stairs = turnedStairs();
  const TerrainGroup group(makeStairs(stairs));
  for (int k = 0; k < stairs.number; ++k) {
    const Vector3d before_riser(k * stairs.run - 0.01, 0.0, (k + 0.5) * stairs.rise);
    const SurfacePoint surface = group.at(stairs.X_WS * before_riser, 0.0);
    EXPECT_NEAR(surface.gap, 0.01, 1e-14);
    EXPECT_LT((surface.R_WC.col(2) + stairs.X_WS.R.col(0)).norm(), 1e-13);
  }
}

TEST(Stairs, NamesTheFieldThatIsWrong) {
  const auto where = [](auto change) {
    Stairs stairs = turnedStairs();
    change(stairs);
    return errorOf([&] { makeStairs(stairs); }).where();
  };
  EXPECT_EQ(where([](Stairs& s) { s.number = 0; }), "stairs.number");
  EXPECT_EQ(where([](Stairs& s) { s.rise = -0.1; }), "stairs.rise");
  EXPECT_EQ(where([](Stairs& s) { s.run = 0.0; }), "stairs.run");
  EXPECT_EQ(where([](Stairs& s) { s.width = kInfinity; }), "stairs.width");
  EXPECT_EQ(where([](Stairs& s) { s.landing = -1.0; }), "stairs.landing");
  EXPECT_EQ(where([](Stairs& s) { s.material.restitution = 2.0; }), "ground.restitution");
}

}  // namespace
}  // namespace footfall
