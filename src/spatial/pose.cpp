#include "footfall/spatial/pose.hpp"

#include <cmath>

namespace footfall {

Matrix3d rotationFromRollPitchYaw(const Vector3d& rpy) {
  using Eigen::AngleAxisd;
  return (AngleAxisd(rpy.z(), Vector3d::UnitZ()) * AngleAxisd(rpy.y(), Vector3d::UnitY()) *
          AngleAxisd(rpy.x(), Vector3d::UnitX()))
      .toRotationMatrix();
}

Eigen::Quaterniond expQuaternion(const Vector3d& theta) {
  const double half = 0.5 * theta.norm();
  // sin(x)/x, by its series where the quotient would lose digits; the next term is below rounding.
  const double sinc = half < 1e-3 ? 1.0 - half * half / 6.0 * (1.0 - half * half / 20.0) : std::sin(half) / half;
  const Vector3d v = 0.5 * sinc * theta;
  return {std::cos(half), v.x(), v.y(), v.z()};
}

Vector3d rotationVector(const Eigen::Quaterniond& Q) {
  const Vector3d v = Q.w() < 0.0 ? Vector3d(-Q.vec()) : Vector3d(Q.vec());
  const double sine = v.norm();
  // Twice the arc sine over its sine, by its series where the quotient would lose digits.
  const double ratio = sine < 1e-4 ? 2.0 * (1.0 + sine * sine / 6.0) : 2.0 * std::atan2(sine, std::abs(Q.w())) / sine;
  return ratio * v;
}

Matrix3d rotationWithZ(const Vector3d& z) {
  // Shortest rotation from (0,0,1) to z. Straight down has no shortest one: turn about x.
  const double across = z.x() * z.x() + z.y() * z.y();
  if (z.z() < 0.0 && across < 1e-300) return Eigen::Vector3d(1, -1, -1).asDiagonal();
  // 1 / (1 + z), in the form that keeps all its digits near straight down.
  const double k = z.z() < 0.0 ? (1.0 - z.z()) / across : 1.0 / (1.0 + z.z());
  Matrix3d R;
  R << 1.0 - k * z.x() * z.x(), -k * z.x() * z.y(), z.x(),  //
      -k * z.x() * z.y(), 1.0 - k * z.y() * z.y(), z.y(),   //
      -z.x(), -z.y(), z.z();
  return R;
}

}  // namespace footfall
