#include "dynamics/native/coordinate_tree.hpp"

#include <algorithm>
#include <numeric>

namespace footfall::native {
namespace {

/// The last link that both hang on.
int whereTheyPart(const Tree& links, int a, int b) {
  while (a != b) (a > b ? a : b) = links.parent[std::max(a, b)];
  return a;
}

/// Where M has what two coordinates of one way have in common.
int entryOf(const CoordinateTree& coordinates, const Scratch<double>& w, int a, int b) {
  return w.row[std::max(a, b)] + w.row_base + coordinates.tree().depth[std::min(a, b)];
}

}  // namespace

CoordinateTree::CoordinateTree(const Model& model, const TreeStorage& storage) : links_(storage.tree()) {
  joint_dof_.assign(links_.links, -1);
  multiplier_.assign(links_.links, 1.0);
  for (int k = 1; k < links_.links; ++k) {
    const Joint& joint = model.joints[links_.dof[k]];
    joint_dof_[k] = joint.dof;
    multiplier_[k] = joint.multiplier;
  }
  const std::vector<int> in_order = order(model);
  std::vector<int> position(in_order.size());
  for (std::size_t i = 0; i < in_order.size(); ++i) position[in_order[i]] = static_cast<int>(i);
  numberDepthFirst(in_order, eliminationParents(model, position));
  findTips();
  paths_.showIn(tree_);
  tree_.floating_base = links_.floating_base;
  tree_.base_dofs = links_.base_dofs;
  tree_.dof = dof_.data();
}

/// Dofs in the order of the places where their joints part.
std::vector<int> CoordinateTree::order(const Model& model) const {
  constexpr int kNowhere = -1;
  std::vector<int> root(model.dofs.size(), kNowhere);
  std::vector<char> at_joint(model.dofs.size(), 0);
  for (int k = 1; k < links_.links; ++k) {
    int& place = root[joint_dof_[k]];
    const int before = place;
    place = before == kNowhere ? k : whereTheyPart(links_, before, k);
    at_joint[joint_dof_[k]] = before == kNowhere || (place == before && at_joint[joint_dof_[k]]);
  }
  // Between two links there is room for a coordinate that is the joint of neither.
  const auto place = [&](int dof) { return 2 * root[dof] + (at_joint[dof] ? 0 : 1); };
  std::vector<int> dofs(model.dofs.size());
  std::iota(dofs.begin(), dofs.end(), 0);
  std::stable_sort(dofs.begin(), dofs.end(), [&](int a, int b) { return place(a) < place(b); });
  return dofs;
}

/// The elimination tree of M: whom each coordinate, by its position, is eliminated into; -1: the base.
std::vector<int> CoordinateTree::eliminationParents(const Model& model, const std::vector<int>& position) const {
  const int n = static_cast<int>(position.size());
  std::vector<std::vector<char>> couples(n, std::vector<char>(n, 0));  // row i: with those before
  const auto couple = [&](int a, int b) { couples[std::max(a, b)][std::min(a, b)] = 1; };
  for (int k = 1; k < links_.links; ++k)
    for (int d = 0; d < links_.depth[k]; ++d)
      couple(position[joint_dof_[k]], position[joint_dof_[links_.path[links_.path_begin[k] + d]]]);
  for (const InertiaCoupling& motor : model.couplings) couple(position[motor.a], position[motor.b]);
  std::vector<int> parent(n, -1);
  for (int i = n - 1; i >= 0; --i) {
    for (int j = 0; j < i; ++j)
      if (couples[i][j]) parent[i] = j;
    for (int j = 0; j < parent[i]; ++j)
      if (couples[i][j]) couple(parent[i], j);
  }
  return parent;
}

void CoordinateTree::numberDepthFirst(const std::vector<int>& order, const std::vector<int>& parent) {
  const int n = static_cast<int>(order.size());
  std::vector<std::vector<int>> children(n + 1);  // of the base, then by position
  for (int i = n - 1; i >= 0; --i) children[parent[i] + 1].push_back(i + 1);
  number_.assign(n, 0);
  std::vector<int> parents, number_at(n + 1, 0), to_visit = {0};
  while (!to_visit.empty()) {
    const int node = to_visit.back();
    to_visit.pop_back();
    number_at[node] = static_cast<int>(parents.size());
    parents.push_back(node == 0 ? -1 : number_at[parent[node - 1] + 1]);
    dof_.push_back(node == 0 ? -1 : order[node - 1]);
    if (node > 0) number_[order[node - 1]] = number_at[node];
    to_visit.insert(to_visit.end(), children[node].begin(), children[node].end());
  }
  paths_ = TreePaths(std::move(parents));
}

void CoordinateTree::findTips() {
  coordinate_.assign(links_.links, 0);
  tip_.assign(links_.links, 0);
  plain_.assign(links_.links, 0);
  std::vector<int> joints(paths_.parent.size(), 0);
  for (int k = 1; k < links_.links; ++k) {
    coordinate_[k] = number_[joint_dof_[k]];
    ++joints[coordinate_[k]];
    const int before = tip_[links_.parent[k]];
    tip_[k] = paths_.depth[coordinate_[k]] > paths_.depth[before] ? coordinate_[k] : before;
  }
  for (int k = 1; k < links_.links; ++k) {
    const bool parent_is = links_.parent[k] == 0 || plain_[links_.parent[k]];
    plain_[k] = parent_is && joints[coordinate_[k]] == 1 && multiplier_[k] == 1.0 && sameWay(k);
  }
}

bool CoordinateTree::sameWay(int k) const {
  const int c = coordinate_[k];
  if (paths_.depth[c] != links_.depth[k]) return false;
  for (int d = 0; d <= links_.depth[k]; ++d)
    if (coordinate_[links_.path[links_.path_begin[k] + d]] != paths_.path[paths_.begin[c] + d]) return false;
  return true;
}

void CoordinateTree::writeAxes(int k, const Six<double>* S, Six<double>* axes) const {
  std::fill_n(axes, paths_.depth[tip_[k]] + 1, Six<double>{});
  for (int d = 0; d <= links_.depth[k]; ++d) {
    const int joint = links_.path[links_.path_begin[k] + d];
    Six<double>& axis = axes[paths_.depth[coordinate_[joint]]];
    for (int i = 0; i < 6; ++i) axis.v[i] += multiplier_[joint] * S[joint].v[i];
  }
}

// --- mass matrix -----------------------------------------------------------------------------------

MassReduction::MassReduction(const Model& model, const CoordinateTree& coordinates, const Tree& links,
                             const Scratch<double>& of_joints, const Scratch<double>& w) {
  const Tree& tree = coordinates.tree();
  std::vector<char> copied(tree.links, 0);
  constexpr int kChunk = Width<double>::kChunk;
  const auto length = [&](int c) { return w.row_base + (tree.depth[c] / kChunk + 1) * kChunk; };  // with its padding
  for (int k = 1; k < links.links; ++k) {
    const int c = coordinates.coordinate(k);
    if (!coordinates.isPlain(k)) {
      addJoint(coordinates, links, of_joints, w, k);
      continue;
    }
    copied[c] = 1;
    append(copied_, {of_joints.row[k], w.row[c], length(c), 1.0});
  }
  for (int c = 1; c < tree.links; ++c)
    if (!copied[c]) cleared_.push_back({0, w.row[c], length(c), 0.0});
  addMotors(model, coordinates, w);
}

void MassReduction::append(std::vector<Run>& runs, const Run& run) {
  if (!runs.empty()) {
    Run& last = runs.back();
    if (last.from + last.count == run.from && last.to + last.count == run.to && last.factor == run.factor) {
      last.count += run.count;
      return;
    }
  }
  runs.push_back(run);
}

/// Its row with the joints on its path. What two joints of one coordinate have in common counts for both.
void MassReduction::addJoint(const CoordinateTree& coordinates, const Tree& links, const Scratch<double>& of_joints,
                             const Scratch<double>& w, int k) {
  const int c = coordinates.coordinate(k), row = of_joints.row[k];
  if (w.row_base > 0) append(added_, {row, w.row[c], w.row_base, coordinates.multiplier(k)});
  for (int d = 0; d <= links.depth[k]; ++d) {
    const int other = links.path[links.path_begin[k] + d], b = coordinates.coordinate(other);
    const double twice = b == c && other != k ? 2.0 : 1.0;
    append(added_, {row + of_joints.row_base + d, entryOf(coordinates, w, c, b), 1,
                    twice * coordinates.multiplier(k) * coordinates.multiplier(other)});
  }
}

void MassReduction::addMotors(const Model& model, const CoordinateTree& coordinates, const Scratch<double>& w) {
  const auto add = [&](DofIndex a, DofIndex b, double inertia) {
    if (inertia != 0.0)
      motors_.push_back({entryOf(coordinates, w, coordinates.number(a), coordinates.number(b)), inertia});
  };
  for (int i = 0; i < model.jointDofs(); ++i) add(DofIndex(i), DofIndex(i), model.dofs[i].reflected_inertia);
  for (const InertiaCoupling& motor : model.couplings) add(motor.a, motor.b, motor.inertia);
}

void MassReduction::reduce(const Scratch<double>& of_joints, Scratch<double>& w) const {
  for (const Run& run : copied_) std::copy_n(of_joints.M + run.from, run.count, w.M + run.to);
  for (const Run& run : cleared_) std::fill_n(w.M + run.to, run.count, 0.0);
  for (const Run& run : added_) {
    const double* from = of_joints.M + run.from;
    double* to = w.M + run.to;
    for (int i = 0; i < run.count; ++i) to[i] += run.factor * from[i];
  }
  for (const Entry& motor : motors_) w.M[motor.at] += motor.value;
  std::copy_n(of_joints.M_base, 6, w.M_base);
}

}  // namespace footfall::native
