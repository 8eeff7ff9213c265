#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "footfall/base/error.hpp"
#include "footfall/geometry/shape.hpp"

namespace footfall {
namespace {

constexpr int kRingPoints = 6;               // of a rim that are fixed to it; they carry it when it lies flat
constexpr int kRimPoints = 1 + kRingPoints;  // of a rim: its lowest one, and the ring
/// Sine of the tilt below which a circle lies flat, so to speak [-]. The ring then is as low as the circle to 1e-6 of
/// the radius.
constexpr double kFlat = 1e-5;

template <int kPoints>
const std::array<Vector3d, kPoints>& unitCircle() {
  static const std::array<Vector3d, kPoints> kCircle = [] {
    std::array<Vector3d, kPoints> circle;
    for (int i = 0; i < kPoints; ++i) {
      const double angle = i * 2.0 * std::numbers::pi / kPoints;
      circle[i] = {std::cos(angle), std::sin(angle), 0.0};
    }
    return circle;
  }();
  return kCircle;
}

/// Collects the points that are low enough.
class PointWriter {
 public:
  PointWriter(const Vector3d& up_S, double ceiling, std::span<ContactPoint> out)
      : up_S_(up_S), ceiling_(ceiling), out_(out) {}

  void add(const Vector3d& p_S, double radius, int feature) {
    if (up_S_.dot(p_S) - radius <= ceiling_) write({p_S, radius, feature});
  }

  /// A ball that may touch with a face.
  void addBall(const Vector3d& p_S, const Shape& shape, int ball) {
    if (shape.face == 0.0) return add(p_S, shape.radius, ball);
    if (up_S_.dot(p_S) - shape.radius > ceiling_) return;
    for (int k = 0; k < kFacePoints; ++k)
      write({p_S, shape.radius, ball * kFacePoints + k, ContactPoint::Kind::ball, facePoint(shape.face, k)});
  }

  /// The ring has its points at the same angles of every rim.
  void addRim(const Vector3d& middle, double radius, int first_feature) {
    const std::array<Vector3d, kRingPoints>& circle = unitCircle<kRingPoints>();
    if (up_S_.dot(middle) - radius * std::hypot(up_S_.x(), up_S_.y()) > ceiling_) return;
    write({middle, radius, first_feature, ContactPoint::Kind::rim});
    for (int i = 0; i < kRingPoints; ++i) {
      const Vector3d p_S = middle + radius * circle[i];
      if (up_S_.dot(p_S) <= ceiling_) write({p_S, 0.0, first_feature + 1 + i, ContactPoint::Kind::ring});
    }
  }

  int count() const { return count_; }

 private:
  void write(const ContactPoint& point) { out_[count_++] = point; }

  const Vector3d& up_S_;
  double ceiling_;
  std::span<ContactPoint> out_;
  int count_ = 0;
};

void addCapsule(const Shape& capsule, PointWriter& writer) {
  writer.addBall({0.0, 0.0, -capsule.half_length}, capsule, 0);
  writer.addBall({0.0, 0.0, capsule.half_length}, capsule, 1);
}

void addBox(const Shape& box, PointWriter& writer) {
  const Vector3d& h = box.half_size;
  for (int corner = 0; corner < 8; ++corner)
    writer.add({corner & 1 ? h.x() : -h.x(), corner & 2 ? h.y() : -h.y(), corner & 4 ? h.z() : -h.z()}, 0.0, corner);
}

void addCylinder(const Shape& cylinder, PointWriter& writer) {
  writer.addRim({0.0, 0.0, -cylinder.half_length}, cylinder.radius, 0);
  writer.addRim({0.0, 0.0, cylinder.half_length}, cylinder.radius, kRimPoints);
}

void addHull(const Shape& hull, PointWriter& writer) {
  for (int i = 0; i < static_cast<int>(hull.vertices.size()); ++i) writer.add(hull.vertices[i], 0.0, i);
}

}  // namespace

Vector3d facePoint(double face, int point) { return face * unitCircle<kFacePoints>()[static_cast<std::size_t>(point)]; }

int maxContactPoints(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::point:
    case ShapeKind::sphere:
      return shape.face > 0.0 ? kFacePoints : 1;
    case ShapeKind::capsule:
      return shape.face > 0.0 ? 2 * kFacePoints : 2;
    case ShapeKind::cylinder:
      return 2 * kRimPoints;
    case ShapeKind::circle:
      return kRimPoints;
    case ShapeKind::box:
      return 8;
    case ShapeKind::hull:
      return static_cast<int>(shape.vertices.size());
  }
  return 0;
}

int contactPoints(const Shape& shape, const Vector3d& up_S, std::span<ContactPoint> out, double ceiling) {
  if (static_cast<int>(out.size()) < maxContactPoints(shape))
    throw Error("contact points",
                "there is room for " + std::to_string(out.size()) + " points, and the shape has " +
                    std::to_string(maxContactPoints(shape)),
                "maxContactPoints() says how many; convexHull() makes hulls with fewer corners");
  PointWriter writer(up_S, ceiling, out);
  switch (shape.kind) {
    case ShapeKind::point:
    case ShapeKind::sphere:
      writer.addBall(Vector3d::Zero(), shape, 0);
      break;
    case ShapeKind::capsule:
      addCapsule(shape, writer);
      break;
    case ShapeKind::cylinder:
      addCylinder(shape, writer);
      break;
    case ShapeKind::circle:
      writer.addRim(Vector3d::Zero(), shape.radius, 0);
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

Vector3d towardsLowestPoint(const Vector3d& axis, const Vector3d& up) {
  const Vector3d down = up.dot(axis) * axis - up;
  const double sine = down.norm();
  if (sine >= kFlat) return down / sine;
  return down * (2.0 - sine / kFlat) / kFlat;
}

}  // namespace footfall
