#pragma once

#include <span>
#include <utility>
#include <vector>

#include "footfall/collide/solid.hpp"

namespace footfall::collide {

/// Finds the pairs of boxes that overlap: what is far apart costs next to nothing.
///
/// Every box belongs to a group (a link, say; all that never moves). Boxes of one group never meet, nor do those of two
/// groups that are excluded. The pairs do not depend on earlier calls, which only make it quicker: little moves from
/// step to step, and so the order along an axis is all but right already.
class BroadPhase {
 public:
  using IndexPair = std::pair<int, int>;

  BroadPhase() = default;

  /// @param groups of all boxes, numbers from 0 on
  /// @param excluded pairs of groups, in any order, as often as you like
  BroadPhase(std::vector<int> groups, std::span<const IndexPair> excluded);

  /// @param boxes one for each of the groups given before
  /// @param pairs is replaced by all that overlap: the smaller index first, in rising order
  void findPairs(std::span<const AxisAlignedBox> boxes, std::vector<IndexPair>& pairs);

 private:
  /// What is asked of a box again and again, in the order along the axis.
  struct Entry {
    double from, to;  ///< along the axis [m]
    int index;
  };

  bool mayMeet(int a, int b) const;
  void sortAlong(int axis, std::span<const AxisAlignedBox> boxes);

  std::vector<int> group_;
  std::vector<int> excluded_;        ///< partners of each group, in rising order, group by group
  std::vector<int> first_excluded_;  ///< where those of a group begin; one more than there are groups
  std::vector<Entry> order_;
};

}  // namespace footfall::collide
