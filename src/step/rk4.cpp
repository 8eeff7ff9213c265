#include "step/rk4.hpp"

#include "footfall/model/tree.hpp"

namespace footfall {
namespace {

/// Rate of the rotation vector theta whose rotation turns with ω (axes that stay): the inverse of the differential of
/// the exponential map, to the order that a fourth-order scheme needs.
Vector3d rotationVectorRate(const Vector3d& theta, const Vector3d& omega) {
  const Vector3d c = theta.cross(omega);
  return omega - 0.5 * c + theta.cross(c) / 12.0;
}

}  // namespace

void RungeKutta4::reserve(const Model& model) {
  for (Slope& slope : slopes_) {
    slope.q_dot.resize(model.nv());
    slope.nu_dot.resize(model.nv());
  }
  nu_.resize(model.nv());
  q_.resize(model.nq());
  displacement_.resize(model.nv());
}

void RungeKutta4::advance(const FreeStep& step, VectorXd& q, VectorXd& nu) {
  const Model& model = step.motion.model();
  constexpr std::array<double, 4> kStage{0.0, 0.5, 0.5, 1.0};
  constexpr std::array<double, 4> kWeight{1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
  for (int k = 0; k < 4; ++k) {
    nu_ = nu;
    displacement_.setZero();
    if (k > 0) {
      nu_ += kStage[k] * step.dt * slopes_[k - 1].nu_dot;
      displacement_ = kStage[k] * step.dt * slopes_[k - 1].q_dot;
    }
    q_ = q;
    integrateConfiguration(model, displacement_, 1.0, q_);
    step.motion.acceleration(kStage[k], q_, nu_, slopes_[k].nu_dot);
    slopes_[k].q_dot = nu_;
    const auto turnAt = [&](int turn) {
      slopes_[k].q_dot.segment<3>(turn) = rotationVectorRate(displacement_.segment<3>(turn), nu_.segment<3>(turn));
    };
    forFloatingBases(model, [&](int, int velocity) { turnAt(velocity + 3); });
    for (const DofIndex ball : model.balls) turnAt(model.baseDofs() + ball);
  }
  displacement_.setZero();
  for (int k = 0; k < 4; ++k) {
    displacement_ += kWeight[k] * step.dt * slopes_[k].q_dot;
    nu += kWeight[k] * step.dt * slopes_[k].nu_dot;
  }
  integrateConfiguration(model, displacement_, 1.0, q);
}

}  // namespace footfall
