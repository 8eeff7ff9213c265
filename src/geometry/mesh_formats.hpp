#pragma once

#include <string>
#include <string_view>

#include "footfall/geometry/triangle_mesh.hpp"

namespace footfall {

// One reader for each format; `source` is what errors call the file. readMesh() checks what they have in common.

TriangleMesh parseStl(std::string_view bytes, const std::string& source);
TriangleMesh parseObj(std::string_view text, const std::string& source);
TriangleMesh parseCollada(std::string_view text, const std::string& source);

/// Adds a polygon as a fan of triangles around its first corner.
void addPolygon(const int* corners, int count, TriangleMesh& mesh);

}  // namespace footfall
