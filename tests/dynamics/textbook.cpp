#include "dynamics/textbook.hpp"

#include "footfall/model/state.hpp"

namespace footfall::test {

Textbook::Textbook(const Model& model, const VectorXd& q) : model_(model) {
  State state = makeState(model);
  state.q = q;
  X_WL_.push_back(state.basePose());
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    if (joint.kind == JointKind::ball) {
      const Pose X_WJ = X_WL_[joint.parent] * joint.X_PJ;
      const Vector3d theta = q.segment<3>(7 + joint.dof);
      const Matrix3d R = Eigen::AngleAxisd(theta.norm(), theta.stableNormalized()).toRotationMatrix();
      for (const Pose& X_WL : {X_WJ, X_WJ, X_WJ * Pose{R, Vector3d::Zero()}}) X_WL_.push_back(X_WL);
      j += 2;
      continue;
    }
    const double position = joint.multiplier * q[7 + joint.dof] + joint.offset;
    Pose X_JL;
    if (joint.kind == JointKind::revolute) {
      X_JL.R = Eigen::AngleAxisd(position, joint.axis).toRotationMatrix();
    } else {
      X_JL.p = position * joint.axis;
    }
    X_WL_.push_back(X_WL_[joint.parent] * joint.X_PJ * X_JL);
  }
}

MatrixXd Textbook::jacobian(int link, const Vector3d& p_LP) const {
  MatrixXd J = MatrixXd::Zero(6, model_.nv());
  const Vector3d p = X_WL_[link] * p_LP;
  if (model_.floating_base) {
    J.leftCols<6>().setIdentity();
    J.block<3, 3>(0, 3) = -skew(p - X_WL_[0].p);
  }
  for (int at = link; at > 0; at = model_.joints[at - 1].parent) {
    const Joint& joint = model_.joints[at - 1];
    const bool stays = joint.kind == JointKind::ball;  // its axes are those of the joint frame
    const Vector3d axis = (stays ? X_WL_[joint.parent].R * joint.X_PJ.R : X_WL_[at].R) * joint.axis;
    auto column = J.col(model_.baseDofs() + joint.dof);
    if (joint.kind != JointKind::prismatic) {
      column.head<3>() += joint.multiplier * axis.cross(p - X_WL_[at].p);
      column.tail<3>() += joint.multiplier * axis;
    } else {
      column.head<3>() += joint.multiplier * axis;
    }
  }
  return J;
}

Matrix3d Textbook::inertiaInWorld(int link) const {
  return X_WL_[link].R * model_.links[link].inertia.I_com * X_WL_[link].R.transpose();
}

MatrixXd Textbook::massMatrix() const {
  MatrixXd M = MatrixXd::Zero(model_.nv(), model_.nv());
  for (std::size_t i = 0; i < model_.links.size(); ++i) {
    const SpatialInertia& inertia = model_.links[i].inertia;
    const MatrixXd J = jacobian(i, inertia.com);
    M += inertia.mass * J.topRows<3>().transpose() * J.topRows<3>();
    M += J.bottomRows<3>().transpose() * inertiaInWorld(i) * J.bottomRows<3>();
  }
  for (int i = 0; i < model_.jointDofs(); ++i) {
    M(model_.baseDofs() + i, model_.baseDofs() + i) += model_.dofs[i].reflected_inertia;
  }
  for (const InertiaCoupling& coupling : model_.couplings) {
    const int a = model_.baseDofs() + coupling.a, b = model_.baseDofs() + coupling.b;
    M(a, b) += coupling.inertia;
    M(b, a) += coupling.inertia;
  }
  return M;
}

Vector3d Textbook::centerOfMass() const {
  Vector3d sum = Vector3d::Zero();
  double mass = 0.0;
  for (std::size_t i = 0; i < model_.links.size(); ++i) {
    sum += model_.links[i].inertia.mass * (X_WL_[i] * model_.links[i].inertia.com);
    mass += model_.links[i].inertia.mass;
  }
  return sum / mass;
}

double Textbook::potentialEnergy() const {
  double energy = 0.0;
  for (std::size_t i = 0; i < model_.links.size(); ++i) {
    energy -= model_.links[i].inertia.mass * model_.gravity.dot(X_WL_[i] * model_.links[i].inertia.com);
  }
  return energy;
}

Vector6d Textbook::momentum(const VectorXd& nu) const {
  Vector6d sum = Vector6d::Zero();
  for (std::size_t i = 0; i < model_.links.size(); ++i) {
    const SpatialInertia& inertia = model_.links[i].inertia;
    const Vector6d V = jacobian(i, inertia.com) * nu;
    const Vector3d arm = X_WL_[i] * inertia.com - centerOfMass();
    sum.head<3>() += inertia.mass * V.head<3>();
    sum.tail<3>() += inertiaInWorld(i) * V.tail<3>() + arm.cross(inertia.mass * Vector3d(V.head<3>()));
  }
  return sum;
}

Vector6d Textbook::biasAcceleration(const Model& model, const VectorXd& q, const VectorXd& nu, int link,
                                    const Vector3d& p_LP) {
  constexpr double kStep = 1e-5;  // error of the difference: step² ≈ 1e-10, rounding 1e-16 / step ≈ 1e-11
  VectorXd before = q, after = q;
  integrateConfiguration(model, nu, -kStep, before);
  integrateConfiguration(model, nu, kStep, after);
  const MatrixXd change = Textbook(model, after).jacobian(link, p_LP) - Textbook(model, before).jacobian(link, p_LP);
  return change * nu / (2.0 * kStep);
}

VectorXd Textbook::biasForces(const Model& model, const VectorXd& q, const VectorXd& nu) {
  const Textbook now(model, q);
  VectorXd h = VectorXd::Zero(model.nv());
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const SpatialInertia& inertia = model.links[i].inertia;
    const MatrixXd J = now.jacobian(i, inertia.com);
    const Vector6d a = biasAcceleration(model, q, nu, i, inertia.com);
    const Vector3d w = J.bottomRows<3>() * nu;
    const Matrix3d I = now.inertiaInWorld(i);
    h += J.topRows<3>().transpose() * inertia.mass * (a.head<3>() - model.gravity);
    h += J.bottomRows<3>().transpose() * (I * a.tail<3>() + w.cross(I * w));
  }
  return h;
}

}  // namespace footfall::test
