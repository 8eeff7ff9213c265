#pragma once

#include <optional>
#include <string>
#include <vector>

#include "footfall/model/model.hpp"

// What a file calls one joint may be more than one in the model: the coordinates of a ball, planar or floating joint
// follow each other, and SDF puts a child beside the joint that moves it.

namespace footfall {

/// Where the child of a joint lies beside it, a body without mass lies in the joint, and the child is fixed to that.
inline std::string bodyInJoint(const std::string& joint) { return joint + "/frame"; }
/// The fixed joint between the two.
inline std::string jointBesideChild(const std::string& joint) { return joint + "/offset"; }

/// A joint of the file that moves: from its first coordinate to its last.
struct FileJoint {
  std::string name;
  JointIndex first, last;
};

/// In the order of the model; further bodies' bases are among them.
std::vector<FileJoint> fileJointsOf(const Model& model);

/// The child that lies beside the joint of that name; none where it lies in the joint, as URDF has it.
std::optional<FrameIndex> childBeside(const Model& model, const std::string& joint);

}  // namespace footfall
