#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

#include "footfall/geometry/shape.hpp"

namespace footfall {
namespace {

constexpr int kRimPoints = 6;               // of a cylinder's rim that are fixed to it; they carry it when it stands
constexpr double kUpright = 1e-3;           // sine of the tilt below which a cylinder stands, so to speak [-]
constexpr int kEndPoints = kRimPoints + 1;  // of one end of a cylinder

/// Collects the points that are low enough.
class PointWriter {
 public:
  PointWriter(const Vector3d& up_S, double ceiling, std::span<ContactPoint> out)
      : up_S_(up_S), ceiling_(ceiling), out_(out) {}

  void add(const Vector3d& p_S, double radius, int feature) {
    if (up_S_.dot(p_S) - radius <= ceiling_) out_[count_++] = {p_S, radius, feature};
  }
  int count() const { return count_; }

 private:
  const Vector3d& up_S_;
  double ceiling_;
  std::span<ContactPoint> out_;
  int count_ = 0;
};

void addCapsule(const Shape& capsule, PointWriter& writer) {
  writer.add({0.0, 0.0, -capsule.half_length}, capsule.radius, 0);
  writer.add({0.0, 0.0, capsule.half_length}, capsule.radius, 1);
}

void addBox(const Shape& box, PointWriter& writer) {
  const Vector3d& h = box.half_size;
  for (int corner = 0; corner < 8; ++corner)
    writer.add({corner & 1 ? h.x() : -h.x(), corner & 2 ? h.y() : -h.y(), corner & 4 ? h.z() : -h.z()}, 0.0, corner);
}

/// From the middle of an end of a cylinder to the lowest point of its rim, in units of the radius. Of an upright
/// cylinder all points of the rim are equally low, and the direction means nothing: it shrinks to zero there, smoothly.
Vector3d towardsLowestRim(const Vector3d& up_S) {
  const Vector3d down{-up_S.x(), -up_S.y(), 0.0};
  const double sine = down.norm();
  if (sine >= kUpright) return down / sine;
  return down * (2.0 - sine / kUpright) / kUpright;
}

std::array<Vector3d, kRimPoints> unitCircle() {
  std::array<Vector3d, kRimPoints> circle;
  for (int i = 0; i < kRimPoints; ++i) {
    const double angle = i * 2.0 * std::numbers::pi / kRimPoints;
    circle[i] = {std::cos(angle), std::sin(angle), 0.0};
  }
  return circle;
}

void addCylinder(const Shape& cylinder, const Vector3d& up_S, PointWriter& writer) {
  static const std::array<Vector3d, kRimPoints> kCircle = unitCircle();
  const Vector3d lowest = cylinder.radius * towardsLowestRim(up_S);
  for (int end = 0; end < 2; ++end) {
    const Vector3d middle{0.0, 0.0, end == 0 ? -cylinder.half_length : cylinder.half_length};
    for (int i = 0; i < kRimPoints; ++i) writer.add(middle + cylinder.radius * kCircle[i], 0.0, end * kEndPoints + i);
    writer.add(middle + lowest, 0.0, end * kEndPoints + kRimPoints);
  }
}

void addHull(const Shape& hull, PointWriter& writer) {
  for (int i = 0; i < static_cast<int>(hull.vertices.size()); ++i) writer.add(hull.vertices[i], 0.0, i);
}

}  // namespace

int maxContactPoints(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::point:
    case ShapeKind::sphere:
      return 1;
    case ShapeKind::capsule:
      return 2;
    case ShapeKind::cylinder:
      return 2 * kEndPoints;
    case ShapeKind::box:
      return 8;
    case ShapeKind::hull:
      return static_cast<int>(shape.vertices.size());
  }
  return 0;
}

int contactPoints(const Shape& shape, const Vector3d& up_S, std::span<ContactPoint> out, double ceiling) {
  assert(static_cast<int>(out.size()) >= maxContactPoints(shape));
  PointWriter writer(up_S, ceiling, out);
  switch (shape.kind) {
    case ShapeKind::point:
    case ShapeKind::sphere:
      writer.add(Vector3d::Zero(), shape.radius, 0);
      break;
    case ShapeKind::capsule:
      addCapsule(shape, writer);
      break;
    case ShapeKind::cylinder:
      addCylinder(shape, up_S, writer);
      break;
    case ShapeKind::box:
      addBox(shape, writer);
      break;
    case ShapeKind::hull:
      addHull(shape, writer);
      break;
  }
  return writer.count();
}

}  // namespace footfall
