#pragma once

#include <vector>

#include "footfall/model/state.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// A push of a scene with its names resolved.
struct Push {
  ExternalWrench wrench;
  double start, end;  ///< [s]

  /// Does it act during the step of length dt that starts at `time`? Asked for the middle of the step: a push of k
  /// steps lasts k steps, whatever the rounding of the clock.
  bool acts(double time, double dt) const {
    const double now = time + 0.5 * dt;
    return start <= now && now < end;
  }
};

/// Throws Error with the place in the scene for links that the model does not know.
std::vector<Push> resolvePushes(const Scene& scene, const Model& model);

}  // namespace footfall
