#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "footfall/spatial/pose.hpp"

namespace footfall {

/// Triangles without any order or connection: what a mesh file describes, and nothing more.
struct TriangleMesh {
  std::vector<Vector3d> vertices;             ///< [m]
  std::vector<std::array<int, 3>> triangles;  ///< indices of vertices

  /// Of what it encloses [m³]; empty where it does not: the areas of a closed surface add up to nothing.
  std::optional<double> volume() const;
};

/// What a mesh file may hold at most: a guard against files that are damaged or not meant for a simulation.
struct MeshLimits {
  std::size_t bytes = std::size_t{512} << 20;
  std::size_t triangles = 20'000'000;
};

/// Reads .stl (binary and text), .obj and .dae (COLLADA); throws Error that names the file and what is wrong in it.
///
/// The unit and the node transforms of a COLLADA file are applied. Its up_axis is not: the loaders of ROS ignore it
/// (RViz, MoveIt and Gazebo alike), so robot descriptions are written for readers that do. Polygons become fans.
/// @param scale factor for each axis, as in URDF's <mesh scale="…">
TriangleMesh readMesh(const std::filesystem::path& path, const Vector3d& scale = Vector3d::Ones(),
                      const MeshLimits& limits = {});

}  // namespace footfall
