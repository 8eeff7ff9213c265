#pragma once

#include <cstdint>
#include <vector>

#include "footfall/batch/batch_array.hpp"
#include "footfall/model/state.hpp"
#include "footfall/solver/contact_problem.hpp"
#include "footfall/step/internal/mass_traits.hpp"

namespace footfall {

/// The numbers of all worlds. Arrays of what nobody has asked for are empty.
struct Worlds {
  Worlds(int copies, const State& initial);

  int copies() const { return q.copies(); }
  std::size_t bytes() const;

  /// Starts a world anew.
  void reset(int world, const State& initial);

  /// The state of a world; `to` has the right sizes.
  void load(int world, State& to) const;
  void store(int world, const State& from);

  // state
  BatchArray q, nu, motors, time;
  std::vector<WarmStart> warm;  ///< of each world; where bodies touch each other it grows with their contacts
  std::vector<StepCount> count;

  // inputs
  BatchArray tau;          ///< (n)
  BatchArray generalized;  ///< (nv)
  BatchArray push;         ///< wrench in world axes at the origin of the push link (6)
  BatchArray target;       ///< of what holds the posture (n)

  // parameters
  BatchArray stiffness, damping;  ///< of the same (n)
  BatchArray motor_strength;      ///< (n)
  BatchArray friction;            ///< times that of the scene (1)
  BatchArray delay;               ///< of tau and target, in steps (1)
  BatchArray mass;                ///< of each link with its inertia, times that of the model (links)
  BatchArray payload;             ///< at the base's centre of mass, without inertia of its own (1)
  BatchArray com_shift;           ///< of the base's centre of mass, in its axes (3)
  BatchArray start_q, start_nu;   ///< where reset() puts the world

  // results
  std::vector<SolveStatus> status;
  std::vector<std::int64_t> auto_resets;
  BatchArray sole_wrench;   ///< (6 × soles)
  BatchArray joint_torque;  ///< (n)

  /// What follows from the masses of each world, where it has its own: worked out again when these change.
  struct Weighed {
    VectorXd masses;  ///< mass, payload and com_shift that the traits belong to
    MassTraits traits;
  };
  std::vector<Weighed> weighed;
  bool ownMasses() const { return !mass.empty() || !payload.empty() || !com_shift.empty(); }

  /// What was commanded in the last steps, a ring for each world; rows of tau, then of target.
  BatchArray commands;
  std::vector<std::int64_t> commanded;  ///< how many commands there were since the start
};

}  // namespace footfall
