#pragma once

#include <map>
#include <string>
#include <vector>

#include "footfall/robot_file/urdf.hpp"
#include "robot_file/xml_element.hpp"

namespace footfall {

/// What a format calls the parts of an element.
struct KnownNames {
  std::vector<std::string> attributes, children;
  std::vector<std::string> many = {};  ///< children of which there may be several
};

using KnownElements = std::map<std::string, KnownNames>;  ///< by the element's tag

const KnownElements& urdfElements();
const KnownElements& sdfElements();

/// Files hold much that is meant for other programs, and nobody wants to hear of all that is not read. But a name that
/// is a letter or two beside a known one was meant to be that: <colision>, dampng="1". Elements that are not known are
/// not looked into. Of what an element has once, a second one is not read either.
void warnOfMisspelt(const XmlElement& element, const KnownElements& known, std::vector<Warning>& warnings);

}  // namespace footfall
