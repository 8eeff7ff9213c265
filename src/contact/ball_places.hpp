#pragma once

#include "footfall/contact/contact_place.hpp"

namespace footfall {

/// The place of a ball that lies downhill of its point in the direction `near_W`.
ContactPlace ballPlaceDownhill(const ContactFeature& ball, const Pose& X_WL, const Terrain& terrain, TimeSpan span);

}  // namespace footfall
