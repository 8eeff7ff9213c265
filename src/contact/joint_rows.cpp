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

bool JointRowFinder::anyNear(const VectorXd& q, const VectorXd& nu, double dt, double extra) const {
  const double fastest = kAcceleration * dt;
  bool near = false;  // gone on with to the end: no joint waits for another
  for (int i = 0; i < lower_.size(); ++i) {
    const double s = q[7 + i], rate = nu[model_.baseDofs() + i];
    const double below = s - lower_[i], above = upper_[i] - s;
    near |= below <= dt * (fastest - rate) + extra;
    near |= above <= dt * (fastest + rate) + extra;
    near |= extra > 0.0 && std::min(below, above) <= extra;
  }
  return near;
}

void JointRowFinder::find(const VectorXd& q, const VectorXd& nu, double dt, double extra,
                          std::vector<JointRow>& rows) const {
  rows.clear();
  if (any_friction_ || anyNear(q, nu, dt, extra)) findJointRows(model_, q, nu, dt, extra, rows);
}

}  // namespace footfall
