#pragma once

#include "footfall/spatial/tree_motions.hpp"

namespace footfall {

/// What G of contacts i and j is the sum of, tree by tree that both touch.
/// @param of_matrix called as (side of contact i, number of contact j), of a tree that is written out
/// @param of_motions called as (V of contact i, V of contact j), eight motions of three rows each
template <class OfMatrix, class OfMotions>
void forSharedTrees(const TreeMotions& trees, int i, int j, const OfMatrix& of_matrix, const OfMotions& of_motions) {
  for (const TreeMotions::Side& mine : trees.sides[i])
    for (const TreeMotions::Side& theirs : trees.sides[j]) {
      if (mine.tree < 0 || mine.tree != theirs.tree) continue;
      if (trees.isWritten(mine.tree)) {
        of_matrix(mine, static_cast<int>(theirs.first));
        continue;
      }
      for (int block = 0; block < trees.blocks(mine.tree); ++block) {
        const std::size_t offset = block * TreeMotions::kRows;
        of_motions(trees.V.data() + mine.first + offset, trees.V.data() + theirs.first + offset);
      }
    }
}

}  // namespace footfall
