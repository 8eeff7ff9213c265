#include "footfall/collide/manifold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <set>

#include "collide/solids.hpp"

namespace footfall::collide {
namespace {

using std::numbers::pi;

const Vector3d kUp = Vector3d::UnitZ();

/// The points hold these places (x, y), each once, and no other.
void expectPlaces(const std::vector<ManifoldPoint>& points, const std::vector<std::array<double, 2>>& places,
                  double tolerance = 1e-14) {
  EXPECT_EQ(points.size(), places.size());
  for (const auto& [x, y] : places) {
    const auto isThere = [&, x = x, y = y](const ManifoldPoint& point) {
      return std::abs(point.p_WA.x() - x) < tolerance && std::abs(point.p_WA.y() - y) < tolerance;
    };
    EXPECT_EQ(std::ranges::count_if(points, isThere), 1) << "at " << x << ", " << y;
  }
}

/// All normals are this one, to the bit.
void expectNormal(const std::vector<ManifoldPoint>& points, const Vector3d& normal) {
  for (const ManifoldPoint& point : points) EXPECT_EQ(point.normal_W, normal) << point.normal_W.transpose();
}

std::set<std::uint32_t> featuresOf(const std::vector<ManifoldPoint>& points) {
  std::set<std::uint32_t> features;
  for (const ManifoldPoint& point : points) features.insert(point.feature);
  return features;
}

TEST(BoxOnBox, EqualOnesMeetAtFourCornersExactly) {
  for (const double gap : {0.25, 0.0, -0.125}) {
    const auto points = manifoldOf(box({1, 2, 1}, at(0, 0, 1 + gap)), box({1, 2, 1}, at(0, 0, 0)), 0.5);
    expectPlaces(points, {{-0.5, -1}, {0.5, -1}, {0.5, 1}, {-0.5, 1}});
    expectNormal(points, kUp);
    for (const ManifoldPoint& point : points) {
      EXPECT_EQ(point.gap, gap);
      EXPECT_EQ(point.p_WB.z(), 0.5);
      EXPECT_EQ(point.p_WA.z(), 0.5 + gap);
    }
  }
}

TEST(BoxOnBox, ASmallOneStandsOnItsOwnCornersOnALargeOne) {
  const auto points = manifoldOf(box({1, 1, 1}, at(0.5, 0.25, 1)), box({4, 4, 1}, at(0, 0, 0)), 0.01);
  expectPlaces(points, {{0, -0.25}, {1, -0.25}, {1, 0.75}, {0, 0.75}});
  expectNormal(points, kUp);
}

TEST(BoxOnBox, AnOverhangIsClipped) {
  const auto points = manifoldOf(box({2, 2, 1}, at(1.5, 1.25, 1)), box({2, 2, 1}, at(0, 0, 0)), 0.01);
  expectPlaces(points, {{0.5, 0.25}, {1, 0.25}, {1, 1}, {0.5, 1}});
  expectNormal(points, kUp);
}

TEST(BoxOnBox, TurnedByAnEighthTheyMeetInAnOctagon) {
  const auto points = manifoldOf(box({2, 2, 1}, turned(pi / 4, kUp, {0, 0, 1.001})), box({2, 2, 1}, at(0, 0, 0)), 0.01);
  const double c = std::sqrt(2.0) - 1.0;
  expectPlaces(points, {{1, c}, {c, 1}, {-c, 1}, {-1, c}, {-1, -c}, {-c, -1}, {c, -1}, {1, -c}}, 1e-12);
  expectNormal(points, kUp);
  for (const ManifoldPoint& point : points) EXPECT_NEAR(point.gap, 0.001, 1e-15);
}

TEST(BoxOnBox, AnEdgeOnAFaceTouchesTwice) {
  const double height = 0.5 + std::sqrt(0.5);
  const auto points =
      manifoldOf(box({1, 1, 1}, turned(pi / 4, Vector3d::UnitY(), {0, 0, height})), box({4, 4, 1}, at(0, 0, 0)), 0.01);
  expectPlaces(points, {{0, -0.5}, {0, 0.5}}, 1e-14);
  expectNormal(points, kUp);
  for (const ManifoldPoint& point : points) EXPECT_NEAR(point.gap, 0.0, 1e-15);
}

TEST(BoxOnBox, ACornerOnAFaceTouchesOnce) {
  const Matrix3d R = Eigen::Quaterniond::FromTwoVectors(Vector3d(1, 1, 1), kUp).toRotationMatrix();
  const double height = 0.5 + std::sqrt(0.75);
  const auto points = manifoldOf(box({1, 1, 1}, {R, {0, 0, height - 0.001}}), box({4, 4, 1}, at(0, 0, 0)), 0.01);
  expectPlaces(points, {{0, 0}}, 1e-14);
  EXPECT_NEAR(points[0].gap, -0.001, 1e-15);
  expectNormal(points, kUp);
}

TEST(BoxOnBox, CrossedEdgesTouchOnce) {
  const double height = 2.0 * std::sqrt(0.5);
  for (const double gap : {0.003, -0.002}) {
    const auto points = manifoldOf(box({1, 4, 1}, turned(pi / 4, Vector3d::UnitY(), {0, 0, height + gap})),
                                   box({4, 1, 1}, turned(pi / 4, Vector3d::UnitX())), 0.01);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].gap, gap, 1e-14);
    EXPECT_LT((points[0].normal_W - kUp).norm(), 1e-14);
    EXPECT_LT((points[0].p_WA - Vector3d(0, 0, height / 2 + gap)).norm(), 1e-14);
  }
}

