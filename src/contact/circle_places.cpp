// A circle touches the ground where its gap is smaller than beside that place. On a plane there is one such place. In a
// valley that is narrower than the circle there are two, and as many as the ground has faces elsewhere. The gap of a
// point that goes around the circle changes by its slope, the part of the ground's normal along the circle: places are
// where slopes turn from below to above zero.

#include "contact/circle_places.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "contact/regula_falsi.hpp"
#include "footfall/geometry/shape.hpp"

namespace footfall {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kLevelArc = 1e-10;  ///< a slope below this is none [-]
constexpr double kOneNormal = 1e-9;  ///< [-]
constexpr double kOneGap = 1e-9;     ///< [m]

/// A point of a circle, and the ground there.
struct CircleProbe {
  double angle = 0.0;  ///< from the start of the circle [rad]
  ContactPlace place;
  double slope = 0.0;  ///< of the gap along the circle [-]

  Vector3d normal() const { return place.surface.R_WC.col(2); }
  bool falls() const { return slope < 0.0; }
  /// Of a place: the slope jumps there, and turns without ever being level.
  bool isAtEdge() const {
    constexpr double kJump = 1e-6;  // [-]
    return std::abs(slope) > kJump;
  }
};

/// One plane is below both: stairs have others with the same normal.
bool onOnePlane(const CircleProbe& a, const CircleProbe& b) {
  const double gap = a.place.surface.gap + a.normal().dot(b.place.lever_W - a.place.lever_W);
  return (a.normal() - b.normal()).squaredNorm() <= kOneNormal * kOneNormal &&
         std::abs(b.place.surface.gap - gap) <= kOneGap;
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

  CircleProbe at(double angle) const { return at(angle, std::cos(angle) * start_W_ + std::sin(angle) * across_W_); }

  /// Where it would be lowest if the ground were the plane that the probe sees; as near to it as whole turns allow.
  CircleProbe lowestOnPlaneOf(const CircleProbe& probe) const {
    const Vector3d down_W = towardsLowestPoint(axis_W_, probe.normal());
    const double angle = std::atan2(down_W.dot(across_W_), down_W.dot(start_W_));
    return at(probe.angle + std::remainder(angle - probe.angle, 2.0 * kPi), down_W);
  }

  double radius() const { return radius_; }
  /// Of an arc to both sides of an angle; cheap.
  double clearance(double angle, double half_arc) const {
    const Vector3d direction_W = std::cos(angle) * start_W_ + std::sin(angle) * across_W_;
    return terrain_.clearance(origin_W_ + middle_W_ + radius_ * direction_W, radius_ * half_arc, span_);
  }
  Vector3d upAtMiddle() const { return terrain_.at(origin_W_ + middle_W_, span_).R_WC.col(2); }

 private:
  CircleProbe at(double angle, const Vector3d& direction_W) const {
    CircleProbe probe;
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

/// Where a circle crosses an edge of the ground, the normal is across both: the mean of those of both sides that has no
/// part along the circle. That of one side would push it along, and let it sink in along the other.
CircleProbe crossing(const CircleProbe& falling, const CircleProbe& rising) {
  CircleProbe place = rising;
  const double share = rising.slope / (rising.slope - falling.slope);
  const Vector3d mean = share * falling.normal() + (1.0 - share) * rising.normal();
  const double gap = share * falling.place.surface.gap + (1.0 - share) * rising.place.surface.gap;
  place.place.surface.gap = gap / mean.norm();
  place.place.surface.R_WC = rotationWithZ(mean.normalized());
  return place;
}

/// The place between a point where the gap falls and one beyond it where it rises. At an edge of the ground it is that
/// edge. On a plane it is the lowest point of the circle to the last bit.
CircleProbe circlePlaceBetween(const Circle& circle, CircleProbe falling, CircleProbe rising) {
  constexpr double kSameAngle = 1e-12;  // [rad]
  const CircleProbe last = whereSlopeTurns(
      falling.angle, falling.slope, rising.angle, rising.slope, rising,
      [&](double angle) {
        const CircleProbe probe = circle.at(angle);
        (probe.falls() ? falling : rising) = probe;
        return probe;
      },
      [](const CircleProbe& probe) { return probe.slope; },
      [](const CircleProbe& probe, double apart) { return std::abs(probe.slope) <= kLevelArc || apart <= kSameAngle; });
  const CircleProbe lowest = circle.lowestOnPlaneOf(last);
  if (onOnePlane(last, lowest)) return lowest;
  return falling.isAtEdge() && rising.isAtEdge() ? crossing(falling, rising) : last;
}

/// The first place on the way down from a point.
CircleProbe downhill(const Circle& circle, CircleProbe from) {
  constexpr double kShortest = 1e-6, kLongest = 0.2;  // [rad]
  const CircleProbe lowest = circle.lowestOnPlaneOf(from);
  if (onOnePlane(from, lowest)) return lowest;
  if (std::abs(from.slope) <= kLevelArc) return from;
  const double way = from.falls() ? 1.0 : -1.0, start = from.angle;
  double step = std::clamp(std::abs(lowest.angle - start), kShortest, kLongest);
  while (std::abs(from.angle - start) < kPi) {
    const CircleProbe next = circle.at(from.angle + way * step);
    if (next.falls() != from.falls())
      return from.falls() ? circlePlaceBetween(circle, from, next) : circlePlaceBetween(circle, next, from);
    from = next;
    step = std::min(2.0 * step, kLongest);
  }
  return from;
}

void addCirclePlace(const CircleProbe& probe, CirclePlaces& found) {
  constexpr double kSamePlace = 1e-7;  // [m]
  for (int k = 0; k < found.count; ++k)
    if ((found.places[k].lever_W - probe.place.lever_W).norm() < kSamePlace) return;
  if (found.count == CirclePlaces::kMost) return;
  found.at_edge[found.count] = probe.isAtEdge();
  found.places[found.count++] = probe.place;
}

/// Those between two points of the circle, with room for two: the first on the way down from each of them.
void addPlacesBetween(const Circle& circle, const CircleProbe& left, const CircleProbe& right, CirclePlaces& found) {
  const int before = found.count;
  constexpr double kRounding = 1e-9;  // [rad]; what is found twice is left out
  const auto isBetween = [&](const CircleProbe& probe) {
    return probe.angle > left.angle - kRounding && probe.angle < right.angle + kRounding;
  };
  const auto goDown = [&](const CircleProbe& from) {
    if (!isBetween(circle.lowestOnPlaneOf(from))) return;
    const CircleProbe place = downhill(circle, from);
    if (isBetween(place)) addCirclePlace(place, found);
  };
  if (left.falls()) goDown(left);
  if (!right.falls()) goDown(right);
  if (found.count == before && left.falls() && !right.falls())
    addCirclePlace(circlePlaceBetween(circle, left, right), found);
}

constexpr int kArcs = 24;                   ///< around the circle
constexpr double kArc = 2.0 * kPi / kArcs;  ///< [rad]

/// Where the probe is; the lowest point of a plane is none of them.
double angleOf(int probe) { return (probe + 0.5) * kArc; }

/// What pokes up between points that are farther apart would be missed: of a circle with a radius of 0.1 m a part of
/// up to ½ r (4°)² = 0.2 mm with four parts.
void lookCloser(const Circle& circle, const CircleProbe& left, const CircleProbe& right, int parts,
                CirclePlaces& found) {
  CircleProbe from = left;
  for (int k = 1; k <= parts; ++k) {
    const CircleProbe to = k < parts ? circle.at(left.angle + (right.angle - left.angle) * k / parts) : right;
    addPlacesBetween(circle, from, to, found);
    from = to;
  }
}

/// Hills are dear to ask: no more than the arcs near them are looked at.
void findOnHills(const Circle& circle, double reach, CirclePlaces& found) {
  std::optional<CircleProbe> last;
  for (int k = 0; k < kArcs; ++k) {
    if (circle.clearance(angleOf(k) + 0.5 * kArc, 0.5 * kArc) > reach) {
      last.reset();
      continue;
    }
    const CircleProbe from = last ? *last : circle.at(angleOf(k)), to = circle.at(angleOf(k + 1));
    lookCloser(circle, from, to, 2, found);
    last = to;
  }
}

/// No gap falls faster than the way along the circle.
bool mayTouchBetween(const CircleProbe& left, const CircleProbe& right, double reach, double radius) {
  const double way = radius * (right.angle - left.angle);
  return left.place.surface.gap + right.place.surface.gap <= 2.0 * reach + way;
}

/// On planes and blocks.
/// @param closer there is nothing but planes; what blocks poke into is found by itself
void findOnFaces(const Circle& circle, bool closer, double reach, CirclePlaces& found) {
  std::array<CircleProbe, kArcs + 1> probes;
  found.on_one_plane = true;
  for (int k = 0; k < kArcs; ++k) {
    probes[k] = circle.at(angleOf(k));
    found.on_one_plane = found.on_one_plane && onOnePlane(probes[0], probes[k]);
  }
  probes[kArcs] = probes[0];
  probes[kArcs].angle += 2.0 * kPi;
  for (int k = 0; k < kArcs && !found.on_one_plane; ++k)
    if (mayTouchBetween(probes[k], probes[k + 1], reach, circle.radius()))
      lookCloser(circle, probes[k], probes[k + 1], closer ? 4 : 1, found);
}

}  // namespace

ContactPlace placeDownhill(const ContactFeature& feature, const Pose& X_WL, const Terrain& terrain, TimeSpan span) {
  Circle circle(feature, X_WL, terrain, span);
  circle.startAt(feature.near_W);
  return downhill(circle, circle.at(0.0)).place;
}

void findCirclePlaces(const ContactFeature& feature, const Pose& X_WL, const Terrain& terrain, TimeSpan span,
                      double reach, CirclePlaces& found) {
  found.count = 0;
  found.on_one_plane = terrain.isPlane();
  if (!found.on_one_plane) {
    Circle circle(feature, X_WL, terrain, span);
    circle.startAt(circle.upAtMiddle());
    if (terrain.hasHills())
      findOnHills(circle, reach, found);
    else
      findOnFaces(circle, terrain.blockCount() == 0, reach, found);
  }
  if (found.count == 0) {
    found.on_one_plane = true;
    found.at_edge[0] = false;
    found.places[found.count++] = placeOfCircle(feature, X_WL, terrain, span);
  }
}

ContactFeature CirclePlaces::featureOf(int place, const ContactFeature& circle, const Pose& X_WL) const {
  ContactFeature feature = circle;
  if (!on_one_plane) feature.near_W = (places[place].lever_W - X_WL.R * circle.p_L) / circle.radius;
  return feature;
}

}  // namespace footfall
