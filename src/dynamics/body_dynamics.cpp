#include "dynamics/body_dynamics.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {

BodyDynamics::BodyDynamics(const Model& model, std::string_view engine) : model_(model), engine_(engine) {
  setInertia(model.links[0].inertia);
}

void BodyDynamics::setInertia(const SpatialInertia& inertia) {
  inertia_ = inertia;
  inertia_known_ = false;
  root_mass_ = std::sqrt(inertia.mass);
}

bool BodyDynamics::setLinkMasses(std::span<const LinkMass> masses) {
  next_inertia_ = masses[0].inertiaOf(model_.links[0]);
  return true;
}

// --- update ------------------------------------------------------------------------------------------

void BodyDynamics::update(VectorIn q, VectorIn nu) {
  if (next_inertia_) {
    setInertia(*next_inertia_);
    next_inertia_.reset();
  }
  p_WB_ = q.head<3>();
  R_WB_ = Eigen::Quaterniond(q[6], q[3], q[4], q[5]).toRotationMatrix();
  nu_ = nu.head<6>();
  c_W_.noalias() = R_WB_ * inertia_.com;
  resistance_W_.setZero();
  inertia_known_ = factor_known_ = points_placed_ = false;
}

/// Who looks where the body is does not ask for it.
const Matrix3d& BodyDynamics::rotationalInertia() const {
  if (inertia_known_) return I_W_;
  const Matrix3d turned = R_WB_ * inertia_.I_com;
  I_W_.noalias() = turned * R_WB_.transpose();
  inertia_known_ = true;
  return I_W_;
}

void BodyDynamics::updateVelocity(VectorIn nu) { nu_ = nu.head<6>(); }

bool BodyDynamics::addTurningInertia(std::span<const Matrix3d> inertia) {
  resistance_W_ = inertia[0];
  factor_known_ = false;
  return true;
}

void BodyDynamics::multiplyTurningInertia(VectorIn x, VectorOut y) const {
  y.head<3>().setZero();
  y.tail<3>() = resistance_W_ * x.tail<3>();
}

void BodyDynamics::factorise() const {
  if (factor_known_) return;
  factor_.compute(rotationalInertia() + resistance_W_);
  factor_known_ = true;
}

// --- generalized quantities --------------------------------------------------------------------------

void BodyDynamics::massMatrix(MatrixOut M) const {
  const Matrix3d moment = inertia_.mass * skew(c_W_);
  M.topLeftCorner<3, 3>() = inertia_.mass * Matrix3d::Identity();
  M.topRightCorner<3, 3>() = -moment;
  M.bottomLeftCorner<3, 3>() = moment;
  M.bottomRightCorner<3, 3>() = rotationalInertia() - moment * skew(c_W_);
}

/// Newton's and Euler's laws about the link's origin.
void BodyDynamics::biasForces(VectorOut h) const {
  const Vector3d omega = turning();
  const Vector3d force = inertia_.mass * (omega.cross(omega.cross(c_W_)) - model_.gravity);
  h.head<3>() = force;
  h.tail<3>() = omega.cross(rotationalInertia() * omega) + c_W_.cross(force);
}

void BodyDynamics::gravityForces(VectorOut g) const {
  const Vector3d force = -inertia_.mass * model_.gravity;
  g.head<3>() = force;
  g.tail<3>() = c_W_.cross(force);
}

void BodyDynamics::solveMass(VectorOut x) const {
  factorise();
  const Vector3d force = x.head<3>();
  const Vector3d alpha = factor_.solve(x.tail<3>() - c_W_.cross(force));
  x.head<3>() = force / inertia_.mass - alpha.cross(c_W_);
  x.tail<3>() = alpha;
}

void BodyDynamics::multiplyMass(VectorIn x, VectorOut y) const {
  const Vector3d alpha = x.tail<3>();
  const Vector3d force = inertia_.mass * (x.head<3>() + alpha.cross(c_W_));
  y.head<3>() = force;
  y.tail<3>() = rotationalInertia() * alpha + c_W_.cross(force);
}

Vector6d BodyDynamics::momentum() const {
  Vector6d momentum;
  momentum << inertia_.mass * (velocity() + turning().cross(c_W_)), rotationalInertia() * turning();
  return momentum;
}

Energy BodyDynamics::energy() const {
  const Vector3d omega = turning(), v = velocity() + omega.cross(c_W_);
  return {0.5 * (inertia_.mass * v.squaredNorm() + omega.dot(rotationalInertia() * omega)),
          -inertia_.mass * model_.gravity.dot(centerOfMass())};
}

// --- frames ------------------------------------------------------------------------------------------

void BodyDynamics::frameJacobian(FrameIndex frame, MatrixOut J) const {
  J.setIdentity();
  J.topRightCorner<3, 3>() = -skew(R_WB_ * model_.frames[frame].X_LF.p);
}

