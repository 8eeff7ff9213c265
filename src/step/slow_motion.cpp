#include "step/slow_motion.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {
SlowMotion::SlowMotion(const Model& model, const MassTraits& traits)
    : trees_(treesOf(model)), base_dofs_(model.baseDofs()), traits_(&traits) {}

double SlowMotion::turningOf(const Tree& tree, const VectorXd& nu) const {
  const double joints = nu.segment(base_dofs_ + tree.dofs_begin, tree.dofs())
                            .cwiseAbs()
                            .dot(traits_->turning.segment(tree.dofs_begin, tree.dofs()));
  return tree.floats ? joints + nu.segment<3>(tree.velocity + 3).norm() : joints;
}

double SlowMotion::turning(const VectorXd& nu) const {
  double fastest = 0.0;
  for (const Tree& tree : trees_) fastest = std::max(fastest, turningOf(tree, nu));
  return fastest;
}

double SlowMotion::turning(std::span<const int> trees, const VectorXd& nu) const {
  double fastest = 0.0;
  for (const int k : trees) fastest = std::max(fastest, turningOf(trees_[k], nu));
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
    if (2.0 * all * all * traits_->reach[static_cast<Eigen::Index>(k)] > acceleration)
      return false;  // Coriolis' factor
  }
  return true;
}

}  // namespace footfall
