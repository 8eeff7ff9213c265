#include "footfall/collide/broad_phase.hpp"

#include <algorithm>
#include <set>

#include "footfall/base/internal/require_size.hpp"

namespace footfall::collide {
namespace {

/// The axis along which the boxes are spread most.
int longestAxis(std::span<const AxisAlignedBox> boxes) {
  Vector3d mean = Vector3d::Zero();
  for (const AxisAlignedBox& box : boxes) mean += box.lower + box.upper;
  mean /= static_cast<double>(boxes.size());
  Vector3d spread = Vector3d::Zero();
  for (const AxisAlignedBox& box : boxes) spread += (box.lower + box.upper - mean).cwiseAbs2();
  int axis = 0;
  spread.maxCoeff(&axis);
  return axis;
}

}  // namespace

BroadPhase::BroadPhase(std::vector<int> groups, std::span<const IndexPair> excluded) : group_(std::move(groups)) {
  const int count = group_.empty() ? 0 : 1 + *std::ranges::max_element(group_);
  std::vector<std::set<int>> partners(static_cast<std::size_t>(count));
  for (const auto& [a, b] : excluded) {
    if (a < 0 || b < 0 || a >= count || b >= count) continue;  // a group without boxes
    partners[a].insert(b);
    partners[b].insert(a);
  }
  first_excluded_ = {0};
  for (const std::set<int>& of_group : partners) {
    excluded_.insert(excluded_.end(), of_group.begin(), of_group.end());
    first_excluded_.push_back(static_cast<int>(excluded_.size()));
  }
}

bool BroadPhase::mayMeet(int a, int b) const {
  const int group_a = group_[a], group_b = group_[b];
  if (group_a == group_b) return false;
  const auto begin = excluded_.begin();
  return !std::binary_search(begin + first_excluded_[group_a], begin + first_excluded_[group_a + 1], group_b);
}

void BroadPhase::sortAlong(int axis, std::span<const AxisAlignedBox> boxes) {
  if (order_.size() != boxes.size()) {
    order_.resize(boxes.size());
    for (int i = 0; i < static_cast<int>(boxes.size()); ++i) order_[i].index = i;
  }
  for (Entry& entry : order_) {
    entry.from = boxes[entry.index].lower[axis];
    entry.to = boxes[entry.index].upper[axis];
  }
  const auto precedes = [](const Entry& a, const Entry& b) {
    return a.from != b.from ? a.from < b.from : a.index < b.index;
  };
  std::size_t patience = 4 * order_.size();  // moves, before this is no longer "all but right"
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const Entry entry = order_[i];
    std::size_t place = i;
    for (; place > 0 && precedes(entry, order_[place - 1]); --place) {
      order_[place] = order_[place - 1];
      if (patience > 0) --patience;
    }
    order_[place] = entry;
    if (patience == 0) return std::sort(order_.begin(), order_.end(), precedes);
  }
}

void BroadPhase::findPairs(std::span<const AxisAlignedBox> boxes, std::vector<IndexPair>& pairs) {
  requireSize("broad phase", "the list of boxes", static_cast<long long>(boxes.size()),
              static_cast<long long>(group_.size()));
  pairs.clear();
  if (boxes.size() < 2) return;
  const int axis = longestAxis(boxes);
  sortAlong(axis, boxes);
  const int next = (axis + 1) % 3, last = (axis + 2) % 3;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const AxisAlignedBox& box = boxes[order_[i].index];
    const double to = order_[i].to;
    for (std::size_t k = i + 1; k < order_.size() && order_[k].from <= to; ++k) {
      const AxisAlignedBox& other = boxes[order_[k].index];
      if (box.lower[next] > other.upper[next] || other.lower[next] > box.upper[next]) continue;
      if (box.lower[last] > other.upper[last] || other.lower[last] > box.upper[last]) continue;
      const int a = std::min(order_[i].index, order_[k].index), b = std::max(order_[i].index, order_[k].index);
      if (mayMeet(a, b)) pairs.emplace_back(a, b);
    }
  }
  std::ranges::sort(pairs);
}

}  // namespace footfall::collide
