#pragma once

#include <vector>

#include "footfall/model/state.hpp"

namespace footfall {

/// A joint coordinate that is at its limit, or whose Coulomb friction acts: one row of the contact problem.
struct JointRow {
  enum class Kind { limit, friction };
  Kind kind = Kind::limit;
  DofIndex dof;
  double sign = 1.0;      ///< limit: +1 at the lower one, −1 at the upper one
  double gap = 0.0;       ///< limit: distance to it, < 0 beyond [rad or m]
  double approach = 0.0;  ///< limit: rate of the gap at the start of the step [rad/s or m/s]
  double bound = 0.0;     ///< friction: largest torque or force [N m or N]

  /// Which component of a contact it takes: the normal for a limit, a tangent for friction.
  int component() const { return kind == Kind::limit ? 2 : 0; }

  /// Where its impulse is kept in WarmStart::impulse.
  Eigen::Index warmIndex(const Model& model, const WarmStart& warm) const {
    const int n = model.jointDofs();
    return warm.impulse.size() - 2 * n + dof + (kind == Kind::friction ? n : 0);
  }
};

/// Most rows that findJointRows() can find.
int maxJointRows(const Model& model);

/// Limits that could be reached within a step of length dt, or are nearer than `extra` to that, and all Coulomb
/// frictions. `rows` keeps its memory.
void findJointRows(const Model& model, const VectorXd& q, const VectorXd& nu, double dt, double extra,
                   std::vector<JointRow>& rows);

/// The same for one model, step by step: that no joint is near a limit is told by one look at all of them.
class JointRowFinder {
 public:
  /// The model must outlive it.
  explicit JointRowFinder(const Model& model);
  void find(const VectorXd& q, const VectorXd& nu, double dt, double extra, std::vector<JointRow>& rows) const;

 private:
  bool anyNear(const VectorXd& q, const VectorXd& nu, double dt, double extra) const;

  const Model& model_;
  bool any_friction_ = false;
  VectorXd lower_, upper_;  ///< infinitely far where nothing limits the joint (n) [rad or m]
};

}  // namespace footfall
