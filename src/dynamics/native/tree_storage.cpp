#include "dynamics/native/tree_storage.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/model/ball_joint.hpp"

namespace footfall::native {
namespace {

Vec3<double> plain(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }

Rotation<double> plain(const Matrix3d& R) {
  return {plain(Vector3d(R.col(0))), plain(Vector3d(R.col(1))), plain(Vector3d(R.col(2)))};
}

/// Turns the axes about z until the product of inertia I_xy vanishes: it then costs nothing in every update.
Matrix3d withoutProductXY(const Matrix3d& R_LZ, const Matrix3d& I_L) {
  const Matrix3d I = R_LZ.transpose() * I_L * R_LZ;
  const double angle = 0.5 * std::atan2(2.0 * I(0, 1), I(0, 0) - I(1, 1));
  return R_LZ * Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix();
}

Matrix3d kernelAxes(const Model& model, int link) {
  if (isInsideBall(model, LinkIndex(link))) return Matrix3d::Identity();
  const Vector3d axis = link == 0 ? Vector3d(Vector3d::UnitZ()) : model.joints[link - 1].axis.normalized();
  return withoutProductXY(rotationWithZ(axis), model.links[link].inertia.I_com);
}

void setInertia(const SpatialInertia& inertia, const Matrix3d& R_LK, LinkConstants& constants) {
  const Matrix3d I = R_LK.transpose() * inertia.I_com * R_LK;
  constants.mass = constants.subtree_mass = inertia.mass;
  constants.com = plain(Vector3d(R_LK.transpose() * inertia.com));
  constants.a = I(0, 0) - I(2, 2);
  constants.b = I(1, 1) - I(2, 2);
  constants.e = I(0, 2);
  constants.f = I(1, 2);
  constants.zz = I(2, 2);
}

/// Where every joint has a coordinate of its own.
int linkMovedBy(const Model& model, DofIndex dof) {
  int joint = 0;
  while (model.joints[joint].dof != dof) ++joint;
  return joint + 1;
}

/// Does the coordinate `below` move the link that `above` moves as well?
bool isOnPath(const Model& model, DofIndex below, DofIndex above) {
  const int wanted = linkMovedBy(model, below);
  int link = linkMovedBy(model, above);
  while (link > wanted) link = model.joints[link - 1].parent;
  return link == wanted;
}

}  // namespace

TreeStorage::TreeStorage(const Model& model) {
  orderLinks(model);
  chooseFrames(model);
  addCouplings(model);
  fillView(model);
}

void TreeStorage::orderLinks(const Model& model) {
  const int links = static_cast<int>(model.links.size());
  std::vector<std::vector<int>> children(links);
  for (int j = links - 2; j >= 0; --j) children[model.joints[j].parent].push_back(j + 1);
  number_.resize(links);
  std::vector<int> to_visit = {0};
  while (!to_visit.empty()) {
    const int link = to_visit.back();
    to_visit.pop_back();
    number_[link] = static_cast<int>(model_link_.size());
    model_link_.push_back(link);
    to_visit.insert(to_visit.end(), children[link].begin(), children[link].end());
  }
  std::vector<int> parent(links, -1);
  dof_.assign(links, -1);
  prismatic_.assign(links, 0);
  reflected_.assign(links, 0.0);
  branches_.assign(links, 0);
  for (int k = 1; k < links; ++k) {
    const Joint& joint = model.joints[model_link_[k] - 1];
    parent[k] = number_[joint.parent];
    dof_[k] = joint.dof;
    prismatic_[k] = traitsOf(joint.kind).slides;
    reflected_[k] = model.dofs[joint.dof].reflected_inertia;
    if (parent[k] != k - 1) branches_[parent[k]] = 1;
  }
  for (int k = 1; k < links; ++k) {
    if (model.joints[model_link_[k] - 1].kind != JointKind::ball) continue;
    balls_.push_back(k);
    k += 2;
  }
  paths_ = TreePaths(std::move(parent));
}

void TreeStorage::chooseFrames(const Model& model) {
  const int links = static_cast<int>(paths_.parent.size());
  constants_.resize(links);
  R_LK_.resize(links);
  for (int k = 0; k < links; ++k) {
    const int link = model_link_[k];
    R_LK_[k] = kernelAxes(model, link);
    setInertia(model.links[link].inertia, R_LK_[k], constants_[k]);
    Matrix3d R_PK = R_LK_[k];
    Vector3d p_PK = Vector3d::Zero();
    if (k > 0) {
      const Matrix3d R_KP = R_LK_[paths_.parent[k]].transpose();
      const Pose& X_PJ = model.joints[link - 1].X_PJ;
      R_PK = R_KP * X_PJ.R * R_LK_[k];
      p_PK = R_KP * X_PJ.p;
    }
    constants_[k].R_PK = plain(R_PK);
    constants_[k].p_PK = plain(p_PK);
  }
  for (int k = links - 1; k > 0; --k) constants_[paths_.parent[k]].subtree_mass += constants_[k].subtree_mass;
}

void TreeStorage::setMasses(std::span<const LinkMass> masses) {
  if (known_.empty()) known_ = constants_;
  const int links = static_cast<int>(constants_.size());
  for (int k = 0; k < links; ++k) {
    const LinkMass& own = masses[model_link_[k]];
    const LinkConstants& known = known_[k];
    LinkConstants& to = constants_[k];
    to.mass = to.subtree_mass = own.mass;
    to.com = plain(Vector3d(R_LK_[k].transpose() * own.com));
    to.a = own.turning * known.a, to.b = own.turning * known.b;
    to.e = own.turning * known.e, to.f = own.turning * known.f;
    to.zz = own.turning * known.zz;
  }
  for (int k = links - 1; k > 0; --k) constants_[paths_.parent[k]].subtree_mass += constants_[k].subtree_mass;
}

void TreeStorage::writeMasses(std::span<const LinkMass> masses, int robot, std::span<OwnMass<RobotPack>> own) const {
  const int links = static_cast<int>(constants_.size());
  for (int k = 0; k < links; ++k) {
    const LinkMass& mass = masses[model_link_[k]];
    const Vector3d com = R_LK_[k].transpose() * mass.com;
    own[k].mass[robot] = own[k].subtree_mass[robot] = mass.mass;
    own[k].turning[robot] = mass.turning;
    own[k].com.x[robot] = com.x(), own[k].com.y[robot] = com.y(), own[k].com.z[robot] = com.z();
  }
  for (int k = links - 1; k > 0; --k) own[paths_.parent[k]].subtree_mass[robot] += own[k].subtree_mass[robot];
}

bool TreeStorage::couplingsFollowPaths(const Model& model) {
  return std::all_of(model.couplings.begin(), model.couplings.end(), [&](const InertiaCoupling& coupling) {
    return isOnPath(model, coupling.a, coupling.b) || isOnPath(model, coupling.b, coupling.a);
  });
}

std::vector<int> TreeStorage::numbersOfDofs() const {
  std::vector<int> numbers(dof_.size() - 1);
  for (int k = 1; k < static_cast<int>(dof_.size()); ++k) numbers[dof_[k]] = k;
  return numbers;
}

void TreeStorage::addCouplings(const Model& model) {
  for (const InertiaCoupling& coupling : model.couplings) {
    const int a = number_[linkMovedBy(model, coupling.a)], b = number_[linkMovedBy(model, coupling.b)];
    couplings_.push_back({std::max(a, b), paths_.depth[std::min(a, b)], coupling.inertia});
  }
}

void TreeStorage::fillView(const Model& model) {
  paths_.showIn(tree_);
  tree_.floating_base = model.floating_base;
  tree_.base_dofs = model.baseDofs();
  tree_.gravity = plain(model.gravity);
  tree_.constants = constants_.data();
  tree_.dof = dof_.data();
  tree_.prismatic = prismatic_.data();
  tree_.balls = static_cast<int>(balls_.size());
  tree_.ball = balls_.data();
  tree_.branches = branches_.data();
  tree_.reflected = reflected_.data();
  tree_.couplings = static_cast<int>(couplings_.size());
  tree_.coupling = couplings_.data();
}

}  // namespace footfall::native