TEST(BoxOnBox, CornersBesideEachOtherAreAsFarAsTheyAre) {
  const Vector3d apart(0.003, 0.004, 0.012);
  const auto points =
      manifoldOf(box({1, 1, 1}, {Matrix3d::Identity(), Vector3d::Ones() + apart}), box({1, 1, 1}, at(0, 0, 0)), 0.02);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].gap, 0.013, 1e-14);
  EXPECT_LT((points[0].normal_W - apart / 0.013).norm(), 1e-12);
}

TEST(BoxOnBox, ParallelEdgesBesideEachOtherTouchAtBothEnds) {
  const auto points = manifoldOf(box({1, 1, 1}, at(1.003, 0.25, 1.004)), box({1, 1, 1}, at(0, 0, 0)), 0.01);
  ASSERT_EQ(points.size(), 2u);
  for (const ManifoldPoint& point : points) {
    EXPECT_NEAR(point.gap, 0.005, 1e-14);
    EXPECT_LT((point.normal_W - Vector3d(0.6, 0, 0.8)).norm(), 1e-12);
  }
  expectPlaces(points, {{0.503, -0.25}, {0.503, 0.5}});
}

TEST(BoxOnBox, KeepsAllPointsWhileACornerHangsOverAndItRocksALittle) {
  const Body table = box({2, 2, 1}, at(0, 0, 0));
  const Body flat = box({1, 1, 1}, at(0.9, 0.9, 1.0));
  const auto reference = featuresOf(manifoldOf(flat, table, 0.005));
  EXPECT_EQ(reference.size(), 4u);
  RandomPoints random(3);
  for (int i = 0; i < 200; ++i) {
    const double size = std::pow(10.0, random.number(-9.0, -3.5));
    Body rocking = flat;
    rocking.X_WL.R = Eigen::AngleAxisd(size, random.direction()).toRotationMatrix();
    rocking.X_WL.p += size * random.inBox(1.0);
    EXPECT_EQ(featuresOf(manifoldOf(rocking, table, 0.005)), reference) << "moved by " << size;
  }
}

TEST(BoxOnBox, FeaturesStayWhileEqualBoxesMoveByRounding) {
  const Body below = box({1, 1, 1}, at(0, 0, 0));
  const auto reference = featuresOf(manifoldOf(box({1, 1, 1}, at(0, 0, 1)), below, 0.005));
  RandomPoints random(4);
  for (int i = 0; i < 100; ++i) {
    Body above = box({1, 1, 1}, turned(random.number(-1e-13, 1e-13), random.direction()));
    above.X_WL.p = Vector3d(0, 0, 1) + random.inBox(1e-13);
    EXPECT_EQ(featuresOf(manifoldOf(above, below, 0.005)), reference);
  }
}

TEST(Hull, OfABoxTouchesAsTheBoxDoes) {
  RandomPoints random(5);
  const Vector3d size(0.3, 0.2, 0.1);
  for (int i = 0; i < 300; ++i) {
    const RandomPair other(ShapeKind::box, ShapeKind::box, random, 0.15);
    const Body as_box = box(size, other.a.X_WL);
    const Body as_hull(hullShape({}, cornersOfBox(size)), other.a.X_WL);
    Body partner = other.b;
    partner.X_WL.p = as_box.X_WL.p + random.inBox(0.2);
    const auto of_box = manifoldOf(as_box, partner, 0.002), of_hull = manifoldOf(as_hull, partner, 0.002);
    if (of_box.empty()) continue;
    EXPECT_NEAR(leastGap(of_box), leastGap(of_hull), 1e-12);
    EXPECT_EQ(of_box.size(), of_hull.size());
  }
}

