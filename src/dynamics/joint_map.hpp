#pragma once

#include <vector>

#include "footfall/model/model.hpp"

namespace footfall {

/// How the coordinates of a Model drive the joints of a library that has its own order and knows no mimic joints:
/// the library's velocities are u = P ν, where each row of P has a single entry.
class JointMap {
 public:
  /// @param columns where the library keeps each joint of the model among its velocities
  JointMap(const Model& model, const std::vector<int>& columns);

  int treeSize() const { return static_cast<int>(source_.size()); }  ///< of u
  /// Every coordinate drives one joint, as it is.
  bool isPermutation() const { return is_permutation_; }
  /// The entry of ν that drives an entry of u.
  int source(int tree_row) const { return source_[tree_row]; }

  void positions(const Eigen::Ref<const VectorXd>& s, VectorXd& tree) const;  ///< of the joints, in tree order
  void velocity(const Eigen::Ref<const VectorXd>& nu, VectorXd& tree) const;  ///< u = P ν
  void force(const VectorXd& tree, Eigen::Ref<VectorXd> out) const;           ///< Pᵀ f
  void columns(const Eigen::Matrix<double, 6, Eigen::Dynamic>& tree,
               Eigen::Matrix<double, 6, Eigen::Dynamic>& out) const;  ///< J P
  void mass(const MatrixXd& tree, MatrixXd& out) const;               ///< Pᵀ M P

 private:
  int base_dofs_;
  bool is_permutation_;
  std::vector<int> source_;
  std::vector<double> factor_, offset_;
};

}  // namespace footfall
