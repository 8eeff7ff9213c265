#include "footfall/robot_file/collision_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "footfall/base/error.hpp"
#include "footfall/geometry/convex_hull.hpp"
#include "footfall/geometry/triangle_mesh.hpp"

namespace footfall {
namespace {

struct MeshHull {
  ConvexHull hull;
  MeshFit fit;
};

MeshHull hullOfMesh(const LinkGeometry& geometry, const CollisionSettings& settings) {
  if (geometry.mesh_path.empty())
    throw Error(geometry.where, fmt::format("link '{}': mesh '{}' is not found", geometry.link, geometry.mesh),
                "name the folder that holds it (of package://name/…, the folder that holds `name`) in the environment "
                "variable FOOTFALL_MODEL_PATH or ROS_PACKAGE_PATH (colon-separated)");
  const TriangleMesh mesh = readMesh(geometry.mesh_path, geometry.mesh_scale);
  MeshHull result{convexHull(mesh.vertices, {settings.max_vertices, settings.tolerance}), {.is_mesh = true}};
  result.fit.outside = result.hull.error;
  const double hull_volume = result.hull.volume();
  if (const std::optional<double> volume = mesh.volume(); volume && hull_volume > 0.0)
    result.fit.filled = std::min(*volume / hull_volume, 1.0);
  return result;
}

Shape primitiveShape(const LinkGeometry& geometry, const Pose& X_LS) {
  if (geometry.shape == "sphere") return sphereShape(X_LS, geometry.radius);
  if (geometry.shape == "capsule") return capsuleShape(X_LS, geometry.radius, geometry.length);
  if (geometry.shape == "cylinder") return cylinderShape(X_LS, geometry.radius, geometry.length);
  if (geometry.shape == "box") return boxShape(X_LS, geometry.size);
  throw Error(geometry.where,
              fmt::format("link '{}': <{}> is no shape that can touch the ground", geometry.link, geometry.shape),
              "expected <box>, <cylinder>, <sphere>, <capsule> or <mesh>");
}

}  // namespace

LinkShape collisionShape(const LinkGeometry& geometry, const Model& model, const CollisionSettings& settings) {
  LinkShape result;
  result.where = geometry.where;
  result.frame = model.frame(geometry.link);
  const Frame& frame = model.frames[result.frame];
  result.link = frame.link;
  const Pose X_LS = frame.X_LF * geometry.X_FS;
  try {
    if (geometry.shape == "mesh") {
      MeshHull mesh = hullOfMesh(geometry, settings);
      result.shape = hullShape(X_LS, std::move(mesh.hull.vertices));
      result.mesh = mesh.fit;
    } else {
      result.shape = primitiveShape(geometry, X_LS);
    }
  } catch (const Error& error) {
    if (error.where() == geometry.where) throw;
    throw Error(geometry.where, fmt::format("link '{}': {}: {}", geometry.link, error.where(), error.problem()),
                error.hint());
  }
  return result;
}

std::vector<LinkShape> collisionShapes(const LoadedModel& loaded, const CollisionSettings& settings) {
  std::vector<LinkShape> shapes;
  for (const LinkGeometry& geometry : loaded.geometries)
    if (geometry.collision) shapes.push_back(collisionShape(geometry, loaded.model, settings));
  return shapes;
}

}  // namespace footfall
