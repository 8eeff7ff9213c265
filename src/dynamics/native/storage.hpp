#pragma once

#include <span>
#include <vector>

#include "dynamics/native/tree_storage.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "footfall/simd/internal/arena.hpp"
#include "footfall/spatial/contact_layout.hpp"

namespace footfall::native {

/// Owns the memory behind a Scratch.
template <class T>
class ScratchStorage {
 public:
  explicit ScratchStorage(const Tree& tree);
  ScratchStorage(const ScratchStorage&) = delete;

  Scratch<T>& scratch() { return scratch_; }
  const Scratch<T>& scratch() const { return scratch_; }

 private:
  void layOut(const Tree& tree, int entries, simd::Arena& arena);

  AlignedVector memory_;
  std::vector<int> row_;
  alignas(64) Scratch<T> scratch_{};
};

/// Owns the memory behind a ContactSet, and groups the contacts by link.
template <class T>
class ContactStorage {
 public:
  explicit ContactStorage(const TreeStorage& tree) : tree_(tree) { reserve(8); }
  ContactStorage(const ContactStorage&) = delete;

  void reserve(int max_contacts);
  /// The points themselves are placed by the kernels.
  void assign(std::span<const ContactFrame> contacts);

  ContactSet<T>& set() { return set_; }
  const ContactSet<T>& set() const { return set_; }

 private:
  void layOut(simd::Arena& arena);
  void group(std::span<const ContactFrame> contacts);
  bool sameLinks(std::span<const ContactFrame> contacts) const;
  void markLanes();

  const TreeStorage& tree_;
  AlignedVector memory_;
  int capacity_ = 0;
  std::vector<int> link_of_contact_;  ///< of the last grouping
  // writable views of what the set shows as constant
  double *p_KC_ = nullptr, *R_WC_ = nullptr, *lane_mask_ = nullptr;
  int *group_ = nullptr, *link_ = nullptr, *shared_ = nullptr;
  std::uint8_t* in_block_ = nullptr;
  ContactSet<T> set_{};
};

/// Owns the memory behind a JointRows.
class JointRowStorage {
 public:
  static constexpr int kRowsOfAJoint = 2;  ///< friction, and one of its limits; more find their room when they come

  /// @param row_base entries of a row of L that belong to the base
  JointRowStorage(const TreePaths& paths, int row_base);
  JointRowStorage(const JointRowStorage&) = delete;

  void reserve(int rows, int groups);
  /// @param numbers of the tree, of each of the model's dofs
  JointRows& assign(std::span<const JointMotion> joints, const std::vector<int>& numbers,
                    const ContactSet<double>& contacts);

 private:
  void layOut(simd::Arena& arena);
  bool sameWays(const ContactSet<double>& contacts) const;
  void findWays(const ContactSet<double>& contacts);

  const TreePaths& paths_;
  int capacity_ = 0;
  AlignedVector memory_;
  std::vector<int> joint_, component_, link_, with_group_, with_joint_;
  std::vector<int> known_joint_, known_link_;  ///< that the ways were found for
  std::vector<double> sign_;
  JointRows rows_{};
};

extern template class ScratchStorage<double>;
extern template class ScratchStorage<RobotPack>;
extern template class ContactStorage<double>;
extern template class ContactStorage<RobotPack>;

}  // namespace footfall::native
