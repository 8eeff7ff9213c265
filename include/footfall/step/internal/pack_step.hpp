#pragma once

#include <memory>

#include "footfall/step/internal/mass_traits.hpp"
#include "footfall/step/stages.hpp"

namespace footfall {

/// A robot that weighs something else than its model says.
struct OwnMasses {
  std::span<const LinkMass> links;
  const MassTraits& traits;  ///< of these masses
};

/// Steps of eight robots of one model at once, each in its own state: the step of the second-order scheme for what most
/// steps of a robot on its feet are, smooth motion on or near a plane with contacts that stick or slide. Steps that
/// turn out to be something else (an impact, a flight far from the ground, a joint near its limit, contacts whose
/// states are hard to find) are not made, and go their way one by one.
///
/// What a robot gives depends on its own numbers alone: neither on the others of the pack nor on its place in it, to
/// the bit. It differs from step() by rounding and by what the contact solver leaves, below its tolerance (decision
/// 0026).
class PackStep {
 public:
  static constexpr int kRobots = 8;

  /// Null where robots of this model on this ground do not step in packs: docs/batch.md says which do. The model must
  /// outlive it. @param ground friction of each step is times that of this
  static std::unique_ptr<PackStep> make(const Model& model, const Terrain& ground, const Settings& settings);
  ~PackStep();

  /// Forgets all robots.
  void clear();
  /// Takes a robot into the pack, which must not be full; its number in it is how many there were before. False: this
  /// is no step for a pack. Throws Error where a spring has a negative gain.
  /// @param friction times that of the ground
  /// @param masses null: those of the model. Robots with own masses, once there was one, are not mixed with others.
  bool add(const StepStart& start, double friction, const OwnMasses* masses = nullptr);
  /// Takes the memory that own masses need.
  void reserveMasses();
  int size() const;
  /// Whether contacts of this robot are likely to slide, which takes longer: such robots are best together in packs.
  bool mightSlide(const WarmStart& warm, double friction) const;

  /// Steps the robots of the pack.
  void step();
  /// Whether the step of a robot was made. What follows is about such a step.
  bool made(int robot) const;

  /// q, nu and warm are those of the end of the step; memory for them is there.
  void storeNext(int robot, Eigen::Ref<VectorXd> q, Eigen::Ref<VectorXd> nu, WarmStart& warm) const;
  /// As StepResult::joint_torque.
  void storeJointTorque(int robot, Eigen::Ref<VectorXd> torque) const;
  /// Wrenches of Model::soles(), as SoleReport::wrench_F (6 × soles).
  void storeSoleWrenches(int robot, Eigen::Ref<VectorXd> wrenches) const;

 private:
  struct Parts;
  explicit PackStep(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall
