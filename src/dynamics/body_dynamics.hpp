#pragma once

#include <Eigen/Cholesky>
#include <optional>
#include <vector>

#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// A rigid body that floats by itself, in closed form: the terms of an engine for trees without their sweeps. Worlds
/// have hundreds of them. Its only link is its base: ν is the velocity of the link's origin and how the body turns.
class BodyDynamics : public Dynamics {
 public:
  /// Whether a model is such a body.
  static bool describes(const Model& model) { return model.floating_base && model.links.size() == 1; }

  /// @param engine whose place it takes: what name() says
  BodyDynamics(const Model& model, std::string_view engine);

  std::string_view name() const override { return engine_; }
  const Model& model() const override { return model_; }

  void update(VectorIn q, VectorIn nu) override;
  void updateVelocity(VectorIn nu) override;
  void setImplicitInertia(VectorIn) override {}  // of joints, which it has none of

  void massMatrix(MatrixOut M) const override;
  void biasForces(VectorOut h) const override;
  void gravityForces(VectorOut g) const override;
  void solveMass(VectorOut x) const override;
  void multiplyMass(VectorIn x, VectorOut y) const override;
  Vector6d momentum() const override;
  Vector3d centerOfMass() const override { return p_WB_ + c_W_; }
  Energy energy() const override;

  Pose linkPose(LinkIndex) const override { return {R_WB_, p_WB_}; }
  Vector6d linkVelocity(LinkIndex) const override { return nu_; }
  Vector6d linkBiasAcceleration(LinkIndex) const override { return Vector6d::Zero(); }
  void frameJacobian(FrameIndex frame, MatrixOut J) const override;
  Vector6d frameBiasAcceleration(FrameIndex frame) const override;
  void addWrench(LinkIndex link, const Vector3d& p_LP, const Vector6d& wrench_W, VectorOut tau) const override;

  void setContacts(std::span<const ContactFrame> contacts) override;
  void contactVelocity(VectorIn nu, double* v) const override;
  void contactBiasAcceleration(double* a) const override;
  void addContactImpulse(const double* p, VectorOut tau) const override;
  void delassus(double* G) const override;
  void contactJacobian(MatrixOut J) const override;
  void reserveContacts(int max_contacts) override;

  /// V with V Vᵀ = delassus(): a column for each row of each contact, as contactJacobian() counts them, (6 × 3 nc).
  void contactMotions(Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> motions) const;

  bool setLinkMasses(std::span<const LinkMass> masses) override;
  bool addTurningInertia(std::span<const Matrix3d> inertia) override;
  void multiplyTurningInertia(VectorIn x, VectorOut y) const override;

  // Nothing ties a body to itself: ties to others are those of the forest.
  void prepareLoops() override {}
  void loopJacobian(MatrixOut) const override {}
  void loopBiasAcceleration(VectorOut) const override {}
  void loopGaps(VectorOut) const override {}
  void loopGapsAt(VectorIn, VectorOut) const override {}
  void closeLoops(VectorIn, VectorOut, VectorOut) const override {}

 private:
  struct Point {
    Vector3d p_LC;
    Matrix3d R_WC;
    Vector3d lever_W = Vector3d::Zero();  ///< from the link's origin, at the last update [m]
  };

  auto velocity() const { return nu_.head<3>(); }
  auto turning() const { return nu_.tail<3>(); }
  void setInertia(const SpatialInertia& inertia);
  const Matrix3d& rotationalInertia() const;
  void factorise() const;
  const std::vector<Point>& placedPoints() const;

  const Model& model_;
  std::string_view engine_;
  SpatialInertia inertia_;                      ///< axes of the link
  std::optional<SpatialInertia> next_inertia_;  ///< from the next update on
  double root_mass_ = 0.0;

  Matrix3d R_WB_ = Matrix3d::Identity();
  Vector3d p_WB_ = Vector3d::Zero();
  Vector6d nu_ = Vector6d::Zero();
  Vector3d c_W_ = Vector3d::Zero();              ///< from the link's origin to the centre of mass, world axes [m]
  mutable Matrix3d I_W_ = Matrix3d::Identity();  ///< about the centre of mass, world axes, where it is known [kg m²]
  mutable bool inertia_known_ = false;
  Matrix3d resistance_W_ = Matrix3d::Zero();  ///< to turning, beside its own inertia [kg m²]

  mutable Eigen::LLT<Matrix3d> factor_;  ///< of I_W_ + resistance_W_, where it is known
  mutable bool factor_known_ = false;
  mutable bool points_placed_ = false;
  ContactLayout layout_;
  mutable std::vector<Point> points_;
  mutable Eigen::Matrix<double, 6, Eigen::Dynamic> motions_;  ///< scratch of delassus()
};

}  // namespace footfall
