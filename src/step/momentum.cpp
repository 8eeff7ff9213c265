#include "step/momentum.hpp"

#include <Eigen/Cholesky>

namespace footfall {

void MomentumKeeper::enforce(const Vector6d& target, const VectorXd& q, VectorXd& nu, Dynamics& dynamics) {
  if (!dynamics.model().floating_base) return;
  dynamics.update(q, nu);
  dynamics.massMatrix(M_);
  Vector6d missing = target - dynamics.momentum();
  // The base rows of M ν are the momentum about the base's origin.
  const Vector3d lever = dynamics.centerOfMass() - q.head<3>();
  missing.tail<3>() += lever.cross(missing.head<3>());
  const Matrix6d base = M_.topLeftCorner<6, 6>();
  nu.head<6>() += base.llt().solve(missing);
}

}  // namespace footfall
