#include <iDynTree/FreeFloatingState.h>
#include <iDynTree/KinDynComputations.h>
#include <iDynTree/Model.h>
#include <iDynTree/PrismaticJoint.h>
#include <iDynTree/RevoluteJoint.h>

#include <numeric>
#include <string>

#include "dynamics/tree_dynamics.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/plugin_identity.hpp"

namespace footfall {
namespace {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

iDynTree::Position toPosition(const Vector3d& p) { return {p.x(), p.y(), p.z()}; }

iDynTree::Transform toTransform(const Pose& X) {
  const Matrix3d& R = X.R;
  return {iDynTree::Rotation(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)),
          toPosition(X.p)};
}

iDynTree::Link makeLink(const SpatialInertia& inertia) {
  const RowMajorMatrix I = inertia.I_com;
  iDynTree::SpatialInertia converted;
  converted.fromRotationalInertiaWrtCenterOfMass(inertia.mass, toPosition(inertia.com),
                                                 iDynTree::RotationalInertia(I.data(), 3, 3));
  iDynTree::Link link;
  link.setInertia(converted);
  return link;
}

template <class TreeJoint>
TreeJoint makeJoint(const Joint& joint, int child) {
  const iDynTree::Direction axis(joint.axis.x(), joint.axis.y(), joint.axis.z());
  TreeJoint made;
  made.setAttachedLinks(joint.parent, child);
  made.setRestTransform(toTransform(joint.X_PJ));
  made.setAxis(iDynTree::Axis(axis, iDynTree::Position::Zero()), child, joint.parent);
  return made;
}

/// The same tree, links and joints in the same order. Names need only be unique: nobody looks them up.
iDynTree::Model makeTree(const Model& model) {
  if (!model.balls.empty())
    throw Error(model.name, "the robot has ball joints, which the engine idyntree does not have here",
                "use physics.engine: native");
  iDynTree::Model tree;
  for (std::size_t l = 0; l < model.links.size(); ++l) {
    tree.addLink("link" + std::to_string(l), makeLink(model.links[l].inertia));
  }
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const std::string name = "joint" + std::to_string(j);
    const int child = static_cast<int>(j) + 1;
    if (traitsOf(model.joints[j].kind).turns) {
      const auto joint = makeJoint<iDynTree::RevoluteJoint>(model.joints[j], child);
      tree.addJoint(name, &joint);
    } else {
      const auto joint = makeJoint<iDynTree::PrismaticJoint>(model.joints[j], child);
      tree.addJoint(name, &joint);
    }
  }
  tree.setDefaultBaseLink(0);
  return tree;
}

std::vector<int> columnsInOrder(const Model& model) {
  std::vector<int> columns(model.joints.size());
  std::iota(columns.begin(), columns.end(), model.baseDofs());
  return columns;
}

/// The port on top of iDynTree, which speaks the mixed representation itself. It always counts six velocities of the
/// base; where the base is fixed they are zero, and their rows and columns are left out.
class IDynTreeDynamics final : public TreeDynamics {
 public:
  explicit IDynTreeDynamics(const Model& model)
      : TreeDynamics(model, columnsInOrder(model)), joints_(static_cast<int>(model.joints.size())) {
    if (!engine_.loadRobotModel(makeTree(model)) || engine_.getNrOfDegreesOfFreedom() != model.joints.size()) {
      throw Error(model.name, "iDynTree refuses this model", "use physics.engine: native");
    }
    engine_.setFrameVelocityRepresentation(iDynTree::MIXED_REPRESENTATION);
    engine_.setFloatingBase("link0");
    mass_.resize(6 + joints_, 6 + joints_);
    jacobian_.resize(6, 6 + joints_);
    positions_.resize(joints_);
    rates_.resize(joints_);
    forces_.resize(engine_.model());
  }

  std::string_view name() const override { return "idyntree"; }

  Pose linkPose(LinkIndex link) const override {
    const iDynTree::Transform X = engine_.getWorldTransform(frameOf(link));
    Pose X_WL;
    for (int r = 0; r < 3; ++r) {
      X_WL.p[r] = X.getPosition()(r);
      for (int c = 0; c < 3; ++c) X_WL.R(r, c) = X.getRotation()(r, c);
    }
    return X_WL;
  }

  Vector6d linkVelocity(LinkIndex link) const override {
    Vector6d V;
    engine_.getFrameVel(frameOf(link), iDynTree::make_span(V.data(), 6));
    return V;
  }

 protected:
  void updateTree(const Pose& X_WB, const VectorXd& positions, const VectorXd& velocity) override {
    X_WB_ = toTransform(X_WB);
    Eigen::Map<VectorXd>(positions_.data(), joints_) = positions;
    updateTreeVelocity(velocity);
  }

  void updateTreeVelocity(const VectorXd& velocity) override {
    iDynTree::Twist base_velocity = iDynTree::Twist::Zero();
    for (int r = 0; r < model().baseDofs(); ++r) base_velocity(r) = velocity[r];
    Eigen::Map<VectorXd>(rates_.data(), joints_) = velocity.tail(joints_);
    iDynTree::Vector3 gravity;
    for (int r = 0; r < 3; ++r) gravity(r) = model().gravity[r];
    engine_.setRobotState(X_WB_, positions_, base_velocity, rates_, gravity);
  }

  void treeMass(MatrixXd& M) const override {
    engine_.getFreeFloatingMassMatrix(iDynTree::make_matrix_view(mass_));
    M = mass_.bottomRightCorner(M.rows(), M.cols());
  }

  void treeBiasForces(VectorXd& h) const override {
    engine_.generalizedBiasForces(forces_);
    readForces(h);
  }

  void treeGravityForces(VectorXd& g) const override {
    engine_.generalizedGravityForces(forces_);
    readForces(g);
  }

  Vector6d linkBiasAcceleration(LinkIndex link) const override {
    Vector6d bias;
    engine_.getFrameBiasAcc(frameOf(link), iDynTree::make_span(bias.data(), 6));
    return bias;
  }

  void treeJacobian(LinkIndex link, Matrix6Xd& J) const override {
    engine_.getFrameFreeFloatingJacobian(frameOf(link), iDynTree::make_matrix_view(jacobian_));
    J = jacobian_.rightCols(J.cols());
  }

 private:
  /// In iDynTree the first frames are the links.
  static iDynTree::FrameIndex frameOf(LinkIndex link) { return link; }

  void readForces(VectorXd& force) const {
    force.tail(joints_) = Eigen::Map<const VectorXd>(forces_.jointTorques().data(), joints_);
    for (int r = 0; r < model().baseDofs(); ++r) force[r] = forces_.baseWrench()(r);
  }

  mutable iDynTree::KinDynComputations engine_;  // computes on demand
  int joints_;
  iDynTree::Transform X_WB_;
  iDynTree::VectorDynSize positions_, rates_;
  mutable RowMajorMatrix mass_, jacobian_;
  mutable iDynTree::FreeFloatingGeneralizedTorques forces_;
};

}  // namespace
}  // namespace footfall

extern "C" footfall::Dynamics* footfall_make_engine(const footfall::Model& model) {
  return new footfall::IDynTreeDynamics(model);
}

FOOTFALL_PLUGIN_IDENTITY
