#include "footfall/model/kinematics.hpp"

namespace footfall {
namespace {

Pose jointMotion(const Joint& joint, double position) {
  if (joint.kind == JointKind::prismatic) return {Matrix3d::Identity(), position * joint.axis};
  return {Eigen::AngleAxisd(position, joint.axis).toRotationMatrix(), Vector3d::Zero()};
}

}  // namespace

void forwardKinematics(const Model& model, const VectorXd& q, std::vector<Pose>& poses) {
  poses.resize(model.links.size());
  poses[0] = {Eigen::Quaterniond(q[6], q[3], q[4], q[5]).toRotationMatrix(), q.head<3>()};
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    const double position = joint.multiplier * q[7 + joint.dof] + joint.offset;
    poses[j + 1] = poses[joint.parent] * joint.X_PJ * jointMotion(joint, position);
  }
}

}  // namespace footfall
