#pragma once

#include "footfall/model/model.hpp"

// Positions of ball joints are rotation vectors: they are added and subtracted as rotations are. All displacements here
// are in the axes of the joint frame, as the velocities of ball joints are.

namespace footfall {

/// The first of the three coordinates of each ball joint, ascending: what Model::balls is to hold.
std::vector<DofIndex> ballsOf(const Model& model);

/// One of the two links without mass between the three joints of a ball joint. Its pose is that of the joint frame; how
/// it moves is the engine's own affair.
bool isInsideBall(const Model& model, LinkIndex link);

/// The rotation `theta`, turned further by `turn`: exp(turn) exp(theta), no longer than π [rad].
inline Vector3d turnedBy(const Vector3d& turn, const Vector3d& theta) {
  return rotationVector(expQuaternion(turn) * expQuaternion(theta));
}

/// What turns the rotation `from` into `to`: exp(turn) exp(from) = exp(to), no longer than π [rad].
inline Vector3d turnBetween(const Vector3d& from, const Vector3d& to) {
  return rotationVector(expQuaternion(to) * expQuaternion(from).conjugate());
}

/// What springs of ball joints pull with beyond stiffness · (rest − s): they pull along the turn that leads to where
/// they are at rest. For those who have added that product for all joints.
template <class Stiffness, class Joints, class Rest, class Torque>
void turnBallSprings(const Model& model, const Stiffness& stiffness, const Joints& s, const Rest& rest,
                     Torque&& torque) {
  for (const DofIndex ball : model.balls) {
    const Vector3d from = s.template segment<3>(ball), to = rest.template segment<3>(ball);
    torque.template segment<3>(ball) +=
        stiffness.template segment<3>(ball).cwiseProduct(turnBetween(from, to) - (to - from));
  }
}

/// What leads from one posture to another: to − from, and for ball joints the turn between them. In the order of the
/// coordinates of `model`. A spring pulls along it. Allocates nothing.
template <class From, class To, class Way>
void jointWay(const Model& model, const From& from, const To& to, Way&& way) {
  way = to - from;
  for (const DofIndex ball : model.balls)
    way.template segment<3>(ball) =
        turnBetween(Vector3d(from.template segment<3>(ball)), Vector3d(to.template segment<3>(ball)));
}

}  // namespace footfall