TEST(Hull, ThatIsAFlatCardLiesOnABox) {
  const Body card(hullShape({}, {{0.1, 0.1, 0}, {-0.1, 0.1, 0}, {-0.1, -0.1, 0}, {0.1, -0.1, 0}}), at(0, 0, 0.501));
  const auto points = manifoldOf(card, box({1, 1, 1}, at(0, 0, 0)), 0.01);
  expectPlaces(points, {{0.1, 0.1}, {-0.1, 0.1}, {-0.1, -0.1}, {0.1, -0.1}});
  expectNormal(points, kUp);
  for (const ManifoldPoint& point : points) EXPECT_NEAR(point.gap, 0.001, 1e-15);
}

TEST(Hull, CardsInOnePlaneAreAsFarAsTheirEdges) {
  const std::vector<Vector3d> square = {{0.1, 0.1, 0}, {-0.1, 0.1, 0}, {-0.1, -0.1, 0}, {0.1, -0.1, 0}};
  const auto points = manifoldOf({hullShape({}, square), at(0.203, 0, 0)}, {hullShape({}, square), at(0, 0, 0)}, 0.01);
  ASSERT_EQ(points.size(), 2u);
  for (const ManifoldPoint& point : points) {
    EXPECT_NEAR(point.gap, 0.003, 1e-15);
    EXPECT_LT((point.normal_W - Vector3d::UnitX()).norm(), 1e-12);
  }
}

TEST(Hull, NeedlesAndPointsAreSolidsToo) {
  const Body needle(hullShape({}, {{0, -0.1, 0}, {0, 0.1, 0}, {0, 0, 0}}), at(0, 0, 0.501));
  expectPlaces(manifoldOf(needle, box({1, 1, 1}, at(0, 0, 0)), 0.01), {{0, -0.1}, {0, 0.1}});
  const Body tip(hullShape({}, {{0, 0, 0}, {0, 0, 0}}), at(0.2, 0.3, 0.499));
  const auto points = manifoldOf(tip, box({1, 1, 1}, at(0, 0, 0)), 0.01);
  expectPlaces(points, {{0.2, 0.3}});
  EXPECT_NEAR(points[0].gap, -0.001, 1e-15);
}

TEST(Spheres, TouchOnTheLineOfTheirCentres) {
  const auto points = manifoldOf(sphere(1, at(0, 3, 4)), sphere(2, at(0, 0, 0)), 3.0);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].gap, 2.0, 1e-15);
  EXPECT_LT((points[0].normal_W - Vector3d(0, 0.6, 0.8)).norm(), 1e-15);
  EXPECT_LT((points[0].p_WA - Vector3d(0, 2.4, 3.2)).norm(), 1e-15);
}

TEST(Spheres, WithOneCentreHaveSomeNormal) {
  const auto points = manifoldOf(sphere(1, at(0, 0, 1)), sphere(2, at(0, 0, 1)), 0.01);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].gap, -3.0);
  EXPECT_NEAR(points[0].normal_W.norm(), 1.0, 1e-15);
}

TEST(SphereAndBox, FaceEdgeCornerAndInside) {
  const Body cube = box({2, 2, 2}, at(0, 0, 0));
  const auto gapAt = [&](const Vector3d& p) {
    const auto points = manifoldOf(sphere(0.5, {Matrix3d::Identity(), p}), cube, 10.0);
    EXPECT_EQ(points.size(), 1u);
    return points.empty() ? 0.0 : points[0].gap;
  };
  EXPECT_EQ(gapAt({0.25, 0.5, 3}), 1.5);
  EXPECT_NEAR(gapAt({0.25, 4, 5}), 4.5, 1e-15);
  EXPECT_NEAR(gapAt({3, 4, 2}), std::sqrt(14.0) - 0.5, 1e-15);
  EXPECT_EQ(gapAt({0.25, 0.5, 0.75}), -0.75);
}

