#include "collide/segments.hpp"

#include <algorithm>

namespace footfall::collide {
namespace {

double clampToUnit(double value) { return std::clamp(value, 0.0, 1.0); }

}  // namespace

NearestOfSegments nearestOfSegments(const Vector3d& p0, const Vector3d& p1, const Vector3d& q0, const Vector3d& q1) {
  const Vector3d d = p1 - p0, e = q1 - q0, r = q0 - p0;
  const double dd = d.squaredNorm(), ee = e.squaredNorm();
  double s = 0.0, t = 0.0;
  if (dd > 0.0 && ee > 0.0) {
    // With cross products: a e - b² would lose all digits of nearly parallel segments twice as early.
    const Vector3d normal = d.cross(e);
    const double squared = normal.squaredNorm();
    if (squared > 0.0) s = clampToUnit(r.cross(e).dot(normal) / squared);
    t = e.dot(s * d - r) / ee;
    if (t < 0.0 || t > 1.0) {
      t = clampToUnit(t);
      s = clampToUnit(d.dot(r + t * e) / dd);
    }
  } else if (dd > 0.0) {
    s = clampToUnit(d.dot(r) / dd);
  } else if (ee > 0.0) {
    t = clampToUnit(-e.dot(r) / ee);
  }
  // Ends exactly: the features of a contact are read off s and t.
  return {s == 1.0 ? p1 : Vector3d(p0 + s * d), t == 1.0 ? q1 : Vector3d(q0 + t * e), s, t};
}

}  // namespace footfall::collide
