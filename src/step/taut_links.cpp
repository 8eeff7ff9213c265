#include "step/taut_links.hpp"

#include <algorithm>

namespace footfall {
namespace {

/// Below (Δt ω)² of this the scheme follows the swinging by itself; it becomes unstable at 4.
constexpr double kStiff = 0.5;
/// Links that stay below this under their static load are never looked at: it would take 25 times the load.
constexpr double kNeverStiff = 0.02;
/// The same of links in loops, whose load is taken to be all of the robot: five times that.
constexpr double kNeverStiffInLoops = 0.1;

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

bool TautLinks::mightBeStiff(const LightLink& light) {
  return light.stiffness > (light.by_loop ? kNeverStiffInLoops : kNeverStiff);
}

TautLinks::TautLinks(const Model& model, Dynamics& dynamics, const MassTraits& traits)
    : model_(model),
      force_(model.links.size(), Vector3d::Zero()),
      tension_(model.links.size(), Matrix3d::Zero()),
      loop_wrenches_(model.loops.size(), Vector6d::Zero()),
      loss_(VectorXd::Zero(model.nv())),
      change_(VectorXd::Zero(model.nv())) {
  carriers_.reserve(model.links.size());
  use(traits);
  if (any() && !dynamics.addTurningInertia(tension_)) carriers_.clear();  // the engine cannot, or has room now
}

void TautLinks::use(const MassTraits& traits) {
  carriers_.clear();
  if (!traits.taut) return;
  for (int k = 0; k < static_cast<int>(traits.carriers.size()); ++k)
    if (traits.carriers[k] > 0.0) carriers_.push_back({LinkIndex(k), traits.carriers[k]});
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
  pullByLoops(dynamics);
  for (int k = links - 1; k > 0; --k) {
    const Joint& joint = model_.joints[k - 1];
    if (!joint.parent.valid()) continue;
    tension_[joint.parent] += stiffnessOf(-force_[k], dynamics.linkPose(joint.parent).R * joint.X_PJ.p);
    force_[joint.parent] += force_[k];
  }
}

/// With which loops hold the links that weights, bias forces and motors accelerate.
void TautLinks::findLoopForces(const VectorXd& torque, LoopMotion& loops, Dynamics& dynamics) {
  dynamics.biasForces(change_);
  loss_ = -change_;
  model_.jointVelocities(loss_) += torque;
  dynamics.solveMass(loss_);
  loops.constrainAcceleration(dynamics, loss_);
  loops.wrenches(loops.impulses(), loop_wrenches_);
}

void TautLinks::pullByLoops(const Dynamics& dynamics) {
  for (std::size_t k = 0; k < model_.loops.size(); ++k) {
    const Loop& loop = model_.loops[k];
    const auto pull = [&](LinkIndex link, const Vector3d& p_L, const Vector3d& force_W) {
      if (!link.valid()) return;
      force_[link] -= force_W;
      tension_[link] += stiffnessOf(force_W, dynamics.linkPose(link).R * p_L);
    };
    const Matrix3d R_WA = loop.link_a.valid() ? dynamics.linkPose(loop.link_a).R : Matrix3d::Identity();
    const Vector3d force_W = R_WA * (axesOfWrench(model_, loop) * loop_wrenches_[k].head<3>());
    pull(loop.link_a, loop.X_AF.p, -force_W);
    pull(loop.link_b, loop.X_BF.p, force_W);
  }
}

bool TautLinks::hold(double dt, const VectorXd& torque, LoopMotion& loops, Dynamics& dynamics) {
  findLoopForces(torque, loops, dynamics);
  return add(dt, dynamics);
}

bool TautLinks::hold(double dt, Dynamics& dynamics) { return add(dt, dynamics); }

bool TautLinks::add(double dt, Dynamics& dynamics) {
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
