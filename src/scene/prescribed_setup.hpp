#pragma once

#include <string>

#include "footfall/model/model.hpp"
#include "footfall/scene/scene.hpp"
#include "footfall/terrain/time_function.hpp"

namespace footfall {

/// The scene with its prescribed joints placed (robot.initial) where their motion starts; throws Error when the scene
/// puts one elsewhere.
Scene placePrescribedJoints(const Scene& scene);

/// Marks the coordinates of a model that the scene prescribes. Throws Error for joints that are unknown, named twice,
/// or driven by a motor or a spring of the scene as well.
void markPrescribedJoints(const Scene& scene, Model& model);

/// The motion of a prescribed joint without its offset; there must be one.
TimeFunction lawOfPrescribed(const ScenePrescribed& prescribed);

[[noreturn]] void refusePrescribed(const ScenePrescribed& prescribed, const std::string& what, const std::string& hint);

constexpr double kSamePosition = 1e-9;  ///< rounding of numbers in files [rad or m]

}  // namespace footfall
