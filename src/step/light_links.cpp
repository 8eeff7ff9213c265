#include "footfall/step/internal/light_links.hpp"

#include <algorithm>

#include "step/joint_mobility.hpp"

namespace footfall {
namespace {

/// Where there is no gravity, loads are those of motion [m/s²].
constexpr double kEarth = 9.81;

}  // namespace

LightLinkFinder::LightLinkFinder(const Model& model)
    : model_(model),
      pulls_(model.links.size()),
      looped_(model.links.size(), 0),
      carried_(model.links.size(), 0.0),
      force_(model.nv()),
      motion_(model.nv()) {
  links_.reserve(model.links.size());
  const auto tie = [&](LinkIndex link, const Vector3d& p_L) {
    if (!link.valid()) return;
    pulls_[link].push_back({p_L, {}, true});
    looped_[link] = 1;
  };
  for (const Loop& loop : model.loops) {
    tie(loop.link_a, loop.X_AF.p);
    tie(loop.link_b, loop.X_BF.p);
  }
  std::vector<char> tied = looped_;  // it, or what hangs below it, is in a loop
  for (int j = static_cast<int>(model.joints.size()) - 1; j >= 0; --j) {
    const LinkIndex parent = model.joints[j].parent;
    if (!parent.valid()) continue;
    pulls_[parent].push_back({model.joints[j].X_PJ.p, LinkIndex(j + 1), tied[j + 1] != 0});
    tied[parent] |= tied[j + 1];
  }
}

void LightLinkFinder::weigh() {
  all_ = model_.totalMass();
  for (std::size_t k = 0; k < carried_.size(); ++k) carried_[k] = looped_[k] ? all_ : model_.links[k].inertia.mass;
  for (int j = static_cast<int>(model_.joints.size()) - 1; j >= 0; --j) {
    const LinkIndex parent = model_.joints[j].parent;
    if (parent.valid()) carried_[parent] = std::min(carried_[parent] + carried_[j + 1], all_);
  }
}

/// Largest turn across the lever that a unit couple makes.
double LightLinkFinder::mobilityAcross(const Vector3d& lever_W, LinkIndex link, const Dynamics& dynamics) {
  const Vector3d along = lever_W.normalized();
  const Matrix3d across = Matrix3d::Identity() - along * along.transpose();
  double most = 0.0;
  for (int c = 0; c < 3; ++c) {
    Vector6d couple = Vector6d::Zero();
    couple.tail<3>() = across.col(c);
    force_.setZero();
    dynamics.addWrench(link, Vector3d::Zero(), couple, force_);
    motion_ = force_;
    dynamics.solveMass(motion_);
    most = std::max(most, force_.dot(motion_));
  }
  return most;
}

std::span<const LightLink> LightLinkFinder::find(double dt, const Dynamics& dynamics) {
  const double earth = std::max(model_.gravity.norm(), kEarth);
  weigh();
  links_.clear();
  for (int k = 0; k < static_cast<int>(model_.links.size()); ++k) {
    LightLink light{LinkIndex(k)};
    double tension = 0.0;
    for (const Pull& pull : pulls_[k]) {
      const Vector3d lever_W = dynamics.linkPose(LinkIndex(k)).R * pull.p_L;
      const double load = pull.by.valid() ? carried_[pull.by] : all_;
      const double moment = earth * load * lever_W.norm();
      if (moment == 0.0) continue;
      tension += moment;
      light.by_loop = light.by_loop || pull.by_loop;
      light.mobility = std::max(light.mobility, mobilityAcross(lever_W, LinkIndex(k), dynamics));
    }
    if (tension == 0.0) continue;
    light.stiffness = dt * dt * tension * light.mobility;
    links_.push_back(light);
  }
  return links_;
}

std::vector<LightLink> lightLinks(const Model& model, double dt, Dynamics& dynamics) {
  freeMobilities(model, dynamics);  // goes there
  LightLinkFinder finder(model);
  const std::span<const LightLink> links = finder.find(dt, dynamics);
  return {links.begin(), links.end()};
}

}  // namespace footfall
