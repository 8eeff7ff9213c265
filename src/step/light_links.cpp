#include "footfall/step/internal/light_links.hpp"

#include <algorithm>

#include "step/joint_mobility.hpp"

namespace footfall {
namespace {

/// Where there is no gravity, loads are those of motion [m/s²].
constexpr double kEarth = 9.81;

/// Where something pulls at a link.
struct Pull {
  Vector3d p_L = Vector3d::Zero();  ///< [m]
  double load = 0.0;                ///< [kg]
  bool by_loop = false;
};

std::vector<std::vector<Pull>> pullsOn(const Model& model) {
  const double all = model.totalMass();
  std::vector<std::vector<Pull>> pulls(model.links.size());
  std::vector<double> carried;  // by each link, itself included [kg]
  for (const Link& link : model.links) carried.push_back(link.inertia.mass);
  std::vector<char> tied(model.links.size(), 0);  // it, or what hangs below it, is in a loop
  const auto tie = [&](LinkIndex link, const Vector3d& p_L) {
    if (!link.valid()) return;
    pulls[link].push_back({p_L, all, true});
    carried[link] = all;
    tied[link] = 1;
  };
  for (const Loop& loop : model.loops) {
    tie(loop.link_a, loop.X_AF.p);
    tie(loop.link_b, loop.X_BF.p);
  }
  for (int j = static_cast<int>(model.joints.size()) - 1; j >= 0; --j) {
    const LinkIndex parent = model.joints[j].parent;
    if (!parent.valid()) continue;
    carried[parent] = std::min(carried[parent] + carried[j + 1], all);
    pulls[parent].push_back({model.joints[j].X_PJ.p, carried[j + 1], tied[j + 1] != 0});
    tied[parent] |= tied[j + 1];
  }
  return pulls;
}

/// Largest turn across the lever that a unit couple makes.
double mobilityAcross(const Vector3d& lever_W, LinkIndex link, const Dynamics& dynamics) {
  const Vector3d along = lever_W.normalized();
  const Matrix3d across = Matrix3d::Identity() - along * along.transpose();
  double most = 0.0;
  for (int c = 0; c < 3; ++c) {
    Vector6d couple = Vector6d::Zero();
    couple.tail<3>() = across.col(c);
    VectorXd force = VectorXd::Zero(dynamics.model().nv());
    dynamics.addWrench(link, Vector3d::Zero(), couple, force);
    VectorXd motion = force;
    dynamics.solveMass(motion);
    most = std::max(most, force.dot(motion));
  }
  return most;
}

}  // namespace

std::vector<LightLink> lightLinks(const Model& model, double dt, Dynamics& dynamics) {
  goToZeroPosture(model, dynamics);
  const double earth = std::max(model.gravity.norm(), kEarth);
  const std::vector<std::vector<Pull>> pulls = pullsOn(model);
  std::vector<LightLink> links;
  for (int k = 0; k < static_cast<int>(model.links.size()); ++k) {
    LightLink light{LinkIndex(k)};
    double tension = 0.0;
    for (const Pull& pull : pulls[k]) {
      const Vector3d lever_W = dynamics.linkPose(LinkIndex(k)).R * pull.p_L;
      const double moment = earth * pull.load * lever_W.norm();
      if (moment == 0.0) continue;
      tension += moment;
      light.by_loop = light.by_loop || pull.by_loop;
      light.mobility = std::max(light.mobility, mobilityAcross(lever_W, LinkIndex(k), dynamics));
    }
    if (tension == 0.0) continue;
    light.stiffness = dt * dt * tension * light.mobility;
    links.push_back(light);
  }
  return links;
}

}  // namespace footfall
