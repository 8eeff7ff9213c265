#include "footfall/robot_block/internal/robot_signals.hpp"

namespace footfall {

SignalType torqueType(const Model& model) { return SignalType::vector(model.jointDofs(), jointUnit(model, "N m")); }
SignalType positionsType(const Model& model) { return SignalType::vector(model.nq()); }
SignalType velocitiesType(const Model& model) { return SignalType::vector(model.nv()); }

SignalType stateBusType(const Model& model) {
  const int n = model.jointDofs();
  return SignalType::bus({{"w_H_b", SignalType::matrix(4, 4)},
                          {"joints_position", SignalType::vector(n, jointUnit(model, "rad"))},
                          {"basePose_dot", SignalType::vector(6)},
                          {"joints_velocity", SignalType::vector(n, jointUnit(model, "rad/s"))}});
}

SignalType springsBusType(const Model& model) {
  const int n = model.jointDofs();
  return SignalType::bus({{"stiffness", SignalType::vector(n, jointUnit(model, "N m/rad"))},
                          {"damping", SignalType::vector(n, jointUnit(model, "N m s/rad"))},
                          {"target", SignalType::vector(n, jointUnit(model, "rad"))}});
}

SignalType kinDynBusType(const Model& model, int feet) {
  const int n = model.jointDofs(), nv = model.nv();
  return SignalType::bus({{"w_H_b", SignalType::matrix(4, 4)},
                          {"s", SignalType::vector(n, jointUnit(model, "rad"))},
                          {"nu", SignalType::vector(nv)},
                          {"w_H_feet_sole", SignalType::matrix(4 * feet, 4)},
                          {"J_feet_sole", SignalType::matrix(6 * feet, nv)},
                          {"JDot_feet_sole_nu", SignalType::vector(6 * feet)},
                          {"M", SignalType::matrix(nv, nv)},
                          {"h", SignalType::vector(nv)},
                          {"motor_inertia", SignalType::vector(n, jointUnit(model, "kg m²"))},
                          {"fc", SignalType::vector(6 * feet)},
                          {"nuDot", SignalType::vector(nv)},
                          {"feet_in_contact", SignalType::vector(feet, "-")}});
}

Eigen::Matrix4d homogeneous(const Pose& X) {
  Eigen::Matrix4d H = Eigen::Matrix4d::Identity();
  H.topLeftCorner<3, 3>() = X.R;
  H.topRightCorner<3, 1>() = X.p;
  return H;
}

}  // namespace footfall
