#include "robot_file/sdf_frames.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

/// 1.5708 in a file means a right angle. Taken as written, joints that are meant to be parallel would not be, and a
/// planar loop of them could not move.
Vector3d wholeAngles(Vector3d rpy) {
  constexpr double kEighthTurn = std::numbers::pi / 4.0;
  constexpr double kRounding = 1e-5;  // of numbers in files [rad]
  for (double& angle : rpy) {
    const double whole = kEighthTurn * std::round(angle / kEighthTurn);
    if (std::abs(angle - whole) < kRounding) angle = whole;
  }
  return rpy;
}

/// What a pose says that it is relative to; `frame` is the older word.
std::string referenceOf(const XmlElement& pose) {
  const std::string reference = pose.text("relative_to", "");
  return reference.empty() ? pose.text("frame", "") : reference;
}

/// x y z, and a quaternion x y z w.
Pose quaternionPose(const XmlElement& pose) {
  const VectorXd numbers = pose.contentNumbers(7);
  const Eigen::Quaterniond rotation(numbers[6], numbers[3], numbers[4], numbers[5]);
  if (rotation.norm() < 1e-6) throw pose.error("its quaternion is zero", "no rotation is 0 0 0 1");
  return {rotation.normalized().toRotationMatrix(), numbers.head<3>()};
}

/// x y z, and roll pitch yaw.
Pose anglePose(const XmlElement& pose) {
  const VectorXd numbers = pose.contentNumbers(6);
  const double unit = saysYes(pose.text("degrees", "")) ? std::numbers::pi / 180.0 : 1.0;
  return {rotationFromRollPitchYaw(wholeAngles(unit * numbers.tail<3>())), numbers.head<3>()};
}

Pose poseNumbers(const XmlElement& owner) {
  const auto pose = owner.child("pose");
  if (!pose) return {};
  const std::string format = pose->text("rotation_format", "euler_rpy");
  if (format == "euler_rpy") return anglePose(*pose);
  if (format == "quat_xyzw") return quaternionPose(*pose);
  throw pose->error(fmt::format("rotation_format=\"{}\", expected euler_rpy or quat_xyzw", format));
}

}  // namespace

bool saysYes(const std::string& text) { return text == "1" || text == "true"; }

bool refersToOther(const XmlElement& owner) {
  const auto pose = owner.child("pose");
  return pose && !referenceOf(*pose).empty();
}

Pose readPose(const XmlElement& owner) {
  const auto pose = owner.child("pose");
  if (refersToOther(owner))
    throw pose->error(fmt::format("relative_to=\"{}\" is not supported here", referenceOf(*pose)),
                      "links, joints and frames may be relative to each other; write this pose in its link");
  return poseNumbers(owner);
}

SdfFrames::SdfFrames(const XmlElement& model) : model_(model) {
  for (const XmlElement& link : model.children("link")) add(link, "");
  for (const XmlElement& joint : model.children("joint")) {
    const auto child = joint.child("child");
    add(joint, child ? child->content() : "");
  }
  for (const XmlElement& frame : model.children("frame")) add(frame, frame.text("attached_to", ""));
}

void SdfFrames::add(const XmlElement& element, const std::string& default_parent) {
  const auto pose = element.child("pose");
  const std::string reference = pose ? referenceOf(*pose) : "";
  const std::string parent = reference.empty() ? default_parent : reference;
  const std::string name = element.text("name");
  entries_.emplace(
      name, Entry{element.named(fmt::format("{} '{}'", element.tag(), name)), parent == "__model__" ? "" : parent, {}});
}

Pose SdfFrames::poseInModel(const std::string& name, const XmlElement& asker) {
  // Up to a frame that is known already, then down again: frames may follow each other in long chains.
  std::vector<Entry*> way;
  const XmlElement* asking = &asker;
  Pose X_MP;
  for (std::string next = name; !next.empty();) {
    Entry& entry = entryOf(next, *asking);
    if (entry.X_MF) {
      X_MP = *entry.X_MF;
      break;
    }
    if (way.size() == entries_.size())
      throw asker.error(fmt::format("the pose of '{}' is relative to itself in the end", name));
    way.push_back(&entry);
    asking = &entry.element;
    next = entry.parent;
  }
  for (auto entry = way.rbegin(); entry != way.rend(); ++entry) {
    X_MP = X_MP * poseNumbers((*entry)->element);
    (*entry)->X_MF = X_MP;
  }
  return X_MP;
}

std::string SdfFrames::attachedTo(const Entry& entry) const {
  if (entry.element.tag() == "joint") return entry.element.requiredChild("child").content();
  return entry.element.text("attached_to", "");
}

std::string SdfFrames::linkOf(const std::string& name, const XmlElement& asker) const {
  std::string next = name;
  const XmlElement* asking = &asker;
  for (std::size_t count = 0; count <= entries_.size(); ++count) {
    if (next.empty() || next == "__model__") {
      const std::vector<XmlElement> links = model_.children("link");
      next = model_.text("canonical_link", links.empty() ? "" : links.front().text("name"));
      asking = &model_;
    }
    const Entry& entry = entryOf(next, *asking);
    if (entry.element.tag() == "link") return next;
    next = attachedTo(entry);
    asking = &entry.element;
  }
  throw asker.error(fmt::format("'{}' is attached to itself in the end, and to no link", name));
}

SdfFrames::Entry& SdfFrames::entryOf(const std::string& name, const XmlElement& asker) {
  return const_cast<Entry&>(std::as_const(*this).entryOf(name, asker));
}

const SdfFrames::Entry& SdfFrames::entryOf(const std::string& name, const XmlElement& asker) const {
  const auto found = entries_.find(name);
  if (found != entries_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, entry] : entries_) names.push_back(known);
  throw asker.error(fmt::format("there is no link, joint or frame '{}'", name), suggestOrList(name, names));
}

}  // namespace footfall
