#include "collide/round.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace footfall::collide {
namespace {

/// Separation of a round solid and an edge along directions at right angles to the edge, by their angle.
class ArcSearch {
 public:
  ArcSearch(const Round& round, const Vector3d& point, const Vector3d& along, const Vector3d& middle)
      : round_(round), point_(point), along_(along), middle_(middle), side_(along.cross(middle)) {}

  ArcBest find(double half_angle) {
    listBreaks(half_angle);
    for (int i = 0; i < break_count_; ++i) take(breaks_[i]);
    for (int i = 0; i + 1 < break_count_; ++i) searchSmoothPart(breaks_[i], breaks_[i + 1]);
    return best_;
  }

 private:
  struct Sample {
    double angle, slope;
  };

  Vector3d direction(double angle) const { return std::cos(angle) * middle_ + std::sin(angle) * side_; }

  void take(double angle) {
    const Vector3d n = direction(angle);
    const double separation = -round_.reach(-n) - n.dot(point_);
    if (separation > best_.separation) best_ = {n, separation};
  }

  /// The support point does not move to first order: only the direction turns.
  Sample sample(double angle) const {
    const Vector3d n = direction(angle);
    return {angle, along_.cross(n).dot(round_.farthest(-n) - point_)};
  }

  /// Between the ends of the arc the separation has kinks where the direction is across the axis, or nearest to it.
  void listBreaks(double half_angle) {
    using std::numbers::pi;
    breaks_[break_count_++] = -half_angle;
    const double across = round_.axis.dot(middle_), up = round_.axis.dot(side_);
    if (std::hypot(across, up) > 1e-9) {
      const double of_axis = std::atan2(up, across);
      for (int quarter = 0; quarter < 4; ++quarter) {
        const double angle = std::remainder(of_axis + 0.5 * pi * quarter, 2.0 * pi);
        if (std::abs(angle) < half_angle) breaks_[break_count_++] = angle;
      }
    }
    breaks_[break_count_++] = half_angle;
    std::sort(breaks_.begin(), breaks_.begin() + break_count_);
  }

  void searchSmoothPart(double from, double to) {
    constexpr std::array kPlaces = {1e-7, 0.25, 0.5, 0.75, 1.0 - 1e-7};
    Sample last = sample(from + kPlaces[0] * (to - from));
    for (std::size_t i = 1; i < kPlaces.size(); ++i) {
      const Sample here = sample(from + kPlaces[i] * (to - from));
      if (last.slope > 0.0 && here.slope <= 0.0) take(summitBetween(last, here));
      last = here;
    }
  }

  /// Regula falsi with Illinois' weights.
  double summitBetween(Sample rising, Sample falling) const {
    constexpr int kMostSteps = 60;
    Sample flattest = rising.slope < -falling.slope ? rising : falling;
    int same_side = 0;  // how often in a row the summit was left or right of the guess
    for (int i = 0; i < kMostSteps && flattest.slope != 0.0; ++i) {
      const double share = rising.slope / (rising.slope - falling.slope);
      const double angle = rising.angle + share * (falling.angle - rising.angle);
      if (angle <= rising.angle || angle >= falling.angle) break;
      const Sample here = sample(angle);
      if (std::abs(here.slope) < std::abs(flattest.slope)) flattest = here;
      if (here.slope > 0.0) {
        rising = here;
        same_side = std::max(same_side, 0) + 1;
        if (same_side > 1) falling.slope *= 0.5;
      } else {
        falling = here;
        same_side = std::min(same_side, 0) - 1;
        if (same_side < -1) rising.slope *= 0.5;
      }
    }
    return flattest.angle;
  }

  const Round& round_;
  const Vector3d &point_, &along_, &middle_;
  Vector3d side_;
  std::array<double, 6> breaks_;
  int break_count_ = 0;
  ArcBest best_ = {Vector3d::Zero(), -std::numeric_limits<double>::infinity()};
};

}  // namespace

Vector3d Round::farthest(const Vector3d& direction) const {
  constexpr double kRounding = 1e-14;  // of what is across a direction along the axis
  const Vector3d sideways = across(direction);
  const double length = sideways.norm();
  Vector3d p = rimMiddle(direction.dot(axis) > 0.0);
  if (length > kRounding * direction.norm()) p += (radius / length) * sideways;
  return p;
}

Round::WayOut Round::wayOutOfSide(const Vector3d& p) const {
  const Vector3d radial = across(p - middle);
  const double length = radial.norm();
  if (length > 1e-12 * radius) return {radial / length, length - radius};
  return {rotationWithZ(axis.z() < 0.0 ? Vector3d(-axis) : axis).col(0), -radius};
}

Round::WayOut Round::wayOut(const Vector3d& p) const {
  const double height = axis.dot(p - middle);
  const double above = std::abs(height) - half_length;
  const WayOut side = wayOutOfSide(p);
  const Vector3d up = height < 0.0 ? Vector3d(-axis) : axis;
  if (above <= 0.0 && (side.distance > 0.0 || side.distance >= above)) return side;
  if (side.distance <= 0.0) return {up, above};
  const Vector3d from_rim = above * up + side.distance * side.direction;
  const double distance = from_rim.norm();
  return {from_rim / distance, distance};
}

ArcBest bestOnArc(const Round& round, const Vector3d& point_of_edge, const Vector3d& along,
                  const Vector3d& middle_of_arc, double half_angle) {
  return ArcSearch(round, point_of_edge, along, middle_of_arc).find(half_angle);
}

}  // namespace footfall::collide
