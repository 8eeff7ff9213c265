#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "physics/scene_tools.hpp"

namespace footfall::physics {

inline constexpr double kDegree = M_PI / 180.0;

/// The cube of boxScene(), put on a ground with this friction.
inline Scene crateOn(double friction) {
  Scene scene = boxScene();
  scene.robot.on_ground = true;
  scene.ground.friction = friction;
  return scene;
}

inline SceneTimeLaw constantSpeed(double speed) {
  SceneTimeLaw law;
  law.kind = "speed";
  law.speed = speed;
  return law;
}

/// amplitude · cos(2π frequency t): at rest at the start.
inline SceneTimeLaw cosine(double amplitude, double frequency) {
  SceneTimeLaw law;
  law.kind = "sine";
  law.amplitude = amplitude;
  law.frequency = frequency;
  law.phase = 0.5 * M_PI;
  return law;
}

inline SceneTimeLaw speedTable(std::vector<std::pair<double, double>> points) {
  SceneTimeLaw law;
  law.kind = "rates";
  law.points = std::move(points);
  return law;
}

/// The fastest contact relative to the ground below it, along the ground [m/s].
inline double fastestSlip(const StepResult& result) {
  double fastest = 0.0;
  for (const ContactReport& contact : result.contacts) fastest = std::max(fastest, contact.velocity_C.head<2>().norm());
  return fastest;
}

/// Sum of all contact forces [N].
inline Vector3d groundForce(const StepResult& result) {
  Vector3d sum = Vector3d::Zero();
  for (const ContactReport& contact : result.contacts) sum += contact.force_W;
  return sum;
}

}  // namespace footfall::physics
