#include "pinocchio_reference.hpp"

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/multibody/data.hpp>

#include "dynamics/joint_map.hpp"
#include "dynamics/pinocchio/pinocchio_tree.hpp"
#include "footfall/base/error.hpp"

namespace footfall::bench {

struct PinocchioReference::Impl {
  explicit Impl(const Model& model)
      : base_dofs(model.baseDofs()), tree(makePinocchioTree(model)), map(model, tree.columns), data(tree.model) {
    if (!map.isPermutation()) throw Error(model.name, "the reference knows no mimic joints");
    for (int r = base_dofs; r < map.treeSize(); ++r) {
      tree.model.armature[r] = model.dofs[map.source(r) - base_dofs].reflected_inertia;
    }
    q.setZero(tree.model.nq);
    v.setZero(tree.model.nv);
    tau.setZero(tree.model.nv);
  }

  int base_dofs;
  PinocchioTree tree;
  JointMap map;
  pinocchio::Data data;
  VectorXd q, v, tau, positions;
  Eigen::Matrix3d R_WB = Eigen::Matrix3d::Identity();
  Eigen::Vector3d omega_cross_v = Eigen::Vector3d::Zero();  ///< of the base, in its own axes [m/s²]
};

PinocchioReference::PinocchioReference(const Model& model) : impl_(std::make_unique<Impl>(model)) {}
PinocchioReference::~PinocchioReference() = default;

void PinocchioReference::setState(const Eigen::Ref<const VectorXd>& q, const Eigen::Ref<const VectorXd>& nu,
                                  const Eigen::Ref<const VectorXd>& tau) {
  Impl& my = *impl_;
  my.positions.resize(my.map.treeSize() - my.base_dofs);
  my.map.positions(q.tail(my.positions.size()), my.positions);
  my.q.tail(my.positions.size()) = my.positions;
  my.map.velocity(nu, my.v);
  my.map.velocity(tau, my.tau);
  if (my.base_dofs == 0) return;
  my.q.head<7>() = q.head<7>();
  my.R_WB = Eigen::Quaterniond(q[6], q[3], q[4], q[5]).toRotationMatrix();
  for (VectorXd* vector : {&my.v, &my.tau}) {
    vector->head<3>() = my.R_WB.transpose() * vector->head<3>().eval();
    vector->segment<3>(3) = my.R_WB.transpose() * vector->segment<3>(3).eval();
  }
  my.omega_cross_v = my.v.segment<3>(3).cross(my.v.head<3>());
}

double PinocchioReference::aba() {
  return pinocchio::aba(impl_->tree.model, impl_->data, impl_->q, impl_->v, impl_->tau,
                        pinocchio::Convention::WORLD)[0];
}

VectorXd PinocchioReference::acceleration() const {
  VectorXd tree = impl_->data.ddq;
  if (impl_->base_dofs == 6) {
    tree.head<3>() = impl_->R_WB * (impl_->data.ddq.head<3>() + impl_->omega_cross_v);
    tree.segment<3>(3) = impl_->R_WB * impl_->data.ddq.segment<3>(3);
  }
  VectorXd nu_dot(tree.size());
  impl_->map.force(tree, nu_dot);  // a permutation: its transpose leads back
  return nu_dot;
}

}  // namespace footfall::bench
