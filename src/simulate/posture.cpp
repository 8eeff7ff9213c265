#include "simulate/posture.hpp"

#include <Eigen/QR>
#include <algorithm>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

/// Distance from the centre of mass to the farthest link [m].
double sizeOf(const Model& model, const Dynamics& dynamics) {
  const Vector3d com = dynamics.centerOfMass();
  double size = 0.0;
  for (int k = 0; k < static_cast<int>(model.links.size()); ++k)
    size = std::max(size, (dynamics.linkPose(LinkIndex(k)).p - com).norm());
  return size > 0.0 ? size : 1.0;
}

void setSingleGains(const std::map<std::string, double>& gains, const std::string& where, const Model& model,
                    VectorXd& values) {
  for (const auto& [name, value] : gains) {
    try {
      values[model.dof(name)] = value;
    } catch (const Error& e) {
      throw Error(where, e.problem(), e.hint());
    }
  }
}

}  // namespace

JointSprings holdingSprings(const SceneHold& hold, const Model& model, const State& state, const Dynamics& dynamics) {
  // A robot of weight W balanced at the height L topples unless its ankles are stiffer than W L: ten times that for
  // each joint, with a damper that settles it in a twentieth of a second.
  constexpr double kSafety = 10.0;
  constexpr double kRelaxation = 0.05;  // [s]
  const double size = sizeOf(model, dynamics);
  const double stiffness = kSafety * model.totalMass() * model.gravity.norm() * size;
  const int n = model.jointDofs();
  JointSprings springs{VectorXd(n), VectorXd(n), state.joints()};
  for (int i = 0; i < n; ++i) {
    const double own = model.dofs[i].kind == JointKind::revolute ? stiffness : stiffness / (size * size);
    springs.stiffness[i] = hold.stiffness >= 0.0 ? hold.stiffness : own;
    springs.damping[i] = hold.damping >= 0.0 ? hold.damping : kRelaxation * springs.stiffness[i];
  }
  setSingleGains(hold.joint_stiffness, hold.where, model, springs.stiffness);
  setSingleGains(hold.joint_damping, hold.where, model, springs.damping);
  return springs;
}

VectorXd holdingTorque(const Model& model, int contacts, const Dynamics& dynamics) {
  const int n = model.jointDofs();
  VectorXd gravity(model.nv());
  dynamics.gravityForces(gravity);
  if (!model.floating_base || contacts == 0) return gravity.tail(n);
  MatrixXd J(3 * contacts, model.nv());
  dynamics.contactJacobian(J);
  const VectorXd f = J.leftCols<6>().transpose().completeOrthogonalDecomposition().solve(gravity.head<6>());
  return gravity.tail(n) - J.rightCols(n).transpose() * f;
}

}  // namespace footfall
