#include "footfall/robot_file/collision_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "footfall/base/error.hpp"
#include "footfall/geometry/convex_hull.hpp"
#include "footfall/geometry/triangle_mesh.hpp"

namespace footfall {
namespace {

MeshHull makeHull(const LinkGeometry& geometry, const CollisionSettings& settings) {
  if (geometry.mesh_path.empty())
    throw Error(geometry.where, fmt::format("link '{}': mesh '{}' is not found", geometry.link, geometry.mesh),
                "name the folder that holds it (of package://name/…, the folder that holds `name`) in the environment "
                "variable FOOTFALL_MODEL_PATH or ROS_PACKAGE_PATH (colon-separated)");
  const TriangleMesh mesh = readMesh(geometry.mesh_path, geometry.mesh_scale);
  ConvexHull hull = convexHull(mesh.vertices, {settings.max_vertices, settings.tolerance});
  MeshHull result;
  result.fit = {.is_mesh = true};
  result.fit.outside = hull.error;
  const double hull_volume = hull.volume();
  if (const std::optional<double> volume = mesh.volume(); volume && hull_volume > 0.0)
    result.fit.filled = std::min(*volume / hull_volume, 1.0);
  result.vertices = std::move(hull.vertices);
  return result;
}

const MeshHull& hullOfMesh(const LinkGeometry& geometry, const CollisionSettings& settings, MeshHulls& hulls) {
  const Vector3d& scale = geometry.mesh_scale;
  const std::string key = fmt::format("{}\n{} {} {} {} {}", geometry.mesh_path, scale.x(), scale.y(), scale.z(),
                                      settings.max_vertices, settings.tolerance);
  const auto known = hulls.find(key);
  return known != hulls.end() ? known->second : hulls.emplace(key, makeHull(geometry, settings)).first->second;
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

LinkShape collisionShape(const LinkGeometry& geometry, const Model& model, const CollisionSettings& settings,
                         MeshHulls& hulls) {
  LinkShape result;
  result.where = geometry.where;
  result.frame = model.frame(geometry.link);
  const Frame& frame = model.frames[result.frame];
  result.link = frame.link;
  const Pose X_LS = frame.X_LF * geometry.X_FS;
  try {
    if (geometry.shape == "mesh") {
      const MeshHull& mesh = hullOfMesh(geometry, settings, hulls);
      result.shape = hullShape(X_LS, mesh.vertices);
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
  MeshHulls hulls;
  for (const LinkGeometry& geometry : loaded.geometries)
    if (geometry.collision) shapes.push_back(collisionShape(geometry, loaded.model, settings, hulls));
  return shapes;
}

}  // namespace footfall
