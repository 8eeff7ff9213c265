#pragma once

#include <map>
#include <optional>
#include <string>

#include "footfall/spatial/pose.hpp"
#include "robot_file/xml_element.hpp"

namespace footfall {

/// Is it one of the words by which SDF says that something is so?
bool saysYes(const std::string& text);

/// <pose>x y z roll pitch yaw</pose> of an element in the frame that it lies in by default, the angles in degrees or as
/// a quaternion where its attributes say so; identity when there is none. Throws Error when it names another frame.
Pose readPose(const XmlElement& owner);

/// Does the pose of an element name another frame than that?
bool refersToOther(const XmlElement& owner);

/// The links, joints and frames of an SDF model, whose poses may be given relative to each other in any order.
class SdfFrames {
 public:
  explicit SdfFrames(const XmlElement& model);

  /// Pose of a link, joint or frame in the model M. Throws Error at `asker` when there is no such name, and where poses
  /// refer to each other in a circle.
  Pose poseInModel(const std::string& name, const XmlElement& asker);

  /// The link that a link, joint or frame is fixed to: itself, the child, what it is `attached_to` in the end; of a
  /// frame that says nothing, and of `__model__`, the canonical link of the model. Throws Error as above.
  std::string linkOf(const std::string& name, const XmlElement& asker) const;

 private:
  struct Entry {
    XmlElement element;
    std::string parent;        ///< what the pose is relative to; empty: the model
    std::optional<Pose> X_MF;  ///< once it was asked for
  };
  void add(const XmlElement& element, const std::string& default_parent);
  Entry& entryOf(const std::string& name, const XmlElement& asker);
  const Entry& entryOf(const std::string& name, const XmlElement& asker) const;
  std::string attachedTo(const Entry& entry) const;

  XmlElement model_;
  std::map<std::string, Entry> entries_;
};

}  // namespace footfall
