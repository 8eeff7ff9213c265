#pragma once

#include <vector>

#include "footfall/model/model.hpp"

namespace footfall {

/// Which links are held together rigidly by welds, or do not move at all.
class RigidGroups {
 public:
  RigidGroups(const Model& model, const std::vector<Loop>& ties);

  /// A link that is not valid is the world.
  bool together(LinkIndex a, LinkIndex b) const { return groupOf(a) == groupOf(b); }
  bool withWorld(LinkIndex link) const { return together(link, LinkIndex()); }

 private:
  int groupOf(LinkIndex link) const;
  void unite(LinkIndex a, LinkIndex b);

  mutable std::vector<int> parent_;  ///< of the links, and of the world behind them
};

}  // namespace footfall
