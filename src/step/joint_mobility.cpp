#include "step/joint_mobility.hpp"

namespace footfall {
namespace {

/// Share of its own inertia that a joint moves with when all others are free, below which it is rounding; light fingers
/// on a heavy robot have 1e-4.
constexpr double kTrifle = 1e-12;

}  // namespace

ZeroPosture::ZeroPosture(const Model& model)
    : joints_(model.jointDofs()),
      base_(model.baseDofs()),
      zero_(makeState(model)),
      no_inertia_(VectorXd::Zero(joints_)),
      own_(joints_),
      trifles_(joints_),
      unit_(model.nv()),
      column_(model.nv()) {}

void ZeroPosture::go(Dynamics& dynamics, VectorOut mobility) {
  dynamics.setImplicitInertia(no_inertia_);
  dynamics.update(zero_.q, zero_.nu);
  if (findMobilities(dynamics, mobility)) return;
  findTrifles();
  dynamics.setImplicitInertia(trifles_);
  dynamics.update(zero_.q, zero_.nu);
  findMobilities(dynamics, mobility);
  dynamics.setImplicitInertia(no_inertia_);  // from the next update on
}

/// Returns whether each of them is more than rounding: M_ii (M⁻¹)_ii is at least one, and the larger the less resists.
bool ZeroPosture::findMobilities(const Dynamics& dynamics, VectorOut mobility) {
  bool all = true;
  for (int i = 0; i < joints_; ++i) {
    unit_.setZero();
    unit_[base_ + i] = 1.0;
    dynamics.multiplyMass(unit_, column_);
    dynamics.solveMass(unit_);
    own_[i] = column_[base_ + i];
    mobility[i] = unit_[base_ + i];
    all = all && mobility[i] > 0.0 && kTrifle * own_[i] * mobility[i] < 1.0;
  }
  return all;
}

/// Of the joint's own inertia; where it moves nothing at all, of the largest.
void ZeroPosture::findTrifles() {
  const double largest = own_.maxCoeff();
  for (int i = 0; i < joints_; ++i) trifles_[i] = kTrifle * (own_[i] > 0.0 ? own_[i] : largest);
}

VectorXd freeMobilities(const Model& model, Dynamics& dynamics) {
  VectorXd mobilities(model.jointDofs());
  ZeroPosture(model).go(dynamics, mobilities);
  return mobilities;
}

}  // namespace footfall
