#pragma once

#include <map>
#include <string>
#include <vector>

#include "footfall/robot_file/urdf.hpp"
#include "robot_file/xml_element.hpp"

namespace footfall {

/// The <origin> of an element; the identity when it has none.
Pose readOrigin(const XmlElement& owner);

/// A mesh without extent along an axis has no shape. Negative numbers mirror it.
void refuseFlatMesh(const XmlElement& owner, const Vector3d& scale);

/// Colors by the names of materials.
using MaterialColors = std::map<std::string, Eigen::Vector4d>;

/// Of the materials that stand outside of links. Colors are cosmetics: one that cannot be read is left out.
MaterialColors readMaterials(const XmlElement& robot);

/// Adds all <visual> and <collision> shapes of a <link>.
void readGeometries(const XmlElement& element, const std::string& link, const MaterialColors& materials,
                    std::vector<LinkGeometry>& out);

}  // namespace footfall
