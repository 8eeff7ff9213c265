#pragma once

#include <optional>

#include "contact/placed_panel.hpp"

namespace footfall {

/// The tip of a hill that is below a face, about so far from a point of it: of a pyramid or a cone, where slopes jump.
std::optional<PanelProbe> tipNear(const PlacedPanel& face, Eigen::Vector2d middle, double distance);

}  // namespace footfall
