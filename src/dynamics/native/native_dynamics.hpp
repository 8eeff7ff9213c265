#pragma once

#include "dynamics/native/kernel_table.hpp"
#include "dynamics/native/loop_storage.hpp"
#include "dynamics/native/storage.hpp"
#include "dynamics/native/turning_inertia.hpp"
#include "footfall/dynamics/dynamics.hpp"

namespace footfall::native {

/// The engine `native` for models in which every joint has a coordinate of its own.
class NativeDynamics final : public Dynamics {
 public:
  explicit NativeDynamics(const Model& model);
  NativeDynamics(const NativeDynamics&) = delete;  // placed_ points into it

  std::string_view name() const override { return "native"; }
  const Model& model() const override { return model_; }
  using Dynamics::tree;  // beside that of the storage

  void update(VectorIn q, VectorIn nu) override;
  void updateKinematics(VectorIn q, VectorIn nu) override;
  void updateVelocity(VectorIn nu) override;
  void setImplicitInertia(VectorIn diagonal) override;

  void massMatrix(MatrixOut M) const override;
  void biasForces(VectorOut h) const override;
  void gravityForces(VectorOut g) const override;
  void solveMass(VectorOut x) const override;
  void multiplyMass(VectorIn x, VectorOut y) const override;
  Vector6d momentum() const override;
  Vector3d centerOfMass() const override;
  Energy energy() const override;

  Pose linkPose(LinkIndex link) const override;
  Vector6d linkVelocity(LinkIndex link) const override;
  Vector6d linkBiasAcceleration(LinkIndex link) const override;
  void frameJacobian(FrameIndex frame, MatrixOut J) const override;
  Vector6d frameBiasAcceleration(FrameIndex frame) const override;
  void addWrench(LinkIndex link, const Vector3d& p_LP, const Vector6d& wrench_W, VectorOut tau) const override;

  void setContacts(std::span<const ContactFrame> contacts) override;
  void contactVelocity(VectorIn nu, double* v) const override;
  void contactBiasAcceleration(double* a) const override;
  void addContactImpulse(const double* p, VectorOut tau) const override;
  void delassus(double* G) const override;
  bool addJointRows(std::span<const JointMotion> joints, double* G) const override;
  void contactJacobian(MatrixOut J) const override;
  void reserveContacts(int max_contacts) override;

  bool setLinkMasses(std::span<const LinkMass> masses) override;
  bool addTurningInertia(std::span<const Matrix3d> inertia) override;
  void multiplyTurningInertia(VectorIn x, VectorOut y) const override;

  void prepareLoops() override;
  int loopRank() const override { return loops_.set().rank - loops_.set().in_doubt; }
  bool loopsInDoubt() const override { return loops_.set().rows > 0 && loops_.set().in_doubt > 0; }
  void takeLoopRank(int rows) override { loops_.set().rank = std::min(loops_.set().rank, rows); }
  void loopJacobian(MatrixOut J) const override;
  void loopBiasAcceleration(VectorOut a) const override;
  void loopGaps(VectorOut gap) const override;
  void loopGapsAt(VectorIn q, VectorOut gap) const override;
  void closeLoops(VectorIn offset, VectorOut x, VectorOut lambda) const override;

  // --- for MimicDynamics, which factorises M in its own coordinates ---------------------------------
  /// update() without the factors.
  void updateTerms(VectorIn q, VectorIn nu);
  const TreeStorage& links() const { return tree_; }
  const Scratch<double>& scratch() const { return storage_.scratch(); }
  /// Calls factorise() while M holds what links resist turning beside their own inertia.
  template <class Factorise>
  void withTurningInertia(std::span<const Matrix3d> inertia, Factorise factorise) {
    requireTurningInertia(inertia);
    turning_.addTo(tree_, inertia, storage_.scratch());
    factorise();
    turning_.takeOff(tree(), storage_.scratch());
    loops_prepared_ = false;
  }
  const ContactSet<double>& contacts() const { return contacts_.set(); }
  const ContactSet<double>& placedContacts() const;

 private:
  using UpdateKernel = void (*)(const Tree&, Scratch<double>&, const double* q, const double* nu);

  const Tree& tree() const { return tree_.tree(); }
  void updateBy(UpdateKernel kernel, VectorIn q, VectorIn nu);
  void requireTurningInertia(std::span<const Matrix3d> inertia) const;
  Vector3d fromBase(LinkIndex link, const Vector3d& p_LP) const;  ///< a link's point from the base's origin, world axes
  Vector6d biasAccelerationAt(int k, const Vector3d& p) const;    ///< of link k at p from the base's origin
  const Totals<double>& totals() const;
  bool isPlaced(int k) const { return placed_[k] != 0; }
  void place(int k) const;
  void placeAll() const;
  void clearPadding(double* v) const;

  const Model& model_;
  const Kernels<double>& kernels_;
  TreeStorage tree_;
  mutable ScratchStorage<double> storage_;
  mutable ContactStorage<double> contacts_;
  mutable JointRowStorage joint_rows_;
  std::vector<int> number_of_dof_;  ///< in the tree
  mutable LoopStorage loops_;
  const LoopKernels& loop_kernels_;
  mutable TurningInertia turning_;
  bool loops_prepared_ = false;  ///< since the last update
  // updateKinematics() places the links that were asked for before, and others when they are: most never are.
  const LinkKernels& link_kernels_;
  std::vector<int> all_links_;          ///< but the base
  mutable std::vector<int> asked_;      ///< links asked for so far, and all on their ways, ascending
  const std::vector<char> all_;         ///< of each link: yes
  mutable std::vector<char> is_asked_;  ///< of each link
  mutable const char* placed_;          ///< which of these two says what is where the last update puts it
  mutable Totals<double> totals_{};
  mutable bool totals_known_ = false;    ///< they are those of the last update
  mutable bool inertias_known_ = true;   ///< those of the links are, too
  mutable bool contacts_placed_ = true;  ///< their points are those of the last update
};

}  // namespace footfall::native
