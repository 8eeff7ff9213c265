#include "dynamics/native/mimic_dynamics.hpp"

#include <algorithm>

#include "dynamics/inertia_couplings.hpp"
#include "dynamics/native/lane_view.hpp"
#include "footfall/base/internal/require_size.hpp"
#include "footfall/model/ball_joint.hpp"

namespace footfall::native {
namespace {

constexpr const char* kMimicEngine = "engine 'native'";

/// The same robot with one coordinate for each joint. Motors belong to the coordinates of the original.
Model withFreeJoints(const Model& model) {
  Model joints = model;
  joints.dofs.assign(model.joints.size(), Dof{});
  joints.couplings.clear();
  for (std::size_t j = 0; j < joints.joints.size(); ++j) {
    joints.joints[j].dof = DofIndex(static_cast<int>(j));
    joints.joints[j].multiplier = 1.0;
    joints.joints[j].offset = 0.0;
  }
  joints.balls = ballsOf(joints);
  return joints;
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
      joint_model_(withFreeJoints(model)),
      joints_(joint_model_),
      kernels_(kernels().one),
      coordinates_(model, joints_.links()),
      storage_(coordinates_.tree()),
      reduction_(model, coordinates_, joints_.links().tree(), joints_.scratch(), storage_.scratch()),
      velocity_(VectorXd::Zero(model.nv())),
      q_joints_(joint_model_.nq()),
      nu_joints_(joint_model_.nv()),
      tau_joints_(joint_model_.nv()),
      J_joints_(6, joint_model_.nv()),
      rows_(coordinates_.paths(), storage_.scratch().row_base),
      loops_(model) {
  reserveContacts(8);
}

// --- between coordinates and joints ----------------------------------------------------------------

void MimicDynamics::expand(VectorIn q, VectorIn nu) {
  requireSize(kMimicEngine, "q", q.size(), model_.nq());
  q_joints_.head<7>() = q.head<7>();
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const Joint& joint = model_.joints[j];
    q_joints_[7 + static_cast<int>(j)] = joint.multiplier * q[7 + joint.dof] + joint.offset;
  }
  expandVelocity(nu);
  velocity_ = nu;
}

void MimicDynamics::expandVelocity(VectorIn nu) const {
  requireSize(kMimicEngine, "nu", nu.size(), model_.nv());
  const int base = model_.baseDofs();
  nu_joints_.head(base) = nu.head(base);
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const Joint& joint = model_.joints[j];
    nu_joints_[base + static_cast<int>(j)] = joint.multiplier * nu[base + joint.dof];
  }
}

/// tau += Eᵀ tau_joints_
void MimicDynamics::addReduced(VectorOut tau) const {
  requireSize(kMimicEngine, "tau", tau.size(), model_.nv());
  const int base = model_.baseDofs();
  tau.head(base) += tau_joints_.head(base);
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const Joint& joint = model_.joints[j];
    tau[base + joint.dof] += joint.multiplier * tau_joints_[base + static_cast<int>(j)];
  }
}

/// J = J_joints_ E
void MimicDynamics::addColumns(int rows, MatrixOut J) const {
  const int base = model_.baseDofs();
  J.setZero();
  J.leftCols(base) = J_joints_.topLeftCorner(rows, base);
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const Joint& joint = model_.joints[j];
    J.col(base + joint.dof) += joint.multiplier * J_joints_.col(base + static_cast<int>(j)).head(rows);
  }
}

// --- update ----------------------------------------------------------------------------------------

void MimicDynamics::updateKinematics(VectorIn q, VectorIn nu) {
  expand(q, nu);
  joints_.updateKinematics(q_joints_, nu_joints_);
}

void MimicDynamics::update(VectorIn q, VectorIn nu) {
  expand(q, nu);
  joints_.updateTerms(q_joints_, nu_joints_);
  reduction_.reduce(joints_.scratch(), storage_.scratch());
  kernels_.factorize(coordinates_.tree(), storage_.scratch());
  loops_.clear();
}

bool MimicDynamics::addTurningInertia(std::span<const Matrix3d> inertia) {
  joints_.withTurningInertia(inertia, [&] {
    reduction_.reduce(joints_.scratch(), storage_.scratch());
    kernels_.factorize(coordinates_.tree(), storage_.scratch());
  });
  reduction_.reduce(joints_.scratch(), storage_.scratch());  // M is what it was
  loops_.clear();
  return true;
}

void MimicDynamics::multiplyTurningInertia(VectorIn x, VectorOut y) const {
  expandVelocity(x);
  joints_.multiplyTurningInertia(nu_joints_, tau_joints_);
  y.setZero();
  addReduced(y);
}

void MimicDynamics::updateVelocity(VectorIn nu) {
  expandVelocity(nu);
  velocity_ = nu;
  joints_.updateVelocity(nu_joints_);
}

void MimicDynamics::setImplicitInertia(VectorIn diagonal) {
  requireSize(kMimicEngine, "the implicit inertia", diagonal.size(), model_.jointDofs());
  const Tree& tree = coordinates_.tree();
  for (int c = 1; c < tree.links; ++c) storage_.scratch().implicit[c] = diagonal[tree.dof[c]];
}

// --- generalized quantities ------------------------------------------------------------------------

