#pragma once

#include <string>

#include "footfall/geometry/triangle_mesh.hpp"

namespace footfall::studio {

/// A mesh as the page draws it: corners that lie at the same place and look the same way are one vertex, edges sharper
/// than 40° stay sharp, positions are whole numbers inside of the mesh's bounds. A fifth of the size of an STL file.
///
///     uint32 vertices, triangles; float32 low[3], size[3];
///     uint16 position[3 × vertices] (padded to 4 bytes); int8 normal[4 × vertices]; uint32 corner[3 × triangles]
std::string meshBuffer(const TriangleMesh& mesh);

}  // namespace footfall::studio
