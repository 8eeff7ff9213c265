#include "step/slow_motion.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {
namespace {

/// Farthest mass or contact point of a link from its origin [m]: the radius of gyration counts as mass.
double extentOf(const Model& model, LinkIndex link) {
  const SpatialInertia& inertia = model.links[link].inertia;
  double extent = 0.0;
  if (inertia.mass > 0.0) extent = inertia.com.norm() + std::sqrt(inertia.I_com.trace() / inertia.mass);
  for (const ContactCandidate& candidate : model.candidates)
    if (candidate.link == link) extent = std::max(extent, candidate.p_LC.norm() + candidate.radius);
  return extent;
}

double reachOf(const Model& model) {
  std::vector<double> distance(model.links.size(), 0.0);
  double reach = extentOf(model, LinkIndex(0));
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    distance[j + 1] = distance[model.joints[j].parent] + model.joints[j].X_PJ.p.norm();
    reach = std::max(reach, distance[j + 1] + extentOf(model, LinkIndex(static_cast<int>(j) + 1)));
  }
  return reach;
}

}  // namespace

SlowMotion::SlowMotion(const Model& model)
    : base_dofs_(model.baseDofs()), reach_(reachOf(model)), turning_(VectorXd::Zero(model.jointDofs())) {
  for (const Joint& joint : model.joints)
    turning_[joint.dof] += std::abs(joint.multiplier) * (joint.kind == JointKind::revolute ? 1.0 : 1.0 / reach_);
}

double SlowMotion::turning(const VectorXd& nu) const {
  const double joints = nu.tail(turning_.size()).cwiseAbs().dot(turning_);
  return base_dofs_ > 0 ? joints + nu.segment<3>(3).norm() : joints;
}

bool SlowMotion::slowerThan(double acceleration, const VectorXd& nu) const {
  const double all = turning(nu);
  return 2.0 * all * all * reach_ <= acceleration;  // Coriolis' factor
}

}  // namespace footfall
