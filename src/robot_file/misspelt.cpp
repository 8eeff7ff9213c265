#include "robot_file/misspelt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

/// The known name that this one is a slip of; empty where it is known, or far from all.
std::string meant(const std::string& name, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  // Doubled letters, as editDistance() counts: two of a long word, one of a short one.
  const int most = name.size() > 5 ? 4 : 2;
  const auto nearest = std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
    return editDistance(name, a) < editDistance(name, b);
  });
  return nearest != known.end() && editDistance(name, *nearest) <= most ? *nearest : std::string();
}

}  // namespace

const KnownElements& urdfElements() {
  static const KnownElements kElements = {
      {"robot",
       {{"name", "version"},
        {"link", "joint", "material", "gazebo", "transmission", "sensor"},
        {"link", "joint", "material", "gazebo", "transmission", "sensor"}}},
      {"link",
       {{"name", "type"}, {"inertial", "visual", "collision", "contact", "sensor"}, {"visual", "collision", "sensor"}}},
      {"inertial", {{}, {"origin", "mass", "inertia"}}},
      {"origin", {{"xyz", "rpy", "quat_xyzw"}, {}}},
      {"mass", {{"value"}, {}}},
      {"inertia", {{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}}},
      {"visual", {{"name"}, {"origin", "geometry", "material"}}},
      {"collision", {{"name"}, {"origin", "geometry", "material", "verbose"}}},
      {"geometry", {{"name"}, {"box", "cylinder", "sphere", "capsule", "mesh"}}},
      {"box", {{"size"}, {}}},
      {"cylinder", {{"radius", "length"}, {}}},
      {"capsule", {{"radius", "length"}, {}}},
      {"sphere", {{"radius"}, {}}},
      {"mesh", {{"filename", "scale"}, {}}},
      {"joint",
       {{"name", "type"},
        {"parent", "child", "origin", "axis", "limit", "dynamics", "mimic", "calibration", "safety_controller"}}},
      {"parent", {{"link"}, {}}},
      {"child", {{"link"}, {}}},
      {"axis", {{"xyz"}, {}}},
      {"limit", {{"lower", "upper", "effort", "velocity", "acceleration", "deceleration", "jerk"}, {}}},
      {"dynamics", {{"damping", "friction"}, {}}},
      {"mimic", {{"joint", "multiplier", "offset"}, {}}},
  };
  return kElements;
}

const KnownElements& sdfElements() {
  static const KnownElements kElements = {
      {"model",
       {{"name", "canonical_link", "placement_frame"},
        {"link", "joint", "frame", "pose", "static", "self_collide", "include", "model", "plugin", "gripper"},
        {"link", "joint", "frame", "include", "model", "plugin", "gripper"}}},
      {"frame", {{"name", "attached_to"}, {"pose"}}},
      {"pose", {{"relative_to", "frame", "degrees", "rotation_format"}, {}}},
      {"link",
       {{"name"},
        {"pose", "inertial", "collision", "visual", "gravity", "self_collide", "kinematic", "velocity_decay", "sensor",
         "light", "must_be_base_link", "enable_wind", "audio_source", "audio_sink", "battery", "projector"},
        {"collision", "visual", "sensor", "light", "audio_source", "audio_sink", "battery", "projector"}}},
      {"inertial", {{"auto"}, {"pose", "frame", "mass", "inertia", "density"}}},
      {"inertia", {{}, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}}},
      {"collision", {{"name"}, {"pose", "frame", "geometry", "surface", "laser_retro", "max_contacts", "density"}}},
      {"visual",
       {{"name"}, {"pose", "frame", "geometry", "material", "transparency", "cast_shadows", "plugin"}, {"plugin"}}},
      {"geometry", {{}, {"box", "cylinder", "sphere", "capsule", "mesh", "plane", "empty", "ellipsoid", "heightmap"}}},
      {"box", {{}, {"size"}}},
      {"cylinder", {{}, {"radius", "length"}}},
      {"capsule", {{}, {"radius", "length"}}},
      {"sphere", {{}, {"radius"}}},
      {"mesh", {{}, {"uri", "scale", "submesh"}}},
      {"joint",
       {{"name", "type"},
        {"pose", "frame", "parent", "child", "axis", "axis2", "gearbox_ratio", "gearbox_reference_body", "physics",
         "sensor", "thread_pitch", "screw_thread_pitch"},
        {"sensor"}}},
      {"axis", {{}, {"xyz", "use_parent_model_frame", "initial_position", "limit", "dynamics", "mimic"}}},
      {"xyz", {{"expressed_in"}, {}}},
      {"limit", {{}, {"lower", "upper", "effort", "velocity", "stiffness", "dissipation"}}},
      {"dynamics", {{}, {"damping", "friction", "spring_stiffness", "spring_reference"}}},
      {"mimic", {{"joint", "axis"}, {"multiplier", "offset", "reference"}}},
  };
  return kElements;
}

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void warnOfSecondOnes(const XmlElement& element, const KnownNames& names, std::vector<Warning>& warnings) {
  std::vector<std::string> seen;
  for (const XmlElement& child : element.children()) {
    const std::string tag = child.tag();
    if (!contains(names.children, tag) || contains(names.many, tag)) continue;
    if (contains(seen, tag))
      warnings.push_back({child.where(), fmt::format("{}: there is another <{}> before this one, which is not read",
                                                     element.subject(), tag)});
    else if (element.tag() == "geometry" && !seen.empty())
      warnings.push_back({child.where(), fmt::format("{}: there are several shapes in it, of which one is read; each "
                                                     "needs an element of its own",
                                                     element.subject())});
    seen.push_back(tag);
  }
}

}  // namespace

namespace {

/// What these elements say decides how the robot moves, and nothing but what is known here belongs in them.
bool saysHowItMoves(const std::string& tag) {
  static const std::vector<std::string> kTags = {"origin", "axis", "mass", "inertia", "limit", "dynamics", "mimic"};
  return contains(kTags, tag);
}

void warnOfAttributes(const XmlElement& element, const std::vector<std::string>& known,
                      std::vector<Warning>& warnings) {
  for (const std::string& attribute : element.attributes()) {
    const std::string right = meant(attribute, known);
    const bool of_others = contains(known, attribute) || attribute.find(':') != attribute.npos;  // xmlns:drake=…
    if (right.empty() && (of_others || !saysHowItMoves(element.tag()))) continue;
    const std::string hint = right.empty() ? "" : fmt::format("; did you mean '{}'?", right);
    warnings.push_back(
        {element.where(), fmt::format("{}: the attribute '{}' is not read{}", element.subject(), attribute, hint)});
  }
}

}  // namespace

void warnOfMisspelt(const XmlElement& element, const KnownElements& known, std::vector<Warning>& warnings) {
  const auto names = known.find(element.tag());
  if (names == known.end()) return;
  warnOfAttributes(element, names->second.attributes, warnings);
  warnOfSecondOnes(element, names->second, warnings);
  for (const XmlElement& child : element.children()) {
    const std::string right = meant(child.tag(), names->second.children);
    if (!right.empty())
      warnings.push_back({child.where(), fmt::format("{}: <{}> is not read; did you mean <{}>?", element.subject(),
                                                     child.tag(), right)});
    const bool has_name = child.tag() == "link" || child.tag() == "joint";
    warnOfMisspelt(has_name ? child.named(fmt::format("{} '{}'", child.tag(), child.text("name", ""))) : child, known,
                   warnings);
  }
}

}  // namespace footfall
