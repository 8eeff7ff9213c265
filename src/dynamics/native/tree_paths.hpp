#pragma once

#include <vector>

#include "dynamics/native/types.hpp"

namespace footfall::native {

/// The ways in a tree whose nodes are numbered depth first. Node 0 is the base; it is no part of any way.
struct TreePaths {
  TreePaths() = default;
  explicit TreePaths(std::vector<int> parents);

  int longest() const;
  /// Nodes on the ways to both.
  int shared(int a, int b) const;
  /// The tree shows these arrays.
  void showIn(Tree& tree) const;

  std::vector<int> parent, last, depth, path, begin, elimination;  ///< see Tree
};

}  // namespace footfall::native
