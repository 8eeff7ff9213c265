#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "footfall/spatial/tree_motions.hpp"
#include "solver/native/kernel.hpp"

namespace footfall {

/// Where the linear systems of a problem by trees have numbers: blocks of eight motions as nodes, two of which are
/// connected where a contact touches both. Nodes are eliminated in the order of the fewest connections, which keeps
/// those that arise on the way few. Depends on nothing but the trees and who touches whom.
class BlockPattern {
 public:
  /// What the kernel needs to know; valid until the next call.
  const KernelTrees& of(const TreeMotions& trees);

 private:
  using Edge = std::pair<int, int>;

  void findEdges(const TreeMotions& trees);
  void order(const TreeMotions& trees);
  /// In the word of a row that holds it.
  static constexpr std::uint64_t bitOf(int node) { return std::uint64_t{1} << (static_cast<unsigned>(node) % 64); }
  void connect(int a, int b) { row(a)[b / 64] |= bitOf(b); }
  std::uint64_t* row(int node) { return connected_.data() + static_cast<std::size_t>(node) * words_; }
  int degree(int node);
  void eliminate(int node, int place);
  void findTargets();
  /// Of two nodes that are connected, by their places in the order.
  int blockOf(int row, int column) const;
  void placeContacts(const TreeMotions& trees);

  std::vector<int> size_;    ///< of each tree, of the problem before
  std::vector<Edge> edges_;  ///< trees that touch each other, in order
  std::vector<Edge> last_edges_;
  bool known_ = false;

  int nodes_ = 0, words_ = 0;
  std::vector<int> first_node_;  ///< of each tree
  std::vector<int> place_;       ///< of each node in the order of elimination
  std::vector<int> node_size_;   ///< motions, by place
  std::vector<std::uint64_t> connected_;
  std::vector<int> degree_;
  std::vector<int> row_begin_, row_, target_begin_, target_;
  std::vector<int> piece_begin_, piece_node_, pair_begin_, pair_block_;
  std::vector<std::size_t> piece_first_;
  KernelTrees view_;
};

}  // namespace footfall