TEST(Capsules, CrossedTouchOnceAndParallelOnesTwice) {
  const Body lower = capsule(0.1, 1.0, turned(pi / 2, Vector3d::UnitX()));  // along y
  const auto crossed = manifoldOf(capsule(0.2, 1.0, turned(pi / 2, Vector3d::UnitY(), {0.1, 0.2, 0.301})), lower, 0.01);
  expectPlaces(crossed, {{0, 0.2}}, 1e-12);
  EXPECT_NEAR(crossed[0].gap, 0.001, 1e-14);
  const auto parallel = manifoldOf(capsule(0.2, 1.0, turned(pi / 2, Vector3d::UnitX(), {0, 0.25, 0.299})), lower, 0.01);
  expectPlaces(parallel, {{0, -0.25}, {0, 0.5}}, 1e-12);
  for (const ManifoldPoint& point : parallel) EXPECT_NEAR(point.gap, -0.001, 1e-14);
}

TEST(Capsules, WithTheSameAxisHaveSomeNormal) {
  for (const double x : {0.0, 0.3}) {
    const auto points = manifoldOf(capsule(0.1, 1, at(0, 0, 0)), capsule(0.1, 1, at(0, 0, x)), 0.01);
    ASSERT_GE(points.size(), 1u);
    EXPECT_NEAR(points[0].gap, -0.2, 1e-12);
    EXPECT_NEAR(points[0].normal_W.norm(), 1.0, 1e-14);
    EXPECT_NEAR(points[0].normal_W.z(), 0.0, 1e-14);
  }
}

TEST(CapsuleOnBox, LiesOnAFaceWithBothEnds) {
  const auto points = manifoldOf(capsule(0.1, 1.0, turned(pi / 2, Vector3d::UnitY(), {0, 0, 0.601})),
                                 box({4, 4, 1}, at(0, 0, 0)), 0.01);
  expectPlaces(points, {{-0.5, 0}, {0.5, 0}}, 1e-14);
  expectNormal(points, kUp);
  for (const ManifoldPoint& point : points) EXPECT_NEAR(point.gap, 0.001, 1e-15);
}

TEST(CapsuleOnBox, ThatHangsOverIsClipped) {
  const auto points = manifoldOf(capsule(0.1, 1.0, turned(pi / 2, Vector3d::UnitY(), {0.3, 0, 0.6})),
                                 box({1, 4, 1}, at(0, 0, 0)), 0.01);
  expectPlaces(points, {{-0.2, 0}, {0.5, 0}}, 1e-14);
}

TEST(CapsuleOnBox, AlongAnEdgeTouchesTwice) {
  const auto points = manifoldOf(capsule(0.1, 0.5, turned(pi / 2, Vector3d::UnitX(), {0.56, 0, 0.58})),
                                 box({1, 1, 1}, at(0, 0, 0)), 0.01);
  ASSERT_EQ(points.size(), 2u);
  for (const ManifoldPoint& point : points) {
    EXPECT_NEAR(point.gap, 0.0, 1e-14);
    EXPECT_LT((point.normal_W - Vector3d(0.6, 0, 0.8)).norm(), 1e-12);
  }
}

TEST(FarPairs, HaveNoPoints) {
  RandomPoints random(6);
  for (const ShapeKind kind : {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box, ShapeKind::hull}) {
    RandomPair pair(kind, ShapeKind::box, random);
    pair.a.X_WL.p.x() += 5.0;
    EXPECT_TRUE(manifoldOf(pair.a, pair.b, 0.01).empty());
  }
}

/// With any margin, however wide: the direction of the nearest points separates the bodies by as much as these are
/// apart, so nothing else is nearer.
TEST(FarPairs, OfHullsHaveTheirNearestPointsWithoutAMargin) {
  RandomPoints random(7);
  for (int i = 0; i < 2000; ++i) {
    const RandomPair pair(ShapeKind::hull, i % 2 == 0 ? ShapeKind::hull : ShapeKind::box, random, 0.6);
    const auto points = manifoldOf(pair.a, pair.b, std::numeric_limits<double>::infinity());
    ASSERT_FALSE(points.empty());
    const auto nearest = std::ranges::min_element(points, {}, &ManifoldPoint::gap);
    if (nearest->gap < 0.0) continue;
    EXPECT_NEAR(separationAlong(nearest->normal_W, pair.a, pair.b), nearest->gap, 1e-12) << "pair " << i;
  }
}

}  // namespace
}  // namespace footfall::collide
