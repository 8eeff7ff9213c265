#include <gtest/gtest.h>

#include <array>

#include "collide/solids.hpp"

namespace footfall::collide {
namespace {

constexpr std::array kKinds = {ShapeKind::point,  ShapeKind::sphere, ShapeKind::capsule, ShapeKind::cylinder,
                               ShapeKind::circle, ShapeKind::box,    ShapeKind::hull};

std::vector<ManifoldPoint> pointsOf(const Body& a, const Body& b, double margin, Apart* apart) {
  static Scratch scratch;
  std::vector<ManifoldPoint> points;
  manifold(a.placed(1), b.placed(2), margin, scratch, points, apart);
  return points;
}

void expectSame(const std::vector<ManifoldPoint>& points, const std::vector<ManifoldPoint>& others) {
  ASSERT_EQ(points.size(), others.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i].p_WA, others[i].p_WA);
    EXPECT_EQ(points[i].normal_W, others[i].normal_W);
    EXPECT_EQ(points[i].gap, others[i].gap);
    EXPECT_EQ(points[i].feature, others[i].feature);
  }
}

/// Two bodies that move past each other, asked in each step.
TEST(Apart, ChangesNoPointOfBodiesThatMove) {
  RandomPoints random(11);
  int known = 0, touching = 0;
  for (const ShapeKind kind_a : kKinds)
    for (const ShapeKind kind_b : kKinds) {
      RandomPair pair(kind_a, kind_b, random);
      const Vector3d step = random.inBox(4e-3), axis = random.direction();
      Apart apart;
      for (int k = 0; k < 100; ++k) {
        pair.b.X_WL.p += step;
        pair.b.X_WL.R = Eigen::AngleAxisd(5e-3, axis) * pair.b.X_WL.R;
        const double margin = random.number(1e-4, 0.02);
        known += !apart.direction_S.isZero();
        const auto points = pointsOf(pair.a, pair.b, margin, &apart);
        touching += !points.empty();
        expectSame(points, pointsOf(pair.a, pair.b, margin, nullptr));
      }
    }
  EXPECT_GT(known, 500);
  EXPECT_GT(touching, 500);
}

TEST(Apart, ADirectionThatIsWrongChangesNothing) {
  RandomPoints random(12);
  for (const ShapeKind kind_a : kKinds)
    for (const ShapeKind kind_b : kKinds)
      for (int k = 0; k < 30; ++k) {
        const RandomPair pair(kind_a, kind_b, random);
        Apart apart{random.direction()};
        expectSame(pointsOf(pair.a, pair.b, 0.01, &apart), pointsOf(pair.a, pair.b, 0.01, nullptr));
      }
}

/// The direction is one along which they are farther apart than the margin: the body alone is the witness.
TEST(Apart, KnowsHowTwoAreApart) {
  RandomPoints random(13);
  constexpr double kMargin = 0.01;
  int known = 0;
  for (const ShapeKind kind_a : kKinds)
    for (const ShapeKind kind_b : kKinds)
      for (int k = 0; k < 30; ++k) {
        const RandomPair pair(kind_a, kind_b, random);
        Apart apart;
        pointsOf(pair.a, pair.b, kMargin, &apart);
        if (apart.direction_S.isZero()) continue;
        // In the frame of the one that comes first, with the normal towards it.
        const double if_a = separationAlong(pair.a.X_WS().R * apart.direction_S, pair.a, pair.b);
        const double if_b = separationAlong(-pair.b.X_WS().R * apart.direction_S, pair.a, pair.b);
        EXPECT_GT(std::max(if_a, if_b), kMargin - 1e-12);
        ++known;
      }
  EXPECT_GT(known, 300);
}

}  // namespace
}  // namespace footfall::collide
