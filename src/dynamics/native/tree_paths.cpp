#include "dynamics/native/tree_paths.hpp"

#include <algorithm>
#include <numeric>

namespace footfall::native {

TreePaths::TreePaths(std::vector<int> parents)
    : parent(std::move(parents)), last(parent.size()), depth(parent.size(), -1), begin(parent.size(), 0) {
  const int nodes = static_cast<int>(parent.size());
  std::iota(last.begin(), last.end(), 0);
  for (int k = nodes - 1; k > 0; --k) last[parent[k]] = std::max(last[parent[k]], last[k]);
  for (int k = 1; k < nodes; ++k) {
    depth[k] = depth[parent[k]] + 1;
    begin[k] = static_cast<int>(path.size());
    for (int d = 0; d < depth[k]; ++d) path.push_back(path[begin[parent[k]] + d]);
    path.push_back(k);
  }
  elimination.resize(nodes - 1);
  std::iota(elimination.begin(), elimination.end(), 1);
  std::stable_sort(elimination.begin(), elimination.end(), [&](int a, int b) { return depth[a] > depth[b]; });
}

int TreePaths::longest() const { return *std::max_element(depth.begin(), depth.end()) + 1; }

int TreePaths::shared(int a, int b) const {
  int count = 0;
  while (count <= depth[a] && count <= depth[b] && path[begin[a] + count] == path[begin[b] + count]) ++count;
  return count;
}

void TreePaths::showIn(Tree& tree) const {
  tree.links = static_cast<int>(parent.size());
  tree.max_path = longest();
  tree.parent = parent.data();
  tree.last = last.data();
  tree.depth = depth.data();
  tree.path = path.data();
  tree.path_begin = begin.data();
  tree.elimination = elimination.data();
}

}  // namespace footfall::native
