#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "footfall/spatial/contact_layout.hpp"

namespace footfall {

/// How contacts feel the motions of the trees of a model, of which each contact touches at most two: the Delassus
/// matrix as V Vᵀ + own, without writing it out. V holds J L⁻ᵀ with M = L Lᵀ, tree by tree: motions are counted such
/// that every one has a mass of one kilogram.
///
/// Motions of a tree come in blocks of eight, padded with zeros. A block of a contact holds its three rows.
///
/// A tree whose contacts touch nothing else that moves may come with its part of the Delassus matrix written out
/// instead. It has no V: its motions are the impulses of its contacts.
struct TreeMotions {
  static constexpr int kBlock = 8;                  ///< motions
  static constexpr std::size_t kRows = 3 * kBlock;  ///< numbers of a block of V: row by row
  static constexpr int kMostWritten = 96;           ///< contacts of a tree that is written out

  struct Side {
    int tree = -1;          ///< −1: nothing that moves
    std::size_t first = 0;  ///< where its blocks begin in V; of a tree that is written out: which of its contacts it is
  };
  struct Written {
    ContactLayout layout;   ///< of the tree's contacts; none: it is not written out
    std::size_t first = 0;  ///< where (rows × rows) begin in G
  };
  std::vector<int> size;                   ///< motions of each tree
  std::vector<int> begin;                  ///< where those of each tree begin among the motions of all, with padding
  std::vector<std::array<Side, 2>> sides;  ///< of each contact
  AlignedVector V;                         ///< [1/√kg]
  std::vector<Written> written;            ///< of each tree
  AlignedVector G;                         ///< of trees that are written out [1/kg]
  std::vector<std::array<double, 3>> own;  ///< of each contact: what its rows answer to their own impulses alone [1/kg]

  int contacts() const { return static_cast<int>(sides.size()); }
  int blocks(int tree) const { return (size[tree] + kBlock - 1) / kBlock; }
  bool isWritten(int tree) const { return written[tree].layout.contacts > 0; }
  /// A row of G, of one that is written out; `side` is a contact of it.
  const double* row(const Side& side, int component) const {
    const Written& tree = written[side.tree];
    return G.data() + tree.first +
           static_cast<std::size_t>(tree.layout.row(static_cast<int>(side.first), component)) * tree.layout.rows();
  }

  int motions() const { return size.empty() ? 0 : begin.back() + kBlock * blocks(static_cast<int>(size.size()) - 1); }

  void clear() {
    size.clear();
    begin.clear();
    sides.clear();
    V.clear();
    written.clear();
    G.clear();
    own.clear();
  }
  void addTree(int motions_of_tree) {
    begin.push_back(motions());
    size.push_back(motions_of_tree);
    written.push_back({});
  }
  /// Returns its part of G, zeros.
  double* addWrittenTree(ContactLayout layout) {
    addTree(layout.rows());
    written.back() = {layout, G.size()};
    G.resize(G.size() + static_cast<std::size_t>(layout.rows()) * layout.rows(), 0.0);
    return G.data() + written.back().first;
  }
  /// A contact that nothing feels yet.
  void addContact() {
    sides.push_back({});
    own.push_back({});
  }
  /// Zeros for the latest contact, which touches this tree, too; returns them.
  double* addSide(int tree) {
    freeSide() = {tree, V.size()};
    V.resize(V.size() + kRows * blocks(tree), 0.0);
    return V.data() + V.size() - kRows * blocks(tree);
  }
  /// The latest contact touches this tree, which is written out.
  void addWrittenSide(int tree, int number) { freeSide() = {tree, static_cast<std::size_t>(number)}; }

 private:
  Side& freeSide() { return sides.back()[sides.back()[0].tree < 0 ? 0 : 1]; }
};

}  // namespace footfall
