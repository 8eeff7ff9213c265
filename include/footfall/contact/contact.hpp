#pragma once

#include <vector>

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/state.hpp"
#include "footfall/terrain/terrain.hpp"

namespace footfall {

/// A candidate that is near enough to the ground to be part of this step's contact problem.
struct ActiveContact {
  int candidate = -1;
  SurfacePoint surface;
  Vector3d p_WC = Vector3d::Zero();  ///< the point of the robot nearest to the ground [m]
  double approach = 0.0;             ///< normal velocity at the start of the step, < 0: approaching [m/s]
};

/// How far ahead of touching a candidate takes part [m]: what it can travel in one step of length dt.
struct DetectionSettings {
  double step = 1e-3;         ///< [s]
  double acceleration = 1e3;  ///< no point of a robot is expected to accelerate more than this [m/s²]
};

/// Finds the active contacts at the engine's last update, and the points where they act.
/// `frames` and `active` keep their memory from call to call.
void detectContacts(const Terrain& terrain, double time, const DetectionSettings& settings, const Dynamics& dynamics,
                    std::vector<ContactFrame>& frames, std::vector<ActiveContact>& active);

}  // namespace footfall
