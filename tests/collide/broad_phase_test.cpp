#include "footfall/collide/broad_phase.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "geometry/random_points.hpp"

namespace footfall::collide {
namespace {

using Pairs = std::vector<BroadPhase::IndexPair>;

std::vector<AxisAlignedBox> randomBoxes(int count, RandomPoints& random) {
  std::vector<AxisAlignedBox> boxes;
  for (int i = 0; i < count; ++i) {
    const Vector3d middle = random.inBox(2.0).cwiseProduct(Vector3d(1.0, 2.0, 0.5));
    const Vector3d half = i % 17 == 0 ? Vector3d(3.0, 0.1, 0.2) : Vector3d(random.inBox(0.2).cwiseAbs());
    boxes.push_back({middle - half, middle + half});
  }
  return boxes;
}

std::vector<int> ownGroups(int count) {
  std::vector<int> groups;
  for (int i = 0; i < count; ++i) groups.push_back(i);
  return groups;
}

Pairs bruteForce(const std::vector<AxisAlignedBox>& boxes) {
  Pairs pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
    for (int k = i + 1; k < static_cast<int>(boxes.size()); ++k)
      if (boxes[i].overlaps(boxes[k])) pairs.emplace_back(i, k);
  return pairs;
}

TEST(BroadPhase, FindsWhatComparingAllFinds) {
  RandomPoints random(1);
  for (const int count : {0, 1, 2, 10, 100, 400}) {
    const auto boxes = randomBoxes(count, random);
    Pairs pairs;
    BroadPhase(ownGroups(count), {}).findPairs(boxes, pairs);
    EXPECT_EQ(pairs, bruteForce(boxes));
    if (count == 400) {
      EXPECT_GT(pairs.size(), 100u);
    }
  }
}

TEST(BroadPhase, ForgetsWhatWasBefore) {
  RandomPoints random(2);
  BroadPhase used(ownGroups(200), {});
  Pairs pairs;
  auto boxes = randomBoxes(200, random);
  for (int i = 0; i < 20; ++i) {
    const double jump = i % 5 == 4 ? 3.0 : 0.01;  // now and then everything is somewhere else
    for (AxisAlignedBox& box : boxes) {
      const Vector3d motion = random.inBox(jump);
      box.lower += motion;
      box.upper += motion;
    }
    used.findPairs(boxes, pairs);
    EXPECT_EQ(pairs, bruteForce(boxes));
  }
}

TEST(BroadPhase, BoxesThatTouchAreAPair) {
  Pairs pairs;
  const std::vector<AxisAlignedBox> boxes = {{{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {2, 1, 1}}, {{3, 0, 0}, {4, 1, 1}}};
  BroadPhase(ownGroups(3), {}).findPairs(boxes, pairs);
  EXPECT_EQ(pairs, (Pairs{{0, 1}}));
}

TEST(BroadPhase, GroupsThatAreExcludedNeverMeet) {
  const std::vector<AxisAlignedBox> boxes(6, {{0, 0, 0}, {1, 1, 1}});  // all in one place
  Pairs pairs;
  const Pairs excluded = {{2, 0}, {0, 2}, {7, 1}};  // twice, and a group that is not there
  BroadPhase({0, 0, 1, 1, 2, 2}, excluded).findPairs(boxes, pairs);
  EXPECT_EQ(pairs, (Pairs{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 4}, {2, 5}, {3, 4}, {3, 5}}));
}

TEST(BroadPhase, AGroundThatReachesToTheHorizonMeetsAll) {
  RandomPoints random(3);
  auto boxes = randomBoxes(50, random);
  const double far = std::numeric_limits<double>::max() / 4;
  boxes.push_back({Vector3d::Constant(-far), Vector3d::Constant(far)});
  Pairs pairs;
  BroadPhase(ownGroups(51), {}).findPairs(boxes, pairs);
  EXPECT_EQ(pairs, bruteForce(boxes));
}

}  // namespace
}  // namespace footfall::collide
