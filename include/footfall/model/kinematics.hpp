#pragma once

#include <vector>

#include "footfall/model/model.hpp"

namespace footfall {

/// Poses X_WL of all links at q, into `poses` (resized at the first call only). For those who need positions alone and
/// not a physics engine.
void forwardKinematics(const Model& model, const VectorXd& q, std::vector<Pose>& poses);

}  // namespace footfall
