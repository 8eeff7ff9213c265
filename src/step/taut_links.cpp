#include "step/taut_links.hpp"

#include <algorithm>

#include "footfall/model/state.hpp"

namespace footfall {
namespace {

/// Below (Δt ω)² of this the scheme follows the swinging by itself; it becomes unstable at 4.
constexpr double kStiff = 0.5;
/// Links that stay below this under their static load are never looked at: it would take 25 times the load.
constexpr double kNeverStiff = 0.02;
/// Where there is no gravity, loads are those of motion [m/s²].
constexpr double kEarth = 9.81;

/// What the turning of a link does to the moment of a constant force F at the end of its lever l: F·l across the lever,
/// and nothing about the lever itself, about which there is no moment. Not less than zero, and some more where the
/// force is not along the lever yet: ½ (F·l + |F||l|).
Matrix3d stiffnessOf(const Vector3d& force, const Vector3d& lever) {
  const double length = lever.norm();
  if (length == 0.0) return Matrix3d::Zero();
  const Vector3d along = lever / length;
  return 0.5 * (force.dot(lever) + force.norm() * length) * (Matrix3d::Identity() - along * along.transpose());
}

Vector3d comAcceleration(const Dynamics& dynamics, LinkIndex link, const Vector3d& com_W) {
  const Vector6d a = dynamics.linkBiasAcceleration(link);
  const Vector3d omega = dynamics.linkVelocity(link).tail<3>(), alpha = a.tail<3>();
  return a.head<3>() + alpha.cross(com_W) + omega.cross(omega.cross(com_W));
}

}  // namespace

TautLinks::TautLinks(const Model& model, Dynamics& dynamics, double dt)
    : model_(model),
      joints_on_(model.links.size()),
      force_(model.links.size(), Vector3d::Zero()),
      tension_(model.links.size(), Matrix3d::Zero()),
      loss_(VectorXd::Zero(model.nv())),
      change_(VectorXd::Zero(model.nv())) {
  std::vector<double> carried;  // by each link, itself included [kg]
  for (const Link& link : model.links) carried.push_back(link.inertia.mass);
  for (int j = static_cast<int>(model.joints.size()) - 1; j >= 0; --j) {
    const LinkIndex parent = model.joints[j].parent;
    if (!parent.valid()) continue;
    carried[parent] += carried[j + 1];
    joints_on_[parent].push_back(j);
  }
  const State zero = makeState(model);
  dynamics.setImplicitInertia(VectorXd::Zero(model.jointDofs()));
  dynamics.update(zero.q, zero.nu);
  const double earth = std::max(model.gravity.norm(), kEarth);
  for (int k = 0; k < static_cast<int>(model.links.size()); ++k) {
    double tension = 0.0, mobility = 0.0;
    for (const int j : joints_on_[k]) {
      const Vector3d lever_W = dynamics.linkPose(LinkIndex(k)).R * model.joints[j].X_PJ.p;
      const double pull = earth * carried[j + 1] * lever_W.norm();
      if (pull == 0.0) continue;
      tension += pull;
      mobility = std::max(mobility, mobilityAcross(lever_W, LinkIndex(k), dynamics));
    }
    if (dt * dt * tension * mobility > kNeverStiff) carriers_.push_back({LinkIndex(k), mobility});
  }
  if (any() && !dynamics.addTurningInertia(tension_)) carriers_.clear();  // the engine cannot, or has room now
}

/// Largest turn across the lever that a unit couple makes.
double TautLinks::mobilityAcross(const Vector3d& lever_W, LinkIndex link, const Dynamics& dynamics) {
  const Vector3d along = lever_W.normalized();
  const Matrix3d across = Matrix3d::Identity() - along * along.transpose();
  double most = 0.0;
  for (int c = 0; c < 3; ++c) {
    Vector6d couple = Vector6d::Zero();
    couple.tail<3>() = across.col(c);
    loss_.setZero();
    dynamics.addWrench(link, Vector3d::Zero(), couple, loss_);
    change_ = loss_;
    dynamics.solveMass(change_);
    most = std::max(most, loss_.dot(change_));
  }
  return most;
}

/// Forces of the motion without accelerations of joints: weights, and what turns.
void TautLinks::findForces(const Dynamics& dynamics) {
  const int links = static_cast<int>(model_.links.size());
  for (int k = 0; k < links; ++k) {
    const SpatialInertia& inertia = model_.links[k].inertia;
    const Vector3d com_W = dynamics.linkPose(LinkIndex(k)).R * inertia.com;
    force_[k] = inertia.mass * (comAcceleration(dynamics, LinkIndex(k), com_W) - model_.gravity);
    tension_[k] = stiffnessOf(-force_[k], com_W);
  }
  for (int k = links - 1; k > 0; --k) {
    const Joint& joint = model_.joints[k - 1];
    if (!joint.parent.valid()) continue;
    tension_[joint.parent] += stiffnessOf(-force_[k], dynamics.linkPose(joint.parent).R * joint.X_PJ.p);
    force_[joint.parent] += force_[k];
  }
}

bool TautLinks::hold(double dt, Dynamics& dynamics) {
  findForces(dynamics);
  const auto isStiff = [&](const Carrier& carrier) {
    // Of a link that carries its load along one lever the trace is twice the tension times the lever.
    return 0.5 * dt * dt * tension_[carrier.link].trace() * carrier.mobility > kStiff;
  };
  if (std::none_of(carriers_.begin(), carriers_.end(), isStiff)) return false;
  for (Matrix3d& tension : tension_) tension *= dt * dt;
  return dynamics.addTurningInertia(tension_);
}

/// Of a mode with y = Δt ω, x = y²: the step divides its forces by 1 + x, and (x/(1 + x))² of its velocity is lost:
/// y⁴ of what is slow, all of what is fast.
void TautLinks::damp(const VectorXd& nu, const Dynamics& dynamics, VectorXd& nu_free) {
  dynamics.multiplyTurningInertia(nu, loss_);
  dynamics.solveMass(loss_);
  dynamics.multiplyTurningInertia(loss_, change_);
  dynamics.solveMass(change_);
  nu_free -= change_;
}

}  // namespace footfall
