#pragma once

#include "dynamics/native/contact_math.hpp"
#include "dynamics/native/factorization.hpp"
#include "dynamics/native/sweeps.hpp"

/// Contact velocities, impulses, Jacobian and Delassus matrix. Contacts that share a link are handled through the
/// six coordinates of that link; only the links' supporting joints are visited.
namespace footfall::native::FOOTFALL_ISA {

/// Contacts i, i + 1, … of one robot in the lanes of V, or one contact of a pack of robots.
template <bool kWorldAxes, class V, class T>
FOOTFALL_INLINE ContactPoint<V> contactPoint(const ContactSet<T>& set, int i) {
  const int n = set.stride;
  ContactPoint<V> contact;
  contact.p = {load<V>(set.p + i), load<V>(set.p + n + i), load<V>(set.p + 2 * n + i)};
  if constexpr (!kWorldAxes) {
    const auto axis = [&](int c) {
      const double* R = set.R_WC + 3 * c * n + i;
      if constexpr (kChunk<T> == 1) return Vec3<V>{broadcast<V>(R[0]), broadcast<V>(R[n]), broadcast<V>(R[2 * n])};
      return Vec3<V>{load<V>(R), load<V>(R + n), load<V>(R + 2 * n)};
    };
    contact.R_WC = {axis(0), axis(1), axis(2)};
  }
  return contact;
}

template <class V, class T>
FOOTFALL_INLINE Vec3<V> broadcastVector(const Vec3<T>& v) {
  return {broadcast<V>(v.x), broadcast<V>(v.y), broadcast<V>(v.z)};
}

template <class V, bool kWorldAxes, class T>
FOOTFALL_INLINE ContactPoint<V> broadcastContact(const ContactPoint<T>& contact) {
  ContactPoint<V> wide;
  wide.p = broadcastVector<V>(contact.p);
  if constexpr (!kWorldAxes) {
    wide.R_WC = {broadcastVector<V>(contact.R_WC.x), broadcastVector<V>(contact.R_WC.y),
                 broadcastVector<V>(contact.R_WC.z)};
  }
  return wide;
}

template <class T>
void placeContacts(const Workspace<T>& w, ContactSet<T>& set) {
  const int n = set.stride;
  for (int i = 0; i < set.count; ++i) {
    const LinkState<T>& link = w.link[set.link[set.group[i]]];
    const Vec3<double> p_KC = {set.p_KC[i], set.p_KC[n + i], set.p_KC[2 * n + i]};
    const Vec3<T> p = link.p + rotate(link.R_WK, p_KC);
    set.p[i] = p.x, set.p[n + i] = p.y, set.p[2 * n + i] = p.z;
  }
}

// --- velocities and impulses -----------------------------------------------------------------------

/// Velocity of a link when the robot moves with ν.
template <class T>
FOOTFALL_INLINE Spatial<T> linkVelocity(const Tree& tree, const Workspace<T>& w, int k, const T* nu) {
  Spatial<T> V = baseVelocity(tree, nu);
  const int* path = tree.path + tree.path_begin[k];
  for (int d = 0; d <= tree.depth[k]; ++d) {
    V = V + spatial(w.S[path[d]]) * nu[tree.base_dofs + tree.dof[path[d]]];
  }
  return V;
}

template <bool kWorldAxes, class T>
FOOTFALL_INLINE void contactVelocity(const Tree& tree, const Workspace<T>& w, const ContactSet<T>& set, const T* nu,
                                     T* v) {
  Spatial<T> V = zeroSpatial<T>();
  int group = -1;
  for (int i = 0; i < set.count; ++i) {
    if (set.group[i] != group) {
      group = set.group[i];
      V = linkVelocity(tree, w, set.link[group], nu);
    }
    const Vec3<T> c = contactComponents<kWorldAxes>(contactPoint<kWorldAxes, T>(set, i), V);
    v[i] = c.x, v[set.stride + i] = c.y, v[2 * set.stride + i] = c.z;
  }
}

template <bool kWorldAxes, class T>
FOOTFALL_INLINE void contactBias(const Tree& tree, const Workspace<T>& w, const ContactSet<T>& set, T* a) {
  const Vec3<T> g = broadcastVector<T>(tree.gravity);
  for (int i = 0; i < set.count; ++i) {
    const LinkState<T>& link = w.link[set.link[set.group[i]]];
    const Spatial<T> A = {link.A.lin + g, link.A.ang};
    const Vec3<T> c = contactAcceleration<kWorldAxes>(contactPoint<kWorldAxes, T>(set, i), link.V, A);
    a[i] = c.x, a[set.stride + i] = c.y, a[2 * set.stride + i] = c.z;
  }
}

/// tau += what a wrench on link k is to the joints that carry it.
template <class T>
FOOTFALL_INLINE void addWrench(const Tree& tree, const Workspace<T>& w, int k, const Spatial<T>& wrench, T* tau) {
  if (tree.floating_base) {
    T base[6];
    storeSix(wrench, base);
    for (int i = 0; i < 6; ++i) tau[i] += base[i];
  }
  const int* path = tree.path + tree.path_begin[k];
  for (int d = 0; d <= tree.depth[k]; ++d) {
    tau[tree.base_dofs + tree.dof[path[d]]] += dot(spatial(w.S[path[d]]), wrench);
  }
}

template <bool kWorldAxes, class T>
FOOTFALL_INLINE void addContactImpulse(const Tree& tree, const Workspace<T>& w, const ContactSet<T>& set, const T* p,
                                       T* tau) {
  Spatial<T> sum = zeroSpatial<T>();
  for (int i = 0; i < set.count; ++i) {
    const Vec3<T> impulse = {p[i], p[set.stride + i], p[2 * set.stride + i]};
    sum = sum + contactWrench<kWorldAxes>(contactPoint<kWorldAxes, T>(set, i), impulse);
    const bool link_goes_on = i + 1 < set.count && set.group[i + 1] == set.group[i];
    if (link_goes_on) continue;
    addWrench(tree, w, set.link[set.group[i]], sum, tau);
    sum = zeroSpatial<T>();
  }
}

/// Jacobian of contact i over one joint or base coordinate whose twist is S: three numbers.
template <bool kWorldAxes, class T>
FOOTFALL_INLINE void storeColumn(const ContactPoint<T>& contact, const Spatial<T>& S, T* J) {
  const Vec3<T> c = contactComponents<kWorldAxes>(contact, S);
  J[0] = c.x, J[1] = c.y, J[2] = c.z;
}

/// J, column-major with the given leading dimension; row 3 i + c. Must be zero before.
template <bool kWorldAxes, class T>
FOOTFALL_INLINE void contactJacobian(const Tree& tree, const Workspace<T>& w, const ContactSet<T>& set, T* J,
                                     std::ptrdiff_t leading) {
  for (int i = 0; i < set.count; ++i) {
    const ContactPoint<T> contact = contactPoint<kWorldAxes, T>(set, i);
    const int k = set.link[set.group[i]];
    for (int b = 0; b < tree.base_dofs; ++b) {
      Six<T> unit{};
      unit.v[b] = broadcast<T>(1.0);
      storeColumn<kWorldAxes>(contact, spatial(unit), J + b * leading + 3 * i);
    }
    const int* path = tree.path + tree.path_begin[k];
    for (int d = 0; d <= tree.depth[k]; ++d) {
      storeColumn<kWorldAxes>(contact, spatial(w.S[path[d]]),
                              J + (tree.base_dofs + tree.dof[path[d]]) * leading + 3 * i);
    }
  }
}

// --- Delassus matrix -------------------------------------------------------------------------------

/// The coordinates that move a link, base first: how rows and columns of L are found along them.
template <class T>
struct Chain {
  const Tree& tree;
  const Workspace<T>& w;
  const int* path;
  int base_dofs, length;

