#include "dynamics/native/mimic_dynamics.hpp"

#include "dynamics/inertia_couplings.hpp"
#include "footfall/model/ball_joint.hpp"

namespace footfall::native {
namespace {

/// The same robot with one coordinate for each joint. Motors belong to the coordinates of the original.
Model treeWithoutMimics(const Model& model) {
  Model tree = model;
  tree.dofs.assign(model.joints.size(), Dof{});
  tree.couplings.clear();
  for (std::size_t j = 0; j < tree.joints.size(); ++j) {
    tree.joints[j].dof = DofIndex(static_cast<int>(j));
    tree.joints[j].multiplier = 1.0;
    tree.joints[j].offset = 0.0;
  }
  tree.balls = ballsOf(tree);
  return tree;
}

MatrixXd velocityMap(const Model& model) {
  const int base = model.baseDofs();
  MatrixXd P = MatrixXd::Zero(base + static_cast<int>(model.joints.size()), model.nv());
  P.topLeftCorner(base, base).setIdentity();
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    P(base + static_cast<int>(j), base + model.joints[j].dof) = model.joints[j].multiplier;
  }
  return P;
}

}  // namespace

bool MimicDynamics::neededBy(const Model& model) {
  if (model.hasMimicJoints()) return true;
  for (const Joint& joint : model.joints) {
    if (joint.multiplier != 1.0 || joint.offset != 0.0) return true;
  }
  return !TreeStorage::couplingsFollowPaths(model);
}

MimicDynamics::MimicDynamics(const Model& model)
    : model_(model),
      tree_model_(treeWithoutMimics(model)),
      tree_(tree_model_),
      P_(velocityMap(model)),
      implicit_(VectorXd::Zero(model.jointDofs())),
      kinetic_velocity_(VectorXd::Zero(model.nv())),
      q_tree_(tree_model_.nq()),
      nu_tree_(tree_model_.nv()),
      tau_tree_(tree_model_.nv()),
      M_tree_(tree_model_.nv(), tree_model_.nv()),
      MP_(tree_model_.nv(), model.nv()),
      M_(model.nv(), model.nv()),
      M_implicit_(model.nv(), model.nv()),
      J_tree_(6, tree_model_.nv()),
      factor_(model.nv()),
      loops_(model) {
  reserveContacts(8);
}

void MimicDynamics::expandVelocity(VectorIn nu) const { nu_tree_.noalias() = P_ * nu; }

void MimicDynamics::expand(VectorIn q, VectorIn nu) {
  q_tree_.head<7>() = q.head<7>();
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const Joint& joint = model_.joints[j];
    q_tree_[7 + static_cast<int>(j)] = joint.multiplier * q[7 + joint.dof] + joint.offset;
  }
  expandVelocity(nu);
  kinetic_velocity_ = nu;
}

void MimicDynamics::updateKinematics(VectorIn q, VectorIn nu) {
  expand(q, nu);
  tree_.updateKinematics(q_tree_, nu_tree_);
}

void MimicDynamics::update(VectorIn q, VectorIn nu) {
  expand(q, nu);
  tree_.update(q_tree_, nu_tree_);
  tree_.massMatrix(M_tree_);
  MP_.noalias() = M_tree_ * P_;
  M_.noalias() = P_.transpose() * MP_;
  for (int i = 0; i < model_.jointDofs(); ++i) {
    M_(model_.baseDofs() + i, model_.baseDofs() + i) += model_.dofs[i].reflected_inertia;
  }
  addInertiaCouplings(model_, M_);
  M_implicit_ = M_;
  M_implicit_.diagonal().tail(model_.jointDofs()) += implicit_;
  factor_.compute(M_implicit_);
  loops_.clear();
}

void MimicDynamics::updateVelocity(VectorIn nu) {
  expandVelocity(nu);
  kinetic_velocity_ = nu;
  tree_.updateVelocity(nu_tree_);
}

void MimicDynamics::biasForces(VectorOut h) const {
  tree_.biasForces(tau_tree_);
  h.noalias() = P_.transpose() * tau_tree_;
}

void MimicDynamics::gravityForces(VectorOut g) const {
  tree_.gravityForces(tau_tree_);
  g.noalias() = P_.transpose() * tau_tree_;
}

Energy MimicDynamics::energy() const {
  Energy energy = tree_.energy();
  for (int i = 0; i < model_.jointDofs(); ++i) {
    const double speed = kinetic_velocity_[model_.baseDofs() + i];
    energy.kinetic += 0.5 * model_.dofs[i].reflected_inertia * speed * speed;
  }
  energy.kinetic += couplingEnergy(model_, kinetic_velocity_);
  return energy;
}

void MimicDynamics::frameJacobian(FrameIndex frame, MatrixOut J) const {
  tree_.frameJacobian(frame, J_tree_.topRows(6));
  J.noalias() = J_tree_.topRows(6) * P_;
}

void MimicDynamics::addWrench(LinkIndex link, const Vector3d& p_LP, const Vector6d& wrench_W, VectorOut tau) const {
  tau_tree_.setZero();
  tree_.addWrench(link, p_LP, wrench_W, tau_tree_);
  tau.noalias() += P_.transpose() * tau_tree_;
}

void MimicDynamics::reserveContacts(int max_contacts) {
  tree_.reserveContacts(max_contacts);
  if (J_.rows() >= 3 * max_contacts) return;
  J_tree_.resize(std::max(6, 3 * max_contacts), tree_model_.nv());
  J_.resize(3 * max_contacts, model_.nv());
  Y_.resize(model_.nv(), 3 * max_contacts);
  GJ_.resize(3 * max_contacts, 3 * max_contacts);
}

void MimicDynamics::setContacts(std::span<const ContactFrame> contacts) {
  contacts_ = static_cast<int>(contacts.size());
  reserveContacts(contacts_);
  tree_.setContacts(contacts);
}

void MimicDynamics::contactVelocity(VectorIn nu, double* v) const {
  expandVelocity(nu);
  tree_.contactVelocity(nu_tree_, v);
}

void MimicDynamics::addContactImpulse(const double* p, VectorOut tau) const {
  tau_tree_.setZero();
  tree_.addContactImpulse(p, tau_tree_);
  tau.noalias() += P_.transpose() * tau_tree_;
}

void MimicDynamics::contactJacobian(MatrixOut J) const {
  tree_.contactJacobian(J_tree_.topRows(3 * contacts_));
  J.noalias() = J_tree_.topRows(3 * contacts_) * P_;
}

void MimicDynamics::delassus(double* G) const {
  const int rows = 3 * contacts_;
  auto J = J_.topRows(rows);
  auto Y = Y_.leftCols(rows);
  auto dense = GJ_.topLeftCorner(rows, rows);
  contactJacobian(J);
  Y = J.transpose();
  factor_.matrixL().solveInPlace(Y);
  dense.noalias() = Y.transpose() * Y;
  const ContactLayout layout = ContactLayout::of(contacts_);
  std::fill_n(G, layout.rows() * layout.rows(), 0.0);
  for (int a = 0; a < rows; ++a) {
    for (int b = 0; b < rows; ++b) G[layout.row(a / 3, a % 3) * layout.rows() + layout.row(b / 3, b % 3)] = dense(a, b);
  }
  if (loops_.prepared()) loops_.eliminateFrom(*this, layout, G);
}

}  // namespace footfall::native
