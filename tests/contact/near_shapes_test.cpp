#include "contact/near_shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "footfall/model/tree.hpp"
#include "tools/random_seed.hpp"

namespace footfall {
namespace {

int treeOf(const Model& model, int link) {
  const std::vector<Tree> trees = treesOf(model);
  const auto holds = [&](const Tree& tree) { return tree.contains(LinkIndex(link)); };
  return static_cast<int>(std::find_if(trees.begin(), trees.end(), holds) - trees.begin());
}

enum class Itself { met_by_most, met_by_none };

/// Trees of several links, each with a shape or two; some pairs are taken away.
Model forest(Itself itself) {
  Model model;
  model.floating_base = true;
  int next_dof = 0;
  for (int tree = 0; tree < 6; ++tree) {
    const int base = static_cast<int>(model.links.size());
    const int links = 1 + tree % 4;
    for (int k = 0; k < links; ++k) {
      if (!model.links.empty()) {
        Joint joint;
        joint.kind = k == 0 ? JointKind::free : JointKind::revolute;
        if (k == 0) joint.body = model.free_bodies++;
        if (k == 0) ++model.further_bodies;
        if (k > 0) joint.parent = LinkIndex(base + k - 1);
        if (k > 0) joint.dof = DofIndex(next_dof++);
        model.joints.push_back(joint);
      }
      model.links.emplace_back();
      for (int s = 0; s <= k % 2; ++s) {
        CollisionShape shape;
        shape.link = LinkIndex(base + k);
        shape.meets_shapes = tree != 4;
        model.shapes.push_back(shape);
      }
    }
  }
  model.dofs.resize(static_cast<std::size_t>(next_dof));
  const auto take = [&](int a, int b) { model.untouched_pairs.push_back({a, b}); };
  const int shapes = static_cast<int>(model.shapes.size());
  for (int a = 0; a < shapes; ++a)
    for (int b = a + 1; b < shapes; ++b) {
      const int link_a = model.shapes[a].link, link_b = model.shapes[b].link;
      if (link_a >= 1 && link_a <= 2 && link_b >= 1 && link_b <= 2) take(a, b);  // the second tree does not meet itself
      if ((a + b) % 7 == 0) take(a, b);
      if (itself == Itself::met_by_none && treeOf(model, link_a) == treeOf(model, link_b)) take(a, b);
    }
  std::sort(model.untouched_pairs.begin(), model.untouched_pairs.end());
  model.untouched_pairs.erase(std::unique(model.untouched_pairs.begin(), model.untouched_pairs.end()),
                              model.untouched_pairs.end());
  return model;
}

std::vector<ShapePair> allNear(const Model& model, const std::vector<collide::AxisAlignedBox>& boxes) {
  std::vector<ShapePair> near;
  const int shapes = static_cast<int>(boxes.size());
  for (int a = 0; a < shapes; ++a)
    for (int b = a + 1; b < shapes; ++b) {
      const CollisionShape &first = model.shapes[a], &second = model.shapes[b];
      const bool meet =
          first.meets_shapes && second.meets_shapes && first.link != second.link &&
          !std::binary_search(model.untouched_pairs.begin(), model.untouched_pairs.end(), ShapePair{a, b});
      if (meet && boxes[a].overlaps(boxes[b])) near.push_back({a, b});
    }
  return near;
}

TEST(NearShapes, AreAllPairsOfBoxesThatOverlapButForThoseThatDoNotMeet) {
  const Model model = forest(Itself::met_by_most);
  NearShapes finder(model);
  std::mt19937 random(randomSeed(3));
  std::uniform_real_distribution<double> place(-1.0, 1.0), size(0.2, 1.0);
  std::vector<ShapePair> near;
  int found = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<collide::AxisAlignedBox> boxes(model.shapes.size());
    for (collide::AxisAlignedBox& box : boxes) {
      box.lower = {place(random), place(random), place(random)};
      box.upper = box.lower + Vector3d(size(random), size(random), size(random));
    }
    finder.find(boxes, near);
    ASSERT_EQ(near, allNear(model, boxes)) << "round " << round;
    found += static_cast<int>(near.size());
  }
  EXPECT_GT(found, 1000);
}

// Boxes of what is left out are never looked at: they say that everything is near.
TEST(NearShapes, OfRobotsThatAreFarFromAllOthersNoneAreLookedAt) {
  const Model model = forest(Itself::met_by_none);
  NearShapes finder(model);
  ASSERT_TRUE(finder.hasRobots());
  std::mt19937 random(randomSeed(4));
  std::uniform_real_distribution<double> place(-4.0, 4.0), size(0.2, 1.0);
  std::vector<ShapePair> near;
  int found = 0, rounds_without_some = 0;
  for (int round = 0; round < 500; ++round) {
    std::vector<collide::AxisAlignedBox> boxes(model.shapes.size()), around;
    for (const Tree& tree : treesOf(model)) {
      const Vector3d middle(place(random), place(random), place(random));
      around.push_back({middle, middle});
      for (std::size_t k = 0; k < boxes.size(); ++k) {
        if (!tree.contains(model.shapes[k].link)) continue;
        const Vector3d half(size(random), size(random), size(random));
        boxes[k] = {middle - half, middle + half};
        around.back().lower = around.back().lower.cwiseMin(boxes[k].lower);
        around.back().upper = around.back().upper.cwiseMax(boxes[k].upper);
      }
    }
    const std::vector<ShapePair> expected = allNear(model, boxes);
    finder.leaveOutFar(around);
    const std::vector<int>& looked_at = finder.shapes();
    rounds_without_some += looked_at.size() < static_cast<std::size_t>(std::count_if(
                                                  model.shapes.begin(), model.shapes.end(),
                                                  [](const CollisionShape& shape) { return shape.meets_shapes; }));
    for (int k = 0; k < static_cast<int>(boxes.size()); ++k)
      if (!std::binary_search(looked_at.begin(), looked_at.end(), k))
        boxes[k] = {Vector3d::Constant(-10.0), Vector3d::Constant(10.0)};
    finder.find(boxes, near);
    ASSERT_EQ(near, expected) << "round " << round;
    found += static_cast<int>(near.size());
  }
  EXPECT_GT(found, 500);
  EXPECT_GT(rounds_without_some, 50);
}

}  // namespace
}  // namespace footfall
