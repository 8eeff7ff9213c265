// Another library as witness: Coal, on 10⁵ random poses of all pairs of kinds that it has.
//
// Nobody has to be believed. A direction n promises that two bodies are s(n) apart, which their support functions
// prove: Coal's direction must not promise more than our distance, and ours must keep its promise. Where Coal's
// distance is what its direction promises, it is the truth, and ours must be the same to 1e-9. Where it is not, Coal
// stopped early (GJK on curved shapes, with tolerances below those that it recommends), or took a longer way out of an
// overlap (EPA).

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "collide/coal_shapes.hpp"
#include "collide/solids.hpp"

namespace footfall::collide {
namespace {

constexpr std::array kKindsOfCoal = {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::cylinder, ShapeKind::box,
                                     ShapeKind::hull};
constexpr int kPosesOfAPair = 6700;  // 15 pairs of kinds: 100,500 in all

struct Witness {
  double distance;  ///< as Coal says [m]
  Vector3d normal;  ///< from b to a
  double promised;  ///< how far apart the bodies are along that normal [m]
};

Witness askCoal(const Body& a, const Body& b) {
  coal::DistanceRequest request;
  request.enable_signed_distance = true;
  request.gjk_tolerance = 1e-13;
  request.epa_tolerance = 1e-13;
  request.gjk_max_iterations = 500;
  request.epa_max_iterations = 500;
  coal::DistanceResult result;
  const double distance = coal::distance(coalShape(a.shape).get(), coalPose(a.X_WS()), coalShape(b.shape).get(),
                                         coalPose(b.X_WS()), request, result);
  const Vector3d normal = -result.normal.normalized();
  return {distance, normal, normal.allFinite() ? separationAlong(normal, a, b) : -1.0};
}

struct Tally {
  int apart = 0, inside = 0, proven = 0, longer = 0;
  double worst_distance = 0.0, worst_normal = 0.0;
};

void comparePose(const Body& a, const Body& b, bool is_curved, Tally& tally) {
  const std::vector<ManifoldPoint> points = manifoldOf(a, b, 2.0);
  ASSERT_FALSE(points.empty());
  const ManifoldPoint& nearest = *std::ranges::min_element(points, {}, &ManifoldPoint::gap);
  const Witness coal = askCoal(a, b);
  const bool is_apart = nearest.gap > 0.0;
  ++(is_apart ? tally.apart : tally.inside);
  // Points of faces that are tilted against the shortest way out may be deeper by a thousandth (docs/collide.md).
  const double gap = is_apart ? nearest.gap : nearest.gap / 1.001;
  const bool is_deep_in_round = a.solid.isRound() && b.solid.isRound() && gap < -0.005;  // there are several ways out
  EXPECT_GE(gap, coal.promised - (is_deep_in_round ? 0.02 : 1e-9)) << "Coal knows a better direction";
  if (is_apart) {
    const double promised = separationAlong(nearest.normal_W, a, b);
    EXPECT_GE(promised, nearest.gap - 1e-12) << "our direction does not keep its promise";
    // A direction that is wrong by e separates worse by e²/2 of the curvature: with curved shapes that says more than
    // the angle to a direction of Coal, which is no better. Flat features are preferred by 1e-14 of the size.
    EXPECT_GE(promised, coal.promised - 1e-14) << "Coal's direction separates better";
  }
  if (std::abs(coal.distance - coal.promised) > 1e-10) return;
  if (!is_apart && coal.promised < nearest.gap - 1e-9) {
    ++tally.longer;
    return;
  }
  ++tally.proven;
  if (!is_apart) return;
  tally.worst_distance = std::max(tally.worst_distance, std::abs(nearest.gap - coal.distance));
  EXPECT_NEAR(nearest.gap, coal.distance, 1e-9);
  if (is_curved) return;
  const double error = (nearest.normal_W - coal.normal).norm();
  if (nearest.gap > 1e-5) tally.worst_normal = std::max(tally.worst_normal, error);
  EXPECT_LT(error, 1e-9 + 1e-14 / nearest.gap);  // of a gap of micrometres rounding leaves little of a direction
}

TEST(Coal, AgreesOnARandomHundredThousand) {
  RandomPoints random(17);
  for (std::size_t i = 0; i < kKindsOfCoal.size(); ++i)
    for (std::size_t k = i; k < kKindsOfCoal.size(); ++k) {
      const ShapeKind kind_a = kKindsOfCoal[i], kind_b = kKindsOfCoal[k];
      const bool is_curved = kind_a == ShapeKind::cylinder || kind_b == ShapeKind::cylinder;
      Tally tally;
      for (int n = 0; n < kPosesOfAPair; ++n) {
        const RandomPair pair(kind_a, kind_b, random, 0.4);
        SCOPED_TRACE(testing::Message() << "kinds " << static_cast<int>(kind_a) << ", " << static_cast<int>(kind_b)
                                        << ", no. " << n);
        comparePose(pair.a, pair.b, is_curved, tally);
        if (HasFatalFailure()) return;
      }
      std::printf(
          "kinds %d %d: apart %4d, inside %4d, proven %4d, Coal's way out longer %3d, distance %.1e, normal %.1e\n",
          static_cast<int>(kind_a), static_cast<int>(kind_b), tally.apart, tally.inside, tally.proven, tally.longer,
          tally.worst_distance, tally.worst_normal);
      EXPECT_GT(tally.apart, kPosesOfAPair / 10);
      EXPECT_GT(tally.inside, kPosesOfAPair / 100);
      EXPECT_GT(tally.proven, is_curved ? kPosesOfAPair / 10 : kPosesOfAPair / 2) << "Coal says too little";
    }
}

}  // namespace
}  // namespace footfall::collide