  FOOTFALL_INLINE Chain(const Tree& t, const Workspace<T>& workspace, int k)
      : tree(t),
        w(workspace),
        path(t.path + t.path_begin[k]),
        base_dofs(t.base_dofs),
        length(base_dofs + t.depth[k] + 1) {}

  FOOTFALL_INLINE const T* row(int i) const { return i < base_dofs ? w.L_base[i].v : w.L + w.row[path[i - base_dofs]]; }
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
    row = {};
    row.v[0] = three.x, row.v[1] = three.y, row.v[2] = three.z;
  } else {
    store(row.v, Chunk<T>{three.x, three.y, three.z});
  }
}

/// Jᵀ of a link's six coordinates at the base's origin.
template <class T>
FOOTFALL_INLINE void writeLinkJacobian(const Chain<T>& chain, Six<T>* Y) {
  for (int i = 0; i < chain.base_dofs; ++i) writeUnitRow(i, Y[i]);
  for (int i = chain.base_dofs; i < chain.length; ++i) Y[i] = chain.w.S[chain.path[i - chain.base_dofs]];
}

/// Y ← L⁻ᵀ Y, from the tip to the base, two rows at a time: they share what they read of the rows beyond them.
template <class T>
FOOTFALL_INLINE void solveChain(const Chain<T>& chain, Six<T>* Y) {
  int i = chain.length - 1;
  for (; i > 0; i -= 2) {
    const int column = chain.column(i), next_column = chain.column(i - 1);
    SixSum<T> y(Y[i].v), y_next(Y[i - 1].v);
    for (int j = chain.length - 1; j > i; --j) {
      const T* row = chain.row(j);
      const SixSum<T> beyond(Y[j].v);
      y.subtract(row[column], beyond);
      y_next.subtract(row[next_column], beyond);
    }
    y_next.subtract(chain.row(i)[next_column], y);
    y.storeTo(Y[i]);
    y_next.storeTo(Y[i - 1]);
  }
  if (i < 0) return;
  SixSum<T> y(Y[0].v);
  for (int j = chain.length - 1; j > 0; --j) y.subtract(chain.row(j)[0], SixSum<T>(Y[j].v));
  y.storeTo(Y[0]);
}

