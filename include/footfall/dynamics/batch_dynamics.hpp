#pragma once

#include <memory>
#include <span>

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/spatial/contact_layout.hpp"

namespace footfall {

/// One vector for each of eight robots, entry by entry side by side: the form in which they are computed together.
class BatchVector {
 public:
  static constexpr int kRobots = 8;

  explicit BatchVector(int size) : values_(static_cast<std::size_t>(size) * kRobots, 0.0) {}

  int size() const { return static_cast<int>(values_.size()) / kRobots; }
  double& operator()(int entry, int robot) { return values_[entry * kRobots + robot]; }
  double operator()(int entry, int robot) const { return values_[entry * kRobots + robot]; }
  double* data() { return values_.data(); }
  const double* data() const { return values_.data(); }

  /// The vector of one robot, as a strided view.
  auto robot(int robot) { return Eigen::Map<VectorXd, 0, Eigen::InnerStride<kRobots>>(values_.data() + robot, size()); }
  auto robot(int robot) const {
    return Eigen::Map<const VectorXd, 0, Eigen::InnerStride<kRobots>>(values_.data() + robot, size());
  }

 private:
  AlignedVector values_;
};

/// Eight robots of one Model in lock-step, each in its own state: the engine `native` with a robot in every lane of a
/// vector register. Everything is as in Dynamics, for eight robots at once.
///
/// Contact vectors are component-major without padding: component c of contact i is at c · contacts + i.
class BatchDynamics {
 public:
  static constexpr int kRobots = BatchVector::kRobots;

  /// Models with mimic joints, or with motors that couple branches, are not for packs.
  static bool takes(const Model& model);
  /// The model must outlive the batch. Throws Error where it is not for packs.
  explicit BatchDynamics(const Model& model);
  ~BatchDynamics();

  const Model& model() const;

  /// What the links of one robot weigh, from the next update() on; robots that are told nothing are as the model says.
  /// The first call takes memory. As Dynamics::setLinkMasses().
  void setLinkMasses(int robot, std::span<const LinkMass> masses);
  /// Beside that of the links and motors, for the next update() (n).
  void setImplicitInertia(const BatchVector& diagonal);
  /// Kinematics, M with its factorisation, and h.
  void update(const BatchVector& q, const BatchVector& nu);
  /// Poses and velocities of the links alone: what contactPlaces() needs.
  void updateKinematics(const BatchVector& q, const BatchVector& nu);
  void updateVelocity(const BatchVector& nu);

  void biasForces(BatchVector& h) const;                          ///< (nv)
  void gravityForces(BatchVector& g) const;                       ///< (nv)
  void solveMass(BatchVector& x) const;                           ///< x ← M⁻¹ x
  void multiplyMass(const BatchVector& x, BatchVector& y) const;  ///< y ← M x
  void massMatrix(int robot, MatrixOut M) const;                  ///< (nv × nv)
  Pose linkPose(int robot, LinkIndex link) const;                 ///< X_WL

  /// The same points of the links, with the same axes, touch the ground for all eight.
  void setContacts(std::span<const ContactFrame> contacts);
  /// The same of balls with these radii around the points: they touch with the point that lies farthest against the
  /// normal. A radius of zero is a point.
  void setContacts(std::span<const ContactFrame> contacts, std::span<const double> radii);
  /// Where the contacts are in the world, and how fast they move there with the ν of the last update, in contact axes;
  /// both (3 nc).
  void contactPlaces(BatchVector& p_W, BatchVector& v_C) const;
  void contactVelocity(const BatchVector& nu, BatchVector& v) const;     ///< v ← J ν, (3 nc)
  void contactBiasAcceleration(BatchVector& a) const;                    ///< a ← J̇ ν, (3 nc)
  void addContactImpulse(const BatchVector& p, BatchVector& tau) const;  ///< tau += Jᵀ p
  void delassus(BatchVector& G) const;                                   ///< J M⁻¹ Jᵀ, row by row (3 nc × 3 nc)
  /// Column by column (3 nc × nv), row 3 i + c. Entries of coordinates that do not move a contact are not written: they
  /// are zero in a new BatchVector.
  void contactJacobian(BatchVector& J) const;

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace footfall
