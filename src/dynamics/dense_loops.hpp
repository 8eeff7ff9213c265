#pragma once

#include "dynamics/rank_revealing_cholesky.hpp"
#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// Loops for engines that have no better way: dense algebra on top of what the port offers otherwise. See Dynamics for
/// what its functions do.
class DenseLoops {
 public:
  explicit DenseLoops(const Model& model);

  void clear() { prepared_ = false; }  ///< after an update
  bool prepared() const { return prepared_; }
  void prepare(const Dynamics& dynamics);
  int rank() const { return factor_.rank() - in_doubt_; }
  bool inDoubt() const { return prepared_ && in_doubt_ > 0; }
  void takeRank(int rows) { factor_.takeRank(rows); }

  void jacobian(MatrixOut J) const { J = JT_.transpose(); }
  void biasAcceleration(const Dynamics& dynamics, VectorOut a) const;
  void gaps(const Dynamics& dynamics, VectorOut gap) const;
  void gapsAt(VectorIn q, VectorOut gap) const;
  void close(VectorIn offset, VectorOut x, VectorOut lambda) const;

  /// Makes the Delassus matrix of the engine's contacts, without loops, that of the robot with its loops closed.
  void eliminateFrom(const Dynamics& dynamics, const ContactLayout& layout, double* G) const;
  /// The same of any rows, (rows × rows), which have these velocities by an impulse of each row of the loops: what they
  /// see of answers().
  void eliminateFrom(const MatrixXd& velocities, int rows, double* G) const;
  /// Velocities by an impulse of each row of the loops, without the others (nv × rows).
  const MatrixXd& answers() const { return X_; }

 private:
  void writeJacobian(const Dynamics& dynamics);

  const Model& model_;
  std::vector<LoopPoint> points_;
  int rows_;
  double share_of_open_;  ///< [1/m²]
  bool prepared_ = false;
  int in_doubt_ = 0;     ///< rows that are independent by no more than open loops make them
  MatrixXd JT_, X_, G_;  ///< J_hᵀ, M⁻¹ J_hᵀ (nv × rows), J_h M⁻¹ J_hᵀ
  RankRevealingCholesky factor_;
  mutable VectorXd rhs_, half_, q_;
  mutable std::vector<Pose> poses_;
  mutable MatrixXd contact_velocity_, Y_;  ///< of the contacts by each loop row's impulse
};

}  // namespace footfall
