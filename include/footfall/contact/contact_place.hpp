#pragma once

#include <array>

#include "footfall/spatial/pose.hpp"
#include "footfall/terrain/terrain.hpp"

namespace footfall {

/// What of a link L can touch the ground: a point, a ball, or a circle (the rim of a wheel).
struct ContactFeature {
  Vector3d p_L = Vector3d::Zero();     ///< the point, or the middle of the ball or circle [m]
  double radius = 0.0;                 ///< of the ball or circle; 0: a point [m]
  Vector3d axis_L = Vector3d::Zero();  ///< of the circle, a unit vector; zero: a point or ball [-]
  Vector3d face_C = Vector3d::Zero();  ///< which point of its face, in the axes of the contact; zero: it has none [m]
  int plane = -1;                      ///< which plane of the ground it touches; −1: whatever is nearest
  /// Of a ball or circle that touches in several places: from its middle to this one [-]
  Vector3d near_W = Vector3d::Zero();
  /// Of what arrives at another slope of the ground within the step: the normal of that slope, and how far its plane is
  /// from the origin; zero: it touches whatever is nearest [-], [m]
  Vector3d slope_W = Vector3d::Zero();
  double slope_offset = 0.0;

  bool isCircle() const { return !axis_L.isZero(0.0); }
  /// It touches with the same point of the link wherever the link is.
  bool isFixedPoint() const { return radius == 0.0 && !isOfFace(); }
  bool isOfFace() const { return !face_C.isZero(0.0); }
  bool isOfSlope() const { return !slope_W.isZero(0.0); }
};

/// Where a feature meets the ground. The point of a ball or circle is one of the surface, not of the material: it
/// travels as the link rolls. The gap changes with the normal velocity of the material point that is there: that of the
/// link at `lever_W`.
struct ContactPlace {
  SurfacePoint surface;                 ///< the ground nearest to the feature; its gap is that of the feature
  Vector3d lever_W = Vector3d::Zero();  ///< from the link's origin to the feature's point nearest to the ground [m]

  /// From the middle of a face to one of its points.
  void moveToFace(const ContactFeature& feature) { lever_W += surface.R_WC * feature.face_C; }
};

/// Where the feature of a link at X_WL meets the ground, at the start of the span: for any pose, also one that the
/// engine does not stand at. Cheap; allocates nothing.
///
/// The lowest point of a circle is that against the normal of the ground below it, which is found in a few steps: the
/// first is exact for a plane, and for a wheel that stands in the plane of the ground's curvature. Of several places it
/// is the one downhill of `near_W`.
ContactPlace findContactPlace(const ContactFeature& feature, const Pose& X_WL, const Terrain& terrain, TimeSpan span);

/// Where a circle is nearer to the ground than beside that place.
struct CirclePlaces {
  static constexpr int kMost = 8;
  std::array<ContactPlace, kMost> places;  ///< around the circle, from where it is highest
  std::array<bool, kMost> at_edge{};       ///< the ground has an edge there: its normal is that of a face beside it
  int count = 0;
  bool on_one_plane = true;  ///< all that the circle sees of the ground is one plane; then there is one place

  /// What findContactPlace() finds this one again by.
  ContactFeature featureOf(int place, const ContactFeature& circle, const Pose& X_WL) const;
};

/// All of them that may be nearer than `reach`, and always one.
void findCirclePlaces(const ContactFeature& circle, const Pose& X_WL, const Terrain& terrain, TimeSpan span,
                      double reach, CirclePlaces& found);

/// Where a ball is nearer to the ground than beside that place: in a valley that is narrower than itself it lies on
/// both sides, and not on what is below its middle.
struct BallPlaces {
  static constexpr int kMost = CirclePlaces::kMost;
  std::array<ContactPlace, kMost> places;
  int count = 0;
  bool below_middle = true;  ///< there is one place, that of findBallPlace()

  /// What findContactPlace() finds this one again by.
  ContactFeature featureOf(int place, const ContactFeature& ball, const Pose& X_WL) const;
};

/// All of them where one may be nearer than `reach`, and always one. Of a face, its middle.
void findBallPlaces(const ContactFeature& ball, const Pose& X_WL, const Terrain& terrain, TimeSpan span, double reach,
                    BallPlaces& found);

/// findContactPlace() of a feature that is known to be a point or a ball in one place: most are. Of a face, its middle.
inline ContactPlace findBallPlace(const Vector3d& p_L, double radius, const Pose& X_WL, const Terrain& terrain,
                                  TimeSpan span) {
  const Vector3d middle_W = X_WL.R * p_L;
  ContactPlace place{terrain.at(X_WL.p + middle_W, span)};
  place.surface.gap -= radius;
  place.lever_W = middle_W - radius * place.surface.R_WC.col(2);
  return place;
}

}  // namespace footfall
