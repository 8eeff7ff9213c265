#include "footfall/model/point_spring.hpp"

namespace footfall {

Vector3d forceOnA(const PointSpring& spring, const MovingPoint& a, const MovingPoint& b) {
  const Vector3d line = b.p_W - a.p_W;
  const double length = line.norm();
  if (length == 0.0) return Vector3d::Zero();
  const Vector3d direction = line / length;
  const double rate = direction.dot(b.v_W - a.v_W);
  return (spring.stiffness * (length - spring.rest_length) + spring.damping * rate) * direction;
}

double energyOf(const PointSpring& spring, const Vector3d& p_WA, const Vector3d& p_WB) {
  const double stretch = (p_WB - p_WA).norm() - spring.rest_length;
  return 0.5 * spring.stiffness * stretch * stretch;
}

}  // namespace footfall
