#pragma once

#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include <memory>

#include "footfall/geometry/convex_hull.hpp"
#include "footfall/geometry/shape.hpp"

namespace footfall::collide {

/// The same shape for Coal; nothing for kinds that it does not have.
inline std::shared_ptr<coal::ShapeBase> coalShape(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::sphere:
      return std::make_shared<coal::Sphere>(shape.radius);
    case ShapeKind::capsule:
      return std::make_shared<coal::Capsule>(shape.radius, 2.0 * shape.half_length);
    case ShapeKind::cylinder:
      return std::make_shared<coal::Cylinder>(shape.radius, 2.0 * shape.half_length);
    case ShapeKind::box:
      return std::make_shared<coal::Box>(2.0 * shape.half_size);
    case ShapeKind::hull: {
      const ConvexHull hull = convexHull(shape.vertices);
      auto points = std::make_shared<std::vector<coal::Vec3s>>(hull.vertices.begin(), hull.vertices.end());
      auto triangles = std::make_shared<std::vector<coal::Triangle>>();
      for (const auto& [a, b, c] : hull.faces)
        triangles->emplace_back(static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c));
      const auto vertex_count = static_cast<unsigned>(points->size());
      const auto face_count = static_cast<unsigned>(triangles->size());
      return std::make_shared<coal::Convex<coal::Triangle>>(points, vertex_count, triangles, face_count);
    }
    case ShapeKind::point:
    case ShapeKind::circle:
      break;
  }
  return nullptr;
}

inline coal::Transform3s coalPose(const Pose& X) { return {X.R, X.p}; }

}  // namespace footfall::collide
