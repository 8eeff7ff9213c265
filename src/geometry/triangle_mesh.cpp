#include "footfall/geometry/triangle_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "footfall/base/error.hpp"
#include "geometry/mesh_formats.hpp"

namespace footfall {
namespace {

namespace fs = std::filesystem;

std::string readBytes(const fs::path& path, const MeshLimits& limits) {
  if (fs::is_directory(path)) throw Error(path.string(), "is a folder, expected a mesh file");
  // Opening a pipe that nobody writes to would wait for ever.
  if (fs::exists(path) && !fs::is_regular_file(path)) throw Error(path.string(), "is no plain file");
  std::ifstream in(path, std::ios::binary);
  std::error_code problem;
  const auto size = fs::file_size(path, problem);
  if (!in || problem) throw Error(path.string(), fmt::format("cannot be read: {}", std::strerror(errno)));
  if (size > limits.bytes)
    throw Error(path.string(), fmt::format("the mesh has {} bytes, more than the {} allowed", size, limits.bytes),
                "use a coarser mesh for collisions");
  std::string bytes(size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  if (static_cast<std::uintmax_t>(in.gcount()) != size) throw Error(path.string(), "cannot be read to its end");
  return bytes;
}

std::string lowerCaseExtension(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return extension;
}

TriangleMesh parse(const fs::path& path, std::string_view bytes, const MeshLimits& limits) {
  const std::string extension = lowerCaseExtension(path);
  if (extension == ".stl") return parseStl(bytes, path.string());
  if (extension == ".obj") return parseObj(bytes, path.string());
  if (extension == ".dae") return parseCollada(bytes, path.string(), limits);
  throw Error(path.string(), fmt::format("meshes of the kind '{}' are not read", extension),
              "expected .stl, .obj or .dae");
}

void checkMesh(const TriangleMesh& mesh, const fs::path& path, const MeshLimits& limits) {
  if (mesh.triangles.empty()) throw Error(path.string(), "the mesh has no triangles");
  if (mesh.triangles.size() > limits.triangles)
    throw Error(
        path.string(),
        fmt::format("the mesh has {} triangles, more than the {} allowed", mesh.triangles.size(), limits.triangles),
        "use a coarser mesh for collisions");
  const int count = static_cast<int>(mesh.vertices.size());
  for (const auto& triangle : mesh.triangles)
    for (int corner : triangle)
      if (corner < 0 || corner >= count)
        throw Error(path.string(), fmt::format("a triangle names vertex {} of {} vertices", corner, count));
  for (const Vector3d& vertex : mesh.vertices)
    if (!vertex.allFinite()) throw Error(path.string(), "the mesh has a vertex that is not finite");
}

}  // namespace

void addPolygon(const int* corners, int count, TriangleMesh& mesh) {
  for (int i = 2; i < count; ++i) mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

TriangleMesh parseMesh(const fs::path& path, std::string_view bytes, const MeshLimits& limits) {
  TriangleMesh mesh = parse(path, bytes, limits);
  checkMesh(mesh, path, limits);
  return mesh;
}

std::optional<double> TriangleMesh::volume() const {
  constexpr double kClosed = 1e-3;  // of all areas: meshes have small cracks
  if (triangles.empty()) return std::nullopt;
  double six_volumes = 0.0, all_areas = 0.0;
  Vector3d areas = Vector3d::Zero();
  const Vector3d origin = vertices[static_cast<std::size_t>(triangles.front()[0])];
  for (const auto& [a, b, c] : triangles) {
    const Vector3d p = vertices[static_cast<std::size_t>(a)] - origin,
                   q = vertices[static_cast<std::size_t>(b)] - origin,
                   r = vertices[static_cast<std::size_t>(c)] - origin;
    const Vector3d area = (q - p).cross(r - p);
    six_volumes += p.dot(q.cross(r));
    areas += area;
    all_areas += area.norm();
  }
  if (areas.norm() > kClosed * all_areas) return std::nullopt;
  return std::abs(six_volumes) / 6.0;  // files that turn their triangles inside out turn all of them
}

TriangleMesh readMesh(const fs::path& path, const Vector3d& scale, const MeshLimits& limits) {
  TriangleMesh mesh = parseMesh(path, readBytes(path, limits), limits);
  for (Vector3d& vertex : mesh.vertices) vertex = vertex.cwiseProduct(scale);
  return mesh;
}

}  // namespace footfall
