#include <gtest/gtest.h>

#include "collide/solids.hpp"
#include "footfall/collide/broad_phase.hpp"
#include "tools/count_allocations.hpp"

namespace footfall::collide {
namespace {

TEST(Collide, AllocatesNothingOnceItHasGrown) {
  RandomPoints random(1);
  std::vector<RandomPair> pairs;
  for (const ShapeKind a :
       {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::cylinder, ShapeKind::box, ShapeKind::hull})
    for (const ShapeKind b :
         {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::cylinder, ShapeKind::box, ShapeKind::hull})
      for (int i = 0; i < 20; ++i) pairs.emplace_back(a, b, random);
  std::vector<int> groups;
  for (int i = 0; i < static_cast<int>(pairs.size()); ++i) groups.push_back(i);
  BroadPhase broad(groups, {});
  std::vector<AxisAlignedBox> boxes(pairs.size());
  std::vector<BroadPhase::IndexPair> near;
  Scratch scratch;
  std::vector<ManifoldPoint> points;
  const auto all = [&] {
    points.clear();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      boxes[i] = boundsOf(pairs[i].a.placed());
      manifold(pairs[i].a.placed(1), pairs[i].b.placed(2), 0.01, scratch, points);
    }
    broad.findPairs(boxes, near);
  };
  all();
  const std::size_t count = points.size();
  const long before = allocations;
  all();
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(points.size(), count);
  EXPECT_GT(count, 100u);
}

}  // namespace
}  // namespace footfall::collide
