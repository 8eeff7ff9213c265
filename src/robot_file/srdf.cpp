#include "footfall/robot_file/srdf.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include "footfall/base/internal/read_text.hpp"
#include "robot_file/xml_element.hpp"

namespace footfall {

std::vector<DisabledPair> parseSrdf(const std::string& text, const std::string& source) {
  tinyxml2::XMLDocument document;
  document.Parse(text.c_str(), text.size());
  const XmlElement robot = robotElement(document, source, "an SRDF file");
  std::vector<DisabledPair> pairs;
  for (const XmlElement& element : robot.children("disable_collisions"))
    pairs.push_back({element.where(), element.text("link1"), element.text("link2")});
  return pairs;
}

std::vector<DisabledPair> loadSrdf(const std::string& path) { return parseSrdf(readText(path), path); }

}  // namespace footfall
