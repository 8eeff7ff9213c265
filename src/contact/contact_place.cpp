#include "footfall/contact/contact_place.hpp"

#include "footfall/geometry/shape.hpp"

namespace footfall {
namespace {

ContactPlace placeOfCircle(const ContactFeature& circle, const Pose& X_WL, const Terrain& terrain, TimeSpan span) {
  constexpr int kMostSteps = 4;
  constexpr double kSameNormal = 1e-12;  // [-]
  const Vector3d middle_W = X_WL.R * circle.p_L, axis_W = X_WL.R * circle.axis_L;
  ContactPlace place;
  Vector3d normal = terrain.at(X_WL.p + middle_W, span).R_WC.col(2);
  for (int k = 0; k < kMostSteps; ++k) {
    place.lever_W = middle_W + circle.radius * towardsLowestPoint(axis_W, normal);
    place.surface = terrain.at(X_WL.p + place.lever_W, span);
    const Vector3d found = place.surface.R_WC.col(2);
    if ((found - normal).squaredNorm() <= kSameNormal * kSameNormal) break;
    normal = found;
  }
  return place;
}

}  // namespace

ContactPlace findContactPlace(const ContactFeature& feature, const Pose& X_WL, const Terrain& terrain, TimeSpan span) {
  if (feature.isCircle()) return placeOfCircle(feature, X_WL, terrain, span);
  ContactPlace place;
  const Vector3d middle_W = X_WL.R * feature.p_L;
  place.surface = terrain.at(X_WL.p + middle_W, span);
  place.surface.gap -= feature.radius;
  place.lever_W = middle_W - feature.radius * place.surface.R_WC.col(2);
  return place;
}

}  // namespace footfall
