#include "footfall/model/kinematics.hpp"

namespace footfall {
namespace {

/// That begins at `at` in q.
Pose basePose(const VectorXd& q, Eigen::Index at) {
  return {Eigen::Quaterniond(q[at + 6], q[at + 3], q[at + 4], q[at + 5]).toRotationMatrix(), q.segment<3>(at)};
}

}  // namespace

void forwardKinematics(const Model& model, const VectorXd& q, std::vector<Pose>& poses) {
  poses.resize(model.links.size());
  poses[0] = basePose(q, 0);
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    if (joint.kind == JointKind::free) {
      poses[j + 1] = basePose(q, model.freePosition(joint.body));
      continue;
    }
    if (joint.kind == JointKind::fixed) {
      poses[j + 1] = joint.X_PJ;
      continue;
    }
    if (joint.kind == JointKind::ball) {
      const Pose X_WJ = poses[joint.parent] * joint.X_PJ;
      poses[j + 1] = poses[j + 2] = X_WJ;
      poses[j + 3] = X_WJ * Pose{expQuaternion(q.segment<3>(7 + joint.dof)).toRotationMatrix(), Vector3d::Zero()};
      j += 2;
      continue;
    }
    const double position = joint.multiplier * q[7 + joint.dof] + joint.offset;
    poses[j + 1] = poses[joint.parent] * joint.X_PJ * jointDisplacement(joint.kind, joint.axis, position);
  }
}

}  // namespace footfall
