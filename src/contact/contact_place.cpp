#include "footfall/contact/contact_place.hpp"

#include "contact/ball_places.hpp"
#include "contact/circle_places.hpp"
#include "footfall/geometry/shape.hpp"

namespace footfall {
namespace {

/// One plane of a ground as a ground of its own.
class PlaneOf final : public Terrain {
 public:
  PlaneOf(const Terrain& ground, int plane) : ground_(ground), plane_(plane) {}
  SurfacePoint at(const Vector3d& p_W, TimeSpan span) const override { return ground_.atPlane(plane_, p_W, span); }
  bool isPlane() const override { return true; }

 private:
  const Terrain& ground_;
  int plane_;
};

/// A slope of a ground as a plane.
class SlopeOf final : public Terrain {
 public:
  SlopeOf(const Terrain& ground, const ContactFeature& feature)
      : ground_(ground), R_WC_(rotationWithZ(feature.slope_W)), offset_(feature.slope_offset) {}
  SurfacePoint at(const Vector3d& p_W, TimeSpan span) const override {
    SurfacePoint surface = ground_.at(p_W, span);
    surface.gap = R_WC_.col(2).dot(p_W) - offset_;
    surface.R_WC = R_WC_;
    return surface;
  }
  bool isPlane() const override { return true; }

 private:
  const Terrain& ground_;
  Matrix3d R_WC_;
  double offset_;
};

}  // namespace

ContactPlace placeOfCircle(const ContactFeature& circle, const Pose& X_WL, const Terrain& terrain, TimeSpan span) {
  constexpr int kMostSteps = 10;        // each takes away a share of about the radius times the curvature of the ground
  constexpr double kSameNormal = 1e-9;  // [-]
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

ContactPlace findContactPlace(const ContactFeature& feature, const Pose& X_WL, const Terrain& terrain, TimeSpan span) {
  if (feature.plane >= 0) {
    ContactFeature alone = feature;
    alone.plane = -1;
    return findContactPlace(alone, X_WL, PlaneOf(terrain, feature.plane), span);
  }
  if (feature.isOfSlope()) {
    ContactFeature alone = feature;
    alone.slope_W.setZero();
    return findContactPlace(alone, X_WL, SlopeOf(terrain, feature), span);
  }
  if (feature.isCircle() && !terrain.isPlane() && !feature.near_W.isZero(0.0))
    return placeDownhill(feature, X_WL, terrain, span);
  if (feature.isCircle()) return placeOfCircle(feature, X_WL, terrain, span);
  ContactPlace place = feature.near_W.isZero(0.0) ? findBallPlace(feature.p_L, feature.radius, X_WL, terrain, span)
                                                  : ballPlaceDownhill(feature, X_WL, terrain, span);
  if (feature.isOfFace()) place.moveToFace(feature);
  return place;
}

}  // namespace footfall
