#include "step/midpoint.hpp"

#include <cmath>

#include "footfall/model/tree.hpp"

namespace footfall {
namespace {

constexpr int kMaxIterations = 50;
/// Work of the loops in a step, as a share of the kinetic energy: of second order in smooth motion.
constexpr double kLoopWorkOfAStep = 1e-5;
constexpr double kTolerance = 1e-14;  ///< relative change of the velocity at which the fixed point has been found

/// Of the base that begins at `at` in q.
Matrix3d rotationOf(const VectorXd& q, int at) {
  return Eigen::Quaterniond(q[at + 6], q[at + 3], q[at + 4], q[at + 5]).toRotationMatrix();
}

Matrix3d rotationOfBall(const VectorXd& q, DofIndex ball) {
  return expQuaternion(q.segment<3>(7 + ball)).toRotationMatrix();
}

/// The rotation vector of Cayley's rotation (1 − a×/2)⁻¹(1 + a×/2), which turns by 2 atan(|a|/2) about a.
Vector3d cayleyAngle(const Vector3d& a) {
  const double half = 0.5 * a.norm();
  return half > 0.0 ? Vector3d(a * (std::atan(half) / half)) : a;
}

bool loopsWork(const FreeStep& step, const VectorXd& nu) {
  const double work = step.dt * step.motion.loopPower(nu);
  return work != 0.0 && !(std::abs(work) <= kLoopWorkOfAStep * step.motion.dynamics().energy().kinetic);
}

}  // namespace

void Midpoint::reserve(const Model& model) {
  keeper_.reserve(model);
  elsewhere_.reserve(model);
  for (VectorXd* v : {&nu_end_, &nu_mid_, &nu_dot_, &mean_}) v->resize(model.nv());
  for (VectorXd* v : {&q_mid_, &q_end_}) v->resize(model.nq());
}

void Midpoint::moveConfiguration(const Model& model, const VectorXd& q, const VectorXd& nu, double dt) {
  mean_ = 0.5 * (nu + nu_end_);
  // Mean angular velocity in body axes, brought back to the axes that stay, at the start.
  const auto turnBody = [&](const Matrix3d& R, const Matrix3d& R_end, int turn) {
    const Vector3d mean = 0.5 * (nu.segment<3>(turn) + R * (R_end.transpose() * nu_end_.segment<3>(turn)));
    mean_.segment<3>(turn) = cayleyAngle(dt * mean) / dt;
  };
  forFloatingBases(model, [&](int position, int velocity) {
    turnBody(rotationOf(q, position), rotationOf(q_end_, position), velocity + 3);
  });
  for (const DofIndex ball : model.balls)
    turnBody(rotationOfBall(q, ball), rotationOfBall(q_end_, ball), model.baseDofs() + ball);
  q_mid_ = q;
  integrateConfiguration(model, mean_, 0.5 * dt, q_mid_);
  q_end_ = q;
  integrateConfiguration(model, mean_, dt, q_end_);
}

void Midpoint::advance(const FreeStep& step, VectorXd& q, VectorXd& nu) {
  const Model& model = step.motion.model();
  const Vector6d momentum = step.motion.dynamics().momentum();
  bool loops_work = false;
  nu_end_ = step.nu_free;
  q_end_ = q;
  integrateConfiguration(model, nu_end_, step.dt, q_end_);
  for (int k = 0; k < kMaxIterations; ++k) {
    moveConfiguration(model, q, nu, step.dt);
    nu_mid_ = 0.5 * (nu + nu_end_);
    step.motion.acceleration(0.5, q_mid_, nu_mid_, nu_dot_);
    loops_work = loopsWork(step, nu_mid_);
    const Vector6d target = momentum + step.dt * step.motion.momentumRate(0.5, q_mid_, nu_mid_);
    mean_ = nu_end_;
    nu_end_ = nu + step.dt * nu_dot_;
    step.motion.placeAtEnd(q_end_, nu_end_);
    if (step.motion.keepsMomentum()) keeper_.enforce(target, q_end_, nu_end_, step.motion.dynamics());
    if ((nu_end_ - mean_).norm() <= kTolerance * (1.0 + nu_end_.norm())) break;
  }
  if (loops_work) return elsewhere_.advance(step, q, nu);
  q = q_end_;
  nu = nu_end_;
}

}  // namespace footfall
