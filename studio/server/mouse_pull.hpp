#pragma once

#include <optional>
#include <vector>

#include "footfall/model/state.hpp"

namespace footfall::studio {

/// A spring between a point of a link and a point in the world: how somebody pulls at the robot with the mouse.
struct Pull {
  LinkIndex link;
  Vector3d p_LP = Vector3d::Zero();      ///< where it holds the link [m]
  Vector3d target_W = Vector3d::Zero();  ///< where it pulls it to [m]
  double stiffness = 0.0;                ///< [N/m]
};

/// The pull of one client at a time, as a force on the robot.
class MousePull {
 public:
  /// False: another client holds on already.
  bool set(int client, const Pull& pull);
  /// Lets go, if it was this client that held on.
  void release(int client);

  bool held() const { return pull_.has_value(); }

  /// The wrenches at this state: one, or none.
  const std::vector<ExternalWrench>& at(const Model& model, const State& state);

 private:
  int client_ = -1;
  std::optional<Pull> pull_;
  std::vector<Pose> poses_;               ///< scratch
  std::vector<ExternalWrench> wrenches_;  ///< that at() gave
};

}  // namespace footfall::studio
