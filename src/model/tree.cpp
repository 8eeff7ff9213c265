#include "footfall/model/tree.hpp"

#include "footfall/model/ball_joint.hpp"

namespace footfall {
namespace {

Tree furtherTree(const Model& model, std::size_t joint, const Tree& before) {
  const Joint& root = model.joints[joint];
  Tree tree;
  tree.base = LinkIndex(static_cast<int>(joint) + 1);
  tree.dofs_begin = before.dofs_end;
  tree.floats = root.kind == JointKind::free;
  tree.position = tree.floats ? model.freePosition(root.body) : -1;
  tree.velocity = tree.floats ? model.freeVelocity(root.body) : -1;
  tree.X_WB = root.X_PJ;
  return tree;
}

}  // namespace

std::vector<Tree> treesOf(const Model& model) {
  std::vector<Tree> trees(1);
  trees[0].base = LinkIndex(0);
  trees[0].dofs_begin = trees[0].dofs_end = DofIndex(0);
  trees[0].floats = model.floating_base;
  if (!model.floating_base) trees[0].velocity = -1;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    if (joint.parent.valid()) {
      trees.back().dofs_end = DofIndex(std::max<int>(trees.back().dofs_end, joint.dof + 1));
      continue;
    }
    trees.back().links_end = LinkIndex(static_cast<int>(j) + 1);
    trees.push_back(furtherTree(model, j, trees.back()));
    trees.back().dofs_end = trees.back().dofs_begin;
  }
  trees.back().links_end = LinkIndex(static_cast<int>(model.links.size()));
  return trees;
}

void takePositions(const Tree& tree, const Eigen::Ref<const VectorXd>& q, VectorXd& own) {
  if (tree.position >= 0) {
    own.head<7>() = q.segment<7>(tree.position);
  } else {
    const Eigen::Quaterniond Q(tree.X_WB.R);
    own.head<7>() << tree.X_WB.p, Q.x(), Q.y(), Q.z(), Q.w();
  }
  own.tail(tree.dofs()) = q.segment(7 + tree.dofs_begin, tree.dofs());
}

void takeVelocities(const Model& model, const Tree& tree, const Eigen::Ref<const VectorXd>& nu, VectorXd& own) {
  if (tree.floats) own.head<6>() = nu.segment<6>(tree.velocity);
  own.tail(tree.dofs()) = nu.segment(model.baseDofs() + tree.dofs_begin, tree.dofs());
}

void putVelocities(const Model& model, const Tree& tree, const VectorXd& own, Eigen::Ref<VectorXd> nu) {
  if (tree.floats) nu.segment<6>(tree.velocity) = own.head<6>();
  nu.segment(model.baseDofs() + tree.dofs_begin, tree.dofs()) = own.tail(tree.dofs());
}

Model modelOf(const Model& model, const Tree& tree) {
  Model part;
  part.name = tree.base == 0 ? model.name : model.links[tree.base].name;
  part.floating_base = tree.floats;
  part.gravity = model.gravity;
  part.links.assign(model.links.begin() + tree.base, model.links.begin() + tree.links_end);
  part.joints.assign(model.joints.begin() + tree.base, model.joints.begin() + tree.links_end - 1);
  part.dofs.assign(model.dofs.begin() + tree.dofs_begin, model.dofs.begin() + tree.dofs_end);
  for (Joint& joint : part.joints) {
    joint.parent = LinkIndex(joint.parent - tree.base);
    joint.dof = DofIndex(joint.dof - tree.dofs_begin);
  }
  part.balls = ballsOf(part);
  for (const Frame& frame : model.frames)
    if (tree.contains(frame.link)) part.frames.push_back({frame.name, LinkIndex(frame.link - tree.base), frame.X_LF});
  for (const InertiaCoupling& c : model.couplings)
    if (c.a >= tree.dofs_begin && c.a < tree.dofs_end)
      part.couplings.push_back({DofIndex(c.a - tree.dofs_begin), DofIndex(c.b - tree.dofs_begin), c.inertia});
  return part;
}

}  // namespace footfall
