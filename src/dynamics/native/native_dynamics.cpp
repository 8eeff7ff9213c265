#include "dynamics/native/native_dynamics.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "dynamics/native/lane_view.hpp"
#include "footfall/base/internal/require_size.hpp"

namespace footfall::native {
namespace {

constexpr const char* kWhere = "engine 'native'";

Vector3d eigen(const Vec3<double>& v) { return laneVector(v, 0); }

Vector6d eigen(const Spatial<double>& s) {
  Vector6d v;
  v << eigen(s.lin), eigen(s.ang);
  return v;
}

Vector6d eigen(const Six<double>& s) { return Eigen::Map<const Vector6d>(s.v); }

/// The same twist, with the velocity of the point p instead of the base's origin.
Vector6d twistAt(const Vector3d& p, Vector6d twist) {
  twist.head<3>() += twist.tail<3>().cross(p);
  return twist;
}

}  // namespace

NativeDynamics::NativeDynamics(const Model& model)
    : model_(model),
      kernels_(kernels().one),
      tree_(model),
      storage_(tree_.tree()),
      contacts_(tree_),
      joint_rows_(tree_.paths(), storage_.scratch().row_base),
      number_of_dof_(tree_.numbersOfDofs()),
      loops_(tree_, model),
      loop_kernels_(kernels().loops),
      link_kernels_(kernels().links),
      all_links_(static_cast<std::size_t>(tree().links - 1)),
      all_(static_cast<std::size_t>(tree().links), 1),
      is_asked_(static_cast<std::size_t>(tree().links), 0),
      placed_(all_.data()) {
  std::iota(all_links_.begin(), all_links_.end(), 1);
  asked_.reserve(all_links_.size());
  is_asked_[0] = 1;  // the base always is
}

void NativeDynamics::update(VectorIn q, VectorIn nu) { updateBy(kernels_.update, q, nu); }

void NativeDynamics::updateTerms(VectorIn q, VectorIn nu) { updateBy(kernels_.updateTerms, q, nu); }

void NativeDynamics::updateBy(UpdateKernel kernel, VectorIn q, VectorIn nu) {
  requireSize(kWhere, "q", q.size(), model_.nq());
  requireSize(kWhere, "nu", nu.size(), model_.nv());
  kernel(tree(), storage_.scratch(), q.data(), nu.data());
  totals_known_ = false;
  inertias_known_ = true;
  placed_ = all_.data();
  contacts_placed_ = false;
  loops_prepared_ = false;
}

void NativeDynamics::updateKinematics(VectorIn q, VectorIn nu) {
  requireSize(kWhere, "q", q.size(), model_.nq());
  requireSize(kWhere, "nu", nu.size(), model_.nv());
  totals_known_ = inertias_known_ = false;
  if (tree().balls > 0) return kernels_.updateKinematics(tree(), storage_.scratch(), q.data(), nu.data());
  link_kernels_.read(tree(), storage_.scratch(), q.data(), nu.data());
  link_kernels_.place(tree(), storage_.scratch(), asked_.data(), static_cast<int>(asked_.size()));
  placed_ = is_asked_.data();
}

/// Those on its way, too; they are expected to be asked for again.
void NativeDynamics::place(int k) const {
  const int* path = tree().path + tree().path_begin[k];
  int from = tree().depth[k];
  while (from > 0 && !isPlaced(path[from - 1])) --from;
  const int count = tree().depth[k] + 1 - from;
  link_kernels_.place(tree(), storage_.scratch(), path + from, count);
  asked_.insert(asked_.end(), path + from, path + from + count);
  std::sort(asked_.begin(), asked_.end());
  for (const int link : asked_) is_asked_[static_cast<std::size_t>(link)] = 1;
}

void NativeDynamics::placeAll() const {
  if (placed_ == all_.data()) return;
  link_kernels_.place(tree(), storage_.scratch(), all_links_.data(), static_cast<int>(all_links_.size()));
  placed_ = all_.data();
}

void NativeDynamics::updateVelocity(VectorIn nu) {
  requireSize(kWhere, "nu", nu.size(), model_.nv());
  kernels_.updateVelocity(tree(), storage_.scratch(), nu.data());
  totals_known_ = false;
}

void NativeDynamics::setImplicitInertia(VectorIn diagonal) {
  requireSize(kWhere, "the implicit inertia", diagonal.size(), model_.jointDofs());
  for (int k = 1; k < tree().links; ++k) storage_.scratch().implicit[k] = diagonal[tree().dof[k]];
}

bool NativeDynamics::setLinkMasses(std::span<const LinkMass> masses) {
  requireSize(kWhere, "the list of masses", static_cast<Eigen::Index>(masses.size()),
              static_cast<Eigen::Index>(model_.links.size()));
  tree_.setMasses(masses);
  return true;
}

bool NativeDynamics::addTurningInertia(std::span<const Matrix3d> inertia) {
  withTurningInertia(inertia, [&] { kernels_.factorize(tree(), storage_.scratch()); });
  return true;
}

void NativeDynamics::requireTurningInertia(std::span<const Matrix3d> inertia) const {
  requireSize(kWhere, "the turning inertia", static_cast<Eigen::Index>(inertia.size()),
              static_cast<Eigen::Index>(model_.links.size()));
}

void NativeDynamics::multiplyTurningInertia(VectorIn x, VectorOut y) const {
  requireSize(kWhere, "x", x.size(), model_.nv());
  requireSize(kWhere, "y", y.size(), model_.nv());
  turning_.multiply(tree(), scratch(), x.data(), y.data());
}

// --- generalized quantities ------------------------------------------------------------------------

void NativeDynamics::massMatrix(MatrixOut M) const { laneMassMatrix(tree(), scratch(), 0, M); }

void NativeDynamics::biasForces(VectorOut h) const {
  requireSize(kWhere, "h", h.size(), model_.nv());
  kernels_.biasForces(tree(), scratch(), h.data());
}

void NativeDynamics::gravityForces(VectorOut g) const {
  requireSize(kWhere, "g", g.size(), model_.nv());
  kernels_.gravityForces(tree(), storage_.scratch(), g.data());
}

void NativeDynamics::solveMass(VectorOut x) const {
  requireSize(kWhere, "x", x.size(), model_.nv());
  kernels_.solveMass(tree(), storage_.scratch(), x.data());
}

void NativeDynamics::multiplyMass(VectorIn x, VectorOut y) const {
  requireSize(kWhere, "x", x.size(), model_.nv());
  requireSize(kWhere, "y", y.size(), model_.nv());
  kernels_.multiplyMass(tree(), storage_.scratch(), x.data(), y.data());
}

const Totals<double>& NativeDynamics::totals() const {
  if (totals_known_) return totals_;
  placeAll();
  if (!inertias_known_) kernels_.addInertias(tree(), storage_.scratch());
  kernels_.addUp(tree(), scratch(), totals_);
  totals_known_ = inertias_known_ = true;
  return totals_;
}

Vector6d NativeDynamics::momentum() const {
  Vector6d sum = eigen(totals().momentum);
  const Vector3d com = centerOfMass() - eigen(scratch().p_WB);
  sum.tail<3>() -= com.cross(Vector3d(sum.head<3>()));
  return sum;
}

Vector3d NativeDynamics::centerOfMass() const {
  return eigen(scratch().p_WB) + eigen(totals().first) / tree().constants[0].subtree_mass;
}

Energy NativeDynamics::energy() const {
  Energy energy{totals().kinetic_energy, 0.0};
  for (int k = 1; k < tree().links; ++k)
    energy.kinetic += 0.5 * tree().reflected[k] * scratch().velocity[k] * scratch().velocity[k];
  for (const PathCoupling& c : std::span(tree().coupling, tree().couplings)) {
    const int other = tree().path[tree().path_begin[c.joint] + c.depth];
    energy.kinetic += c.inertia * scratch().velocity[c.joint] * scratch().velocity[other];
  }
  energy.potential = -tree().constants[0].subtree_mass * model_.gravity.dot(centerOfMass());
  return energy;
}

// --- frames ----------------------------------------------------------------------------------------

Vector3d NativeDynamics::fromBase(LinkIndex link, const Vector3d& p_LP) const {
  return linkPose(link) * p_LP - eigen(scratch().p_WB);
}

Pose NativeDynamics::linkPose(LinkIndex link) const {
  const int k = tree_.number(link);
  if (!isPlaced(k)) [[unlikely]]
    place(k);
  return laneLinkPose(tree_, scratch(), k, 0);
}

Vector6d NativeDynamics::linkVelocity(LinkIndex link) const {
  const int k = tree_.number(link);
  if (!isPlaced(k)) [[unlikely]]
    place(k);
  const LinkState<double>& state = scratch().link[k];
  const Vector3d omega = eigen(state.V.ang), v = eigen(state.V.lin) + omega.cross(eigen(state.p));
  return {v.x(), v.y(), v.z(), omega.x(), omega.y(), omega.z()};  // written at once: it is read by pairs
}

void NativeDynamics::frameJacobian(FrameIndex frame, MatrixOut J) const {
  requireSize(kWhere, "J, by rows,", J.rows(), 6);
  requireSize(kWhere, "J, by columns,", J.cols(), model_.nv());
  const Frame& F = model_.frames[frame];
  const Vector3d p = fromBase(F.link, F.X_LF.p);
  const int k = tree_.number(F.link), base = tree().base_dofs;
  J.setZero();
  for (int b = 0; b < base; ++b) J.col(b) = twistAt(p, Vector6d::Unit(b));
  const int* path = tree().path + tree().path_begin[k];
  for (int d = 0; d <= tree().depth[k]; ++d) {
    J.col(base + tree().dof[path[d]]) = twistAt(p, eigen(scratch().S[path[d]]));
  }
}

Vector6d NativeDynamics::biasAccelerationAt(int k, const Vector3d& p) const {
  const LinkState<double>& link = scratch().link[k];
  Vector6d a = twistAt(p, eigen(link.A));
  const Vector6d v = twistAt(p, eigen(link.V));
  a.head<3>() += model_.gravity + v.tail<3>().cross(v.head<3>());
  return a;
}

Vector6d NativeDynamics::frameBiasAcceleration(FrameIndex frame) const {
  const Frame& F = model_.frames[frame];
  return biasAccelerationAt(tree_.number(F.link), fromBase(F.link, F.X_LF.p));
}

Vector6d NativeDynamics::linkBiasAcceleration(LinkIndex link) const {
  const int k = tree_.number(link);
  return biasAccelerationAt(k, eigen(scratch().link[k].p));
}

void NativeDynamics::addWrench(LinkIndex link, const Vector3d& p_LP, const Vector6d& wrench_W, VectorOut tau) const {
  requireSize(kWhere, "tau", tau.size(), model_.nv());
  Vector6d wrench = wrench_W;  // at the base's origin
  wrench.tail<3>() += fromBase(link, p_LP).cross(Vector3d(wrench_W.head<3>()));
  const int k = tree_.number(link), base = tree().base_dofs;
  if (base > 0) tau.head<6>() += wrench;
  const int* path = tree().path + tree().path_begin[k];
  for (int d = 0; d <= tree().depth[k]; ++d) {
    tau[base + tree().dof[path[d]]] += eigen(scratch().S[path[d]]).dot(wrench);
  }
}

// --- contacts --------------------------------------------------------------------------------------

void NativeDynamics::reserveContacts(int max_contacts) {
  contacts_.reserve(max_contacts);
  joint_rows_.reserve(JointRowStorage::kRowsOfAJoint * model_.jointDofs(), std::min(max_contacts, tree().links));
}

void NativeDynamics::setContacts(std::span<const ContactFrame> contacts) {
  contacts_.assign(contacts);
  contacts_placed_ = false;
}

const ContactSet<double>& NativeDynamics::placedContacts() const {
  if (!contacts_placed_) kernels_.placeContacts(scratch(), contacts_.set());
  contacts_placed_ = true;
  return contacts_.set();
}

void NativeDynamics::clearPadding(double* v) const {
  const ContactSet<double>& set = contacts_.set();
  for (int c = 0; c < 3; ++c) {
    for (int i = set.count; i < set.stride; ++i) v[c * set.stride + i] = 0.0;
  }
}

void NativeDynamics::contactVelocity(VectorIn nu, double* v) const {
  kernels_.contactVelocity(tree(), scratch(), placedContacts(), nu.data(), v);
  clearPadding(v);
}

void NativeDynamics::contactBiasAcceleration(double* a) const {
  kernels_.contactBias(tree(), scratch(), placedContacts(), a);
  clearPadding(a);
}

void NativeDynamics::addContactImpulse(const double* p, VectorOut tau) const {
  kernels_.addContactImpulse(tree(), scratch(), placedContacts(), p, tau.data());
}

void NativeDynamics::delassus(double* G) const {
  placedContacts();
  contacts_.set().loops = loops_prepared_ ? &loops_.set() : nullptr;
  kernels_.delassus(tree(), scratch(), contacts_.set(), G);
}

bool NativeDynamics::addJointRows(std::span<const JointMotion> joints, double* G) const {
  if (loops_prepared_) return false;
  JointRows& rows = joint_rows_.assign(joints, number_of_dof_, placedContacts());
  kernels().delassusOfJoints(tree(), scratch(), contacts_.set(), rows, G);
  return true;
}

void NativeDynamics::contactJacobian(MatrixOut J) const {
  requireSize(kWhere, "J, by rows,", J.rows(), 3 * contacts_.set().count);
  requireSize(kWhere, "J, by columns,", J.cols(), model_.nv());
  J.setZero();
  kernels_.contactJacobian(tree(), scratch(), placedContacts(), J.data(), J.outerStride());
}

// --- loops -----------------------------------------------------------------------------------------

void NativeDynamics::prepareLoops() {
  if (loops_.set().rows == 0) return;
  loop_kernels_.prepare(tree(), scratch(), loops_.set());
  loops_prepared_ = true;
}

void NativeDynamics::loopJacobian(MatrixOut J) const {
  const LoopSet& set = loops_.set();
  requireSize(kWhere, "J, by rows,", J.rows(), set.rows);
  requireSize(kWhere, "J, by columns,", J.cols(), model_.nv());
  for (int r = 0; r < set.rows; ++r) {
    const double* J_r = set.J + 8 * (set.lane[r] / 8) * set.coordinates + set.lane[r] % 8;
    for (int i = 0; i < set.coordinates; ++i) J(r, set.generalized[i]) = J_r[8 * i];
  }
}

void NativeDynamics::loopBiasAcceleration(VectorOut a) const {
  loop_kernels_.bias(tree(), scratch(), loops_.set(), a.data());
}

void NativeDynamics::loopGaps(VectorOut gap) const {
  gap = Eigen::Map<const VectorXd>(loops_.set().gap, loops_.set().rows);
}

void NativeDynamics::loopGapsAt(VectorIn q, VectorOut gap) const {
  loop_kernels_.gapsAt(tree(), scratch(), loops_.set(), q.data(), gap.data());
}

void NativeDynamics::closeLoops(VectorIn offset, VectorOut x, VectorOut lambda) const {
  assert(loops_prepared_);
  requireSize(kWhere, "x", x.size(), model_.nv());
  requireSize(kWhere, "the offset of the loops", offset.size(), loops_.set().rows);
  requireSize(kWhere, "lambda", lambda.size(), loops_.set().rows);
  loop_kernels_.close(loops_.set(), offset.data(), x.data(), lambda.data());
}

}  // namespace footfall::native
