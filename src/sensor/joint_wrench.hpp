#pragma once

#include <string>
#include <vector>

#include "sensor/instant.hpp"

namespace footfall {

/// All that hangs below a joint, or below a fixed joint, which divides a link.
class Subtree {
 public:
  static Subtree below(const Model& model, JointIndex joint);
  static Subtree below(const Model& model, const FixedJoint& joint);

  /// The wrench that the parent exerts on the subtree, about the origin and in the axes of S.
  Vector6d wrenchFromParent(const Instant& instant, const Pose& X_WS) const;

 private:
  explicit Subtree(const Model& model) : whole_(model.links.size(), false) {}

  /// Whether something on this frame of this link lies below the joint. No frame: the link's own body.
  bool contains(LinkIndex link, FrameIndex frame) const {
    return whole_[link] || (link == divided_ && frame >= frames_begin_ && frame < frames_end_);
  }

  std::vector<bool> whole_;               ///< links that lie below with all of their parts
  LinkIndex divided_;                     ///< the link that a fixed joint divides; not valid: none
  SpatialInertia part_;                   ///< of its part below, in the link frame
  FrameIndex frames_begin_, frames_end_;  ///< those of that part
};

}  // namespace footfall
