// The meshes of packaged robots, where a Python environment with them is at hand: all can be read, and hulls of few
// vertices describe them well.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "footfall/geometry/convex_hull.hpp"
#include "footfall/geometry/triangle_mesh.hpp"
#include "geometry/hull_checks.hpp"
#include "geometry/random_points.hpp"
#include "tools/source_dir.hpp"

namespace footfall {
namespace {

namespace fs = std::filesystem;

bool isMesh(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return extension == ".stl" || extension == ".obj" || extension == ".dae";
}

/// Every fifteenth mesh below the folders `share` of the environment, in a fixed order: enough to meet every exporter.
std::vector<fs::path> someMeshes() {
  std::vector<fs::path> meshes;
  const fs::path environment = fs::path(sourceDir()) / ".venv";
  if (!fs::exists(environment)) return meshes;
  for (const auto& entry : fs::recursive_directory_iterator(environment))
    if (entry.is_regular_file() && isMesh(entry.path())) meshes.push_back(entry.path());
  std::sort(meshes.begin(), meshes.end());
  std::vector<fs::path> some;
  for (std::size_t i = 0; i < meshes.size(); i += 15) some.push_back(meshes[i]);
  return some;
}

TEST(RobotMeshes, AreReadAndDescribedByHullsOfFewVertices) {
  const std::vector<fs::path> meshes = someMeshes();
  if (meshes.empty()) GTEST_SKIP() << "no packaged robots here";
  RandomPoints random(51);
  for (const fs::path& path : meshes) {
    SCOPED_TRACE(path.filename());
    const TriangleMesh mesh = readMesh(path);
    const ConvexHull hull = convexHull(mesh.vertices, {.max_vertices = 64});
    EXPECT_LE(hull.vertices.size(), 64u);
    EXPECT_LE(hull.error, 0.04 * sizeOf(mesh.vertices)) << "64 vertices describe any part of a robot to a few percent";
    if (hull.dimension == 3) expectClosedSurface(hull);
    for (int i = 0; i < 30; ++i) {
      const Vector3d direction = random.direction();
      const double missing = support(mesh.vertices, direction) - support(hull.vertices, direction);
      EXPECT_LE(missing, hull.error + 1e-9 * sizeOf(mesh.vertices));
    }
  }
}

}  // namespace
}  // namespace footfall
