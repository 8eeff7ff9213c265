#include "dynamics/native/turning_inertia.hpp"

#include <algorithm>

namespace footfall::native {
namespace {

/// How a link turns when its joint has unit speed; zero for sliders.
Vector3d axisOf(const Scratch<double>& w, int k) { return {w.S[k].v[3], w.S[k].v[4], w.S[k].v[5]}; }

int entriesOf(const Tree& tree, const Scratch<double>& w) {
  const int last = tree.links - 1;
  return last == 0 ? 0 : w.row[last] + w.row_base + tree.depth[last] + 1;
}

}  // namespace

void TurningInertia::keepMass(const Tree& tree, const Scratch<double>& w) {
  M_.assign(w.M, w.M + entriesOf(tree, w));
  std::copy_n(w.M_base, 6, M_base_);
}

void TurningInertia::takeOff(const Tree& tree, Scratch<double>& w) const {
  std::copy_n(M_.begin(), entriesOf(tree, w), w.M);
  std::copy_n(M_base_, 6, w.M_base);
}

void TurningInertia::addTo(const TreeStorage& storage, std::span<const Matrix3d> P, Scratch<double>& w) {
  const Tree& tree = storage.tree();
  keepMass(tree, w);
  own_.resize(tree.links);
  for (std::size_t link = 0; link < P.size(); ++link) own_[storage.number(LinkIndex(static_cast<int>(link)))] = P[link];
  subtree_ = own_;
  for (int k = tree.links - 1; k > 0; --k) {
    subtree_[tree.parent[k]] += subtree_[k];
    const Vector3d couple = subtree_[k] * axisOf(w, k);
    double* row = w.M + w.row[k];
    if (tree.floating_base)
      for (int c = 0; c < 3; ++c) row[3 + c] += couple[c];
    const int* path = tree.path + tree.path_begin[k];
    for (int d = 0; d <= tree.depth[k]; ++d) row[w.row_base + d] += axisOf(w, path[d]).dot(couple);
  }
  if (!tree.floating_base) return;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) w.M_base[3 + r].v[3 + c] += subtree_[0](r, c);
}

void TurningInertia::multiply(const Tree& tree, const Scratch<double>& w, const double* x, double* y) const {
  turning_.assign(tree.links, Vector3d::Zero());
  couple_.assign(tree.links, Vector3d::Zero());
  if (tree.floating_base) turning_[0] = {x[3], x[4], x[5]};
  for (int k = 1; k < tree.links; ++k)
    turning_[k] = turning_[tree.parent[k]] + axisOf(w, k) * x[tree.base_dofs + tree.dof[k]];
  for (int k = tree.links - 1; k > 0; --k) {
    couple_[k] += own_[k] * turning_[k];
    couple_[tree.parent[k]] += couple_[k];
    y[tree.base_dofs + tree.dof[k]] = axisOf(w, k).dot(couple_[k]);
  }
  if (!tree.floating_base) return;
  couple_[0] += own_[0] * turning_[0];
  for (int c = 0; c < 3; ++c) y[c] = 0.0, y[3 + c] = couple_[0][c];
}

}  // namespace footfall::native
