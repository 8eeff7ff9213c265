#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "collide/pair_edges.hpp"
#include "collide/pair_manifolds.hpp"
#include "collide/round_ascent.hpp"
#include "collide/round_points.hpp"

namespace footfall::collide {
namespace {

/// Two cylinders or circles.
class RoundPairMeeting {
 public:
  RoundPairMeeting(const Pair& pair, PointWriter& writer)
      : pair_(pair), first_(pair.first), second_(pair.second), writer_(writer) {}

  Vector3d find() {
    if (!findAxis()) return normal_;
    addPoints();
    return Vector3d::Zero();
  }

 private:
  static constexpr double kFlat = 0.866;  ///< cosine; as kNearlyFlatRim

  void addPoints() {
    const double along_first = std::abs(normal_.dot(first_.axis)), along_second = std::abs(normal_.dot(second_.axis));
    const bool first_is_better = capSeparation(true) >= capSeparation(false);
    if (along_first > kFlat && along_second > kFlat) {
      addDiscs(first_is_better);
    } else if (along_first > kFlat && isLyingOn(second_, first_)) {
      addLineOnCap(true);
    } else if (along_second > kFlat && isLyingOn(first_, second_)) {
      addLineOnCap(false);
    } else if (std::max(along_first, along_second) < kNearlyLying) {
      addLines();
    }
    if (least_ > separation_ + pair_.rounding()) addPrimary();
  }

  bool findAxis() {
    for (const Round* round : {&first_, &second_})
      for (const double sign : {1.0, -1.0}) offer(sign * round->axis);
    if (separation_ > pair_.margin) return false;
    offerSide(first_, second_, 1.0);
    offerSide(second_, first_, -1.0);
    if (separation_ > pair_.margin) return false;
    offerRims();
    return separation_ <= pair_.margin;
  }

  /// Rim against rim: discs have no kink where a direction is across their axis, so that each pair of them is climbed
  /// without hindrance.
  void offerRims() {
    const Vector3d best = normal_;
    for (const bool upper_of_first : {false, true})
      for (const bool upper_of_second : {false, true}) {
        if ((upper_of_first && first_.half_length == 0.0) || (upper_of_second && second_.half_length == 0.0)) continue;
        const Round a = first_.cap(upper_of_first), b = second_.cap(upper_of_second);
        offer(ascend(a, b, directionApart(a, b, best), pair_.size));
        const Vector3d apart = a.middle - b.middle;
        if (apart.norm() > 0.0) offer(ascend(a, b, apart.normalized(), pair_.size));
      }
  }

  /// From where to climb. Inside each other there are several summits: taken apart along the best direction so far, by
  /// twice what they overlap, discs have one, near the highest of them.
  Vector3d directionApart(Round a, const Round& b, const Vector3d& best) const {
    const double overlap = -separationOf(a, b, best);
    if (overlap < 0.0) return approach(a, b, best);
    a.middle += (2.0 * overlap + pair_.tiny()) * best;
    return ascend(a, b, approach(a, b, best), pair_.size);
  }

  void offer(const Vector3d& normal) {
    const double separation = separationOf(first_, second_, normal);
    if (separation <= separation_ + pair_.preference()) return;
    separation_ = separation;
    normal_ = normal;
  }

  /// The side of `other` is a line with a layer around it.
  void offerSide(const Round& round, const Round& other, double sign) {
    Vector3d middle = other.across(round.middle - other.middle);
    if (middle.norm() <= pair_.tiny()) middle = round.axis.cross(other.axis);
    if (middle.norm() <= 1e-9)
      middle = other.across(std::abs(other.axis.x()) < 0.5 ? Vector3d::UnitX() : Vector3d::UnitY());
    offer(sign * bestOnArc(round, other.middle, other.axis, middle.normalized(), std::numbers::pi).normal);
  }

  /// Along the axis of one of the two, on the side of the normal.
  Vector3d capNormal(bool of_first) const {
    const Vector3d& axis = of_first ? first_.axis : second_.axis;
    return axis.dot(normal_) < 0.0 ? Vector3d(-axis) : axis;
  }
  double capSeparation(bool of_first) const { return separationOf(first_, second_, capNormal(of_first)); }

  static bool isLyingOn(const Round& line, const Round& cap) {
    return line.half_length > 0.0 && std::abs(line.axis.dot(cap.axis)) < kNearlyLying;
  }

