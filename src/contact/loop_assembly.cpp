#include "footfall/contact/loop_assembly.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "contact/loop_rows.hpp"
#include "footfall/model/kinematics.hpp"
#include "footfall/model/state.hpp"

namespace footfall {
namespace {

constexpr int kMaxSteps = 500;
constexpr double kClosed = 1e-13;     ///< [m]
constexpr double kArrived = 1e-10;    ///< a step that is shorter brings q no nearer to where it started [rad or m]
constexpr double kLongestStep = 0.2;  ///< of one coordinate: the gaps are far from linear beyond it [rad or m]
constexpr double kDependent = 1e-9;   ///< share of the largest pivot below which rows depend on others [-]

/// What brings q back to q0, as a velocity during one second.
VectorXd wayBack(const Model& model, const VectorXd& q, const VectorXd& q0) {
  VectorXd way(model.nv());
  way.tail(model.jointDofs()) = (q0 - q).tail(model.jointDofs());
  if (!model.floating_base) return way;
  way.head<3>() = (q0 - q).head<3>();
  const auto rotation = [](const VectorXd& x) { return Eigen::Quaterniond(x[6], x[3], x[4], x[5]); };
  const Eigen::AngleAxisd turn(rotation(q0) * rotation(q).conjugate());
  way.segment<3>(3) = turn.angle() * turn.axis();
  return way;
}

void freeze(const std::vector<bool>& movable, MatrixXd& J, VectorXd& way) {
  for (int i = 0; i < static_cast<int>(movable.size()); ++i) {
    if (movable[i]) continue;
    J.col(i).setZero();
    way[i] = 0.0;
  }
}

VectorXd loopGaps(const Model& model, const LoopRows& rows, const VectorXd& q) {
  std::vector<Pose> poses;
  VectorXd phi = VectorXd::Zero(rows.rows());
  forwardKinematics(model, q, poses);
  rows.gaps(poses, phi);
  return phi;
}

}  // namespace

MatrixXd loopJacobian(const Model& model, Dynamics& dynamics) {
  const LoopRows rows(model);
  std::vector<ContactFrame> frames;
  rows.appendFrames(dynamics, frames);
  dynamics.setContacts(frames);
  MatrixXd points(3 * rows.frames(), model.nv()), J = MatrixXd::Zero(rows.rows(), model.nv());
  if (rows.frames() > 0) dynamics.contactJacobian(points);
  for (int k = 0; k < rows.rows(); ++k) {
    const LoopRows::Row& row = rows.row(k);
    if (row.plus >= 0) J.row(k) += points.row(3 * row.plus + row.axis);
    if (row.minus >= 0) J.row(k) -= points.row(3 * row.minus + row.axis);
  }
  return J;
}

LoopGap largestLoopGap(const Model& model, const VectorXd& q) {
  const LoopRows rows(model);
  const VectorXd phi = loopGaps(model, rows, q);
  LoopGap largest;
  for (int k = 0; k < rows.rows(); ++k)
    if (largest.loop < 0 || std::abs(phi[k]) > largest.gap) largest = {std::abs(phi[k]), rows.row(k).loop};
  return largest;
}

LoopGap assembleLoops(const Model& model, Dynamics& dynamics, const std::vector<bool>& movable, VectorXd& q) {
  const VectorXd q0 = q;
  const LoopRows rows(model);
  const VectorXd at_rest = VectorXd::Zero(model.nv());
  for (int k = 0; k < kMaxSteps; ++k) {
    dynamics.update(q, at_rest);
    const VectorXd phi = loopGaps(model, rows, q);
    MatrixXd J = loopJacobian(model, dynamics);
    VectorXd way = wayBack(model, q, q0);
    freeze(movable, J, way);
    // The shortest step that closes the loops, and along them as near to the start as they allow.
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
    solver.setThreshold(kDependent);
    solver.compute(J);
    VectorXd step = way - solver.solve(J * way + phi);
    const double length = step.lpNorm<Eigen::Infinity>();
    if (phi.lpNorm<Eigen::Infinity>() <= kClosed && length <= kArrived) break;
    integrateConfiguration(model, step, std::min(1.0, kLongestStep / length), q);
  }
  return largestLoopGap(model, q);
}

}  // namespace footfall
