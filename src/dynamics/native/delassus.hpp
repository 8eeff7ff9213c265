#pragma once

#include "dynamics/native/contact_terms.hpp"

/// The Delassus matrix G = J M⁻¹ Jᵀ. Contacts that share a link are handled through the six coordinates of that link;
/// only the links' supporting joints are visited.
namespace footfall::native::FOOTFALL_ISA {

/// The coordinates that move a link, base first: how rows and columns of L are found along them.
template <class T>
struct Chain {
  const Tree& tree;
  const Scratch<T>& w;
  const int* path;
  const Six<T>* axes;  ///< of the path; null: those of the joints
  int base_dofs, length;

  FOOTFALL_INLINE Chain(const Tree& t, const Scratch<T>& scratch, const ContactSet<T>& set, int group)
      : tree(t),
        w(scratch),
        path(t.path + t.path_begin[set.link[group]]),
        axes(set.axes == nullptr ? nullptr : set.axes + group * t.max_path),
        base_dofs(t.base_dofs),
        length(base_dofs + t.depth[set.link[group]] + 1) {}

  FOOTFALL_INLINE const T* row(int i) const { return i < base_dofs ? w.L_base[i].v : w.L + w.row[path[i - base_dofs]]; }
  FOOTFALL_INLINE const Six<T>& axis(int i) const {
    return axes == nullptr ? w.S[path[i - base_dofs]] : axes[i - base_dofs];
  }
  FOOTFALL_INLINE int coordinate(int i) const { return i < base_dofs ? i : base_dofs + path[i - base_dofs] - 1; }
  FOOTFALL_INLINE int column(int i) const { return i < base_dofs ? i : w.row_base + i - base_dofs; }
  FOOTFALL_INLINE T weight(int i) const {
    return i < base_dofs ? w.D_base_inverse[i] : w.D_inverse[path[i - base_dofs]];
  }
};

/// Read from entry 7 - i on, it holds a one at i among zeros.
alignas(64) constexpr double kOneAmongZeros[16] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};

/// Rows are written whole: a wide load right after narrow stores would wait for them.
template <class T>
FOOTFALL_INLINE void writeUnitRow(int i, Six<T>& row) {
  if constexpr (kChunk<T> == 1) {
    row = {};
    row.v[i] = broadcast<T>(1.0);
  } else {
    store(row.v, load<Chunk<T>>(kOneAmongZeros + 7 - i));
  }
}

template <class T>
FOOTFALL_INLINE void writeThree(const Vec3<T>& three, Six<T>& row) {
  if constexpr (kChunk<T> == 1) {
    row.v[0] = three.x, row.v[1] = three.y, row.v[2] = three.z;
  } else {
    store(row.v, threeThenZeros<Chunk<T>>(three.x, three.y, three.z));
  }
}

/// Jᵀ of a link's six coordinates at the base's origin.
template <class T>
FOOTFALL_INLINE void writeLinkJacobian(const Chain<T>& chain, Six<T>* Y) {
  for (int i = 0; i < chain.base_dofs; ++i) writeUnitRow(i, Y[i]);
  for (int i = chain.base_dofs; i < chain.length; ++i) Y[i] = chain.axis(i);
}

/// Y ← L⁻ᵀ Y for the first kEntries columns, from the tip to the base, two rows at a time: they share what they read of
/// the rows beyond them.
template <int kEntries, class T>
FOOTFALL_INLINE void solveChain(const Chain<T>& chain, Six<T>* Y) {
  int i = chain.length - 1;
  for (; i > 0; i -= 2) {
    const int column = chain.column(i), next_column = chain.column(i - 1);
    RowSum<T, kEntries> y(Y[i].v), y_next(Y[i - 1].v);
    for (int j = chain.length - 1; j > i; --j) {
      const T* row = chain.row(j);
      const RowSum<T, kEntries> beyond(Y[j].v);
      y.subtract(row[column], beyond);
      y_next.subtract(row[next_column], beyond);
    }
    y_next.subtract(chain.row(i)[next_column], y);
    y.storeTo(Y[i]);
    y_next.storeTo(Y[i - 1]);
  }
  if (i < 0) return;
  RowSum<T, kEntries> y(Y[0].v);
  for (int j = chain.length - 1; j > 0; --j) y.subtract(chain.row(j)[0], RowSum<T, kEntries>(Y[j].v));
  y.storeTo(Y[0]);
}

/// Z = D⁻¹ Y
template <int kEntries, class T>
FOOTFALL_INLINE void scaleChain(const Chain<T>& chain, const Six<T>* Y, Six<T>* Z) {
  for (int i = 0; i < chain.length; ++i) {
    const T weight = chain.weight(i);
    for (int c = 0; c < kEntries; c += kChunk<T>) store(Z[i].v + c, load<Chunk<T>>(Y[i].v + c) * weight);
  }
}

