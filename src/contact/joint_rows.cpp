#include "footfall/contact/joint_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace footfall {
namespace {

constexpr double kAcceleration = 1e3;  ///< no joint is expected to accelerate more than this [rad/s² or m/s²]

}  // namespace

int maxJointRows(const Model& model) {
  int rows = 0;
  for (const Dof& dof : model.dofs)
    if (!dof.prescribed) rows += std::isfinite(dof.lower) + std::isfinite(dof.upper) + (dof.friction > 0.0);
  return rows;
}

void findJointRows(const Model& model, const VectorXd& q, const VectorXd& nu, double dt, double extra,
                   std::vector<JointRow>& rows) {
  rows.clear();
  for (int i = 0; i < model.jointDofs(); ++i) {
    const Dof& dof = model.dofs[i];
    if (dof.prescribed) continue;
    const double s = q[7 + i], rate = nu[model.baseDofs() + i];
    // Most are far, and those that do not exist infinitely far: that is asked first.
    const auto addLimit = [&](double sign, double limit, double gap) {
      const double reach = dt * (kAcceleration * dt - sign * rate) + extra;
      const bool near = gap <= reach || (extra > 0.0 && gap <= extra);
      if (near && std::isfinite(limit))
        rows.push_back({JointRow::Kind::limit, DofIndex(i), sign, gap, sign * rate, 0.0});
    };
    addLimit(1.0, dof.lower, s - dof.lower);
    addLimit(-1.0, dof.upper, dof.upper - s);
    if (dof.friction > 0.0) rows.push_back({JointRow::Kind::friction, DofIndex(i), 1.0, 0.0, 0.0, dof.friction});
  }
}

JointRowFinder::JointRowFinder(const Model& model)
    : model_(model),
      lower_(VectorXd::Constant(model.jointDofs(), -std::numeric_limits<double>::infinity())),
      upper_(-lower_) {
  for (int i = 0; i < model.jointDofs(); ++i) {
    const Dof& dof = model.dofs[i];
    if (dof.prescribed) continue;
    any_friction_ = any_friction_ || dof.friction > 0.0;
    lower_[i] = dof.lower;
    upper_[i] = dof.upper;
  }
}

/// What findJointRows() asks of limits, of all joints at once.
bool JointRowFinder::anyNear(const VectorXd& q, const VectorXd& nu, double dt, double extra) const {
  if (lower_.size() == 0) return false;
  if (extra > 0.0) return true;  // there are few such steps, and they ask more than that
  const double fastest = kAcceleration * dt;
  const auto s = model_.jointPositions(q).array();
  const auto rate = model_.jointVelocities(nu).array();
  const auto below = (s - lower_.array()) - dt * (fastest - rate);
  const auto above = (upper_.array() - s) - dt * (fastest + rate);
  return below.min(above).minCoeff() <= 0.0;
}

void JointRowFinder::find(const VectorXd& q, const VectorXd& nu, double dt, double extra,
                          std::vector<JointRow>& rows) const {
  rows.clear();
  if (any_friction_ || anyNear(q, nu, dt, extra)) findJointRows(model_, q, nu, dt, extra, rows);
}

}  // namespace footfall
