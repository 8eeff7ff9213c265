#include "solver/native/block_pattern.hpp"

#include <algorithm>
#include <bit>

namespace footfall {

const KernelTrees& BlockPattern::of(const TreeMotions& trees) {
  findEdges(trees);
  if (!known_ || edges_ != last_edges_ || trees.size != size_) {
    order(trees);
    findTargets();
    last_edges_ = edges_;
    size_ = trees.size;
    known_ = true;
  }
  placeContacts(trees);
  view_ = {nodes_,
           nodes_ + 2 * static_cast<int>(row_.size()),
           node_size_.data(),
           row_begin_.data(),
           row_.data(),
           target_begin_.data(),
           target_.data(),
           piece_begin_.data(),
           piece_node_.data(),
           piece_first_.data(),
           pair_begin_.data(),
           pair_block_.data(),
           trees.V.data(),
           trees.V.size(),
           trees.own.data()->data()};
  return view_;
}

void BlockPattern::findEdges(const TreeMotions& trees) {
  edges_.clear();
  for (const auto& sides : trees.sides)
    if (sides[1].tree >= 0) edges_.push_back(std::minmax(sides[0].tree, sides[1].tree));
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
}

int BlockPattern::degree(int node) {
  int count = 0;
  for (int w = 0; w < words_; ++w) count += std::popcount(row(node)[w]);
  return count;
}

/// Who is connected to the node is so to each other afterwards, and the node is gone.
void BlockPattern::eliminate(int node, int place) {
  place_[node] = place;
  const std::uint64_t* own = row(node);
  row_begin_.push_back(static_cast<int>(row_.size()));
  for (int w = 0; w < words_; ++w)
    for (std::uint64_t left = own[w]; left != 0; left &= left - 1) row_.push_back(64 * w + std::countr_zero(left));
  for (std::size_t k = row_begin_.back(); k < row_.size(); ++k) {
    const int other = row_[k];
    std::uint64_t* theirs = row(other);
    for (int w = 0; w < words_; ++w) theirs[w] |= own[w];
    theirs[other / 64] &= ~bitOf(other);
    theirs[node / 64] &= ~bitOf(node);
    degree_[other] = degree(other);
  }
}

void BlockPattern::order(const TreeMotions& trees) {
  const int count = static_cast<int>(trees.size.size());
  first_node_.assign(count, 0);
  nodes_ = 0;
  for (int t = 0; t < count; ++t) {
    first_node_[t] = nodes_;
    nodes_ += trees.blocks(t);
  }
  words_ = (nodes_ + 63) / 64;
  connected_.assign(static_cast<std::size_t>(nodes_) * words_, 0);
  const auto connectTrees = [&](int a, int b) {
    for (int k = 0; k < trees.blocks(a); ++k)
      for (int l = 0; l < trees.blocks(b); ++l)
        if (a != b || k != l) connect(first_node_[a] + k, first_node_[b] + l);
  };
  for (int t = 0; t < count; ++t) connectTrees(t, t);
  for (const auto& [a, b] : edges_) {
    connectTrees(a, b);
    connectTrees(b, a);
  }
  degree_.resize(nodes_);
  for (int node = 0; node < nodes_; ++node) degree_[node] = degree(node);
  place_.assign(nodes_, -1);
  row_begin_.clear();
  row_.clear();
  for (int place = 0; place < nodes_; ++place) {
    int best = -1;
    for (int node = 0; node < nodes_; ++node)
      if (place_[node] < 0 && (best < 0 || degree_[node] < degree_[best])) best = node;
    eliminate(best, place);
  }
  row_begin_.push_back(static_cast<int>(row_.size()));
  for (int k = 0; k < nodes_; ++k) {
    const auto begin = row_.begin() + row_begin_[k], end = row_.begin() + row_begin_[k + 1];
    std::transform(begin, end, begin, [&](int node) { return place_[node]; });
    std::sort(begin, end);
  }
  node_size_.assign(nodes_, 0);
  for (int t = 0; t < count; ++t)
    for (int k = 0; k < trees.blocks(t); ++k)
      node_size_[place_[first_node_[t] + k]] = std::min(TreeMotions::kBlock, trees.size[t] - k * TreeMotions::kBlock);
}

int BlockPattern::blockOf(int row, int column) const {
  if (row == column) return row;
  const int first = std::min(row, column), other = std::max(row, column);
  const auto begin = row_.begin() + row_begin_[first], end = row_.begin() + row_begin_[first + 1];
  const int entry = static_cast<int>(std::lower_bound(begin, end, other) - row_.begin());
  return nodes_ + entry + (row < column ? static_cast<int>(row_.size()) : 0);
}

/// What the elimination of a node changes: the blocks between those that it is connected to.
void BlockPattern::findTargets() {
  target_begin_.clear();
  target_.clear();
  for (int k = 0; k < nodes_; ++k) {
    target_begin_.push_back(static_cast<int>(target_.size()));
    for (int a = row_begin_[k]; a < row_begin_[k + 1]; ++a)
      for (int c = row_begin_[k]; c < row_begin_[k + 1]; ++c) target_.push_back(blockOf(row_[a], row_[c]));
  }
}

void BlockPattern::placeContacts(const TreeMotions& trees) {
  for (std::vector<int>* list : {&piece_begin_, &piece_node_, &pair_begin_, &pair_block_}) list->clear();
  piece_first_.clear();
  for (const auto& sides : trees.sides) {
    const std::size_t begin = piece_node_.size();
    piece_begin_.push_back(static_cast<int>(begin));
    pair_begin_.push_back(static_cast<int>(pair_block_.size()));
    for (const TreeMotions::Side& side : sides) {
      if (side.tree < 0) continue;
      for (int k = 0; k < trees.blocks(side.tree); ++k) {
        piece_node_.push_back(place_[first_node_[side.tree] + k]);
        piece_first_.push_back(side.first + k * TreeMotions::kRows);
      }
    }
    for (std::size_t a = begin; a < piece_node_.size(); ++a)
      for (std::size_t c = begin; c < piece_node_.size(); ++c)
        pair_block_.push_back(blockOf(piece_node_[a], piece_node_[c]));
  }
  piece_begin_.push_back(static_cast<int>(piece_node_.size()));
}

}  // namespace footfall