  /// @param p of the incident solid, above the reference by `height`
  void add(bool reference_is_first, const Vector3d& p, const Vector3d& normal, double height,
           std::uint32_t of_reference, std::uint32_t of_incident) {
    if (height < 1.001 * std::min(separation_, 0.0) - pair_.rounding()) return;
    least_ = std::min(least_, height);
    if (reference_is_first)
      writer_.add(p + height * normal, normal, height, pairFeature(of_reference, of_incident));
    else
      writer_.add(p, normal, height, pairFeature(of_incident, of_reference));
  }

  /// Two caps that lie on each other: of both rims what is inside of the other, and where they cross.
  void addDiscs(bool reference_is_first) {
    const Round& reference = reference_is_first ? first_ : second_;
    const Round& incident = reference_is_first ? second_ : first_;
    const Part& part = reference_is_first ? pair_.second : pair_.first;
    const Part& reference_part = reference_is_first ? pair_.first : pair_.second;
    const Vector3d normal = capNormal(reference_is_first);
    const Vector3d up = reference_is_first ? Vector3d(-normal) : normal;  // out of the reference
    const bool reference_upper = up.dot(reference.axis) > 0.0, incident_upper = up.dot(incident.axis) < 0.0;
    const Vector3d bottom = reference.rimMiddle(reference_upper), middle = incident.rimMiddle(incident_upper);
    const auto addOfIncident = [&](const Vector3d& p, std::uint32_t of_reference, std::uint32_t of_incident) {
      add(reference_is_first, p, normal, up.dot(p - bottom), of_reference, of_incident);
    };
    const auto isAboveReference = [&](const Vector3d& p) {
      return reference.across(p - bottom).norm() <= reference.radius + pair_.tiny();
    };
    const Vector3d lowest = middle + incident.radius * towardsLowestPoint(incident.axis, up);
    if (isAboveReference(lowest)) addOfIncident(lowest, capFeature(reference_upper), rimFeature(incident_upper, 0));
    const double opposite = up.dot(middle - bottom) + incident.radius * incident.axis.cross(up).norm();
    for (int i = 0; i < 6; ++i) {
      const double angle = i * std::numbers::pi / 3.0;
      const auto onRim = [&](const Part& of, const Vector3d& centre, double radius) {
        return Vector3d(centre + radius * (std::cos(angle) * of.X_CS.R.col(0) + std::sin(angle) * of.X_CS.R.col(1)));
      };
      const Vector3d p = onRim(part, middle, incident.radius);
      if (opposite < pair_.margin && isAboveReference(p))
        addOfIncident(p, capFeature(reference_upper), rimFeature(incident_upper, 1 + i));
      const Vector3d q = onRim(reference_part, bottom, reference.radius);
      const double height = incident.axis.dot(middle - q) / incident.axis.dot(up);
      const Vector3d above = q + height * up;
      if ((above - middle).norm() <= incident.radius + pair_.tiny())
        addOfIncident(above, rimFeature(reference_upper, 1 + i), capFeature(incident_upper));
    }
    addRimCrossings(reference, incident, bottom, middle, [&](const Vector3d& p, bool later) {
      addOfIncident(p, crossingFeature(reference_upper, later), crossingFeature(incident_upper, later));
    });
  }

  /// Points of the incident rim that are above the rim of the reference: first as if the two were parallel, then
  /// corrected along the incident rim.
  template <class Use>
  void addRimCrossings(const Round& reference, const Round& incident, const Vector3d& bottom, const Vector3d& middle,
                       Use use) const {
    const Vector3d offset = reference.across(middle - bottom);
    const double distance = offset.norm(), R = reference.radius, r = incident.radius;
    if (distance <= pair_.tiny() || distance >= R + r || distance <= std::abs(R - r)) return;
    const Vector3d a = incident.across(-offset).normalized(), b = incident.axis.cross(a);
    const double start = std::acos(std::clamp((distance * distance + r * r - R * R) / (2.0 * distance * r), -1.0, 1.0));
    for (const bool later : {false, true}) {
      double angle = later ? start : -start;
      Vector3d p = middle;
      for (int i = 0; i < 5; ++i) {
        p = middle + r * (std::cos(angle) * a + std::sin(angle) * b);
        const Vector3d radial = reference.across(p - bottom);
        const double slope = 2.0 * radial.dot(r * (-std::sin(angle) * a + std::cos(angle) * b));
        if (std::abs(slope) < 1e-12 * R * r) break;
        angle -= (radial.squaredNorm() - R * R) / slope;
      }
      p = middle + r * (std::cos(angle) * a + std::sin(angle) * b);
      if (std::abs(reference.across(p - bottom).norm() - R) < pair_.tiny()) use(p, later);
    }
  }