void MimicDynamics::massMatrix(MatrixOut M) const { laneMassMatrix(coordinates_.tree(), storage_.scratch(), 0, M); }

void MimicDynamics::biasForces(VectorOut h) const {
  joints_.biasForces(tau_joints_);
  h.setZero();
  addReduced(h);
}

void MimicDynamics::gravityForces(VectorOut g) const {
  joints_.gravityForces(tau_joints_);
  g.setZero();
  addReduced(g);
}

void MimicDynamics::solveMass(VectorOut x) const {
  requireSize(kMimicEngine, "x", x.size(), model_.nv());
  kernels_.solveMass(coordinates_.tree(), storage_.scratch(), x.data());
}

void MimicDynamics::multiplyMass(VectorIn x, VectorOut y) const {
  requireSize(kMimicEngine, "x", x.size(), model_.nv());
  requireSize(kMimicEngine, "y", y.size(), model_.nv());
  kernels_.multiplyMass(coordinates_.tree(), storage_.scratch(), x.data(), y.data());
}

Energy MimicDynamics::energy() const {
  Energy energy = joints_.energy();
  for (int i = 0; i < model_.jointDofs(); ++i) {
    const double speed = velocity_[model_.baseDofs() + i];
    energy.kinetic += 0.5 * model_.dofs[i].reflected_inertia * speed * speed;
  }
  energy.kinetic += couplingEnergy(model_, velocity_);
  return energy;
}

void MimicDynamics::frameJacobian(FrameIndex frame, MatrixOut J) const {
  joints_.frameJacobian(frame, J_joints_.topRows(6));
  addColumns(6, J);
}

void MimicDynamics::addWrench(LinkIndex link, const Vector3d& p_LP, const Vector6d& wrench_W, VectorOut tau) const {
  tau_joints_.setZero();
  joints_.addWrench(link, p_LP, wrench_W, tau_joints_);
  addReduced(tau);
}

// --- contacts --------------------------------------------------------------------------------------

void MimicDynamics::reserveContacts(int max_contacts) {
  joints_.reserveContacts(max_contacts);
  rows_.reserve(JointRowStorage::kRowsOfAJoint * model_.jointDofs(),
                std::min(max_contacts, static_cast<int>(model_.links.size())));
  const Tree& tree = coordinates_.tree();
  const std::size_t groups = std::min<std::size_t>(max_contacts, model_.links.size());
  if (J_joints_.rows() < 3 * max_contacts) J_joints_.resize(3 * max_contacts, joint_model_.nv());
  if (groups * (tree.max_path + 6) <= Y_.size()) return;
  link_.reserve(groups);
  tip_.reserve(groups);
  shared_.reserve(groups * groups);
  axes_.resize(groups * tree.max_path);
  Y_.resize(groups * (tree.max_path + 6));
  Z_.resize(tree.max_path + 6);
}

void MimicDynamics::setContacts(std::span<const ContactFrame> contacts) {
  reserveContacts(static_cast<int>(contacts.size()));
  joints_.setContacts(contacts);
  const ContactSet<double>& set = joints_.contacts();
  if (std::equal(set.link, set.link + set.groups, link_.begin(), link_.end())) return;
  link_.assign(set.link, set.link + set.groups);
  tip_.clear();
  shared_.clear();
  for (const int link : link_) tip_.push_back(coordinates_.tip(link));
  for (const int a : tip_)
    for (const int b : tip_) shared_.push_back(coordinates_.paths().shared(a, b));
}

/// The contacts with the coordinates that move them in place of the joints.
ContactSet<double> MimicDynamics::chains() const {
  const Tree& tree = coordinates_.tree();
  ContactSet<double> set = joints_.placedContacts();
  for (int group = 0; group < set.groups; ++group)
    coordinates_.writeAxes(link_[group], joints_.scratch().S, axes_.data() + group * tree.max_path);
  set.link = tip_.data();
  set.shared = shared_.data();
  set.axes = axes_.data();
  set.Y = Y_.data();
  set.Z = Z_.data();
  set.loops = nullptr;
  return set;
}

void MimicDynamics::delassus(double* G) const {
  chains_ = chains();
  kernels_.delassus(coordinates_.tree(), storage_.scratch(), chains_, G);
  if (loops_.prepared()) loops_.eliminateFrom(*this, ContactLayout::of(chains_.count), G);
}

bool MimicDynamics::addJointRows(std::span<const JointMotion> joints, double* G) const {
  if (loops_.prepared()) return false;
  if (joints_.contacts().count == 0) chains_ = chains();
  JointRows& rows = rows_.assign(joints, coordinates_.numbersOfDofs(), chains_);
  kernels().delassusOfJoints(coordinates_.tree(), storage_.scratch(), chains_, rows, G);
  return true;
}

void MimicDynamics::contactVelocity(VectorIn nu, double* v) const {
  expandVelocity(nu);
  joints_.contactVelocity(nu_joints_, v);
}

void MimicDynamics::addContactImpulse(const double* p, VectorOut tau) const {
  tau_joints_.setZero();
  joints_.addContactImpulse(p, tau_joints_);
  addReduced(tau);
}

void MimicDynamics::contactJacobian(MatrixOut J) const {
  const int rows = 3 * joints_.contacts().count;
  joints_.contactJacobian(J_joints_.topRows(rows));
  addColumns(rows, J);
}

}  // namespace footfall::native
