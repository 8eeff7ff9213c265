#pragma once

#include "dynamics/native/delassus.hpp"
#include "dynamics/native/loop_terms.hpp"

/// Rows of joints' own velocities in the Delassus matrix: limits and friction. A joint's impulse is felt along its own
/// way to the base first, so that only this way is visited, and not all of the robot. One robot.
namespace footfall::native::FOOTFALL_ISA {

FOOTFALL_INLINE int rowLength(const Scratch<double>& w, int depth) {
  return w.row_base + (depth / kChunk<double> + 1) * kChunk<double>;
}

/// y = L⁻ᵀ e of a coordinate, as a row of L: those of the base, then its path.
FOOTFALL_INLINE void solveJointRow(const Tree& tree, const Scratch<double>& w, int k, double sign, double* y) {
  const int* path = tree.path + tree.path_begin[k];
  const int depth = tree.depth[k], length = rowLength(w, depth);
  for (int i = 0; i < length; i += kChunk<double>) store(y + i, Lanes{});
  y[w.row_base + depth] = sign;
  for (int d = depth; d >= 0; --d) {
    const double factor = y[w.row_base + d];
    const double* row = w.L + w.row[path[d]];
    const int end = rowLength(w, d);
    for (int i = 0; i < end; i += kChunk<double>) store(y + i, load<Lanes>(y + i) - factor * load<Lanes>(row + i));
  }
  for (int r = 5; r > 0 && tree.floating_base; --r) {
    for (int i = 0; i < r; ++i) y[i] -= w.L_base[r].v[i] * y[r];
  }
}

/// z = D⁻¹ y
FOOTFALL_INLINE void scaleJointRow(const Tree& tree, const Scratch<double>& w, int k, const double* y, double* z) {
  const int* path = tree.path + tree.path_begin[k];
  const int depth = tree.depth[k], length = rowLength(w, depth);
  for (int i = 0; i < tree.base_dofs; ++i) z[i] = y[i] * w.D_base_inverse[i];
  for (int d = 0; d <= depth; ++d) z[w.row_base + d] = y[w.row_base + d] * w.D_inverse[path[d]];
  for (int i = w.row_base + depth + 1; i < length; ++i) z[i] = 0.0;
}

/// zᵀ y over the base and the first joints of a path.
FOOTFALL_INLINE double jointCoupling(const Scratch<double>& w, int shared, const double* z, const double* y) {
  constexpr int kLanes = kChunk<double>;
  Lanes sum{};
  if (w.row_base > 0) sum = load<Lanes>(z) * load<Lanes>(y);
  z += w.row_base, y += w.row_base;
  for (; shared >= kLanes; shared -= kLanes, z += kLanes, y += kLanes) sum += load<Lanes>(z) * load<Lanes>(y);
  if (shared > 0) sum += load<Lanes>(z) * (load<Lanes>(y) * load<Lanes>(kOnesThenZeros + kLanes - shared));
  return sumOfLanes(sum);
}

/// How a group's rows of Y answer a joint: Yᵀ z over what moves both.
FOOTFALL_INLINE Six<double> groupAnswer(const Tree& tree, const Scratch<double>& w, int shared, const Six<double>* Y,
                                        const double* z) {
  RowSum<double> sum;
  for (int i = 0; i < tree.base_dofs; ++i) sum.subtract(-z[i], RowSum<double>(Y[i].v));
  for (int d = 0; d < shared; ++d) sum.subtract(-z[w.row_base + d], RowSum<double>(Y[tree.base_dofs + d].v));
  Six<double> six;
  sum.storeTo(six);
  return six;
}

/// The entries of G between the contacts of a group and a joint whose impulse moves its link (or its point) so.
template <bool kWorldAxes>
FOOTFALL_INLINE void writeContactEntries(const ContactSet<double>& set, const JointRows& joints, int group,
                                         const Six<double>& answer, int column, double* G) {
  const int n = joints.stride, rows = 3 * n;
  for (int i = 0; i < set.count; ++i) {
    if (set.group[i] != group) continue;
    const Vec3<double> g =
        isOfPoints(set) ? Vec3<double>{answer.v[0], answer.v[1], answer.v[2]}
                        : contactComponents<kWorldAxes>(contactPoint<kWorldAxes, double>(set, i), spatial(answer));
    G[i * rows + column] = G[column * rows + i] = g.x;
    G[(n + i) * rows + column] = G[column * rows + n + i] = g.y;
    G[(2 * n + i) * rows + column] = G[column * rows + 2 * n + i] = g.z;
  }
}

/// What G has beyond the contacts', which delassus() has just written: Y is that of its groups. Rows of a joint that it
/// does not take answer to themselves alone. Entries that are always zero are not written.
template <bool kWorldAxes>
FOOTFALL_INLINE void delassusOfJoints(const Tree& tree, const Scratch<double>& w, const ContactSet<double>& set,
                                      JointRows& joints, double* G) {
  const int n = joints.stride, rows = 3 * n;
  for (int a = 0; a < joints.count; ++a) {
    double* y = joints.y + a * joints.row;
    solveJointRow(tree, w, joints.joint[a], joints.sign[a], y);
    scaleJointRow(tree, w, joints.joint[a], y, joints.z);
    const int column = joints.component[a] * n + set.count + a;
    for (int group = 0; group < set.groups; ++group) {
      const int shared = joints.with_group[a * set.groups + group];
      const Six<double> answer = groupAnswer(tree, w, shared, rowsOfGroup(tree, set, group), joints.z);
      writeContactEntries<kWorldAxes>(set, joints, group, answer, column, G);
    }
    for (int b = 0; b <= a; ++b) {
      const int other = joints.component[b] * n + set.count + b;
      const double g = jointCoupling(w, joints.with_joint[a * joints.count + b], joints.z, joints.y + b * joints.row);
      G[column * rows + other] = G[other * rows + column] = g;
    }
    const double own = G[column * rows + column];
    for (int c = 0; c < 3; ++c) G[(c * n + set.count + a) * (rows + 1)] = own;
  }
}

}  // namespace footfall::native::FOOTFALL_ISA
