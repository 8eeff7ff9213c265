#include "step/spring_weights.hpp"

#include <cmath>

#include "footfall/spatial/internal/same_bits.hpp"
#include "footfall/step/internal/joint_forces.hpp"

namespace footfall {

SpringWeights::SpringWeights(const Model& model, const MassTraits& traits, double dt)
    : model_(model),
      dt_(dt),
      traits_(&traits),
      holder_of_link_(holderOfLinks(model)),
      mobility_(traits.mobility.col(0)) {
  const int n = model.jointDofs();
  for (VectorXd* v : {&own_stiffness_, &own_damping_, &reference_, &stiffness_, &damping_, &ahead_, &inertia_,
                      &known_stiffness_, &known_damping_})
    v->setZero(n);
  for (int i = 0; i < n; ++i) {
    const Dof& dof = model.dofs[i];
    own_stiffness_[i] = dof.spring_stiffness;
    own_damping_[i] = dof.damping;
    reference_[i] = dof.spring_reference;
    if (dof.prescribed) inertia_[i] = kImmovableInertia;
  }
  for (std::vector<int>* holders : {&holders_, &next_holders_}) holders->reserve(model.candidates.size());
}

void SpringWeights::use(const MassTraits& traits) {
  traits_ = &traits;
  mobility_known_ = false;
}

void SpringWeights::holdBy(const WarmStart& warm) {
  next_holders_.clear();
  for (Eigen::Index slot = 0; slot < warm.candidate.size() && warm.candidate[slot] >= 0; ++slot) {
    if (!(warm.impulse[3 * slot + 2] > 0.0)) continue;
    if (warm.candidate[slot] >= static_cast<int>(model_.candidates.size())) continue;  // of two shapes
    const int holder = holder_of_link_[model_.candidates[warm.candidate[slot]].link];
    if (holder >= 0 && (next_holders_.empty() || next_holders_.back() != holder)) next_holders_.push_back(holder);
  }
  if (next_holders_ == holders_ && mobility_known_) return;
  holders_.swap(next_holders_);
  mobility_ = traits_->mobility.col(0);
  for (const int holder : holders_) mobility_ = mobility_.cwiseMin(traits_->mobility.col(1 + holder));
  mobility_known_ = true;
  weights_known_ = false;
}

void SpringWeights::linearize(const Input& input, const JointSprings* springs, const VectorXd& q, const VectorXd& nu,
                              VectorXd& torque, VectorXd& inertia) {
  if (!knows(springs)) renewWeights(springs);
  const auto s = model_.jointPositions(q);
  const auto rate = model_.jointVelocities(nu).array();
  const auto own =
      input.tau.array() + own_stiffness_.array() * (reference_.array() - s.array()) - damping_.array() * rate;
  if (springs)
    torque = own + springs->stiffness.array() * (springs->target.array() - s.array()) - ahead_.array() * rate;
  else
    torque = own - ahead_.array() * rate;
  inertia = inertia_;
  turnBallSprings(model_, springs, s, torque);
}

/// Springs and mobilities are mostly those of the step before.
bool SpringWeights::knows(const JointSprings* springs) const {
  if (!weights_known_ || has_springs_ != (springs != nullptr)) return false;
  return !springs || (sameBits(springs->stiffness, known_stiffness_) && sameBits(springs->damping, known_damping_));
}

void SpringWeights::renewWeights(const JointSprings* springs) {
  stiffness_ = own_stiffness_;
  damping_ = own_damping_;
  has_springs_ = springs != nullptr;
  if (springs) {
    known_stiffness_ = springs->stiffness;
    known_damping_ = springs->damping;
    stiffness_ += known_stiffness_;
    damping_ += known_damping_;
  }
  for (int i = 0; i < model_.jointDofs(); ++i) {
    if (model_.dofs[i].prescribed) continue;
    const bool any = stiffness_[i] != 0.0 || damping_[i] != 0.0;
    const Weight weight = any ? weightOf(stiffness_[i], damping_[i], mobility_[i]) : Weight{};
    ahead_[i] = weight.ahead;
    inertia_[i] = weight.inertia;
  }
  weights_known_ = true;
}

void SpringWeights::holdInImpacts(const JointSprings* springs, const VectorXd& bare, VectorXd& inertia) const {
  inertia = bare;
  for (int i = 0; i < model_.jointDofs(); ++i) {
    const Dof& dof = model_.dofs[i];
    if (dof.prescribed) continue;
    const double stiffness = dof.spring_stiffness + (springs ? springs->stiffness[i] : 0.0);
    const double damping = dof.damping + (springs ? springs->damping[i] : 0.0);
    const double added = dt_ * (damping + dt_ * stiffness);
    if (added * traits_->mobility(i, 0) > 1.0) inertia[i] += added;
  }
}

SpringWeights::Weight SpringWeights::weightOf(double stiffness, double damping, double mobility) const {
  // θ = ½ + ½ (coth x − 1/x) would let a damper decay exactly by exp(−2x); this fraction is near it for all x.
  const double x = 0.5 * dt_ * (damping + dt_ * stiffness) * mobility;
  const double above = x < 0.05 ? x * (1.0 - x * x / 12.0) / 6.0 : 0.5 * x / (1.0 + std::sqrt(4.0 + x * x));
  const double theta = 0.5 + above;
  const double c1 = 0.5 * (1.0 - theta), c2 = 0.5 * theta + 8.0 * above * above;
  return {stiffness * (c1 + c2) * dt_, dt_ * (theta * damping + dt_ * c2 * stiffness)};
}

}  // namespace footfall
