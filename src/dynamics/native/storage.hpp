#pragma once

#include <span>
#include <vector>

#include "dynamics/native/tree_storage.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "footfall/spatial/contact_layout.hpp"

namespace footfall::native {

/// Zeroed memory at cache lines, all given back together.
class Arena {
 public:
  template <class T>
  T* take(std::size_t count) {
    blocks_.emplace_back((count * sizeof(T) + sizeof(double) - 1) / sizeof(double), 0.0);
    return reinterpret_cast<T*>(blocks_.back().data());
  }
  void clear() { blocks_.clear(); }

 private:
  std::vector<AlignedVector> blocks_;
};

/// Owns the memory behind a Workspace.
template <class T>
class WorkspaceStorage {
 public:
  explicit WorkspaceStorage(const Tree& tree);
  WorkspaceStorage(const WorkspaceStorage&) = delete;

  Workspace<T>& workspace() { return workspace_; }
  const Workspace<T>& workspace() const { return workspace_; }

 private:
  Arena arena_;
  std::vector<int> row_;
  alignas(64) Workspace<T> workspace_{};
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
  void group(std::span<const ContactFrame> contacts);
  bool sameLinks(std::span<const ContactFrame> contacts) const;
  void markLanes();

  const TreeStorage& tree_;
  Arena arena_;
  int capacity_ = 0;
  std::vector<int> link_of_contact_;  ///< of the last grouping
  // writable views of what the set shows as constant
  double *p_KC_ = nullptr, *R_WC_ = nullptr, *lane_mask_ = nullptr;
  int *group_ = nullptr, *link_ = nullptr, *shared_ = nullptr;
  std::uint8_t* in_block_ = nullptr;
  ContactSet<T> set_{};
};

extern template class WorkspaceStorage<double>;
extern template class WorkspaceStorage<Pack>;
extern template class ContactStorage<double>;
extern template class ContactStorage<Pack>;

}  // namespace footfall::native
