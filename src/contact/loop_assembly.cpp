#include "footfall/contact/loop_assembly.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/model/ball_joint.hpp"
#include "footfall/model/kinematics.hpp"
#include "footfall/model/state.hpp"
#include "footfall/model/tree.hpp"
#include "footfall/spatial/internal/least_squares.hpp"

namespace footfall {
namespace {

constexpr int kMaxSteps = 500;
constexpr double kAssembled = 1e-13;  ///< [m]
constexpr double kArrived = 1e-10;    ///< a step that is shorter brings q no nearer to where it started [rad or m]
constexpr double kLongestStep = 0.2;  ///< of one coordinate: the gaps are far from linear beyond it [rad or m]
constexpr double kDependent = 1e-9;   ///< share of the largest pivot below which rows depend on others [-]

/// What brings q back to q0, as a velocity during one second.
VectorXd wayBack(const Model& model, const VectorXd& q, const VectorXd& q0) {
  VectorXd way(model.nv());
  jointWay(model, model.jointPositions(q), model.jointPositions(q0), model.jointVelocities(way));
  forFloatingBases(model, [&](int position, int velocity) {
    way.segment<3>(velocity) = (q0 - q).segment<3>(position);
    const auto rotation = [&](const VectorXd& x) {
      return Eigen::Quaterniond(x[position + 6], x[position + 3], x[position + 4], x[position + 5]);
    };
    const Eigen::AngleAxisd turn(rotation(q0) * rotation(q).conjugate());
    way.segment<3>(velocity + 3) = turn.angle() * turn.axis();
  });
  return way;
}

void freeze(const std::vector<bool>& movable, MatrixXd& J, VectorXd& way) {
  for (int i = 0; i < static_cast<int>(movable.size()); ++i) {
    if (movable[i]) continue;
    J.col(i).setZero();
    way[i] = 0.0;
  }
}

}  // namespace

MatrixXd loopJacobian(const Model& model, Dynamics& dynamics) {
  MatrixXd J(loopRows(model), model.nv());
  dynamics.prepareLoops();
  if (J.rows() > 0) dynamics.loopJacobian(J);
  return J;
}

LoopGap largestLoopGap(const Model& model, const VectorXd& q) {
  std::vector<Pose> poses;
  forwardKinematics(model, q, poses);
  const auto poseOf = [&](LinkIndex link) { return link.valid() ? poses[link] : Pose{}; };
  LoopGap largest;
  int row = 0;
  for (const LoopPoint& point : loopPoints(model)) {
    const Loop& loop = model.loops[point.loop];
    const Vector3d gap = loopGap(point, poseOf(loop.link_a), poseOf(loop.link_b));
    forTiedAxes(point, row, [&](int, int axis) {
      if (largest.loop < 0 || std::abs(gap[axis]) > largest.gap) largest = {std::abs(gap[axis]), point.loop};
    });
  }
  return largest;
}

LoopGap assembleLoops(const Model& model, Dynamics& dynamics, const std::vector<bool>& movable, VectorXd& q) {
  const VectorXd q0 = q;
  VectorXd gap(loopRows(model));
  const VectorXd at_rest = VectorXd::Zero(model.nv());
  for (int k = 0; k < kMaxSteps; ++k) {
    dynamics.update(q, at_rest);
    MatrixXd J = loopJacobian(model, dynamics);
    dynamics.loopGaps(gap);
    VectorXd way = wayBack(model, q, q0);
    freeze(movable, J, way);
    // The shortest step that closes the loops, and along them as near to the start as they allow.
    const VectorXd step = way - leastSquares(J, J * way + gap, kDependent);
    const double length = step.lpNorm<Eigen::Infinity>();
    if (gap.lpNorm<Eigen::Infinity>() <= kAssembled && length <= kArrived) break;
    integrateConfiguration(model, step, std::min(1.0, kLongestStep / length), q);
  }
  return largestLoopGap(model, q);
}

}  // namespace footfall
