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
    if (candidate.link == link)
      extent = std::max(extent, candidate.p_LC.norm() + candidate.radius + candidate.face_C.norm());
  return extent;
}

double reachOf(const Model& model, const Tree& tree) {
  std::vector<double> distance(model.links.size(), 0.0);
  double reach = extentOf(model, tree.base);
  for (int j = tree.base; j + 1 < tree.links_end; ++j) {
    distance[j + 1] = distance[model.joints[j].parent] + model.joints[j].X_PJ.p.norm();
    reach = std::max(reach, distance[j + 1] + extentOf(model, LinkIndex(j + 1)));
  }
  return reach;
}

}  // namespace

SlowMotion::SlowMotion(const Model& model)
    : trees_(treesOf(model)), base_dofs_(model.baseDofs()), turning_(VectorXd::Zero(model.jointDofs())) {
  for (const Tree& tree : trees_) {
    const double reach = reachOf(model, tree);
    reach_.push_back(reach);
    for (int j = tree.base; j + 1 < tree.links_end; ++j) {
      const Joint& joint = model.joints[j];
      turning_[joint.dof] += std::abs(joint.multiplier) * (traitsOf(joint.kind).turns ? 1.0 : 1.0 / reach);
    }
  }
}

double SlowMotion::turningOf(const Tree& tree, const VectorXd& nu) const {
  const double joints = nu.segment(base_dofs_ + tree.dofs_begin, tree.dofs())
                            .cwiseAbs()
                            .dot(turning_.segment(tree.dofs_begin, tree.dofs()));
  return tree.floats ? joints + nu.segment<3>(tree.velocity + 3).norm() : joints;
}

double SlowMotion::turning(const VectorXd& nu) const {
  double fastest = 0.0;
  for (const Tree& tree : trees_) fastest = std::max(fastest, turningOf(tree, nu));
  return fastest;
}

double SlowMotion::speed(const VectorXd& nu) const {
  double fastest = 0.0;
  for (const Tree& tree : trees_)
    if (tree.floats) fastest = std::max(fastest, nu.segment<3>(tree.velocity).norm());
  return fastest;
}

bool SlowMotion::slowerThan(double acceleration, const VectorXd& nu) const {
  for (std::size_t k = 0; k < trees_.size(); ++k) {
    const double all = turningOf(trees_[k], nu);
    if (2.0 * all * all * reach_[k] > acceleration) return false;  // Coriolis' factor
  }
  return true;
}

}  // namespace footfall
