#include "footfall/robot_block/model_functions.hpp"

namespace footfall {

ModelFunctions::ModelFunctions(const Model& model, const std::string& engine)
    : dynamics_(makeDynamics(engine, model)),
      rest_(VectorXd::Zero(model.nv())),
      M_(model.nv(), model.nv()),
      J_(6, model.nv()),
      forces_(model.nv()) {}

void ModelFunctions::update(VectorIn q) { dynamics_->update(q, rest_); }

const MatrixXd& ModelFunctions::massMatrix(VectorIn q) {
  update(q);
  dynamics_->massMatrix(M_);
  return M_;
}

const VectorXd& ModelFunctions::biasForces(VectorIn q, VectorIn nu) {
  dynamics_->update(q, nu);
  dynamics_->biasForces(forces_);
  return forces_;
}

const VectorXd& ModelFunctions::gravityForces(VectorIn q) {
  update(q);
  dynamics_->gravityForces(forces_);
  return forces_;
}

const MatrixXd& ModelFunctions::jacobian(FrameIndex frame, VectorIn q) {
  update(q);
  dynamics_->frameJacobian(frame, J_);
  return J_;
}

Vector6d ModelFunctions::jacobianDotNu(FrameIndex frame, VectorIn q, VectorIn nu) {
  dynamics_->update(q, nu);
  return dynamics_->frameBiasAcceleration(frame);
}

Pose ModelFunctions::forwardKinematics(FrameIndex frame, VectorIn q) {
  update(q);
  return dynamics_->framePose(frame);
}

Vector3d ModelFunctions::centerOfMass(VectorIn q) {
  update(q);
  return dynamics_->centerOfMass();
}

const VectorXd& ModelFunctions::inverseDynamics(VectorIn q, VectorIn nu, VectorIn nu_dot) {
  dynamics_->update(q, nu);
  dynamics_->massMatrix(M_);
  dynamics_->biasForces(forces_);
  forces_.noalias() += M_ * nu_dot;
  return forces_;
}

}  // namespace footfall