Vector6d BodyDynamics::frameBiasAcceleration(FrameIndex frame) const {
  const Vector3d omega = turning();
  Vector6d a = Vector6d::Zero();
  a.head<3>() = omega.cross(omega.cross(R_WB_ * model_.frames[frame].X_LF.p));
  return a;
}

void BodyDynamics::addWrench(LinkIndex, const Vector3d& p_LP, const Vector6d& wrench_W, VectorOut tau) const {
  const Vector3d force = wrench_W.head<3>();
  tau.head<3>() += force;
  tau.tail<3>() += wrench_W.tail<3>() + (R_WB_ * p_LP).cross(force);
}

// --- contacts ----------------------------------------------------------------------------------------

void BodyDynamics::reserveContacts(int max_contacts) {
  points_.reserve(max_contacts);
  if (motions_.cols() < 3 * max_contacts) motions_.resize(6, 3 * max_contacts);
}

void BodyDynamics::setContacts(std::span<const ContactFrame> contacts) {
  layout_ = ContactLayout::of(static_cast<int>(contacts.size()));
  points_.clear();
  for (const ContactFrame& contact : contacts) points_.push_back({contact.p_LC, contact.R_WC});
  points_placed_ = false;
}

const std::vector<BodyDynamics::Point>& BodyDynamics::placedPoints() const {
  if (!points_placed_)
    for (Point& point : points_) point.lever_W.noalias() = R_WB_ * point.p_LC;
  points_placed_ = true;
  return points_;
}

void BodyDynamics::contactVelocity(VectorIn nu, double* v) const {
  std::fill_n(v, layout_.rows(), 0.0);
  const Vector3d v_origin = nu.head<3>(), omega = nu.tail<3>();
  int row = 0;
  for (const Point& point : placedPoints()) {
    const Vector3d own = point.R_WC.transpose() * (v_origin + omega.cross(point.lever_W));
    for (int c = 0; c < 3; ++c) v[layout_.row(row, c)] = own[c];
    ++row;
  }
}

void BodyDynamics::contactBiasAcceleration(double* a) const {
  std::fill_n(a, layout_.rows(), 0.0);
  const Vector3d omega = turning();
  int row = 0;
  for (const Point& point : placedPoints()) {
    const Vector3d own = point.R_WC.transpose() * omega.cross(omega.cross(point.lever_W));
    for (int c = 0; c < 3; ++c) a[layout_.row(row, c)] = own[c];
    ++row;
  }
}

void BodyDynamics::addContactImpulse(const double* p, VectorOut tau) const {
  Vector3d force = Vector3d::Zero(), couple = Vector3d::Zero();
  int row = 0;
  for (const Point& point : placedPoints()) {
    const Vector3d own(p[layout_.row(row, 0)], p[layout_.row(row, 1)], p[layout_.row(row, 2)]);
    const Vector3d p_W = point.R_WC * own;
    force += p_W;
    couple += point.lever_W.cross(p_W);
    ++row;
  }
  tau.head<3>() += force;
  tau.tail<3>() += couple;
}

void BodyDynamics::contactJacobian(MatrixOut J) const {
  int row = 0;
  for (const Point& point : placedPoints()) {
    J.block<3, 3>(row, 0) = point.R_WC.transpose();
    J.block<3, 3>(row, 3) = -point.R_WC.transpose() * skew(point.lever_W);
    row += 3;
  }
}

/// In the velocity of the centre of mass and ω the mass matrix is that of six bodies: V is J divided by its root.
void BodyDynamics::contactMotions(Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> motions) const {
  factorise();
  const auto root_inertia = factor_.matrixL();
  int column = 0;
  for (const Point& point : placedPoints()) {
    const Vector3d arm_W = point.lever_W - c_W_;
    for (int c = 0; c < 3; ++c, ++column) {
      motions.col(column).head<3>() = point.R_WC.col(c) / root_mass_;
      Vector3d couple = arm_W.cross(point.R_WC.col(c));
      root_inertia.solveInPlace(couple);
      motions.col(column).tail<3>() = couple;
    }
  }
}

void BodyDynamics::delassus(double* G) const {
  const int contacts = layout_.contacts;
  if (motions_.cols() < 3 * contacts) motions_.resize(6, 6 * contacts);
  contactMotions(motions_.leftCols(3 * contacts));
  std::fill_n(G, static_cast<std::size_t>(layout_.rows()) * layout_.rows(), 0.0);
  for (int k = 0; k < contacts; ++k)
    for (int c = 0; c < 3; ++c)
      for (int l = 0; l < contacts; ++l)
        for (int d = 0; d < 3; ++d)
          G[static_cast<std::size_t>(layout_.rows()) * layout_.row(k, c) + layout_.row(l, d)] =
              motions_.col(3 * k + c).dot(motions_.col(3 * l + d));
}

}  // namespace footfall
