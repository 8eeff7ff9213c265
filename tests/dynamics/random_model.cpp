#include "dynamics/random_model.hpp"

#include <algorithm>

#include "footfall/model/ball_joint.hpp"

namespace footfall::test {
namespace {

double uniform(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Vector3d randomPoint(std::mt19937& random, double size) {
  return size * Vector3d(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1));
}

Matrix3d randomRotation(std::mt19937& random) { return expQuaternion(randomPoint(random, 3.0)).toRotationMatrix(); }

/// The link, or the next one that is not inside of a ball joint.
LinkIndex outsideBalls(const Model& model, int link) {
  while (isInsideBall(model, LinkIndex(link))) ++link;
  return LinkIndex(link);
}

/// Inertia of a cloud of four point masses: always physical.
SpatialInertia randomInertia(std::mt19937& random) {
  SpatialInertia sum;
  for (int i = 0; i < 4; ++i)
    sum += SpatialInertia{uniform(random, 0.2, 1.0), randomPoint(random, 0.2), Matrix3d::Zero()};
  return sum;
}

/// @param carriers links that joints may hang on
Joint randomJoint(std::mt19937& random, const RandomModelOptions& options, int number,
                  const std::vector<int>& carriers) {
  Joint joint;
  joint.name = "joint" + std::to_string(number);
  if (options.prismatic_joints && uniform(random, 0, 1) < 0.3) joint.kind = JointKind::prismatic;
  const bool goes_on = uniform(random, 0, 1) < options.straightness;
  joint.parent = LinkIndex(goes_on ? carriers.back() : carriers[std::uniform_int_distribution<int>(0, number)(random)]);
  joint.X_PJ = {randomRotation(random), randomPoint(random, 0.4)};
  joint.axis = randomPoint(random, 1.0).normalized();
  return joint;
}

/// Three joints of the frame that was made for one.
void addBall(std::mt19937& random, const Joint& made, Model& model) {
  Joint joint = made;
  joint.kind = JointKind::ball;
  for (int axis = 0; axis < 3; ++axis) {
    joint.name = made.name + "_" + std::string(1, static_cast<char>('x' + axis));
    joint.axis = Vector3d::Unit(axis);
    joint.dof = DofIndex(model.jointDofs());
    model.dofs.push_back({.name = joint.name, .kind = joint.kind, .reflected_inertia = uniform(random, 0.0, 0.1)});
    model.joints.push_back(joint);
    model.links.push_back({joint.name, axis == 2 ? randomInertia(random) : SpatialInertia{}});
    joint.parent = LinkIndex(static_cast<int>(model.links.size()) - 1);
    joint.X_PJ = {};
  }
}

/// The joint that carries a joint's parent link; -1 for one on the base.
int jointBelow(const Model& model, int joint) { return model.joints[joint].parent - 1; }

/// Rotors that turn with two joints: the inertia on the diagonal keeps the mass matrix positive definite.
void addCouplings(std::mt19937& random, const RandomModelOptions& options, Model& model) {
  std::uniform_int_distribution<int> any_joint(0, std::max(0, options.joints - 1));
  while (static_cast<int>(model.couplings.size()) < options.couplings) {
    const int joint = any_joint(random);
    const int other = options.across_branches ? any_joint(random) : jointBelow(model, joint);
    if (other < 0 || other == joint) continue;
    const DofIndex a = model.joints[joint].dof, b = model.joints[other].dof;
    model.dofs[a].reflected_inertia += 0.1;
    model.dofs[b].reflected_inertia += 0.1;
    model.couplings.push_back({a, b, uniform(random, -0.1, 0.1)});
  }
}

}  // namespace

Model randomModel(std::mt19937& random, const RandomModelOptions& options) {
  Model model;
  model.name = "random";
  model.floating_base = options.floating_base;
  model.gravity = randomPoint(random, 9.0);
  model.links.push_back({"base", randomInertia(random)});
  std::vector<int> carriers = {0};
  const auto carryMore = [&] { carriers.push_back(static_cast<int>(model.links.size()) - 1); };
  for (int j = 0; j < options.joints; ++j, carryMore()) {
    Joint joint = randomJoint(random, options, j, carriers);
    if (options.ball_joints && uniform(random, 0, 1) < 0.4 && j < options.joints - options.mimic_joints) {
      addBall(random, joint, model);
      continue;
    }
    if (j >= options.joints - options.mimic_joints) {
      joint.dof = DofIndex(std::uniform_int_distribution<int>(0, model.jointDofs() - 1)(random));
      while (model.dofs[joint.dof].kind == JointKind::ball) joint.dof = DofIndex((joint.dof + 1) % model.jointDofs());
      joint.multiplier = uniform(random, -1.5, 1.5);
      joint.offset = uniform(random, -0.5, 0.5);
    } else {
      joint.dof = DofIndex(model.jointDofs());
      model.dofs.push_back({.name = joint.name, .kind = joint.kind, .reflected_inertia = uniform(random, 0.0, 0.1)});
    }
    model.joints.push_back(joint);
    model.links.push_back({"link" + std::to_string(j + 1), randomInertia(random)});
  }
  model.balls = ballsOf(model);
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Pose X_LF{randomRotation(random), randomPoint(random, 0.3)};
    model.frames.push_back({"frame" + std::to_string(i), outsideBalls(model, static_cast<int>(i)), X_LF});
  }
  addCouplings(random, options, model);
  return model;
}

State randomState(const Model& model, std::mt19937& random) {
  State state = makeState(model);
  state.setBasePose({randomRotation(random), randomPoint(random, 1.0)});
  state.joints() = 2.0 * randomVector(model.jointDofs(), random);
  state.nu = randomVector(model.nv(), random);
  return state;
}

VectorXd randomVector(int size, std::mt19937& random) {
  VectorXd v(size);
  for (double& x : v) x = uniform(random, -1, 1);
  return v;
}

std::vector<ContactFrame> randomContacts(const Model& model, int count, bool world_axes, std::mt19937& random) {
  std::uniform_int_distribution<int> any_link(0, static_cast<int>(model.links.size()) - 1);
  std::vector<ContactFrame> contacts;
  for (int i = 0; i < count; ++i) {
    // every other contact stays on the link before, as the corners of a sole do
    const LinkIndex link = i % 2 == 1 ? contacts.back().link : outsideBalls(model, any_link(random));
    const Matrix3d axes = world_axes ? Matrix3d(Matrix3d::Identity()) : randomRotation(random);
    contacts.push_back({link, randomPoint(random, 0.2), axes});
  }
  return contacts;
}

}  // namespace footfall::test
