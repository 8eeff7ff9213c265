#include "contact/near_shapes.hpp"

#include <algorithm>
#include <numeric>

#include "footfall/model/tree.hpp"

namespace footfall {
namespace {

ShapePair ordered(int a, int b) { return a < b ? ShapePair{a, b} : ShapePair{b, a}; }

std::vector<int> numbers(std::size_t count) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

NearShapes::NearShapes(const Model& model) : model_(model) {
  const std::vector<Tree> trees = treesOf(model);
  std::vector<int> family_of(model.shapes.size(), -1);
  for (const Tree& tree : trees) {
    Family family;
    family.tree = static_cast<int>(&tree - trees.data());
    for (int k = 0; k < static_cast<int>(model.shapes.size()); ++k)
      if (model.shapes[k].meets_shapes && tree.contains(model.shapes[k].link)) family.shapes.push_back(k);
    if (family.shapes.empty()) continue;
    for (const int shape : family.shapes)
      family_of[static_cast<std::size_t>(shape)] = static_cast<int>(families_.size());
    for (std::size_t i = 0; i < family.shapes.size(); ++i)
      for (std::size_t k = i + 1; k < family.shapes.size(); ++k) {
        const ShapePair pair = ordered(family.shapes[i], family.shapes[k]);
        if (model.shapes[pair.a].link != model.shapes[pair.b].link && meet(pair)) family.own.push_back(pair);
      }
    families_.push_back(std::move(family));
  }
  if (families_.size() == 1 && families_.front().own.empty()) families_.clear();  // nothing there to meet
  listShapes();
  has_robots_ = std::any_of(families_.begin(), families_.end(), [](const Family& f) { return f.isRobot(); });
  for (const ShapePair& pair : model.untouched_pairs)
    some_apart_ =
        some_apart_ || family_of[static_cast<std::size_t>(pair.a)] != family_of[static_cast<std::size_t>(pair.b)];
  family_boxes_.resize(families_.size());
  broad_phase_ = collide::BroadPhase(numbers(families_.size()), {});
}

void NearShapes::listShapes() {
  shapes_.clear();
  for (const Family& family : families_)
    if (!family.is_far) shapes_.insert(shapes_.end(), family.shapes.begin(), family.shapes.end());
  std::sort(shapes_.begin(), shapes_.end());
}

void NearShapes::leaveOutFar(const std::vector<collide::AxisAlignedBox>& around) {
  bool any_changed = false;
  for (std::size_t f = 0; f < families_.size(); ++f) {
    Family& family = families_[f];
    if (!family.isRobot()) continue;
    family_boxes_[f] = around[family.tree];
    const bool is_far = std::none_of(families_.begin(), families_.end(), [&](const Family& other) {
      return &other != &family && family_boxes_[f].overlaps(around[other.tree]);
    });
    any_changed = any_changed || is_far != family.is_far;
    family.is_far = is_far;
  }
  if (any_changed) listShapes();
}

bool NearShapes::meet(const ShapePair& pair) const {
  return !std::binary_search(model_.untouched_pairs.begin(), model_.untouched_pairs.end(), pair);
}

void NearShapes::find(const std::vector<collide::AxisAlignedBox>& boxes, std::vector<ShapePair>& near) {
  near.clear();
  for (std::size_t f = 0; f < families_.size(); ++f) {
    if (families_[f].is_far) continue;  // its box is that around the tree
    collide::AxisAlignedBox& around = family_boxes_[f];
    around = boxes[families_[f].shapes.front()];
    for (const int shape : families_[f].shapes) {
      around.lower = around.lower.cwiseMin(boxes[shape].lower);
      around.upper = around.upper.cwiseMax(boxes[shape].upper);
    }
    for (const ShapePair& pair : families_[f].own)
      if (boxes[pair.a].overlaps(boxes[pair.b])) near.push_back(pair);
  }
  broad_phase_.findPairs(family_boxes_, near_families_);
  for (const auto& [a, b] : near_families_)
    findBetween(families_[a], families_[b], family_boxes_[a], family_boxes_[b], boxes, near);
  std::sort(near.begin(), near.end());
}

void NearShapes::findBetween(const Family& a, const Family& b, const collide::AxisAlignedBox& box_a,
                             const collide::AxisAlignedBox& box_b, const std::vector<collide::AxisAlignedBox>& boxes,
                             std::vector<ShapePair>& near) {
  const auto reachInto = [&](const Family& family, const collide::AxisAlignedBox& box, std::vector<int>& found) {
    found.clear();
    for (const int shape : family.shapes)
      if (boxes[shape].overlaps(box)) found.push_back(shape);
  };
  reachInto(a, box_b, of_a_);
  reachInto(b, box_a, of_b_);
  for (const int first : of_a_)
    for (const int second : of_b_) {
      if (!boxes[first].overlaps(boxes[second])) continue;
      const ShapePair pair = ordered(first, second);
      if (!some_apart_ || meet(pair)) near.push_back(pair);
    }
}

}  // namespace footfall
