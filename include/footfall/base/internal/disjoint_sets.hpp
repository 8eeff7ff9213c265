#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace footfall {

/// Things by their numbers, each alone at first, that are united bit by bit. The root of a set is its smallest number.
class DisjointSets {
 public:
  void reserve(int count) { parent_.reserve(count); }
  void reset(int count) {
    parent_.resize(count);
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int size() const { return static_cast<int>(parent_.size()); }

  int rootOf(int k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
  }
  void unite(int a, int b) {
    a = rootOf(a);
    b = rootOf(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

}  // namespace footfall
