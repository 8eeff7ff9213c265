#pragma once

#include <vector>

#include "footfall/contact/contact_place.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/state.hpp"
#include "footfall/terrain/terrain.hpp"

namespace footfall {

/// A candidate that is near enough to the ground to be part of this step's contact problem.
struct ActiveContact {
  int candidate = -1;
  ContactFeature feature;  ///< what touches: findContactPlace() says where, at other poses of its link too
  SurfacePoint surface;
  Vector3d p_WC = Vector3d::Zero();  ///< the point of the robot nearest to the ground [m]
  double approach = 0.0;             ///< normal velocity at the start of the step, < 0: approaching [m/s]
};

/// How far ahead of touching a candidate takes part [m]: what it can travel in one step of length dt.
struct DetectionSettings {
  double step = 1e-3;         ///< [s]
  double acceleration = 1e3;  ///< no point of a robot is expected to accelerate more than this [m/s²]
  double extra = 0.0;         ///< farther than that by this much: points that an impact has set in motion [m]
  double extra_joint = 0.0;   ///< the same for the limits of joints [rad or m]
};

/// Finds the contacts of a step. Most links of a robot are far from the ground most of the time: a limb that cannot
/// touch, however its joints stand, is left out by one question about the ball that it stays in.
class ContactDetector {
 public:
  explicit ContactDetector(const Model& model);

  /// The active contacts at the engine's last update, where the robot is at (q, nu), and the points where they act.
  /// `frames` and `active` keep their memory from call to call.
  void detect(const Terrain& terrain, double time, const DetectionSettings& settings, const VectorXd& q,
              const VectorXd& nu, const Dynamics& dynamics, std::vector<ContactFrame>& frames,
              std::vector<ActiveContact>& active);

 private:
  void measureLimbs(const VectorXd& q);
  double fastestPoint(const VectorXd& nu) const;
  void leaveOutFarLimbs(const Terrain& terrain, TimeSpan span, double travel, const Dynamics& dynamics);

  const Model& model_;
  // Of links, in the order of the model.
  std::vector<double> extent_;  ///< of the link's own shapes from its origin; < 0: it has none [m]
  std::vector<double> offset_;  ///< of its joint from its parent's origin [m]
  std::vector<double> reach_;   ///< of the shapes of all that hangs below it, itself included, from its origin [m]
  std::vector<char> far_;       ///< none of its shapes can touch in this step
};

}  // namespace footfall
