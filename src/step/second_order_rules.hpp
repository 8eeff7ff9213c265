#pragma once

#include <algorithm>

#include "footfall/model/model.hpp"

namespace footfall {

// Numbers of the second-order scheme, for a robot alone (second_order.cpp) and for those of a pack (pack_step.cpp).

/// Two or three corrections lose a little energy of gyroscopic modes, one and four gain some (theory.md §5).
constexpr int kMaxCorrections = 3;
/// A correction is made if it changes velocities by more than this share of what gravity does in a step.
constexpr double kGate = 1e-5;
/// How far a contact point may go around its link within half a step, as a share of its distance. The rim of a disc
/// that comes to lie flat goes all the way.
constexpr double kFarLever = 0.2;
/// Cosine of the angle by which the ground's normal may turn under a contact within half a step.
constexpr double kTurnedNormal = 0.995;
/// Bodies that turn against a normal by less than this within half a step stay on the face that has it: what rolls
/// would roll by so little that its other point has the same velocity, to the square of this [rad].
constexpr double kFaceTurn = 1e-6;
/// Contacts do no work in smooth motion, to second order. Accepted are these shares of what gravity and the turning of
/// links do to the velocities of contacts in a step.
constexpr double kGravityShare = 0.1, kTurningShare = 0.25;
/// What whips around arrives deeper than velocities say; it is lifted by what is beyond this [m].
constexpr double kDeep = 10e-6;
/// Nothing that others bump into is thinner than twice this [m].
constexpr double kThinnest = 0.1e-3;
/// What the last correction of a flight may still change, as a share of all that moves; beyond, the step is made in
/// pieces by the scheme of fourth order.
constexpr double kLost = 1e-3;
/// In place of a gap: no contact closes by so much in a step [m/s].
constexpr double kNever = 1e3;
/// Speeds along the ground below this share of what gravity makes in a step are sticking [-].
constexpr double kStickingShare = 0.1;
/// A link that turns by less than this within a step has no use for the correction: it is the square of this, over
/// twelve, of its gyroscopic moment [rad].
constexpr double kLittleTurn = 0.02;

/// Accelerations below this share of gravity's cannot be felt in a step of length dt [m/s²].
inline double gateOf(const Model& model, double share, double dt) {
  const double order = std::min(1.0, (dt / 1e-3) * (dt / 1e-3));  // smaller steps are made by those who want more
  return share * order * model.gravity.norm();
}

/// In `steps` steps a body at rest gains this speed before the ground holds it: anything faster arrives from elsewhere.
/// The second-order scheme moves with the velocity at the start of a step, and so lets nothing worth mentioning pass.
inline double impactThreshold(const Model& model, double dt, bool second_order) {
  const double steps = second_order ? 0.1 : 2.0;
  return std::max(steps * model.gravity.norm() * dt, 1e-6);
}

/// Slower than this along the ground is sticking [m/s].
inline double stickingSpeedOf(const Model& model, double dt) { return kStickingShare * model.gravity.norm() * dt; }

/// A contact's point goes too far around its link, from one of these levers to the other.
inline bool goesFar(const Vector3d& lever, const Vector3d& other) {
  const double limit = kFarLever * kFarLever * std::max(lever.squaredNorm(), other.squaredNorm());
  return (other - lever).squaredNorm() > limit;
}

/// What of v is along a surface.
inline Vector3d along(const Vector3d& normal, const Vector3d& v) { return v - normal * normal.dot(v); }

/// By how much faster a point has to leave the ground that would end the step deeper than it was: the velocity at the
/// end moves q for half of the step [m/s].
inline double liftOf(double gap_start, double gap_end, double dt) {
  return 2.0 / dt * std::max(std::min(gap_start, -kDeep) - gap_end, 0.0);
}

}  // namespace footfall