  PairEdge lineOf(const Round& round, const Vector3d& up) const {
    const Vector3d down = round.radius * towardsLowestPoint(round.axis, up);
    PairEdge line;
    line.from = round.rimMiddle(false) + down;
    line.to = round.rimMiddle(true) + down;
    return line;
  }

  /// One that lies on the cap of the other.
  void addLineOnCap(bool cap_is_first) {
    const Round& cap = cap_is_first ? first_ : second_;
    const Vector3d normal = capNormal(cap_is_first);
    const Vector3d up = cap_is_first ? Vector3d(-normal) : normal;
    const bool upper = up.dot(cap.axis) > 0.0;
    const Vector3d bottom = cap.rimMiddle(upper);
    const PairEdge line = lineOf(cap_is_first ? second_ : first_, up);
    const auto addAt = [&](const Vector3d& p, std::uint32_t of_cap, std::uint32_t of_line) {
      add(cap_is_first, p, normal, up.dot(p - bottom), of_cap, of_line);
    };
    const Vector3d start = cap.across(line.from - bottom), change = cap.across(line.to - line.from);
    const double a = change.squaredNorm(), b = start.dot(change), c = start.squaredNorm() - cap.radius * cap.radius;
    const double slack = pair_.tiny() * cap.radius;
    if (c <= slack) addAt(line.from, capFeature(upper), rimFeature(false, 0));
    if (cap.across(line.to - bottom).squaredNorm() - cap.radius * cap.radius <= slack)
      addAt(line.to, capFeature(upper), rimFeature(true, 0));
    const double root = b * b - a * c;
    if (root <= 0.0 || a <= 0.0) return;
    for (const bool later : {false, true}) {
      const double share = (-b + (later ? 1.0 : -1.0) * std::sqrt(root)) / a;
      if (share > 0.0 && share < 1.0)
        addAt(line.from + share * (line.to - line.from), crossingFeature(upper, later), lineFeature(0));
    }
  }

  /// Sides of nearly parallel ones.
  void addLines() {
    const PairEdge a = lineOf(first_, normal_), b = lineOf(second_, -normal_);
    if (!areNearlyParallel(a, b)) return;
    const auto featureOf = [](double share) {
      return share == 0.0 ? rimFeature(false, 0) : share == 1.0 ? rimFeature(true, 0) : lineFeature(1);
    };
    for (const NearestOfSegments& end : EndsOfStretch(a, b))
      add(false, end.q + normal_.dot(end.p - end.q) * normal_, normal_, normal_.dot(end.p - end.q), featureOf(end.t),
          featureOf(end.s));
  }

  /// Along the normal a rim has one farthest point, a side or a cap many: of the places that come into question the one
  /// is taken that lies in both.
  void addPrimary() {
    const NearestOfSegments axes = nearestOfSegments(first_.rimMiddle(false), first_.rimMiddle(true),
                                                     second_.rimMiddle(false), second_.rimMiddle(true));
    const std::array<Vector3d, 3> places = {first_.farthest(-normal_),
                                            second_.farthest(normal_) + separation_ * normal_,
                                            axes.q + (second_.radius + separation_) * normal_};
    const auto outsideAt = [&](const Vector3d& p) {
      return std::max(first_.wayOut(p).distance, second_.wayOut(p - separation_ * normal_).distance);
    };
    const Vector3d p = *std::ranges::min_element(places, {}, outsideAt);
    writer_.add(p, normal_, separation_, pairFeature(curvedFeature(), curvedFeature()));
  }

  const Pair& pair_;
  Round first_, second_;
  PointWriter& writer_;
  Vector3d normal_ = Vector3d::Zero();
  double separation_ = -std::numeric_limits<double>::infinity();
  double least_ = std::numeric_limits<double>::infinity();  ///< height of the points so far [m]
};

}  // namespace

Vector3d addRoundPairPoints(const Pair& pair, PointWriter& writer) { return RoundPairMeeting(pair, writer).find(); }

}  // namespace footfall::collide
