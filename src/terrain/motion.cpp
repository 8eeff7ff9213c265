#include <cmath>

#include "footfall/terrain/moving_terrain.hpp"
#include "terrain/checks.hpp"

namespace footfall {
namespace {

Matrix3d turn(const Motion::Rotation& rotation, double time) {
  return Eigen::AngleAxisd(rotation.angle.value(time), rotation.axis).toRotationMatrix();
}

}  // namespace

Motion::Motion(std::vector<Translation> translations, std::vector<Rotation> rotations)
    : translations_(std::move(translations)), rotations_(std::move(rotations)) {
  for (Translation& t : translations_)
    t.direction = requireDirection("motion.direction", "direction of the motion", t.direction);
  for (Rotation& r : rotations_) {
    r.axis = requireDirection("motion.axis", "axis of the rotation", r.axis);
    requireFinite("motion.point", "point on the axis", r.point);
  }
}

Pose Motion::turned(double time) const {
  Pose X;
  for (const Rotation& r : rotations_) {
    const Matrix3d R = turn(r, time);
    X = {R * X.R, r.point + R * (X.p - r.point)};
  }
  return X;
}

Vector3d Motion::shift(double time) const {
  Vector3d shift = Vector3d::Zero();
  for (const Translation& t : translations_) shift += t.distance.value(time) * t.direction;
  return shift;
}

Pose Motion::pose(double time) const {
  Pose X_WG = turned(time);
  X_WG.p += shift(time);
  return X_WG;
}

Vector3d Motion::velocity(const Vector3d& p_W, TimeSpan span) const {
  Vector3d velocity = Vector3d::Zero();
  for (const Translation& t : translations_) velocity += t.distance.meanRate(span) * t.direction;
  if (rotations_.empty()) return velocity;
  const Vector3d p = p_W - shift(span.start);
  if (!(span.duration > 0.0)) return velocity + turningVelocity(p, span.start);
  const Vector3d p_end = turned(span.start + span.duration) * (turned(span.start).inverse() * p);
  return velocity + (p_end - p) / span.duration;
}

Vector3d Motion::turningVelocity(Vector3d p, double time) const {
  // Back through the rotations, the last one first: what an inner one does is turned by the outer ones.
  Vector3d velocity = Vector3d::Zero();
  Matrix3d outer = Matrix3d::Identity();
  for (auto r = rotations_.rbegin(); r != rotations_.rend(); ++r) {
    const Vector3d arm = p - r->point;
    velocity += outer * (r->angle.rate(time) * r->axis.cross(arm));
    const Matrix3d R = turn(*r, time);
    p = r->point + R.transpose() * arm;
    outer *= R;
  }
  return velocity;
}

double Motion::reach(const Vector3d& center_W, double radius, TimeSpan span) const {
  double angle = 0.0;
  for (const Rotation& r : rotations_) angle += std::abs(r.angle.change(span));
  return velocity(center_W, span).norm() * span.duration + angle * radius;
}

}  // namespace footfall
