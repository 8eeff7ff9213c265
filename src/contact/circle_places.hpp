#pragma once

#include "footfall/contact/contact_place.hpp"

namespace footfall {

/// The lowest point of a circle against the normal below it: the one place that it has on a plane.
ContactPlace placeOfCircle(const ContactFeature& circle, const Pose& X_WL, const Terrain& terrain, TimeSpan span);

/// The place of a circle that lies downhill of its point in the direction `near_W`.
ContactPlace placeDownhill(const ContactFeature& circle, const Pose& X_WL, const Terrain& terrain, TimeSpan span);

}  // namespace footfall
