#include "footfall/model/internal/file_joint.hpp"

#include <algorithm>

namespace footfall {
namespace {

/// Between the coordinates of one joint lie links that no file knows: they have neither a frame nor mass.
bool isBetweenCoordinates(const Model& model, LinkIndex link) {
  return model.links[link].inertia.mass == 0.0 && model.links[link].name == model.joints[link - 1].name &&
         std::none_of(model.frames.begin(), model.frames.end(), [&](const Frame& f) { return f.link == link; });
}

bool goesOn(const Model& model, JointIndex joint) {
  const LinkIndex child(joint + 1);
  const bool another = child < static_cast<int>(model.joints.size());
  return another && model.joints[child].parent == child && isBetweenCoordinates(model, child);
}

/// The first coordinate of a joint that has several is called `joint`_x, whatever its type.
std::string nameOfSeveral(const std::string& first) {
  return first.ends_with("_x") ? first.substr(0, first.size() - 2) : first;
}

}  // namespace

std::vector<FileJoint> fileJointsOf(const Model& model) {
  std::vector<FileJoint> joints;
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
    FileJoint joint{model.joints[j].name, JointIndex(j), JointIndex(j)};
    while (goesOn(model, joint.last)) joint.last = JointIndex(++j);
    if (joint.last != joint.first) joint.name = nameOfSeveral(joint.name);
    joints.push_back(joint);
  }
  return joints;
}

std::optional<FrameIndex> childBeside(const Model& model, const std::string& joint) {
  const auto isBody = [&](const Frame& frame) { return frame.name == bodyInJoint(joint); };
  if (std::none_of(model.frames.begin(), model.frames.end(), isBody)) return std::nullopt;
  for (const FixedJoint& fixed : model.fixed_joints)
    if (fixed.name == jointBesideChild(joint)) return fixed.frame;
  return std::nullopt;
}

}  // namespace footfall
