#include "studio/server/mouse_pull.hpp"

#include "footfall/model/kinematics.hpp"

namespace footfall::studio {

bool MousePull::set(int client, const Pull& pull) {
  if (pull_ && client != client_) return false;
  client_ = client;
  pull_ = pull;
  return true;
}

void MousePull::release(int client) {
  if (client == client_) pull_.reset();
}

const std::vector<ExternalWrench>& MousePull::at(const Model& model, const State& state) {
  wrenches_.clear();
  if (!pull_) return wrenches_;
  forwardKinematics(model, state.q, poses_);
  const Vector3d p_W = poses_[static_cast<std::size_t>(pull_->link)] * pull_->p_LP;
  ExternalWrench wrench{pull_->link, pull_->p_LP};
  wrench.wrench_W.head<3>() = pull_->stiffness * (pull_->target_W - p_W);
  wrenches_.push_back(wrench);
  return wrenches_;
}

}  // namespace footfall::studio
