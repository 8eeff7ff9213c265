// A ball touches hills where the gap of its surface is smaller than all around. The gap of a point that goes around the
// ball changes by the part of the ground's normal along its surface: places are where that is zero.

#include "contact/ball_places.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

namespace footfall {
namespace {

/// A point of a ball, and the ground there.
struct BallProbe {
  Vector3d direction_W;  ///< from the middle of the ball [-]
  ContactPlace place;
  Vector3d slope_W;  ///< of the gap along the ball [-]

  Vector3d normal() const { return place.surface.R_WC.col(2); }
};

/// A ball at some pose of its link.
class Ball {
 public:
  Ball(const ContactFeature& ball, const Pose& X_WL, const Terrain& terrain, TimeSpan span)
      : origin_W_(X_WL.p), middle_W_(X_WL.R * ball.p_L), radius_(ball.radius), terrain_(terrain), span_(span) {}

  BallProbe at(const Vector3d& direction_W) const {
    BallProbe probe;
    probe.direction_W = direction_W;
    probe.place.lever_W = middle_W_ + radius_ * direction_W;
    probe.place.surface = terrain_.at(origin_W_ + probe.place.lever_W, span_);
    probe.slope_W = probe.normal() - probe.normal().dot(direction_W) * direction_W;
    return probe;
  }

  bool touchesOnce() const { return terrain_.touchesOnce(origin_W_ + middle_W_, radius_, span_); }
  double clearance() const { return terrain_.clearance(origin_W_ + middle_W_, radius_, span_); }
  Vector3d directionOf(const ContactPlace& place) const { return (place.lever_W - middle_W_) / radius_; }

 private:
  Vector3d origin_W_, middle_W_;
  double radius_;
  const Terrain& terrain_;
  TimeSpan span_;
};

/// How far apart places of one ball are at least [rad]. What lies between two that are nearer is 5e-5 of the radius
/// deep.
constexpr double kApart = 0.02;

/// What the ground looks like below a ball and around that, as far as the ball reaches: each side of a valley is seen
/// by one of them.
class NormalsAround {
 public:
  NormalsAround(const ContactPlace& below, double radius, const Vector3d& origin_W, const Terrain& terrain,
                TimeSpan span) {
    constexpr double kDistance = 1.2;  // of the radius
    const Matrix3d& R_WC = below.surface.R_WC;
    normals_W_[0] = R_WC.col(2);
    const Vector3d foot_W = origin_W + below.lever_W - below.surface.gap * R_WC.col(2);
    for (int k = 0; k < kPoints; ++k) {
      const double azimuth = k * 2.0 * std::numbers::pi / kPoints;
      const Vector3d way_W = std::cos(azimuth) * R_WC.col(0) + std::sin(azimuth) * R_WC.col(1);
      normals_W_[1 + k] = terrain.at(foot_W + kDistance * radius * way_W, span).R_WC.col(2);
    }
  }

  /// The ground is flat there.
  bool areOne() const {
    return std::ranges::all_of(normals_W_,
                               [&](const Vector3d& n) { return (n - normals_W_[0]).squaredNorm() < kApart * kApart; });
  }
  std::span<const Vector3d> all() const { return normals_W_; }

 private:
  static constexpr int kPoints = 6;
  std::array<Vector3d, 1 + kPoints> normals_W_;
};

/// Goes down to the place below: first to where it would be if the ground were the plane that the probe sees, then by
/// steps along the slope, as long as the change of the last slope says (Barzilai and Borwein).
/// @param isKnown of a direction: nobody wants to know what is downhill of there
template <class IsKnown>
std::optional<BallProbe> ballDownhill(const Ball& ball, const Vector3d& from_W, const IsKnown& isKnown) {
  constexpr int kMostSteps = 15;
  constexpr double kLongest = 1.0;       // [rad]
  constexpr double kLevelGround = 1e-7;  // as of other shapes on hills [-]
  BallProbe probe = ball.at(from_W);
  double length = 0.0;  // of a step, of the slope [rad]
  for (int k = 0; k < kMostSteps; ++k) {
    const double slope = probe.slope_W.norm(), facing = -probe.normal().dot(probe.direction_W);
    // Straight against the normal it is the same place to the last bit where the ground is flat.
    if (slope <= kLevelGround) return facing > 0.5 ? std::optional(ball.at(-probe.normal())) : std::nullopt;
    if (k == 0) length = std::atan2(slope, facing) / slope;
    const double angle = std::min(length * slope, kLongest);
    const Vector3d way_W = -probe.slope_W / slope;
    const Vector3d next_W = (std::cos(angle) * probe.direction_W + std::sin(angle) * way_W).normalized();
    if (isKnown(next_W)) return std::nullopt;
    const BallProbe next = ball.at(next_W);
    // The slope along the way has turned with it; what was gained is what the ground has left of it.
    const Vector3d way_then_W = std::cos(angle) * way_W - std::sin(angle) * probe.direction_W;
    const double turned = slope + next.slope_W.dot(way_then_W);
    length = turned > 0.0 ? angle / turned : 2.0 * length;
    probe = next;
  }
  return std::nullopt;
}

}  // namespace

ContactPlace ballPlaceDownhill(const ContactFeature& ball, const Pose& X_WL, const Terrain& terrain, TimeSpan span) {
  const auto place = ballDownhill(Ball(ball, X_WL, terrain, span), ball.near_W, [](const Vector3d&) { return false; });
  return place ? place->place : findBallPlace(ball.p_L, ball.radius, X_WL, terrain, span);
}

void findBallPlaces(const ContactFeature& feature, const Pose& X_WL, const Terrain& terrain, TimeSpan span,
                    double reach, BallPlaces& found) {
  const ContactPlace below = findBallPlace(feature.p_L, feature.radius, X_WL, terrain, span);
  found.places[0] = below;
  found.count = 1;
  found.below_middle = true;
  const Ball ball(feature, X_WL, terrain, span);
  if (feature.radius == 0.0 || ball.touchesOnce() || ball.clearance() > reach) return;
  const NormalsAround around(below, feature.radius, X_WL.p, terrain, span);
  if (around.areOne()) return;
  // What is below the middle need not be one of them: in a narrow valley it is only where the search began.
  found.count = 0;
  const auto isKnown = [&](const Vector3d& direction_W) {
    const auto end = found.places.begin() + found.count;
    return std::any_of(found.places.begin(), end, [&](const ContactPlace& place) {
      return (ball.directionOf(place) - direction_W).squaredNorm() < kApart * kApart;
    });
  };
  for (const Vector3d& normal_W : around.all()) {
    if (isKnown(-normal_W)) continue;
    const auto place = ballDownhill(ball, -normal_W, isKnown);
    if (place && found.count < BallPlaces::kMost) found.places[found.count++] = place->place;
  }
  found.below_middle = found.count == 0;
  if (found.below_middle) found.places[found.count++] = below;
}

ContactFeature BallPlaces::featureOf(int place, const ContactFeature& ball, const Pose& X_WL) const {
  ContactFeature feature = ball;
  if (!below_middle) feature.near_W = (places[place].lever_W - X_WL.R * ball.p_L) / ball.radius;
  return feature;
}

}  // namespace footfall
