#pragma once

#include <string>
#include <vector>

#include "footfall/model_io/urdf.hpp"
#include "model_io/xml_element.hpp"

namespace footfall {

/// The <origin> of an element; the identity when it has none.
Pose readOrigin(const XmlElement& owner);

/// Adds all <visual> and <collision> shapes of a <link>.
void readGeometries(const XmlElement& element, const std::string& link, std::vector<LinkGeometry>& out);

}  // namespace footfall
