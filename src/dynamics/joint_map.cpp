#include "dynamics/joint_map.hpp"

namespace footfall {

JointMap::JointMap(const Model& model, const std::vector<int>& columns)
    : base_dofs_(model.baseDofs()), is_permutation_(!model.hasMimicJoints()) {
  const std::size_t size = base_dofs_ + model.joints.size();
  source_.resize(size);
  factor_.assign(size, 1.0);
  offset_.assign(size, 0.0);
  for (int r = 0; r < base_dofs_; ++r) source_[r] = r;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    source_[columns[j]] = base_dofs_ + joint.dof;
    factor_[columns[j]] = joint.multiplier;
    offset_[columns[j]] = joint.offset;
    is_permutation_ = is_permutation_ && joint.multiplier == 1.0;
  }
}

void JointMap::positions(const Eigen::Ref<const VectorXd>& s, VectorXd& tree) const {
  for (int r = base_dofs_; r < treeSize(); ++r) {
    tree[r - base_dofs_] = factor_[r] * s[source_[r] - base_dofs_] + offset_[r];
  }
}

void JointMap::velocity(const Eigen::Ref<const VectorXd>& nu, VectorXd& tree) const {
  for (int r = 0; r < treeSize(); ++r) tree[r] = factor_[r] * nu[source_[r]];
}

void JointMap::force(const VectorXd& tree, Eigen::Ref<VectorXd> out) const {
  out.setZero();
  for (int r = 0; r < treeSize(); ++r) out[source_[r]] += factor_[r] * tree[r];
}

void JointMap::columns(const Eigen::Matrix<double, 6, Eigen::Dynamic>& tree,
                       Eigen::Matrix<double, 6, Eigen::Dynamic>& out) const {
  out.setZero();
  for (int r = 0; r < treeSize(); ++r) out.col(source_[r]) += factor_[r] * tree.col(r);
}

void JointMap::mass(const MatrixXd& tree, MatrixXd& out) const {
  out.setZero();
  for (int c = 0; c < treeSize(); ++c) {
    for (int r = 0; r < treeSize(); ++r) out(source_[r], source_[c]) += factor_[r] * factor_[c] * tree(r, c);
  }
}

}  // namespace footfall
