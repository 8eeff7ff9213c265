#include "footfall/terrain/box.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "footfall/base/error.hpp"
#include "terrain/checks.hpp"
#include "terrain/face_list.hpp"

namespace footfall {

Box::Box(const Pose& X_WB, const Vector3d& size, const Material& material)
    : X_WB_(X_WB), half_(0.5 * size), material_(material) {
  requireFinite("box.position", "position of the box", X_WB.p);
  if (!X_WB.R.isUnitary(1e-9)) throw Error("box.rotation", "the rotation of the box is not a rotation matrix");
  if (!(size.minCoeff() > 0.0) || !size.allFinite())
    throw Error("box.size", fmt::format("the size of the box is [{}, {}, {}] m, expected lengths above zero", size.x(),
                                        size.y(), size.z()));
  validate(material);
}

SurfacePoint Box::surface(double gap, const Vector3d& normal_W) const {
  return {gap, rotationWithZ(normal_W), Vector3d::Zero(), material_.friction, material_.restitution};
}

/// The vector from the nearest point of the box to a point outside; zero inside.
Vector3d Box::beyondFaces(const Vector3d& p_B) const { return p_B - p_B.cwiseMax(-half_).cwiseMin(half_); }

SurfacePoint Box::at(const Vector3d& p_W, TimeSpan span) const {
  const Vector3d beyond = beyondFaces(toBox(p_W));
  const double distance = beyond.norm();
  if (distance > 0.0) return surface(distance, X_WB_.R * (beyond / distance));
  SurfacePoint nearest;
  faces(p_W, span, {&nearest, 1});
  return nearest;
}

int Box::faces(const Vector3d& p_W, TimeSpan span, std::span<SurfacePoint> out) const {
  const Vector3d p_B = toBox(p_W);
  if (beyondFaces(p_B).norm() > kTouching) return Terrain::faces(p_W, span, out);
  const auto isBefore = [](const SurfacePoint& a, const SurfacePoint& b) {
    return a.gap > b.gap || (a.gap == b.gap && a.R_WC(2, 2) > b.R_WC(2, 2));
  };
  int count = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0})
      count = insertFace(out, count, surface(side * p_B[axis] - half_[axis], side * X_WB_.R.col(axis)), isBefore);
  return count;
}

double Box::clearance(const Vector3d& center_W, double radius, TimeSpan /*span*/) const {
  const Vector3d p_B = toBox(center_W);
  return beyondFaces(p_B).norm() + std::min((p_B.cwiseAbs() - half_).maxCoeff(), 0.0) - radius;
}

Bounds Box::bounds() const {
  const Vector3d reach = X_WB_.R.cwiseAbs() * half_;
  return {X_WB_.p - reach, X_WB_.p + reach};
}

GroundDrawing Box::drawing(const Vector3d& /*around_W*/) const {
  GroundDrawing drawing;
  drawing.blocks.push_back({X_WB_, 2.0 * half_});
  return drawing;
}

void Box::shorten(std::span<const Ray> rays, double /*time*/, std::span<double> distance) const {
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const Vector3d from = toBox(rays[i].origin_W), along = X_WB_.R.transpose() * rays[i].direction_W;
    double enters = 0.0, leaves = distance[i];
    for (int axis = 0; axis < 3; ++axis) {
      if (along[axis] == 0.0) {
        if (std::abs(from[axis]) > half_[axis]) leaves = -1.0;  // passes beside it
        continue;
      }
      const double side = along[axis] > 0.0 ? half_[axis] : -half_[axis];
      enters = std::max(enters, (-side - from[axis]) / along[axis]);
      leaves = std::min(leaves, (side - from[axis]) / along[axis]);
    }
    if (enters <= leaves) distance[i] = enters;
  }
}

std::vector<std::shared_ptr<const Terrain>> makeStairs(const Stairs& stairs) {
  if (stairs.number < 1)
    throw Error("stairs.number", fmt::format("the number of steps is {}, expected 1 or more", stairs.number));
  requirePositive("stairs.rise", "rise of a step in m", stairs.rise);
  requirePositive("stairs.run", "run of a step in m", stairs.run);
  requirePositive("stairs.width", "width of the stairs in m", stairs.width);
  if (!(stairs.landing >= 0.0))
    throw Error("stairs.landing", fmt::format("the landing is {} m, expected 0 or more", stairs.landing));
  std::vector<std::shared_ptr<const Terrain>> steps;
  for (int k = 0; k < stairs.number; ++k) {
    const double depth = stairs.run + (k + 1 == stairs.number ? stairs.landing : 0.0);
    const double height = (k + 1) * stairs.rise;
    const Pose X_SB{Matrix3d::Identity(), {k * stairs.run + 0.5 * depth, 0.0, 0.5 * height}};
    steps.push_back(std::make_shared<Box>(stairs.X_WS * X_SB, Vector3d(depth, stairs.width, height), stairs.material));
  }
  return steps;
}

}  // namespace footfall