/// Λ = Z_aᵀ Y_b over the first coordinates of a chain, those that move both links. Sum: rows of it.
template <class Sum, class T>
FOOTFALL_INLINE void writeCoupling(int shared, const Six<T>* Z_a, const Six<T>* Y_b, Six<T>* Lambda) {
  Sum sum;
  sum.startAtZero();
  for (int i = 0; i < shared; ++i) sum.add(Z_a[i].v, Y_b[i].v);
  sum.storeTo(Lambda);
}

template <bool kSymmetric, class T>
FOOTFALL_INLINE void writeLinkCoupling(int shared, const Six<T>* Z_a, const Six<T>* Y_b, Six<T>* Lambda) {
  forRowsInRegisters<T, kSymmetric>([&]<int kFirst, int kCount>(Rows<kFirst, kCount>) FOOTFALL_INLINE_LAMBDA {
    writeCoupling<OuterSum<T, kFirst, kCount, 6, kSymmetric>>(shared, Z_a, Y_b, Lambda);
  });
}

template <class T>
FOOTFALL_INLINE Six<T>* rowsOfGroup(const Tree& tree, const ContactSet<T>& set, int group) {
  return set.Y + group * (tree.max_path + 6);
}

/// A pack of robots has the lower triangle only.
template <class T>
FOOTFALL_INLINE void completeSymmetric(Six<T>* block) {
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < r; ++c) block[c].v[r] = block[r].v[c];
  }
}

/// The loops' rows with the six coordinates of a link: B = J_h M⁻¹ Jᵀ, then without the rows eliminated before each.
FOOTFALL_INLINE void writeLoopCoupling(const Chain<double>& chain, const Six<double>* Z, const LoopSet& loops,
                                       Six<double>* B) {
  for (int c = 0; c < loops.chunks; ++c) {
    const double* Y = loops.Y + 8 * static_cast<std::ptrdiff_t>(c) * loops.coordinates;
    forEightRows([&]<int kFirst, int kRows>(Rows<kFirst, kRows>) FOOTFALL_INLINE_LAMBDA {
      EightSum<kFirst, kRows> sum;
      for (int i = 0; i < chain.length; ++i) sum.add(Y + 8 * chain.coordinate(i), load<Lanes>(Z[i].v));
      sum.storeTo(B[8 * c].v, 8);
    });
  }
  for (int k = 1; k < loops.rank; ++k) {
    const double* factors = loops.F + loops.order[k] * 8 * loops.chunks;
    Lanes row = load<Lanes>(B[loops.order[k]].v);
    for (int j = 0; j < k; ++j) row -= factors[loops.order[j]] * load<Lanes>(B[loops.order[j]].v);
    store(B[loops.order[k]].v, row);
  }
}

/// Loops answer the impulses on links: Λ ← Λ − Bᵀ G_hh⁺ B.
FOOTFALL_INLINE void takeLoopsOff(const LoopSet& loops, const Six<double>* B_a, const Six<double>* B_b,
                                  Six<double>* Lambda) {
  forRowsInRegisters<double, false>([&]<int kFirst, int kCount>(Rows<kFirst, kCount>) FOOTFALL_INLINE_LAMBDA {
    OuterSum<double, kFirst, kCount, 6, false> sum;
    sum.start(Lambda);
    for (int k = 0; k < loops.rank; ++k) {
      const double* a = B_a[loops.order[k]].v;
      sum.subtract([&](int i) { return a[i] * loops.pivot_inverse[k]; }, B_b[loops.order[k]].v);
    }
    sum.storeTo(Lambda);
  });
}

/// The same for a link with all links before it.
FOOTFALL_INLINE void answerByLoops(const Chain<double>& chain, ContactSet<double>& set, int a) {
  const LoopSet& loops = *set.loops;
  const auto rowsOf = [&](int group) {
    return reinterpret_cast<Six<double>*>(loops.B) + static_cast<std::ptrdiff_t>(group) * 8 * loops.chunks;
  };
  writeLoopCoupling(chain, set.Z, loops, rowsOf(a));
  for (int b = 0; b <= a; ++b) takeLoopsOff(loops, rowsOf(a), rowsOf(b), set.Lambda + 6 * (a * set.groups + b));
}