/// Z = D⁻¹ Y
template <class T>
FOOTFALL_INLINE void scaleChain(const Chain<T>& chain, const Six<T>* Y, Six<T>* Z) {
  for (int i = 0; i < chain.length; ++i) {
    const T weight = chain.weight(i);
    for (int c = 0; c < kSix<T>; c += kChunk<T>) store(Z[i].v + c, load<Chunk<T>>(Y[i].v + c) * weight);
  }
}

/// Λ = Z_aᵀ Y_b over the first coordinates of a chain, those that move both links.
template <class Sum, class T>
FOOTFALL_INLINE void writeCoupling(int shared, const Six<T>* Z_a, const Six<T>* Y_b, Six<T>* Lambda) {
  Sum sum;
  sum.startAtZero();
  for (int i = 0; i < shared; ++i) sum.add(Z_a[i].v, Y_b[i].v);
  sum.storeTo(Lambda);
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

template <class T>
FOOTFALL_INLINE void linkDelassus(const Tree& tree, const Workspace<T>& w, ContactSet<T>& set) {
  for (int a = 0; a < set.groups; ++a) {
    const Chain<T> chain(tree, w, set.link[a]);
    Six<T>* Y_a = rowsOfGroup(tree, set, a);
    Six<T>* Lambda_a = set.Lambda + 6 * a * set.groups;
    writeLinkJacobian(chain, Y_a);
    solveChain(chain, Y_a);
    scaleChain(chain, Y_a, set.Z);
    writeCoupling<OuterSum<T, 0, 6, true>>(chain.length, set.Z, Y_a, Lambda_a + 6 * a);
    if constexpr (kChunk<T> == 1) completeSymmetric(Lambda_a + 6 * a);
    for (int b = 0; b < a; ++b) {
      const Six<T>* Y_b = rowsOfGroup(tree, set, b);
      const int shared = chain.base_dofs + set.shared[a * set.groups + b];
      writeCoupling<OuterSum<T, 0, 3, false>>(shared, set.Z, Y_b, Lambda_a + 6 * b);
      writeCoupling<OuterSum<T, 3, 3, false>>(shared, set.Z, Y_b, Lambda_a + 6 * b);
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
template <class V, class T>
FOOTFALL_INLINE Spatial<V> couplingRows(const ContactSet<T>& set, int group, int block, int r) {
  if constexpr (kChunk<T> == 1) {
    return couplingRow(set, group, set.group[block], r);
  } else {
    Spatial<V> sum = zeroSpatial<V>();
    for (int g = 0; g < set.groups; ++g) {
      if (!set.in_block[g * set.stride + block]) continue;
      const V mask = load<V>(set.lane_mask + g * set.stride + block);
      const Spatial<T> row = couplingRow(set, group, g, r);
      sum = sum + Spatial<V>{broadcastVector<V>(row.lin), broadcastVector<V>(row.ang)} * mask;
    }
    return sum;
  }
}

/// Columns of G for the contacts of one block and rows for the contacts of one link.
template <bool kWorldAxes, class V, class T>
FOOTFALL_INLINE void expandBlock(const ContactSet<T>& set, int group, int block, T* G) {
  const int n = set.stride;
  const ContactPoint<V> columns = contactPoint<kWorldAxes, V>(set, block);
  Vec3<V> B[6];  // how the link moves by unit impulses at the contacts of the block
  for (int r = 0; r < 6; ++r) B[r] = contactComponents<kWorldAxes>(columns, couplingRows<V>(set, group, block, r));
  for (int i = 0; i < set.count; ++i) {
    if (set.group[i] != group) continue;
    const auto contact = broadcastContact<V, kWorldAxes>(contactPoint<kWorldAxes, T>(set, i));
    const auto storeBlock = [&](const Spatial<V>& motion, int component) {
      const Vec3<V> g = contactComponents<kWorldAxes>(contact, motion);
      T* to = G + i * 3 * n + component * n + block;
      store(to, g.x), store(to + 3 * n * n, g.y), store(to + 6 * n * n, g.z);
    };
    storeBlock({{B[0].x, B[1].x, B[2].x}, {B[3].x, B[4].x, B[5].x}}, 0);
    storeBlock({{B[0].y, B[1].y, B[2].y}, {B[3].y, B[4].y, B[5].y}}, 1);
    storeBlock({{B[0].z, B[1].z, B[2].z}, {B[3].z, B[4].z, B[5].z}}, 2);
  }
}

template <class T>
FOOTFALL_INLINE void clearPaddingRows(const ContactSet<T>& set, T* G) {
  const std::size_t row = 3 * set.stride * sizeof(T);
  for (int c = 0; c < 3; ++c) {
    for (int i = set.count; i < set.stride; ++i) std::memset(G + (c * set.stride + i) * 3 * set.stride, 0, row);
  }
}

template <bool kWorldAxes, class V, class T>
void expandDelassus(const ContactSet<T>& set, T* G) {
  constexpr int kLanes = sizeof(V) / sizeof(T);
  for (int group = 0; group < set.groups; ++group) {
    for (int block = 0; block < set.stride; block += kLanes) expandBlock<kWorldAxes, V>(set, group, block, G);
  }
  clearPaddingRows(set, G);
}

/// Jᵀ of a single contact, in the first three of six numbers.
template <bool kWorldAxes, class T>
FOOTFALL_INLINE void writePointJacobian(const Chain<T>& chain, const ContactPoint<T>& contact, Six<T>* Y) {
  for (int i = 0; i < chain.base_dofs; ++i) {
    Six<T> unit{};
    unit.v[i] = broadcast<T>(1.0);
    writeThree(contactComponents<kWorldAxes>(contact, spatial(unit)), Y[i]);
  }
  for (int i = chain.base_dofs; i < chain.length; ++i) {
    const Spatial<T> S = spatial(chain.w.S[chain.path[i - chain.base_dofs]]);
    writeThree(contactComponents<kWorldAxes>(contact, S), Y[i]);
  }
}

/// The 3 × 3 blocks between two contacts, on both sides of the diagonal.
template <class T>
FOOTFALL_INLINE void storePair(const ContactSet<T>& set, const Six<T>* block, int i, int j, T* G) {
  const int n = set.stride, rows = 3 * n;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      G[(r * n + i) * rows + c * n + j] = block[r].v[c];
      G[(c * n + j) * rows + r * n + i] = block[r].v[c];
    }
  }
}

/// Where every contact has a link of its own (round feet), three coordinates each do.
template <bool kWorldAxes, class T>
FOOTFALL_INLINE void delassusOfPoints(const Tree& tree, const Workspace<T>& w, ContactSet<T>& set, T* G) {
  std::memset(G, 0, 9 * set.stride * set.stride * sizeof(T));
  for (int i = 0; i < set.count; ++i) {
    const Chain<T> chain(tree, w, set.link[set.group[i]]);
    Six<T>* Y_i = rowsOfGroup(tree, set, set.group[i]);
    writePointJacobian<kWorldAxes>(chain, contactPoint<kWorldAxes, T>(set, i), Y_i);
    solveChain(chain, Y_i);
    scaleChain(chain, Y_i, set.Z);
    for (int j = 0; j <= i; ++j) {
      const int shared = chain.base_dofs + set.shared[set.group[i] * set.groups + set.group[j]];
      writeCoupling<OuterSum<T, 0, 3, false>>(shared, set.Z, rowsOfGroup(tree, set, set.group[j]), set.Lambda);
      storePair(set, set.Lambda, i, j, G);
    }
  }
}

/// G = J (M + implicit inertia)⁻¹ Jᵀ in ContactLayout order.
template <bool kWorldAxes, class T>
FOOTFALL_INLINE void delassus(const Tree& tree, const Workspace<T>& w, ContactSet<T>& set, T* G) {
  if (set.groups == set.count) return delassusOfPoints<kWorldAxes>(tree, w, set, G);
  linkDelassus(tree, w, set);
  if (kChunk<T> == 1 || set.stride % 8 == 0) {
    expandDelassus<kWorldAxes, Pack>(set, G);
  } else if constexpr (kChunk<T> != 1) {
    expandDelassus<kWorldAxes, HalfPack>(set, G);
  }
}

}  // namespace footfall::native::FOOTFALL_ISA
