#include "dynamics/pinocchio/pinocchio_tree.hpp"

#include <pinocchio/multibody/joint/joint-free-flyer.hpp>
#include <pinocchio/multibody/joint/joint-prismatic.hpp>
#include <pinocchio/multibody/joint/joint-revolute.hpp>
#include <pinocchio/multibody/joint/joint-spherical.hpp>

namespace footfall {
namespace {

pinocchio::Inertia inertiaIn(const Matrix3d& R_EL, const SpatialInertia& inertia) {
  return {inertia.mass, R_EL * inertia.com, R_EL * inertia.I_com * R_EL.transpose()};
}

/// Joint frame E in its parent's frame at position zero.
pinocchio::SE3 placementOf(const Joint& joint, int child, const std::vector<Matrix3d>& R_EL) {
  const Matrix3d& R_PL = R_EL[joint.parent];
  return {R_PL * joint.X_PJ.R * R_EL[child].transpose(), R_PL * joint.X_PJ.p};
}

class Builder {
 public:
  explicit Builder(const Model& model) : model_(model) {
    tree_.model.name = model.name;
    tree_.model.gravity.linear() = model.gravity;
    tree_.joint_of_link.assign(model.links.size(), 0);
    tree_.R_EL.assign(model.links.size(), Matrix3d::Identity());
    tree_.columns.resize(model.joints.size());
    tree_.positions.resize(model.joints.size());
    children_.resize(model.links.size());
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
      children_[model.joints[j].parent].push_back(static_cast<int>(j));
    }
  }

  PinocchioTree build() {
    if (model_.floating_base) {
      const auto id = tree_.model.addJoint(0, pinocchio::JointModelFreeFlyer(), pinocchio::SE3::Identity(), "root");
      tree_.joint_of_link[0] = id;
      tree_.model.appendBodyToJoint(id, inertiaIn(tree_.R_EL[0], model_.links[0].inertia));
    }
    addChildren(0);
    return std::move(tree_);
  }

 private:
  void addChildren(int link) {
    for (int j : children_[link]) {
      if (model_.joints[j].kind == JointKind::ball) {
        addBall(j);
        addChildren(j + 3);
      } else {
        addJoint(j);
        addChildren(j + 1);
      }
    }
  }

  /// Three joints of ours: one of Pinocchio's. The links between them are where the child is.
  void addBall(int j) {
    const Joint& joint = model_.joints[j];
    const int child = j + 3;
    const auto id = tree_.model.addJoint(tree_.joint_of_link[joint.parent], pinocchio::JointModelSpherical(),
                                         placementOf(joint, child, tree_.R_EL), joint.name);
    tree_.model.appendBodyToJoint(id, inertiaIn(tree_.R_EL[child], model_.links[child].inertia));
    for (int part = 0; part < 3; ++part) {
      tree_.joint_of_link[j + 1 + part] = id;
      tree_.columns[j + part] = tree_.model.joints[id].idx_v() + part;
      tree_.positions[j + part] = tree_.model.joints[id].idx_q();
    }
    tree_.balls.push_back(j);
  }

  void addJoint(int j) {
    const Joint& joint = model_.joints[j];
    const int child = j + 1;
    tree_.R_EL[child] = rotationWithZ(joint.axis).transpose();
    const auto parent = tree_.joint_of_link[joint.parent];
    const pinocchio::SE3 placement = placementOf(joint, child, tree_.R_EL);
    const auto id = traitsOf(joint.kind).turns
                        ? tree_.model.addJoint(parent, pinocchio::JointModelRZ(), placement, joint.name)
                        : tree_.model.addJoint(parent, pinocchio::JointModelPZ(), placement, joint.name);
    tree_.model.appendBodyToJoint(id, inertiaIn(tree_.R_EL[child], model_.links[child].inertia));
    tree_.joint_of_link[child] = id;
    tree_.columns[j] = tree_.model.joints[id].idx_v();
    tree_.positions[j] = tree_.model.joints[id].idx_q();
  }

  const Model& model_;
  PinocchioTree tree_;
  std::vector<std::vector<int>> children_;  ///< joints that hang on a link
};

}  // namespace

PinocchioTree makePinocchioTree(const Model& model) { return Builder(model).build(); }

void placeRoot(const Model& model, const Matrix3d& R_WB, PinocchioTree& tree) {
  const pinocchio::SE3 X_WB(R_WB, Vector3d::Zero());
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    if (joint.parent != 0) continue;
    const int child = static_cast<int>(j) + 1;
    tree.model.jointPlacements[tree.joint_of_link[child]] = X_WB * placementOf(joint, child, tree.R_EL);
  }
}

}  // namespace footfall
