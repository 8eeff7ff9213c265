#pragma once

#include <string>
#include <string_view>

#include "footfall/geometry/triangle_mesh.hpp"

namespace footfall {

// One reader for each format; `source` is what errors call the file. parseMesh() checks what they have in common.

TriangleMesh parseStl(std::string_view bytes, const std::string& source);
TriangleMesh parseObj(std::string_view text, const std::string& source);
/// Geometries may be shown any number of times: `limits` ends that before memory does.
TriangleMesh parseCollada(std::string_view text, const std::string& source, const MeshLimits& limits);

/// What readMesh() does with the bytes of a file; its ending says what they are.
TriangleMesh parseMesh(const std::filesystem::path& path, std::string_view bytes, const MeshLimits& limits = {});

/// Adds a polygon as a fan of triangles around its first corner.
void addPolygon(const int* corners, int count, TriangleMesh& mesh);

}  // namespace footfall
