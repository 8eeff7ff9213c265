#include "footfall/robot_block/kin_dyn.hpp"

#include "footfall/robot_block/internal/robot_signals.hpp"

namespace footfall {
namespace {

/// About the origin of the foot, in world axes: as its Jacobian counts.
Vector6d inWorldAxes(const Vector6d& wrench_F, const Matrix3d& R_WF) {
  Vector6d wrench_W;
  wrench_W << R_WF * wrench_F.head<3>(), R_WF * wrench_F.tail<3>();
  return wrench_W;
}

}  // namespace

KinDyn::KinDyn(const Model& model, const Settings& settings, std::vector<FrameIndex> feet)
    : model_(model),
      feet_(std::move(feet)),
      dynamics_(makeDynamics(settings.engine, model)),
      M_(model.nv(), model.nv()),
      J_(6, model.nv()),
      h_(model.nv()) {}

SignalType KinDyn::type() const { return kinDynBusType(model_, static_cast<int>(feet_.size())); }

bool KinDyn::touches(const StepResult& result, FrameIndex foot) const {
  for (const ContactReport& contact : result.contacts)
    if (contact.mode != ContactMode::open && contact.frame == foot) return true;
  return false;
}

void KinDyn::write(const StepResult& result, std::span<double> bus) {
  const int feet = static_cast<int>(feet_.size()), nv = model_.nv();
  dynamics_->update(result.q_forces, result.nu_forces);
  dynamics_->massMatrix(M_);
  dynamics_->biasForces(h_);

  BusWriter out(bus);
  out.put(homogeneous(dynamics_->linkPose(LinkIndex(0))));
  out.put(model_.jointPositions(result.q_forces));
  out.put(result.nu_forces);
  auto poses = out.matrix(4 * feet, 4);
  auto jacobians = out.matrix(6 * feet, nv);
  auto bias = out.matrix(6 * feet, 1);
  for (int k = 0; k < feet; ++k) {
    poses.middleRows<4>(4 * k) = homogeneous(dynamics_->framePose(feet_[k]));
    dynamics_->frameJacobian(feet_[k], J_);
    jacobians.middleRows<6>(6 * k) = J_;
    bias.middleRows<6>(6 * k) = dynamics_->frameBiasAcceleration(feet_[k]);
  }
  out.put(M_);
  out.put(h_);
  for (const Dof& dof : model_.dofs) out.put(dof.reflected_inertia);
  for (int k = 0; k < feet; ++k) out.put(inWorldAxes(result.soles[k].wrench_F, poses.block<3, 3>(4 * k, 0)));
  out.put(result.nu_dot);
  for (int k = 0; k < feet; ++k) out.put(touches(result, feet_[k]) ? 1.0 : 0.0);
}

}  // namespace footfall
