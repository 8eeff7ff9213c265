#pragma once

#include <vector>

#include "dynamics/native/tree_paths.hpp"
#include "footfall/dynamics/link_mass.hpp"

namespace footfall::native {

/// A Model made ready for the kernels: links in depth-first order, frames turned so that every joint axis is z.
/// Needs one coordinate for each joint (see MimicDynamics for the others).
class TreeStorage {
 public:
  explicit TreeStorage(const Model& model);
  TreeStorage(const TreeStorage&) = delete;

  const Tree& tree() const { return tree_; }
  int number(LinkIndex link) const { return number_[link]; }  ///< of a Model's link in the kernels
  const Matrix3d& R_LK(int number) const { return R_LK_[number]; }

  const TreePaths& paths() const { return paths_; }
  /// Of the joint of each of the Model's dofs.
  std::vector<int> numbersOfDofs() const;
  /// Joints that lie on the paths of both links (numbers of the kernels).
  int sharedJoints(int a, int b) const { return paths_.shared(a, b); }

  /// What the links weigh from now on, in the order of the Model.
  void setMasses(std::span<const LinkMass> masses);
  /// The same of one robot of a pack; `own` has an entry for each link.
  void writeMasses(std::span<const LinkMass> masses, int robot, std::span<OwnMass<RobotPack>> own) const;

  /// Do all inertia couplings of a model join a joint with another one on its path to the base? The kernels have no
  /// place for others (see MimicDynamics).
  static bool couplingsFollowPaths(const Model& model);

 private:
  void orderLinks(const Model& model);
  void chooseFrames(const Model& model);
  void addCouplings(const Model& model);
  void fillView(const Model& model);

  Tree tree_{};
  std::vector<int> model_link_, number_;
  TreePaths paths_;
  std::vector<int> dof_, balls_;
  std::vector<std::uint8_t> prismatic_, branches_;
  std::vector<double> reflected_;
  std::vector<PathCoupling> couplings_;
  std::vector<LinkConstants> constants_;
  std::vector<LinkConstants> known_;  ///< constants of the model itself, where others were asked for
  std::vector<Matrix3d> R_LK_;
};

}  // namespace footfall::native
