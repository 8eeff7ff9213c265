#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace footfall {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
/// Twist, wrench or momentum: linear part first, angular part second.
using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

/// Pose of a frame B in a frame A, written X_AB: p_A = R p_B + p.
struct Pose {
  Matrix3d R = Matrix3d::Identity();  ///< rotation, columns are the axes of B in A [-]
  Vector3d p = Vector3d::Zero();      ///< position of B's origin in A [m]

  Pose inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

inline Pose operator*(const Pose& X_AB, const Pose& X_BC) { return {X_AB.R * X_BC.R, X_AB.R * X_BC.p + X_AB.p}; }

inline Vector3d operator*(const Pose& X_AB, const Vector3d& p_B) { return X_AB.R * p_B + X_AB.p; }

/// The matrix with skew(a) b = a × b.
inline Matrix3d skew(const Vector3d& a) {
  Matrix3d S;
  S << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return S;
}

/// Rotation from roll, pitch, yaw as in URDF: R = Rz(yaw) Ry(pitch) Rx(roll) [rad].
Matrix3d rotationFromRollPitchYaw(const Vector3d& rpy);

/// Rotation by |theta| about theta (world or body axes, as the caller means it) [rad].
/// Exact to rounding for every angle, the smallest included.
Eigen::Quaterniond expQuaternion(const Vector3d& theta);

/// The rotation vector of a unit quaternion, no longer than π: the inverse of expQuaternion [rad].
Vector3d rotationVector(const Eigen::Quaterniond& Q);

/// A rotation whose third column is the unit vector z; smooth wherever z is not (0, 0, -1).
Matrix3d rotationWithZ(const Vector3d& z);

}  // namespace footfall
