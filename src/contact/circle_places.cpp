// A circle touches the ground where its gap is smaller than beside that place. On a plane there is one such place. In a
// valley that is narrower than the circle there are two, and as many as the ground has faces elsewhere. The gap of a
// point that goes around the circle changes by its slope, the part of the ground's normal along the circle: places are
// where slopes turn from below to above zero.

#include "contact/circle_places.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/geometry/shape.hpp"

namespace footfall {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kLevel = 1e-10;      ///< a slope below this is none [-]
constexpr double kSameNormal = 1e-9;  ///< [-]
constexpr double kSamePlane = 1e-9;   ///< [m]

/// A point of a circle, and the ground there.
struct Probe {
  double angle = 0.0;  ///< from the start of the circle [rad]
  ContactPlace place;
  double slope = 0.0;  ///< of the gap along the circle [-]

  Vector3d normal() const { return place.surface.R_WC.col(2); }
  bool falls() const { return slope < 0.0; }
};

/// One plane is below both: stairs have others with the same normal.
bool onOnePlane(const Probe& a, const Probe& b) {
  const double gap = a.place.surface.gap + a.normal().dot(b.place.lever_W - a.place.lever_W);
  return (a.normal() - b.normal()).squaredNorm() <= kSameNormal * kSameNormal &&
         std::abs(b.place.surface.gap - gap) <= kSamePlane;
}

/// A circle at some pose of its link.
class Circle {
 public:
  Circle(const ContactFeature& circle, const Pose& X_WL, const Terrain& terrain, TimeSpan span)
      : origin_W_(X_WL.p),
        middle_W_(X_WL.R * circle.p_L),
        axis_W_(X_WL.R * circle.axis_L),
        radius_(circle.radius),
        terrain_(terrain),
        span_(span) {}

  /// Angles begin at its point in about this direction.
  void startAt(const Vector3d& direction_W) {
    constexpr double kSquare = 1e-6;  // sine; along the axis there is no such point, and any other will do
    start_W_ = direction_W - direction_W.dot(axis_W_) * axis_W_;
    if (start_W_.norm() < kSquare) start_W_ = rotationWithZ(axis_W_).col(0);
    start_W_.normalize();
    across_W_ = axis_W_.cross(start_W_);
  }

  Probe at(double angle) const { return at(angle, std::cos(angle) * start_W_ + std::sin(angle) * across_W_); }

  /// Where it would be lowest if the ground were the plane that the probe sees; as near to it as whole turns allow.
  Probe lowestOnPlaneOf(const Probe& probe) const {
    const Vector3d down_W = towardsLowestPoint(axis_W_, probe.normal());
    const double angle = std::atan2(down_W.dot(across_W_), down_W.dot(start_W_));
    return at(probe.angle + std::remainder(angle - probe.angle, 2.0 * kPi), down_W);
  }

  Vector3d upAtMiddle() const { return terrain_.at(origin_W_ + middle_W_, span_).R_WC.col(2); }

 private:
  Probe at(double angle, const Vector3d& direction_W) const {
    Probe probe;
    probe.angle = angle;
    probe.place.lever_W = middle_W_ + radius_ * direction_W;
    probe.place.surface = terrain_.at(origin_W_ + probe.place.lever_W, span_);
    probe.slope = probe.normal().dot(axis_W_.cross(direction_W));
    return probe;
  }

