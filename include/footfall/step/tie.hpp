#pragma once

#include <array>
#include <string>
#include <string_view>

#include "footfall/step/step.hpp"

namespace footfall {

// Joints that are made and released while a simulation runs: a hand that takes a ball, a magnet that lets it go, two
// robots that dock. docs/bodies.md

/// Two frames that are to stay together, as they are to each other when the tie is made.
struct TieRequest {
  std::array<std::string, 2> between = {};  ///< names of frames; one may be `world`
  std::string name = {};                    ///< empty: "a-b"
  LoopKind joint = LoopKind::weld;          ///< at the origin of the first frame; of the second where that is the world
  Vector3d axis = Vector3d::UnitZ();        ///< of a hinge or a slider, in the first frame [-]
  double within = 0.01;                     ///< how far apart the two links may be, by their collision shapes [m]
};

/// What making a tie took.
struct TieImpact {
  std::string name;
  /// On the link of the second frame, about the origin and in the axes of the joint [N s, N m s].
  Vector6d impulse = Vector6d::Zero();
  double lost_energy = 0.0;  ///< kinetic, never below zero but by rounding [J]
};

/// Adds the tie to the state. What moves against each other then moves together at once: an inelastic impact, together
/// with the contacts and joint limits of that instant; momentum is kept, and energy is never gained. Throws Error that
/// names the field of the request (unknown names, a name that is taken, links that are held together already, links
/// that are too far apart); the state is then as before. Takes memory: called between steps.
TieImpact tie(const TieRequest& request, State& state, Workspace& workspace);

/// Takes a tie away; velocities stay. Throws Error with the names of the ties where there is none of this name.
void release(std::string_view name, State& state);

/// The model with ties as loops. What they hold passes through each other.
Model withTies(const Model& model, const std::vector<Loop>& ties);

/// Names of joints in files and in Python: ball, hinge, slider, weld.
const char* nameOf(LoopKind kind);
/// Throws Error with the choices.
LoopKind loopKindNamed(std::string_view name);

}  // namespace footfall
