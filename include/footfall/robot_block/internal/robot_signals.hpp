#pragma once

#include <span>

#include "footfall/block/signal.hpp"
#include "footfall/model/model.hpp"

namespace footfall {

/// "rad", or open where some joints slide.
inline std::string jointUnit(const Model& model, const char* unit_of_hinges) {
  for (const Dof& dof : model.dofs)
    if (!traitsOf(dof.kind).turns) return {};
  return unit_of_hinges;
}

// Types of what passes between the blocks of a robot.
SignalType torqueType(const Model& model);      ///< (n) [N m]
SignalType positionsType(const Model& model);   ///< q (7 + n)
SignalType velocitiesType(const Model& model);  ///< ν (nv)
/// {w_H_b 4×4, joints_position n, basePose_dot 6, joints_velocity n}
SignalType stateBusType(const Model& model);
/// {stiffness n, damping n, target n}: JointSprings
SignalType springsBusType(const Model& model);
/// {w_H_b, s, nu, w_H_feet_sole, J_feet_sole, JDot_feet_sole_nu, M, h, motor_inertia, fc, nuDot, feet_in_contact}
SignalType kinDynBusType(const Model& model, int feet);

/// 4 × 4 homogeneous matrix of a pose.
Eigen::Matrix4d homogeneous(const Pose& X);

/// Writes the fields of a bus, one after the other.
class BusWriter {
 public:
  explicit BusWriter(std::span<double> values) : values_(values) {}

  template <class Derived>
  void put(const Eigen::MatrixBase<Derived>& value) {
    Eigen::Map<MatrixXd>(take(value.size()), value.rows(), value.cols()) = value;
  }
  void put(double value) { *take(1) = value; }
  /// Room for a matrix, column by column, to be filled in place.
  Eigen::Map<MatrixXd> matrix(int rows, int columns) {
    return {take(static_cast<Eigen::Index>(rows) * columns), rows, columns};
  }

 private:
  double* take(Eigen::Index count) {
    double* here = values_.data() + used_;
    used_ += count;
    return here;
  }

  std::span<double> values_;
  Eigen::Index used_ = 0;
};

}  // namespace footfall
