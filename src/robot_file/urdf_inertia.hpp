#pragma once

#include <vector>

#include "footfall/robot_file/urdf.hpp"
#include "robot_file/xml_element.hpp"

namespace footfall {

/// Reads <mass> and <inertia>, about the centre of mass, in the axes of <origin>. Throws Error for what no body can
/// have; warns about what real robot files are known to get slightly wrong.
SpatialInertia readInertia(const XmlElement& inertial, std::vector<Warning>& warnings);

/// The checks of readInertia() on a matrix that comes from elsewhere; `inertia` is where.
void checkMoments(const XmlElement& inertia, const Matrix3d& I, std::vector<Warning>& warnings);

}  // namespace footfall
