#include "robot_file/urdf_geometry.hpp"

#include <fmt/format.h>

#include <sstream>
#include <string_view>

namespace footfall {

void refuseFlatMesh(const XmlElement& owner, const Vector3d& scale) {
  if ((scale.array() != 0.0).all()) return;
  throw owner.error(
      fmt::format("scale is ({} {} {}), expected three numbers that are not 0", scale.x(), scale.y(), scale.z()),
      "1 1 1 leaves a mesh as it is, 0.001 0.001 0.001 takes its numbers for millimetres");
}

namespace {

void readSizes(const XmlElement& shape, LinkGeometry& out) {
  if (out.shape == "box") out.size = shape.vector("size");
  if (out.shape == "sphere" || out.shape == "cylinder" || out.shape == "capsule") out.radius = shape.number("radius");
  if (out.shape == "cylinder" || out.shape == "capsule") out.length = shape.number("length");
  if (out.shape == "mesh") {
    out.mesh = shape.text("filename");
    out.mesh_scale = shape.vector("scale", Vector3d::Ones());
    refuseFlatMesh(shape, out.mesh_scale);
  }
}

void readShape(const XmlElement& geometry, LinkGeometry& out) {
  const std::vector<XmlElement> shapes = geometry.children();
  if (shapes.empty()) throw geometry.error("it is empty", "expected <box>, <cylinder>, <sphere> or <mesh> in it");
  out.shape = shapes[0].tag();
  readSizes(shapes[0], out);
}

std::optional<Eigen::Vector4d> readColor(const XmlElement& material) {
  const auto color = material.child("color");
  if (!color || !color->has("rgba")) return {};
  std::istringstream text(color->text("rgba"));
  Eigen::Vector4d rgba;
  for (double& value : rgba) text >> value;
  if (!text || rgba.minCoeff() < 0.0 || rgba.maxCoeff() > 1.0) return {};
  return rgba;
}

std::optional<Eigen::Vector4d> colorOf(const XmlElement& visual, const MaterialColors& materials) {
  const auto material = visual.child("material");
  if (!material) return {};
  if (const auto color = readColor(*material)) return color;
  const auto named = materials.find(material->text("name", ""));
  return named == materials.end() ? std::nullopt : std::optional(named->second);
}

/// By angles, or, since URDF 1.1, by a quaternion.
Matrix3d rotationOf(const XmlElement& origin) {
  if (!origin.has("quat_xyzw")) return rotationFromRollPitchYaw(origin.vector("rpy", Vector3d::Zero()));
  if (origin.has("rpy"))
    throw origin.error("it has both rpy and quat_xyzw, expected one of them", "both say how it is turned");
  const Eigen::Vector4d xyzw = origin.numbers("quat_xyzw", 4);
  if (xyzw.norm() < 1e-6)
    throw origin.error(
        fmt::format("quat_xyzw=\"{}\" is no rotation, expected a quaternion of length 1", origin.text("quat_xyzw")),
        "quat_xyzw=\"0 0 0 1\" does not turn; w comes last");
  return Eigen::Quaterniond(xyzw).normalized().toRotationMatrix();
}

}  // namespace

MaterialColors readMaterials(const XmlElement& robot) {
  MaterialColors colors;
  for (const XmlElement& material : robot.children("material"))
    if (const auto color = readColor(material)) colors[material.text("name", "")] = *color;
  return colors;
}

Pose readOrigin(const XmlElement& owner) {
  const auto origin = owner.child("origin");
  if (!origin) return {};
  return {rotationOf(*origin), origin->vector("xyz", Vector3d::Zero())};
}

void readGeometries(const XmlElement& element, const std::string& link, const MaterialColors& materials,
                    std::vector<LinkGeometry>& out) {
  for (const char* role : {"visual", "collision"}) {
    for (const XmlElement& shaped : element.children(role)) {
      const auto geometry = shaped.child("geometry");
      if (!geometry) continue;  // some exporters leave empty <visual> elements behind; nothing is lost
      LinkGeometry entry;
      entry.where = geometry->where();
      entry.link = link;
      entry.collision = std::string_view(role) == "collision";
      entry.X_FS = readOrigin(shaped);
      entry.color = colorOf(shaped, materials);
      readShape(*geometry, entry);
      out.push_back(std::move(entry));
    }
  }
}

}  // namespace footfall
