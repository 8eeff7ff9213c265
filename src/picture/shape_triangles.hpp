#pragma once

#include "footfall/geometry/triangle_mesh.hpp"
#include "footfall/robot_file/urdf.hpp"

namespace footfall::picture {

/// The surface of a shape in its own frame S; empty for a mesh that is not found or cannot be read.
TriangleMesh trianglesOf(const LinkGeometry& geometry);

}  // namespace footfall::picture
