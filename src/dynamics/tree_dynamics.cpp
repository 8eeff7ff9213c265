#include "dynamics/tree_dynamics.hpp"

#include "dynamics/inertia_couplings.hpp"

namespace footfall {
namespace {

/// Velocity of a point of a body from that of its origin: the rows of [1, −r×].
Vector6d velocityAt(const Vector6d& V, const Vector3d& r) {
  Vector6d moved = V;
  moved.head<3>() += V.tail<3>().cross(r);
  return moved;
}

/// Acceleration of a point of a body from that of its origin.
Vector6d accelerationAt(const Vector6d& A, const Vector3d& omega, const Vector3d& r) {
  Vector6d moved = velocityAt(A, r);
  moved.head<3>() += omega.cross(omega.cross(r));
  return moved;
}

Vector6d wrenchAtOrigin(const Vector6d& wrench, const Vector3d& r) {
  Vector6d moved = wrench;
  moved.tail<3>() += r.cross(wrench.head<3>());
  return moved;
}

/// Component c of contact i stands at layout.row(i, c).
Vector3d gather(const ContactLayout& layout, const double* packed, int i) {
  return {packed[layout.row(i, 0)], packed[layout.row(i, 1)], packed[layout.row(i, 2)]};
}

void scatter(const ContactLayout& layout, const Vector3d& value, int i, double* packed) {
  for (int c = 0; c < 3; ++c) packed[layout.row(i, c)] = value[c];
}

}  // namespace

TreeDynamics::TreeDynamics(const Model& model, const std::vector<int>& columns)
    : model_(model), map_(model, columns), implicit_inertia_(VectorXd::Zero(model.jointDofs())), loops_(model) {
  const int nv = model.nv();
  const int tree = map_.treeSize();
  reflected_inertia_.resize(model.jointDofs());
  for (int d = 0; d < model.jointDofs(); ++d) reflected_inertia_[d] = model.dofs[d].reflected_inertia;
  positions_.resize(static_cast<Eigen::Index>(model.joints.size()));
  velocity_.resize(tree);
  nu_.resize(nv);
  tree_mass_.resize(tree, tree);
  mass_.resize(nv, nv);
  tree_force_.resize(tree);
  tree_J_.resize(6, tree);
  J_.resize(6, nv);
}

// --- generalized quantities --------------------------------------------------------------------------------------

void TreeDynamics::update(VectorIn q, VectorIn nu) {
  const Pose X_WB{Eigen::Quaterniond(q[6], q[3], q[4], q[5]).toRotationMatrix(), q.head<3>()};
  nu_ = nu;
  map_.positions(q.tail(model_.jointDofs()), positions_);
  map_.velocity(nu, velocity_);
  updateTree(X_WB, positions_, velocity_);
  mass_known_ = false;
  factorize();
  loops_.clear();
}

void TreeDynamics::updateVelocity(VectorIn nu) {
  nu_ = nu;
  map_.velocity(nu, velocity_);
  updateTreeVelocity(velocity_);
}

const MatrixXd& TreeDynamics::mass() const {
  if (!mass_known_) {
    treeMass(tree_mass_);
    map_.mass(tree_mass_, mass_);
    mass_.diagonal().tail(model_.jointDofs()) += reflected_inertia_;
    addInertiaCouplings(model_, mass_);
    mass_known_ = true;
  }
  return mass_;
}

void TreeDynamics::factorize() {
  mass();
  mass_.diagonal().tail(model_.jointDofs()) += implicit_inertia_;
  factor_.compute(mass_);
  mass_known_ = implicit_inertia_.isZero(0.0);
}

void TreeDynamics::biasForces(VectorOut h) const {
  treeBiasForces(tree_force_);
  map_.force(tree_force_, h);
}

void TreeDynamics::gravityForces(VectorOut g) const {
  treeGravityForces(tree_force_);
  map_.force(tree_force_, g);
}

Vector3d TreeDynamics::centerOfMass() const {
  double total = 0.0;
  Vector3d moment = Vector3d::Zero();
  for (int l = 0; l < static_cast<int>(model_.links.size()); ++l) {
    const SpatialInertia& inertia = model_.links[l].inertia;
    total += inertia.mass;
    moment += inertia.mass * (linkPose(LinkIndex(l)) * inertia.com);
  }
  return moment / total;
}

Vector6d TreeDynamics::momentum() const {
  const Vector3d p_WG = centerOfMass();
  Vector6d total = Vector6d::Zero();
  for (int l = 0; l < static_cast<int>(model_.links.size()); ++l) {
    const SpatialInertia& inertia = model_.links[l].inertia;
    const Pose X_WL = linkPose(LinkIndex(l));
    const Vector6d V_com = velocityAt(linkVelocity(LinkIndex(l)), X_WL.R * inertia.com);
    Vector6d momentum;
    momentum << inertia.mass * V_com.head<3>(), X_WL.R * (inertia.I_com * (X_WL.R.transpose() * V_com.tail<3>()));
    total += wrenchAtOrigin(momentum, X_WL * inertia.com - p_WG);
  }
  return total;
}

Energy TreeDynamics::energy() const {
  return {0.5 * nu_.dot(mass() * nu_), -model_.totalMass() * model_.gravity.dot(centerOfMass())};
}

// --- frames ------------------------------------------------------------------------------------------------------

void TreeDynamics::linkJacobian(LinkIndex link, Matrix6Xd& J) const {
  treeJacobian(link, tree_J_);
  map_.columns(tree_J_, J);
}

void TreeDynamics::frameJacobian(FrameIndex frame, MatrixOut J) const {
  const Frame& f = model_.frames[frame];
  const Vector3d r = linkPose(f.link).R * f.X_LF.p;
  linkJacobian(f.link, J_);
  J = J_;
  J.topRows<3>().noalias() -= skew(r) * J_.bottomRows<3>();
}

Vector6d TreeDynamics::frameBiasAcceleration(FrameIndex frame) const {
  const Frame& f = model_.frames[frame];
  return accelerationAt(linkBiasAcceleration(f.link), linkVelocity(f.link).tail<3>(), linkPose(f.link).R * f.X_LF.p);
}

void TreeDynamics::addWrench(LinkIndex link, const Vector3d& p_LP, const Vector6d& wrench_W, VectorOut tau) const {
  linkJacobian(link, J_);
  tau.noalias() += J_.transpose() * wrenchAtOrigin(wrench_W, linkPose(link).R * p_LP);
}

// --- contacts ----------------------------------------------------------------------------------------------------

void TreeDynamics::reserveContacts(int max_contacts) {
  // No more links can touch than there are.
  const auto links = std::min(static_cast<std::size_t>(max_contacts), model_.links.size());
  points_.reserve(max_contacts);
  if (links <= contact_links_.size()) return;
  contact_links_.resize(links);
  for (ContactLink& touching : contact_links_) touching.J.resize(6, model_.nv());
  const auto rows = static_cast<Eigen::Index>(6 * links);
  stacked_JT_.resize(model_.nv(), rows);
  link_delassus_.resize(rows, rows);
}

std::size_t TreeDynamics::slotOf(LinkIndex link) {
  for (std::size_t k = 0; k < contact_link_count_; ++k) {
    if (contact_links_[k].link == link) return k;
  }
  ContactLink& added = contact_links_[contact_link_count_];
  added.link = link;
  linkJacobian(link, added.J);
  return contact_link_count_++;
}

void TreeDynamics::setContacts(std::span<const ContactFrame> contacts) {
  reserveContacts(static_cast<int>(contacts.size()));
  layout_ = ContactLayout::of(static_cast<int>(contacts.size()));
  points_.clear();
  contact_link_count_ = 0;
  for (const ContactFrame& contact : contacts) {
    ContactRows point{slotOf(contact.link), linkPose(contact.link).R * contact.p_LC, contact.R_WC, {}};
    point.S << contact.R_WC.transpose(), -contact.R_WC.transpose() * skew(point.p_LC_W);
    points_.push_back(point);
  }
}

void TreeDynamics::contactVelocity(VectorIn nu, double* v) const {
  std::fill_n(v, layout_.rows(), 0.0);
  for (std::size_t k = 0; k < contact_link_count_; ++k) {
    const Vector6d V = contact_links_[k].J * nu;
    for (int i = 0; i < layout_.contacts; ++i) {
      if (points_[i].slot == k) scatter(layout_, points_[i].S * V, i, v);
    }
  }
}

void TreeDynamics::contactBiasAcceleration(double* a) const {
  std::fill_n(a, layout_.rows(), 0.0);
  for (std::size_t k = 0; k < contact_link_count_; ++k) {
    const Vector6d A = linkBiasAcceleration(contact_links_[k].link);
    const Vector3d omega = linkVelocity(contact_links_[k].link).tail<3>();
    for (int i = 0; i < layout_.contacts; ++i) {
      if (points_[i].slot != k) continue;
      const Vector6d A_C = accelerationAt(A, omega, points_[i].p_LC_W);
      scatter(layout_, points_[i].R_WC.transpose() * A_C.head<3>(), i, a);
    }
  }
}

void TreeDynamics::addContactImpulse(const double* p, VectorOut tau) const {
  for (std::size_t k = 0; k < contact_link_count_; ++k) {
    Vector6d wrench = Vector6d::Zero();
    for (int i = 0; i < layout_.contacts; ++i) {
      if (points_[i].slot == k) wrench += points_[i].S.transpose() * gather(layout_, p, i);
    }
    tau.noalias() += contact_links_[k].J.transpose() * wrench;
  }
}

void TreeDynamics::contactJacobian(MatrixOut J) const {
  for (int i = 0; i < layout_.contacts; ++i) {
    J.middleRows<3>(3 * i).noalias() = points_[i].S * contact_links_[points_[i].slot].J;
  }
}

void TreeDynamics::linkDelassus(MatrixXd& G) const {
  const auto rows = static_cast<Eigen::Index>(6 * contact_link_count_);
  auto X = stacked_JT_.leftCols(rows);
  for (std::size_t k = 0; k < contact_link_count_; ++k) {
    X.middleCols<6>(static_cast<Eigen::Index>(6 * k)) = contact_links_[k].J.transpose();
  }
  factor_.matrixL().solveInPlace(X);
  G.topLeftCorner(rows, rows).noalias() = X.transpose() * X;
}

void TreeDynamics::delassus(double* G) const {
  const int rows = layout_.rows();
  std::fill_n(G, static_cast<std::size_t>(rows) * rows, 0.0);
  linkDelassus(link_delassus_);
  for (int i = 0; i < layout_.contacts; ++i) {
    const auto link_i = static_cast<Eigen::Index>(6 * points_[i].slot);
    Matrix36d left;
    std::size_t left_slot = contact_link_count_;  // the slot that `left` belongs to: none yet
    for (int j = 0; j <= i; ++j) {
      if (points_[j].slot != left_slot) {
        left_slot = points_[j].slot;
        left.noalias() = points_[i].S * link_delassus_.block<6, 6>(link_i, static_cast<Eigen::Index>(6 * left_slot));
      }
      const Matrix3d block = left * points_[j].S.transpose();
      for (int a = 0; a < 3; ++a) {
        for (int c = 0; c < 3; ++c) {
          G[static_cast<std::size_t>(layout_.row(i, a)) * rows + layout_.row(j, c)] = block(a, c);
          G[static_cast<std::size_t>(layout_.row(j, c)) * rows + layout_.row(i, a)] = block(a, c);
        }
      }
    }
  }
  if (loops_.prepared()) loops_.eliminateFrom(*this, layout_, G);
}

}  // namespace footfall
