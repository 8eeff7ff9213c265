#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/state.hpp"

namespace footfall {

struct AppliedForces;
class LoopMotion;
class PrescribedMotion;
struct JointSprings;

/// The smooth motion of a robot that touches nothing, its loops closed: what integrators may ask about.
class FreeMotion {
 public:
  FreeMotion(Dynamics& dynamics, LoopMotion& loops, PrescribedMotion& prescribed, const AppliedForces& applied,
             const JointSprings* springs, VectorXd& tau, VectorXd& inertia)
      : dynamics_(dynamics),
        loops_(loops),
        prescribed_(prescribed),
        applied_(applied),
        springs_(springs),
        tau_(tau),
        inertia_(inertia) {}

  const Model& model() const { return dynamics_.model(); }
  Dynamics& dynamics() { return dynamics_; }

  /// ν̇ at (q, ν), springs and dampers taken as they are there. Prescribed joints are first put where they are after
  /// this fraction of the step, 0 to 1.
  void acceleration(double fraction, VectorXd& q, VectorXd& nu, VectorXd& nu_dot);

  /// Of the loops after acceleration(), which do no work, if the robot moves with nu [W].
  double loopPower(const VectorXd& nu) const;

  /// Puts prescribed joints where they are at the end of the step.
  void placeAtEnd(VectorXd& q, VectorXd& nu) const;

  /// Nothing but gravity and the input changes the momentum.
  bool keepsMomentum() const;

  /// Rate of the linear [N] and of the angular momentum about the centre of mass [N m] at (q, ν), where the engine is,
  /// after this fraction of the step.
  Vector6d momentumRate(double fraction, const VectorXd& q, const VectorXd& nu) const;

 private:
  Dynamics& dynamics_;
  LoopMotion& loops_;
  PrescribedMotion& prescribed_;
  const AppliedForces& applied_;
  const JointSprings* springs_;
  VectorXd& tau_;      ///< scratch (nv)
  VectorXd& inertia_;  ///< none, but that of prescribed joints (n)
};

/// What an integrator gets for one step of a robot that touches nothing.
struct FreeStep {
  FreeMotion& motion;       ///< the engine's last update was at (q, nu)
  const VectorXd& nu_free;  ///< velocity after one Euler step, springs and dampers implicit (nv)
  double dt;                ///< [s]
};

/// The port to integrators. They move the robot through smooth phases; while contacts are active, velocities come from
/// the contact problem, and the integrator only says with which velocity the configuration moves.
class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual std::string_view name() const = 0;
  virtual void reserve(const Model& model) = 0;

  /// Of accuracy in smooth motion without contacts.
  virtual int order() const { return 1; }

  /// The whole step, contacts included, is that of `second_order`; advance() serves where it cannot be followed.
  virtual bool ownsStep() const { return false; }

  /// A step is one evaluation of the dynamics: loops are then kept on the level of velocities, as contacts are.
  virtual bool singleStage() const { return false; }

  /// Advances q and nu by one step without contacts.
  virtual void advance(const FreeStep& step, VectorXd& q, VectorXd& nu) = 0;

  /// In a step with contacts: does the configuration move with the velocity at the end (which keeps bodies out of the
  /// ground) or with that at the start?
  virtual bool movesWithEndVelocity() const { return true; }
};

/// `second_order`, `semi_implicit_euler`, `explicit_euler`, `rk4` or `midpoint`; throws Error that names the choices.
std::unique_ptr<Integrator> makeIntegrator(const std::string& name);

}  // namespace footfall