  Vector3d origin_W_, middle_W_, axis_W_;
  double radius_;
  const Terrain& terrain_;
  TimeSpan span_;
  Vector3d start_W_ = Vector3d::Zero(), across_W_ = Vector3d::Zero();
};

/// The place between a point where the gap falls and one beyond it where it rises: regula falsi, of which an end that
/// stays counts half (Illinois). Where slopes jump, at an edge of the ground, it is that edge. On a plane it is the
/// lowest point of the circle to the last bit.
Probe placeBetween(const Circle& circle, Probe falling, Probe rising) {
  constexpr int kMostSteps = 40;
  constexpr double kSameAngle = 1e-12;  // [rad]
  double fall = falling.slope, rise = rising.slope;
  Probe last = rising;
  for (int k = 0, stays = 0; k < kMostSteps; ++k) {
    if (std::abs(last.slope) <= kLevel || rising.angle - falling.angle <= kSameAngle) break;
    last = circle.at(falling.angle + fall / (fall - rise) * (rising.angle - falling.angle));
    if (last.falls()) {
      falling = last;
      fall = last.slope;
      if (stays > 0) rise *= 0.5;
      stays = 1;
    } else {
      rising = last;
      rise = last.slope;
      if (stays < 0) fall *= 0.5;
      stays = -1;
    }
  }
  const Probe lowest = circle.lowestOnPlaneOf(last);
  return onOnePlane(last, lowest) ? lowest : last;
}

/// The first place on the way down from a point.
Probe downhill(const Circle& circle, Probe from) {
  constexpr double kShortest = 1e-6, kLongest = 0.2;  // [rad]
  const Probe lowest = circle.lowestOnPlaneOf(from);
  if (onOnePlane(from, lowest)) return lowest;
  if (std::abs(from.slope) <= kLevel) return from;
  const double way = from.falls() ? 1.0 : -1.0, start = from.angle;
  double step = std::clamp(std::abs(lowest.angle - start), kShortest, kLongest);
  while (std::abs(from.angle - start) < kPi) {
    const Probe next = circle.at(from.angle + way * step);
    if (next.falls() != from.falls())
      return from.falls() ? placeBetween(circle, from, next) : placeBetween(circle, next, from);
    from = next;
    step = std::min(2.0 * step, kLongest);
  }
  return from;
}

void add(const Probe& probe, CirclePlaces& found) {
  constexpr double kSamePlace = 1e-7;  // [m]
  for (int k = 0; k < found.count; ++k)
    if ((found.places[k].lever_W - probe.place.lever_W).norm() < kSamePlace) return;
  if (found.count < CirclePlaces::kMost) found.places[found.count++] = probe.place;
}

/// Those between two points of the circle, with room for two: the first on the way down from each of them.
void addPlacesBetween(const Circle& circle, const Probe& left, const Probe& right, CirclePlaces& found) {
  const int before = found.count;
  constexpr double kRounding = 1e-9;  // [rad]; what is found twice is left out
  const auto isBetween = [&](const Probe& probe) {
    return probe.angle > left.angle - kRounding && probe.angle < right.angle + kRounding;
  };
  const auto goDown = [&](const Probe& from) {
    if (!isBetween(circle.lowestOnPlaneOf(from))) return;
    const Probe place = downhill(circle, from);
    if (isBetween(place)) add(place, found);
  };
  if (left.falls()) goDown(left);
  if (!right.falls()) goDown(right);
  if (found.count == before && left.falls() && !right.falls()) add(placeBetween(circle, left, right), found);
}

/// No gap falls faster than the way along the circle; those of a height field are somewhat inexact away from it.
bool mayTouchBetween(const Probe& left, const Probe& right, double reach, double radius) {
  constexpr double kInexact = 1.5;
  const double way = radius * (right.angle - left.angle);
  return left.place.surface.gap + right.place.surface.gap <= 2.0 * reach + kInexact * way;
}

/// What pokes up between points that are farther apart would be missed: of a circle with a radius of 0.1 m a part of
/// up to ½ r (4°)² = 0.2 mm.
void lookCloser(const Circle& circle, const Probe& left, const Probe& right, CirclePlaces& found) {
  constexpr int kParts = 4;
  Probe from = left;
  for (int k = 1; k <= kParts; ++k) {
    const Probe to = k < kParts ? circle.at(left.angle + (right.angle - left.angle) * k / kParts) : right;
    addPlacesBetween(circle, from, to, found);
    from = to;
  }
}

}  // namespace

ContactPlace placeDownhill(const ContactFeature& feature, const Pose& X_WL, const Terrain& terrain, TimeSpan span) {
  Circle circle(feature, X_WL, terrain, span);
  circle.startAt(feature.near_W);
  return downhill(circle, circle.at(0.0)).place;
}

void findCirclePlaces(const ContactFeature& feature, const Pose& X_WL, const Terrain& terrain, TimeSpan span,
                      double reach, CirclePlaces& found) {
  constexpr int kProbes = 24;
  constexpr double kBetween = 2.0 * kPi / kProbes;  // [rad]
  found.count = 0;
  found.on_one_plane = true;
  if (!terrain.isPlane()) {
    Circle circle(feature, X_WL, terrain, span);
    circle.startAt(circle.upAtMiddle());
    std::array<Probe, kProbes + 1> probes;
    for (int k = 0; k < kProbes; ++k) {
      probes[k] = circle.at((k + 0.5) * kBetween);  // the lowest point of a plane is not one of them
      found.on_one_plane = found.on_one_plane && onOnePlane(probes[0], probes[k]);
    }
    probes[kProbes] = probes[0];
    probes[kProbes].angle += 2.0 * kPi;
    for (int k = 0; k < kProbes && !found.on_one_plane; ++k)
      if (mayTouchBetween(probes[k], probes[k + 1], reach, feature.radius))
        lookCloser(circle, probes[k], probes[k + 1], found);
  }
  if (found.count == 0) {
    found.on_one_plane = true;
    found.places[found.count++] = placeOfCircle(feature, X_WL, terrain, span);
  }
}

ContactFeature CirclePlaces::featureOf(int place, const ContactFeature& circle, const Pose& X_WL) const {
  ContactFeature feature = circle;
  if (!on_one_plane) feature.near_W = (places[place].lever_W - X_WL.R * circle.p_L) / circle.radius;
  return feature;
}

}  // namespace footfall
