#include "dynamics/native/storage.hpp"

#include <algorithm>

namespace footfall::native {
namespace {

template <class T>
int strideOf(int contacts) {
  return Width<T>::kRobots == 1 ? ContactLayout::of(contacts).stride : contacts;
}

/// Contacts that one vector register holds.
int lanesOf(int stride) { return stride % 8 == 0 ? 8 : 4; }

int roundUp(int count, int multiple) { return (count + multiple - 1) / multiple * multiple; }

}  // namespace

template <class T>
ScratchStorage<T>::ScratchStorage(const Tree& tree) : row_(tree.links) {
  scratch_.row_base = tree.floating_base ? kSix<T> : 0;
  int entries = 0;
  for (int k = 1; k < tree.links; ++k) {
    row_[k] = entries;
    entries += scratch_.row_base + roundUp(tree.depth[k] + 1, Width<T>::kChunk);
  }
  scratch_.row = row_.data();
  simd::layOutIn(memory_, [&](simd::Arena& arena) { layOut(tree, entries, arena); });
}

template <class T>
void ScratchStorage<T>::layOut(const Tree& tree, int entries, simd::Arena& arena) {
  Scratch<T>& w = scratch_;
  const int padded = roundUp(tree.links, 8);
  w.link = arena.take<LinkState<T>>(tree.links);
  w.inertia = Width<T>::kRobots == 1 ? arena.take<Inertia<T>>(tree.links) : nullptr;
  w.S = arena.take<Six<T>>(tree.links);
  w.branch = arena.take<Load<T>>(tree.links);
  for (T** joint_array : {&w.position, &w.sine, &w.cosine, &w.velocity, &w.D, &w.D_inverse, &w.implicit, &w.h, &w.x}) {
    *joint_array = arena.take<T>(padded);
  }
  w.M = arena.take<T>(entries);
  w.L = arena.take<T>(entries);
  w.U = Width<T>::kRobots == 1 ? arena.take<T>(entries) : w.L;
  w.M_base = arena.take<Six<T>>(6);
  w.L_base = arena.take<Six<T>>(6);
  w.D_base_inverse = arena.take<T>(6);
}

template <class T>
void ContactStorage<T>::reserve(int max_contacts) {
  if (max_contacts <= capacity_) return;
  capacity_ = max_contacts;
  simd::layOutIn(memory_, [this](simd::Arena& arena) { layOut(arena); });
  link_of_contact_.clear();
  link_of_contact_.reserve(capacity_);
}

template <class T>
void ContactStorage<T>::layOut(simd::Arena& arena) {
  const int stride = strideOf<T>(capacity_);
  const int groups = std::min(capacity_, tree_.tree().links);
  p_KC_ = arena.take<double>(3 * stride);
  R_WC_ = arena.take<double>(9 * stride);
  lane_mask_ = arena.take<double>(groups * stride);
  group_ = arena.take<int>(stride);
  link_ = arena.take<int>(groups);
  shared_ = arena.take<int>(groups * groups);
  in_block_ = arena.take<std::uint8_t>(groups * stride);
  set_ = {};
  set_.stride = strideOf<T>(0);
  set_.p_KC = p_KC_, set_.R_WC = R_WC_, set_.lane_mask = lane_mask_;
  set_.group = group_, set_.link = link_, set_.shared = shared_, set_.in_block = in_block_;
  set_.p = arena.take<T>(3 * stride);
  set_.Y = arena.take<Six<T>>(groups * (tree_.tree().max_path + 6));
  set_.Z = arena.take<Six<T>>(tree_.tree().max_path + 6);
  set_.Lambda = arena.take<Six<T>>(6 * groups * groups);
}

template <class T>
bool ContactStorage<T>::sameLinks(std::span<const ContactFrame> contacts) const {
  return std::equal(contacts.begin(), contacts.end(), link_of_contact_.begin(), link_of_contact_.end(),
                    [](const ContactFrame& contact, int link) { return contact.link == link; });
}

template <class T>
void ContactStorage<T>::assign(std::span<const ContactFrame> contacts) {
  reserve(static_cast<int>(contacts.size()));
  if (!sameLinks(contacts)) group(contacts);
  const int n = set_.stride;
  set_.world_axes = true;
  for (int i = 0; i < set_.count; ++i) {
    const ContactFrame& contact = contacts[i];
    const Vector3d p_KC = tree_.R_LK(link_[group_[i]]).transpose() * contact.p_LC;
    for (int c = 0; c < 3; ++c) p_KC_[c * n + i] = p_KC[c];
    for (int c = 0; c < 9; ++c) R_WC_[c * n + i] = contact.R_WC.data()[c];
    set_.world_axes = set_.world_axes && contact.R_WC == Matrix3d::Identity();
  }
}

template <class T>
void ContactStorage<T>::group(std::span<const ContactFrame> contacts) {
  set_.count = static_cast<int>(contacts.size());
  set_.stride = strideOf<T>(set_.count);
  set_.groups = 0;
  link_of_contact_.clear();
  std::fill_n(p_KC_, 3 * set_.stride, 0.0);
  std::fill_n(R_WC_, 9 * set_.stride, 0.0);
  std::fill_n(set_.p, 3 * set_.stride, T{});
  for (int i = 0; i < set_.count; ++i) {
    const int link = tree_.number(contacts[i].link);
    const int* known = std::find(link_, link_ + set_.groups, link);
    group_[i] = static_cast<int>(known - link_);
    if (group_[i] == set_.groups) link_[set_.groups++] = link;
    link_of_contact_.push_back(contacts[i].link);
  }
  for (int a = 0; a < set_.groups; ++a) {
    for (int b = 0; b < set_.groups; ++b) shared_[a * set_.groups + b] = tree_.sharedJoints(link_[a], link_[b]);
  }
  markLanes();
}

template <class T>
void ContactStorage<T>::markLanes() {
  const int n = set_.stride, lanes = lanesOf(n);
  std::fill_n(lane_mask_, set_.groups * n, 0.0);
  std::fill_n(in_block_, set_.groups * n, std::uint8_t{0});
  for (int i = 0; i < set_.count; ++i) {
    lane_mask_[group_[i] * n + i] = 1.0;
    in_block_[group_[i] * n + i / lanes * lanes] = 1;
  }
}

// --- joints ----------------------------------------------------------------------------------------

JointRowStorage::JointRowStorage(const TreePaths& paths, int row_base) : paths_(paths) {
  rows_.row = row_base + roundUp(paths.longest(), Width<double>::kChunk);
}

void JointRowStorage::layOut(simd::Arena& arena) {
  rows_.y = arena.take<double>(static_cast<std::size_t>(capacity_) * rows_.row);
  rows_.z = arena.take<double>(rows_.row);
}

void JointRowStorage::reserve(int rows, int groups) {
  for (std::vector<int>* v : {&joint_, &component_, &known_joint_}) v->reserve(rows);
  sign_.reserve(rows);
  known_link_.reserve(groups);
  with_group_.reserve(static_cast<std::size_t>(rows) * groups);
  with_joint_.reserve(static_cast<std::size_t>(rows) * rows);
  if (rows <= capacity_) return;
  capacity_ = rows;
  simd::layOutIn(memory_, [this](simd::Arena& arena) { layOut(arena); });
}

JointRows& JointRowStorage::assign(std::span<const JointMotion> joints, const std::vector<int>& numbers,
                                   const ContactSet<double>& contacts) {
  rows_.count = static_cast<int>(joints.size());
  rows_.stride = ContactLayout::of(contacts.count + rows_.count).stride;
  if (rows_.count > capacity_) reserve(rows_.count, contacts.groups);
  joint_.clear(), sign_.clear(), component_.clear();
  for (const JointMotion& motion : joints) {
    joint_.push_back(numbers[motion.dof]);
    sign_.push_back(motion.sign);
    component_.push_back(motion.component);
  }
  if (!sameWays(contacts)) findWays(contacts);
  rows_.joint = joint_.data(), rows_.sign = sign_.data(), rows_.component = component_.data();
  rows_.with_group = with_group_.data(), rows_.with_joint = with_joint_.data();
  return rows_;
}

bool JointRowStorage::sameWays(const ContactSet<double>& contacts) const {
  return joint_ == known_joint_ &&
         std::equal(known_link_.begin(), known_link_.end(), contacts.link, contacts.link + contacts.groups);
}

void JointRowStorage::findWays(const ContactSet<double>& contacts) {
  known_joint_ = joint_;
  known_link_.assign(contacts.link, contacts.link + contacts.groups);
  with_group_.clear(), with_joint_.clear();
  for (const int joint : joint_) {
    for (const int link : known_link_) with_group_.push_back(paths_.shared(joint, link));
    for (const int other : joint_) with_joint_.push_back(paths_.shared(joint, other));
  }
}

// --- kinds -----------------------------------------------------------------------------------------

template class ScratchStorage<double>;
template class ScratchStorage<RobotPack>;
template class ContactStorage<double>;
template class ContactStorage<RobotPack>;

}  // namespace footfall::native
