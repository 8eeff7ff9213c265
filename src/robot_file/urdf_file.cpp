#include "robot_file/urdf_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tinyxml2.h>

#include <array>
#include <cmath>
#include <utility>

#include "footfall/base/suggest.hpp"
#include "robot_file/misspelt.hpp"
#include "robot_file/urdf_geometry.hpp"
#include "robot_file/urdf_inertia.hpp"
#include "robot_file/xml_element.hpp"

namespace footfall {
namespace {

using Warnings = std::vector<Warning>;

UrdfLink readLink(const XmlElement& element, Warnings& warnings) {
  UrdfLink link;
  link.name = element.text("name");
  link.where = element.where();
  if (const auto inertial = element.named(fmt::format("link '{}'", link.name)).child("inertial"))
    link.inertia = readInertia(*inertial, warnings).expressedIn(readOrigin(*inertial));
  return link;
}

UrdfJointType readJointType(const XmlElement& joint) {
  static constexpr std::array<std::pair<const char*, UrdfJointType>, 6> kTypes = {{
      {"revolute", UrdfJointType::revolute},
      {"continuous", UrdfJointType::continuous},
      {"prismatic", UrdfJointType::prismatic},
      {"fixed", UrdfJointType::fixed},
      {"planar", UrdfJointType::planar},
      {"floating", UrdfJointType::floating},
  }};
  const std::string type = joint.text("type");
  std::vector<std::string> known;
  for (const auto& [name, value] : kTypes) {
    if (type == name) return value;
    known.push_back(name);
  }
  throw joint.error(fmt::format("unknown type '{}'", type), suggestOrList(type, known));
}

Vector3d readAxis(const XmlElement& joint) {
  const auto element = joint.child("axis");
  const Vector3d axis = element ? element->vector("xyz") : Vector3d(Vector3d::UnitX());
  if (axis.norm() < 1e-6) {
    throw element->error(fmt::format("xyz=\"{}\" has no direction, expected a unit vector", element->text("xyz")),
                         "for a joint that does not move use type=\"fixed\"");
  }
  return axis.normalized();
}

double nonNegative(const XmlElement& element, const char* attribute, double fallback) {
  const double value = element.number(attribute, fallback);
  if (value < 0.0) throw element.error(fmt::format("{} = {}, expected 0 or more", attribute, value));
  return value;
}

void readPositionLimits(const XmlElement& limit, const char* unit, Dof& dof, Warnings& warnings) {
  const auto warn = [&](const char* what) {
    warnings.push_back({limit.where(), fmt::format("{}: {}; taken as no limits", limit.subject(), what)});
  };
  if (!limit.has("lower") && !limit.has("upper")) return warn("neither lower nor upper is given");
  const double lower = limit.number("lower", 0.0), upper = limit.number("upper", 0.0);
  if (lower > upper) {
    throw limit.error(fmt::format("lower limit {0} {2} exceeds upper limit {1} {2}", lower, upper, unit),
                      "were the limits swapped?");
  }
  if (lower == upper) return warn("lower and upper are equal");
  dof.lower = lower;
  dof.upper = upper;
}

/// URDF demands effort and velocity; many files write 0 for "not known", which would be a joint that never moves:
/// warnOfZeroBounds() says so.
double readBound(const XmlElement& limit, const char* attribute) {
  const double bound = nonNegative(limit, attribute, 0.0);
  return bound > 0.0 ? bound : std::numeric_limits<double>::infinity();
}

JointKind kindOf(UrdfJointType type) {
  return type == UrdfJointType::prismatic ? JointKind::prismatic : JointKind::revolute;
}

void readLimits(const XmlElement& joint, UrdfJointType type, Dof& dof, Warnings& warnings) {
  const auto limit = joint.child("limit");
  const bool needs_limits = type == UrdfJointType::revolute || type == UrdfJointType::prismatic;
  if (!limit) {
    if (!needs_limits) return;
    throw joint.error("<limit> is missing", type == UrdfJointType::revolute
                                                ? "a joint that turns without limits has type=\"continuous\""
                                                : "give lower and upper [m], effort [N] and velocity [m/s]");
  }
  dof.max_effort = readBound(*limit, "effort");
  dof.max_velocity = readBound(*limit, "velocity");
  if (needs_limits) readPositionLimits(*limit, traitsOf(kindOf(type)).position_unit, dof, warnings);
}

Dof readProperties(const XmlElement& joint, UrdfJointType type, Warnings& warnings) {
  Dof dof;
  dof.name = joint.text("name");
  dof.kind = kindOf(type);
  readLimits(joint, type, dof, warnings);
  if (const auto dynamics = joint.child("dynamics")) {
    dof.damping = nonNegative(*dynamics, "damping", 0.0);
    dof.friction = nonNegative(*dynamics, "friction", 0.0);
  }
  return dof;
}

std::optional<UrdfMimic> readMimic(const XmlElement& joint) {
  const auto mimic = joint.child("mimic");
  if (!mimic) return std::nullopt;
  return UrdfMimic{mimic->where(), mimic->text("joint"), mimic->number("multiplier", 1.0),
                   mimic->number("offset", 0.0)};
}

UrdfJoint readJoint(const XmlElement& unnamed, Warnings& warnings) {
  UrdfJoint joint;
  joint.name = unnamed.text("name");
  joint.where = unnamed.where();
  const XmlElement element = unnamed.named(fmt::format("joint '{}'", joint.name));
  joint.type = readJointType(element);
  joint.parent = element.requiredChild("parent").text("link");
  joint.child = element.requiredChild("child").text("link");
  joint.X_PJ = readOrigin(element);
  if (!joint.movable()) return joint;
  // Axis, limits and mimic of a fixed joint say nothing; files that were reduced by hand hold odd leftovers.
  if (joint.type != UrdfJointType::floating) joint.axis = readAxis(element);
  joint.properties = readProperties(element, joint.type, warnings);
  joint.mimic = readMimic(element);
  return joint;
}

/// One warning for all joints of the file: often it is every joint.
void warnOfZeroBounds(const std::vector<XmlElement>& joints, const char* attribute, Warnings& warnings) {
  std::vector<std::string> names;
  std::string where;
  for (const XmlElement& joint : joints) {
    const auto limit = joint.child("limit");
    if (!limit || !limit->has(attribute) || limit->number(attribute, 0.0) != 0.0 || joint.text("type") == "fixed")
      continue;
    if (names.empty()) where = limit->where();
    names.push_back(joint.text("name"));
  }
  if (names.empty()) return;
  constexpr std::size_t kShown = 3;
  const bool all = names.size() <= kShown;
  const std::vector<std::string> shown(names.begin(), all ? names.end() : names.begin() + kShown);
  warnings.push_back({where, fmt::format("{}=\"0\" of {} joint{} ({}{}) is taken as no limit", attribute, names.size(),
                                         names.size() == 1 ? "" : "s", fmt::join(shown, ", "), all ? "" : ", …")});
}

}  // namespace

UrdfFile parseUrdfFile(const std::string& text, const std::string& source, Warnings& warnings) {
  tinyxml2::XMLDocument document;
  document.Parse(text.c_str(), text.size());
  const XmlElement robot = robotElement(document, source, "a URDF file");
  UrdfFile file{robot.text("name", "robot"), source, {}, {}, {}};
  warnOfMisspelt(robot, urdfElements(), warnings);
  const MaterialColors materials = readMaterials(robot);
  for (const XmlElement& element : robot.children("link")) {
    file.links.push_back(readLink(element, warnings));
    readGeometries(element.named(fmt::format("link '{}'", file.links.back().name)), file.links.back().name, materials,
                   file.geometries);
  }
  for (const XmlElement& element : robot.children("joint")) file.joints.push_back(readJoint(element, warnings));
  for (const char* bound : {"effort", "velocity"}) warnOfZeroBounds(robot.children("joint"), bound, warnings);
  if (file.links.empty())
    throw robot.error("there is no <link> in it",
                      "is it a xacro file? Expand it first: xacro robot.xacro > robot.urdf");
  return file;
}

}  // namespace footfall
