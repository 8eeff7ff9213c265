#include <Eigen/Cholesky>
#include <algorithm>

#include "dynamics/forest_dynamics.hpp"
#include "footfall/base/internal/disjoint_sets.hpp"

// How contacts feel the trees of a forest: TreeMotions, group by group (docs/decisions/0017, 0034).

namespace footfall {

/// Loops tie trees together. What does not move ties nothing together.
void ForestDynamics::findGroups() {
  DisjointSets united;
  united.reset(static_cast<int>(trees_.size()));
  std::vector<char> tied(trees_.size(), 0);
  for (const Loop& loop : model_.loops) {
    int last = -1;
    for (const LinkIndex link : {loop.link_a, loop.link_b}) {
      if (!link.valid() || partOf(link).model.nv() == 0) continue;
      const int tree = tree_of_link_[link];
      tied[tree] = 1;
      if (last >= 0) united.unite(last, tree);
      last = tree;
    }
  }
  std::vector<int> group_of_root(trees_.size(), -1);
  for (int tree = 0; tree < static_cast<int>(trees_.size()); ++tree) {
    int& group = group_of_root[united.rootOf(tree)];
    if (group < 0) {
      group = static_cast<int>(groups_.size());
      groups_.emplace_back();
    }
    groups_[group].number = group;
    groups_[group].parts.push_back(tree);
    groups_[group].tied = groups_[group].tied || tied[tree] != 0;
    trees_[tree].group = group;
  }
}

bool ForestDynamics::contactMotions(std::span<const JointMotion> joints, TreeMotions& motions) const {
  if (!model_.loops.empty() && !loops_.prepared()) return false;
  takeJoints(joints);
  while (!addGroups(joints, motions)) {
    if (!writes_joints_) return false;
    writes_joints_ = false;
  }
  for (int i = 0; i < layout_.contacts; ++i) addContact(i, motions);
  for (const JointMotion& joint : joints) addJoint(joint, motions);
  return true;
}

// --- which rows there are ----------------------------------------------------------------------------

const ForestDynamics::Part& ForestDynamics::partOf(const JointMotion& joint) const {
  return *std::find_if(trees_.begin(), trees_.end(), [&](const Part& part) {
    return joint.dof >= part.tree.dofs_begin && joint.dof < part.tree.dofs_end;
  });
}

/// Each tree's own.
void ForestDynamics::takeJoints(std::span<const JointMotion> joints) const {
  for (const Part& part : trees_) {
    part.joints.clear();
    part.joints_added = 0;
  }
  for (JointMotion joint : joints) {
    const Part& part = partOf(joint);
    joint.dof = DofIndex(joint.dof - part.tree.dofs_begin);
    part.joints.push_back(joint);
  }
}

bool ForestDynamics::moves(const Group& group) const {
  return group.tied || trees_[group.parts.front()].model.nv() > 0;
}

/// Of one side of a contact; null: it does not move.
ForestDynamics::Group* ForestDynamics::groupAt(int contact, int side) const {
  const int group = group_of_[contact][side];
  return group < 0 ? nullptr : &groups_[group];
}

/// Groups that touch each other, and nothing else that moves: they are written out together, if they have few rows and
/// one of them is more than a body. Bodies among themselves are as quickly told by their six motions.
void ForestDynamics::findParties() const {
  const int count = static_cast<int>(groups_.size());
  touching_.reset(count);
  for (int i = 0; i < layout_.contacts; ++i) {
    const Group *first = groupAt(i, 0), *second = groupAt(i, 1);
    if (first != nullptr && second != nullptr) touching_.unite(first->number, second->number);
  }
  for (Group& group : groups_) {
    group.rows = group.members = 0;
    group.next = -1;
    group.has_joints = group.has_robot = false;
  }
  // A party has the number of its first group, which leads to the others.
  for (int k = count - 1; k >= 0; --k) {
    Group &group = groups_[k], &first = groups_[touching_.rootOf(k)];
    group.party = first.number;
    ++first.members;
    for (const int tree : group.parts) {
      first.rows += static_cast<int>(trees_[tree].joints.size());
      first.has_robot = first.has_robot || trees_[tree].body == nullptr;
    }
    first.has_joints = first.rows > 0;
    if (&first == &group) continue;
    group.next = first.next;
    first.next = k;
  }
  for (int i = 0; i < layout_.contacts; ++i) {
    const Group *first = groupAt(i, 0), *any = first != nullptr ? first : groupAt(i, 1);
    if (any != nullptr) ++groups_[any->party].rows;
  }
  for (Group& group : groups_) {
    const Group& first = groups_[group.party];
    const int most = first.members == 1 ? TreeMotions::kMostWritten : first.has_robot ? kMostOfAParty : 0;
    const bool is_known = writes_joints_ || !first.has_joints;
    group.is_written = moves(group) && first.rows > 0 && first.rows <= most && is_known;
  }
  for (Group& group : groups_)
    if (!group.is_written) group.party = group.number, group.next = -1;
}

/// Contacts in their order, then joints in theirs; of parties that are written out, and of each group of the others.
void ForestDynamics::numberRows(std::span<const JointMotion> joints) const {
  for (Group& group : groups_) group.rows = 0;
  number_.resize(layout_.contacts);
  for (int i = 0; i < layout_.contacts; ++i) {
    const Group *first = groupAt(i, 0), *second = groupAt(i, 1);
    if (first != nullptr) number_[i][0] = groups_[first->party].rows++;
    if (second == nullptr) continue;
    const bool is_same = first != nullptr && first->party == second->party;
    number_[i][1] = is_same ? number_[i][0] : groups_[second->party].rows++;
  }
  for (const Part& part : trees_) part.joint_numbers.clear();
  for (const JointMotion& joint : joints) {
    const Part& part = partOf(joint);
    part.joint_numbers.push_back(groups_[groups_[part.group].party].rows++);
  }
}

// --- groups ------------------------------------------------------------------------------------------

/// False: an engine does not know of joints' rows, which was not known before, or cannot be helped.
bool ForestDynamics::addGroups(std::span<const JointMotion> joints, TreeMotions& motions) const {
  findParties();
  numberRows(joints);
  motions.clear();
  return std::ranges::all_of(groups_, [&](Group& group) { return addGroup(group, motions); });
}

/// What touches few others is written out with them, in place of all of its motions.
bool ForestDynamics::addGroup(Group& group, TreeMotions& motions) const {
  if (group.is_written && group.party != group.number) return true;  // it is, with the first of its party
  const ContactLayout layout = ContactLayout::of(group.rows);
  const int tree = static_cast<int>(motions.size.size());
  for (int k = group.number; k >= 0; k = groups_[k].next) groups_[k].tree = tree;
  if (group.is_written) return writeOut(group, layout, motions.addWrittenTree(layout));
  const Part& part = trees_[group.parts.front()];
  if (group.tied) {
    if (!findMotionsOfTied(group, layout)) return false;
  } else {
    findMotionsOfPart(part);
    group.motion_count = part.motion_count;
  }
  motions.addTree(group.motion_count);
  return true;
}

/// False: the engine does not know of joints' rows.
bool ForestDynamics::writeOut(const Group& first, ContactLayout layout, double* G) const {
  const Part& part = trees_[first.parts.front()];
  const auto isPlain = [](const Side& side) { return side.sign > 0.0; };
  if (!first.tied && first.next < 0 && std::ranges::all_of(part.sides, isPlain)) return writeOutAlone(part, layout, G);
  bool any_tied = false;
  for (int k = first.number; k >= 0; k = groups_[k].next) {
    any_tied = any_tied || groups_[k].tied;
    for (const int tree : groups_[k].parts)
      if (!addPart(trees_[tree], layout, G)) return false;
  }
  if (any_tied) closeLoops(first, layout, G);
  return true;
}

/// Its rows are the engine's own, in the same order.
bool ForestDynamics::writeOutAlone(const Part& part, ContactLayout layout, double* G) const {
  if (part.joints.empty()) {
    part.engine->delassus(G);
    return true;
  }
  if (part.layout.contacts > 0) {
    part.G.resize(static_cast<std::size_t>(part.layout.rows()) * part.layout.rows());
    part.engine->delassus(part.G.data());
    copyMatrix(part.G.data(), part.layout, G, layout);
  }
  return part.engine->addJointRows(part.joints, G);
}

/// Adds what the rows of a group feel of one of its trees, by the engine's own terms.
bool ForestDynamics::addPart(const Part& part, ContactLayout layout, double* G) const {
  const int sides = part.layout.contacts, joints = static_cast<int>(part.joints.size()), all = sides + joints;
  if (all == 0) return true;
  const ContactLayout with_joints = ContactLayout::of(all);
  if (sides > 0) {
    part.G.assign(static_cast<std::size_t>(part.layout.rows()) * part.layout.rows(), 0.0);
    part.engine->delassus(part.G.data());
  }
  if (joints > 0) {
    part.G_joints.assign(static_cast<std::size_t>(with_joints.rows()) * with_joints.rows(), 0.0);
    if (!part.engine->addJointRows(part.joints, part.G_joints.data())) return false;
  }
  part.numbers.clear();
  part.signs.clear();
  for (const Side& side : part.sides) {
    part.numbers.push_back(numberOf(side));
    part.signs.push_back(side.sign);
  }
  part.numbers.insert(part.numbers.end(), part.joint_numbers.begin(), part.joint_numbers.end());
  part.signs.resize(all, 1.0);
  // Rows k and columns l, from `begin` on.
  const auto add = [&](int k_begin, int k_end, int l_begin, int l_end, ContactLayout own, const double* from) {
    for (int k = k_begin; k < k_end; ++k)
      for (int c = 0; c < 3; ++c)
        for (int d = 0; d < 3; ++d) {
          const double* row = from + own.row(k, c) * own.rows() + own.row(0, d);
          double* to = G + layout.row(part.numbers[k], c) * layout.rows() + layout.row(0, d);
          for (int l = l_begin; l < l_end; ++l) to[part.numbers[l]] += part.signs[k] * part.signs[l] * row[l];
        }
  };
  add(0, sides, 0, sides, part.layout, part.G.data());
  add(0, sides, sides, all, with_joints, part.G_joints.data());
  add(sides, all, 0, all, with_joints, part.G_joints.data());
  return true;
}

/// Rows of a party feel its motions less those that its loops do not allow.
void ForestDynamics::closeLoops(const Group& first, ContactLayout layout, double* G) const {
  const MatrixXd& answers = loops_.answers();
  if (by_loops_.rows() < layout.rows()) by_loops_.resize(2 * layout.rows(), answers.cols());
  by_loops_.topRows(layout.rows()).setZero();
  for (int k = first.number; k >= 0; k = groups_[k].next)
    for (const int tree : groups_[k].parts) addVelocitiesByLoops(trees_[tree], layout);
  loops_.eliminateFrom(by_loops_, layout.rows(), G);
}

void ForestDynamics::addVelocitiesByLoops(const Part& part, ContactLayout layout) const {
  const MatrixXd& answers = loops_.answers();
  const int base = part.model.baseDofs();
  for (Eigen::Index k = 0; k < answers.cols(); ++k) {
    takeVelocities(model_, part.tree, answers.col(k), part.force);
    if (part.force.isZero(0.0)) continue;  // a loop of another tree
    if (part.layout.contacts > 0) part.engine->contactVelocity(part.force, part.rows.data());
    for (int s = 0; s < part.layout.contacts; ++s)
      for (int c = 0; c < 3; ++c)
        by_loops_(layout.row(numberOf(part.sides[s]), c), k) += part.sides[s].sign * part.rows[part.layout.row(s, c)];
    for (std::size_t j = 0; j < part.joints.size(); ++j)
      by_loops_(layout.row(part.joint_numbers[j], part.joints[j].component), k) =
          part.joints[j].sign * part.force[base + part.joints[j].dof];
  }
}

/// A group that touches many others: G of its own rows, factorised.
bool ForestDynamics::findMotionsOfTied(Group& group, ContactLayout layout) const {
  const int rows = 3 * group.rows;
  group.G.assign(static_cast<std::size_t>(layout.rows()) * layout.rows(), 0.0);
  if (!writeOut(group, layout, group.G.data())) return false;
  for (const int tree : group.parts) {
    const Part& part = trees_[tree];
    part.mobilities.clear();
    for (std::size_t k = 0; k < part.joints.size(); ++k)
      for (int c = 0, left = 2; c < 3; ++c) {
        if (c == part.joints[k].component) continue;
        double& own = group.G[static_cast<std::size_t>(layout.row(part.joint_numbers[k], c)) * (layout.rows() + 1)];
        if (--left == 0) part.mobilities.push_back(own);
        own = 0.0;  // it is no motion of the group
      }
  }
  group.motion_count = factorise(group.G.data(), layout, rows, group.seen);
  return true;
}

// --- a tree by its motions ---------------------------------------------------------------------------

/// M + implicit inertia = L Lᵀ; the lower half of part.factor is L afterwards.
void ForestDynamics::factoriseMass(const Part& part) const {
  const int n = part.model.nv(), joints = part.tree.dofs();
  part.factor.resize(n, n);
  part.engine->massMatrix(part.factor);
  part.factor.diagonal().tail(joints) += implicit_.segment(part.tree.dofs_begin, joints);
  for (int c = 0; part.stiffened && c < n; ++c) {
    part.force.setZero();
    part.force[c] = 1.0;
    part.engine->multiplyTurningInertia(part.force, part.moved);
    part.factor.col(c) += part.moved;
  }
  Eigen::Ref<MatrixXd> in_place = part.factor;
  Eigen::LLT<Eigen::Ref<MatrixXd>> decompose(in_place);
}

/// A robot on its feet moves in more ways than its contacts see.
bool ForestDynamics::seesFewMotions(const Part& part) const {
  return part.tree.dofs() > 0 && 3 * part.layout.contacts < part.model.nv() && part.joints.empty();
}

void ForestDynamics::findMotionsOfPart(const Part& part) const {
  const int rows = 3 * part.layout.contacts;
  part.factorised = false;
  part.motion_count = part.model.nv();
  if (rows == 0 || part.model.nv() == 0) return;
  if (seesFewMotions(part)) {
    // The engine's own G, factorised, in place of all motions of the tree.
    part.G.resize(static_cast<std::size_t>(part.layout.rows()) * part.layout.rows());
    part.engine->delassus(part.G.data());
    part.motion_count = factorise(part.G.data(), part.layout, rows, part.seen);
    return;
  }
  MatrixXd& motions = part.seen.motions;
  if (motions.cols() < rows || motions.rows() < part.model.nv()) motions.resize(part.model.nv(), 2 * rows);
  if (part.body) return part.body->contactMotions(motions.leftCols(rows));
  factoriseMass(part);
  part.factorised = true;
  if (part.jacobian.rows() < rows) part.jacobian.resize(2 * rows, part.model.nv());
  part.engine->contactJacobian(part.jacobian.topRows(rows));
  motions.topLeftCorner(part.model.nv(), rows) = part.jacobian.topRows(rows).transpose();
  part.factor.triangularView<Eigen::Lower>().solveInPlace(motions.topLeftCorner(part.model.nv(), rows));
}

/// As many motions as rows can see: three columns for each contact. Returns how many.
int ForestDynamics::factorise(const double* G, ContactLayout layout, int rows, SeenMotions& seen) {
  if (seen.delassus.rows() < rows) {
    seen.delassus.resize(2 * rows, 2 * rows);
    seen.factor.reserve(2 * rows);
  }
  const auto stride = static_cast<std::size_t>(layout.rows());
  for (int l = 0; l < rows; ++l)
    for (int k = 0; k < rows; ++k)
      seen.delassus(k, l) = G[stride * layout.row(k / 3, k % 3) + layout.row(l / 3, l % 3)];
  seen.factor.factorize(seen.delassus, rows);
  const int count = seen.factor.rank();
  if (seen.motions.cols() < rows || seen.motions.rows() < count) seen.motions.resize(rows, 2 * rows);
  for (int k = 0; k < rows; ++k) {
    auto column = seen.motions.col(seen.factor.pivot(k)).head(count);
    for (int j = 0; j < count; ++j) column[j] = seen.factor.entry(k, j);
  }
  return count;
}

// --- what contacts and joints feel -------------------------------------------------------------------

namespace {

constexpr int kBlock = TreeMotions::kBlock;

/// One row of a contact, in the blocks that the trees' motions come in: += sign · motions.
template <class Motions>
void addRow(double sign, const Motions& motions, int component, double* blocks) {
  for (Eigen::Index k = 0; k < motions.size(); ++k)
    blocks[(k / kBlock) * TreeMotions::kRows + component * kBlock + k % kBlock] += sign * motions[k];
}

/// All three.
template <class Motions>
void addThreeRows(double sign, const Motions& motions, int contact, int count, double* blocks) {
  for (int c = 0; c < 3; ++c) addRow(sign, motions.col(3 * contact + c).head(count), c, blocks);
}

}  // namespace

void ForestDynamics::addContact(int contact, TreeMotions& motions) const {
  motions.addContact();
  const Group* last = nullptr;
  double* blocks = nullptr;
  for (int s = 0; s < 2; ++s) {
    const Group* group = groupAt(contact, s);
    if (group == nullptr) continue;
    if (group->is_written) return motions.addWrittenSide(group->tree, number_[contact][s]);
    const bool is_new = group != last;
    last = group;
    if (is_new) blocks = motions.addSide(group->tree);
    if (!group->tied)
      addThreeRows(s == 0 ? 1.0 : -1.0, trees_[tree_of_[contact][s]].seen.motions, side_of_[contact][s],
                   group->motion_count, blocks);
    else if (is_new)  // both of its sides, if it has two, are in these
      addThreeRows(1.0, group->seen.motions, number_[contact][s], group->motion_count, blocks);
  }
}

/// The rows that it does not take answer to their own impulses alone.
void ForestDynamics::addJoint(const JointMotion& joint, TreeMotions& motions) const {
  const Part& part = partOf(joint);
  const Group& group = groups_[part.group];
  const int added = part.joints_added++, number = part.joint_numbers[added];
  const auto answerAlone = [&](double mobility) {
    for (int c = 0; c < 3; ++c)
      if (c != joint.component) motions.own.back()[c] = mobility;
  };
  motions.addContact();
  if (group.is_written) return motions.addWrittenSide(group.tree, number);
  double* blocks = motions.addSide(group.tree);
  if (group.tied) {
    addRow(1.0, group.seen.motions.col(3 * number + joint.component).head(group.motion_count), joint.component, blocks);
    return answerAlone(part.mobilities[added]);
  }
  if (!part.factorised) factoriseMass(part);
  part.factorised = true;
  part.force.setZero();
  part.force[part.model.baseDofs() + joint.dof - part.tree.dofs_begin] = 1.0;
  part.factor.triangularView<Eigen::Lower>().solveInPlace(part.force);
  addRow(joint.sign, part.force, joint.component, blocks);
  answerAlone(part.force.squaredNorm());
}

}  // namespace footfall
