#pragma once

#include <map>
#include <string>
#include <vector>

#include "footfall/geometry/shape.hpp"
#include "footfall/robot_file/urdf.hpp"

namespace footfall {

/// A shape that a link of the model touches the ground with.
struct LinkShape {
  FrameIndex frame;  ///< of the link of the file that it belongs to
  LinkIndex link;    ///< of the model: L, in which the shape's pose and bound are given
  Shape shape;
  MeshFit mesh;
  std::string where;  ///< file:line
};

/// How well the hull of a mesh follows it; each of its vertices may become a contact.
struct CollisionSettings {
  int max_vertices = 64;
  double tolerance = 1e-4;  ///< no more vertices once the hull is this near to the mesh [m]
};

/// The hull of a mesh file.
struct MeshHull {
  std::vector<Vector3d> vertices;  ///< in the frame of the mesh [m]
  MeshFit fit;
};
/// By file, scale and settings. A hull takes longer than the robot's file, and robots of one kind have the same ones.
using MeshHulls = std::map<std::string, MeshHull>;

/// The shape of one collision geometry; of a mesh, its convex hull. Throws Error that names the geometry's place in its
/// file, for instance when a mesh is not found.
/// @param hulls those that are known already, and will be known afterwards
LinkShape collisionShape(const LinkGeometry& geometry, const Model& model, const CollisionSettings& settings,
                         MeshHulls& hulls);

/// The shapes of all collision geometries, in the order of the file. Links that were lumped together keep theirs.
std::vector<LinkShape> collisionShapes(const LoadedModel& loaded, const CollisionSettings& settings = {});

}  // namespace footfall
