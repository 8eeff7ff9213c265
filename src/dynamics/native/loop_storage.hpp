#pragma once

#include "dynamics/native/storage.hpp"

namespace footfall::native {

/// Owns the memory behind a LoopSet, and everything about it that never changes.
class LoopStorage {
 public:
  LoopStorage(const TreeStorage& tree, const Model& model);
  LoopStorage(const LoopStorage&) = delete;

  LoopSet& set() { return set_; }
  const LoopSet& set() const { return set_; }

 private:
  using Signs = std::vector<double>;  ///< of one row, by coordinate
  void addTie(const Model& model, const LoopPoint& point);
  Signs signsOf(const LoopTie& tie) const;
  void addPath(int link, double sign, Signs& signs) const;
  void assignLanes();
  void listCoordinates();
  void listMovingJoints();
  void share();
  void layOut(simd::Arena& arena);
  void writeSigns();

  const TreeStorage& tree_;
  AlignedVector memory_;
  std::vector<LoopTie> ties_;
  std::vector<Signs> signs_;  ///< by row
  std::vector<int> lane_, generalized_, touched_, touched_count_, reached_, reached_count_, moving_joint_, balls_;
  std::vector<std::uint8_t> moves_;
  double* sign_ = nullptr;  ///< writable view of what the set shows as constant
  LoopSet set_{};
};

}  // namespace footfall::native