template <class T>
FOOTFALL_INLINE void linkDelassus(const Tree& tree, const Scratch<T>& w, ContactSet<T>& set) {
  for (int a = 0; a < set.groups; ++a) {
    const Chain<T> chain(tree, w, set, a);
    Six<T>* Y_a = rowsOfGroup(tree, set, a);
    Six<T>* Lambda_a = set.Lambda + 6 * a * set.groups;
    writeLinkJacobian(chain, Y_a);
    solveChain<6>(chain, Y_a);
    scaleChain<6>(chain, Y_a, set.Z);
    writeLinkCoupling<true>(chain.length, set.Z, Y_a, Lambda_a + 6 * a);
    if constexpr (kChunk<T> == 1) completeSymmetric(Lambda_a + 6 * a);
    for (int b = 0; b < a; ++b) {
      const int shared = chain.base_dofs + set.shared[a * set.groups + b];
      writeLinkCoupling<false>(shared, set.Z, rowsOfGroup(tree, set, b), Lambda_a + 6 * b);
    }
    if constexpr (kChunk<T> != 1) {
      if (set.loops != nullptr) answerByLoops(chain, set, a);
    }
  }
}

/// Row r of Λ between two links; only the blocks on and below the diagonal are stored.
template <class T>
FOOTFALL_INLINE Spatial<T> couplingRow(const ContactSet<T>& set, int a, int b, int r) {
  if (a >= b) return spatial(set.Lambda[6 * (a * set.groups + b) + r]);
  const Six<T>* L = set.Lambda + 6 * (b * set.groups + a);
  return {{L[0].v[r], L[1].v[r], L[2].v[r]}, {L[3].v[r], L[4].v[r], L[5].v[r]}};
}

/// The same between a link and the links of the contacts in the lanes of V.
template <class V>
FOOTFALL_INLINE Spatial<V> couplingRows(const ContactSet<double>& set, int group, int block, int r) {
  Spatial<V> sum = zeroSpatial<V>();
  for (int g = 0; g < set.groups; ++g) {
    if (!set.in_block[g * set.stride + block]) continue;
    const V mask = load<V>(set.lane_mask + g * set.stride + block);
    const Spatial<double> row = couplingRow(set, group, g, r);
    sum = sum + Spatial<V>{broadcastVector<V>(row.lin), broadcastVector<V>(row.ang)} * mask;
  }
  return sum;
}

/// How a link moves by unit impulses along the axes of a contact: the three columns, each as a twist.
template <class V>
struct UnitMotions {
  Vec3<V> row[6];
  FOOTFALL_INLINE Spatial<V> along(V Vec3<V>::*axis) const {
    return {{row[0].*axis, row[1].*axis, row[2].*axis}, {row[3].*axis, row[4].*axis, row[5].*axis}};
  }
};

/// One robot: columns of G for the contacts in the lanes of V and rows for the contacts of one link.
template <bool kWorldAxes, class V>
FOOTFALL_INLINE void expandBlock(const ContactSet<double>& set, int group, int block, double* G) {
  const int n = set.stride;
  const ContactPlace<V> columns = contactPoint<kWorldAxes, V>(set, block);
  UnitMotions<V> motions;
  for (int r = 0; r < 6; ++r) {
    motions.row[r] = contactComponents<kWorldAxes>(columns, couplingRows<V>(set, group, block, r));
  }
  for (int i = 0; i < set.count; ++i) {
    if (set.group[i] != group) continue;
    const auto contact = broadcastContact<V, kWorldAxes>(contactPoint<kWorldAxes, double>(set, i));
    const auto storeBlock = [&](const Spatial<V>& motion, int component) {
      const Vec3<V> g = contactComponents<kWorldAxes>(contact, motion);
      double* to = G + i * 3 * n + component * n + block;
      store(to, g.x), store(to + 3 * n * n, g.y), store(to + 6 * n * n, g.z);
    };
    storeBlock(motions.along(&Vec3<V>::x), 0);
    storeBlock(motions.along(&Vec3<V>::y), 1);
    storeBlock(motions.along(&Vec3<V>::z), 2);
  }
}

FOOTFALL_INLINE void clearPaddingRows(const ContactSet<double>& set, double* G) {
  const std::size_t row = 3 * set.stride * sizeof(double);
  for (int c = 0; c < 3; ++c) {
    for (int i = set.count; i < set.stride; ++i) std::memset(G + (c * set.stride + i) * 3 * set.stride, 0, row);
  }
}

template <bool kWorldAxes, class V>
void expandBlocks(const ContactSet<double>& set, double* G) {
  constexpr int kLanes = sizeof(V) / sizeof(double);
  for (int group = 0; group < set.groups; ++group) {
    for (int block = 0; block < set.stride; block += kLanes) expandBlock<kWorldAxes, V>(set, group, block, G);
  }
  clearPaddingRows(set, G);
}

/// A column of the 3 × 3 block between contacts i and j, and the same numbers on the other side of the diagonal.
template <class T>
FOOTFALL_INLINE void storeBothSides(const ContactSet<T>& set, int i, int j, int component, const Vec3<T>& g, T* G) {
  const int n = set.stride, rows = 3 * n;
  T* column = G + i * rows + component * n + j;
  column[0] = g.x, column[n * rows] = g.y, column[2 * n * rows] = g.z;
  T* row = G + (component * n + j) * rows + i;
  row[0] = g.x, row[n] = g.y, row[2 * n] = g.z;
}

