#pragma once

#include <algorithm>
#include <limits>

#include "footfall/model/model.hpp"

namespace footfall {

/// The rectangle around the contact points of a foot, in the axes of its frame.
struct FootPrint {
  double x_min = std::numeric_limits<double>::infinity(), x_max = -x_min;  ///< [m]
  double y_min = x_min, y_max = -x_min;                                    ///< [m]

  Vector3d center() const { return {0.5 * (x_min + x_max), 0.5 * (y_min + y_max), 0.0}; }

  /// The same, with a part of it cut away all around. @param share of the size that is left, 0 to 1
  FootPrint shrunk(double share) const {
    const Vector3d c = center();
    return {c.x() + share * (x_min - c.x()), c.x() + share * (x_max - c.x()), c.y() + share * (y_min - c.y()),
            c.y() + share * (y_max - c.y())};
  }

  static FootPrint of(const Model& model, FrameIndex foot) {
    FootPrint print;
    const Pose X_FL = model.frames[foot].X_LF.inverse();
    for (const ContactCandidate& candidate : model.candidates) {
      if (candidate.frame != foot) continue;
      const Vector3d p_F = X_FL * candidate.p_LC;
      print.x_min = std::min(print.x_min, p_F.x());
      print.x_max = std::max(print.x_max, p_F.x());
      print.y_min = std::min(print.y_min, p_F.y());
      print.y_max = std::max(print.y_max, p_F.y());
    }
    return print;
  }
};

}  // namespace footfall
