#include "picture/shape_triangles.hpp"

#include <cmath>
#include <numbers>

#include "footfall/base/error.hpp"

namespace footfall::picture {
namespace {

constexpr int kAround = 20;  // corners of a circle
constexpr int kRings = 6;    // of half a ball, from its pole to its rim

TriangleMesh box(const Vector3d& size) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.emplace_back(0.5 * size.cwiseProduct(Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  constexpr int kFaces[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
  for (const auto& f : kFaces) {
    mesh.triangles.push_back({f[0], f[1], f[2]});
    mesh.triangles.push_back({f[0], f[2], f[3]});
  }
  return mesh;
}

/// A circle about z, or a pole where its radius is zero.
struct Ring {
  double radius, height;  ///< [m]
};

/// The surface that a row of rings spans, from the bottom up.
TriangleMesh turned(const std::vector<Ring>& rings) {
  TriangleMesh mesh;
  for (const Ring& ring : rings)
    for (int k = 0; k < kAround; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / kAround;
      mesh.vertices.emplace_back(ring.radius * std::cos(angle), ring.radius * std::sin(angle), ring.height);
    }
  for (int ring = 0; ring + 1 < static_cast<int>(rings.size()); ++ring)
    for (int k = 0; k < kAround; ++k) {
      const int a = ring * kAround + k, b = ring * kAround + (k + 1) % kAround;
      mesh.triangles.push_back({a, b, b + kAround});
      mesh.triangles.push_back({a, b + kAround, a + kAround});
    }
  return mesh;
}

TriangleMesh cylinder(double radius, double length) {
  return turned({{0.0, -0.5 * length}, {radius, -0.5 * length}, {radius, 0.5 * length}, {0.0, 0.5 * length}});
}

/// A ball whose halves are apart by `length`.
TriangleMesh capsule(double radius, double length) {
  std::vector<Ring> rings;
  for (const double side : {-1.0, 1.0})
    for (int k = 0; k <= kRings; ++k) {
      const double angle = 0.5 * std::numbers::pi * (side < 0.0 ? kRings - k : k) / kRings;
      rings.push_back({radius * std::cos(angle), side * (0.5 * length + radius * std::sin(angle))});
    }
  return turned(rings);
}

}  // namespace

TriangleMesh trianglesOf(const LinkGeometry& geometry) {
  if (geometry.shape == "box") return box(geometry.size);
  if (geometry.shape == "sphere") return capsule(geometry.radius, 0.0);
  if (geometry.shape == "cylinder") return cylinder(geometry.radius, geometry.length);
  if (geometry.shape == "capsule") return capsule(geometry.radius, geometry.length);
  if (geometry.mesh_path.empty()) return {};
  try {
    return readMesh(geometry.mesh_path, geometry.mesh_scale);
  } catch (const Error&) {
    return {};  // a picture without it is better than none; `footfall inspect` says what is wrong
  }
}

}  // namespace footfall::picture