/// A pack of robots: columns of G for contact j and rows for the contacts of one link, from j on where it is j's own.
template <bool kWorldAxes, class T>
FOOTFALL_INLINE void expandColumn(const ContactSet<T>& set, int group, int j, T* G) {
  const ContactPlace<T> column = contactPoint<kWorldAxes, T>(set, j);
  UnitMotions<T> motions;
  unrolled<6>([&](auto r) FOOTFALL_INLINE_LAMBDA {
    motions.row[r] = contactComponents<kWorldAxes>(column, couplingRow(set, group, set.group[j], r));
  });
  for (int i = group == set.group[j] ? j : 0; i < set.count; ++i) {
    if (set.group[i] != group) continue;
    const ContactPlace<T> contact = contactPoint<kWorldAxes, T>(set, i);
    storeBothSides(set, i, j, 0, contactComponents<kWorldAxes>(contact, motions.along(&Vec3<T>::x)), G);
    storeBothSides(set, i, j, 1, contactComponents<kWorldAxes>(contact, motions.along(&Vec3<T>::y)), G);
    storeBothSides(set, i, j, 2, contactComponents<kWorldAxes>(contact, motions.along(&Vec3<T>::z)), G);
  }
}

/// Every pair of contacts is computed once.
template <bool kWorldAxes, class T>
void expandPairs(const ContactSet<T>& set, T* G) {
  for (int j = 0; j < set.count; ++j) {
    for (int group = set.group[j]; group < set.groups; ++group) expandColumn<kWorldAxes>(set, group, j, G);
  }
}

/// Jᵀ of a single contact, in the first three of six numbers.
template <bool kWorldAxes, class T>
FOOTFALL_INLINE void writePointJacobian(const Chain<T>& chain, const ContactPlace<T>& contact, Six<T>* Y) {
  if (chain.base_dofs > 0) {
    const BaseColumns<T> base = baseColumns<kWorldAxes>(contact);
    for (int i = 0; i < 6; ++i) writeThree(base.column[i], Y[i]);
  }
  for (int i = chain.base_dofs; i < chain.length; ++i) {
    writeThree(contactComponents<kWorldAxes>(contact, spatial(chain.axis(i))), Y[i]);
  }
}

/// Where every contact has a link of its own (round feet), three coordinates each do.
template <bool kWorldAxes, class T>
FOOTFALL_INLINE void delassusOfPoints(const Tree& tree, const Scratch<T>& w, ContactSet<T>& set, T* G) {
  if (set.count < set.stride) std::memset(static_cast<void*>(G), 0, 9 * set.stride * set.stride * sizeof(T));
  for (int i = 0; i < set.count; ++i) {
    const Chain<T> chain(tree, w, set, set.group[i]);
    Six<T>* Y_i = rowsOfGroup(tree, set, set.group[i]);
    writePointJacobian<kWorldAxes>(chain, contactPoint<kWorldAxes, T>(set, i), Y_i);
    solveChain<3>(chain, Y_i);
    scaleChain<3>(chain, Y_i, set.Z);
    for (int j = 0; j <= i; ++j) {
      const int shared = chain.base_dofs + set.shared[set.group[i] * set.groups + set.group[j]];
      writeCoupling<OuterSum<T, 0, 3, 3, false>>(shared, set.Z, rowsOfGroup(tree, set, set.group[j]), set.Lambda);
      const Six<T>* block = set.Lambda;
      for (int c = 0; c < 3; ++c) storeBothSides(set, i, j, c, {block[0].v[c], block[1].v[c], block[2].v[c]}, G);
    }
  }
}

/// Every contact has a link of its own: Y has the three coordinates of the contact, not the six of the link.
template <class T>
FOOTFALL_INLINE bool isOfPoints(const ContactSet<T>& set) {
  return set.groups == set.count && set.loops == nullptr;
}

/// G = J (M + implicit inertia)⁻¹ Jᵀ in ContactLayout order.
template <bool kWorldAxes, class T>
FOOTFALL_INLINE void delassus(const Tree& tree, const Scratch<T>& w, ContactSet<T>& set, T* G) {
  if (isOfPoints(set)) return delassusOfPoints<kWorldAxes>(tree, w, set, G);
  linkDelassus(tree, w, set);
  if constexpr (kChunk<T> == 1) {
    expandPairs<kWorldAxes>(set, G);
  } else if (set.stride % 8 == 0) {
    expandBlocks<kWorldAxes, Lanes>(set, G);
  } else {
    expandBlocks<kWorldAxes, HalfLanes>(set, G);
  }
}

}  // namespace footfall::native::FOOTFALL_ISA
