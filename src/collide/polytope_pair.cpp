#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collide/clip.hpp"
#include "collide/pair_edges.hpp"
#include "collide/pair_manifolds.hpp"
#include "collide/separation.hpp"

namespace footfall::collide {
namespace {

void addNearest(const PairEdge& a, const PairEdge& b, const NearestOfSegments& nearest, PointWriter& writer) {
  const Vector3d difference = nearest.p - nearest.q;
  const double distance = difference.norm();
  writer.addOfCores(nearest.p, difference / distance, distance,
                    pairFeature(featureAlong(a, nearest.s), featureAlong(b, nearest.t)));
}

/// @return the least distance at an end
double addEndsOfStretch(const PairEdge& a, const PairEdge& b, PointWriter& writer) {
  double least = std::numeric_limits<double>::infinity();
  for (const NearestOfSegments& end : EndsOfStretch(a, b)) {
    least = std::min(least, (end.p - end.q).norm());
    addNearest(a, b, end, writer);
  }
  return least;
}

/// The axes of two solids meet: they are far inside each other. Any direction at right angles to both will do.
void addMeetingSegments(const Pair& pair, const PairEdge& a, const PairEdge& b, const NearestOfSegments& nearest,
                        PointWriter& writer) {
  const Vector3d along_a = a.to - a.from, along_b = b.to - b.from;
  const Vector3d longer = along_a.squaredNorm() >= along_b.squaredNorm() ? along_a : along_b;
  const Vector3d apart = 0.5 * (a.from + a.to - b.from - b.to);
  Vector3d normal = along_a.cross(along_b);
  if (normal.norm() <= 1e-9 * longer.squaredNorm()) {
    const Vector3d axis = longer.norm() > 0.0 ? Vector3d(longer.normalized()) : Vector3d::UnitX();
    normal = apart - axis.dot(apart) * axis;
    if (normal.norm() <= pair.tiny()) normal = rotationWithZ(axis.z() < 0.0 ? Vector3d(-axis) : axis).col(1);
  }
  normal.normalize();
  if (normal.dot(apart) < 0.0) normal = -normal;
  writer.addOfCores(nearest.p, normal, 0.0, pairFeature(featureAlong(a, nearest.s), featureAlong(b, nearest.t)));
}

/// The least of the distances of all pairs of edges, which are kept, squared: lists.bounds.
double nearestDistance(Scratch::Lists& lists) {
  lists.bounds.clear();
  for (const PairEdge& a : lists.edges_of_first)
    for (const PairEdge& b : lists.edges_of_second) {
      const NearestOfSegments nearest = nearestOfSegments(a.from, a.to, b.from, b.to);
      lists.bounds.push_back((nearest.p - nearest.q).squaredNorm());
    }
  if (lists.bounds.empty()) return std::numeric_limits<double>::infinity();
  return std::sqrt(*std::ranges::min_element(lists.bounds));
}

/// All edges that are as near as the nearest; of parallel ones the ends of their common stretch.
void addNearestEdges(const Pair& pair, const Scratch::Lists& lists, double distance, PointWriter& writer) {
  for (const bool parallel : {true, false}) {
    auto squared = lists.bounds.begin();
    for (const PairEdge& a : lists.edges_of_first)
      for (const PairEdge& b : lists.edges_of_second) {
        if (std::sqrt(*squared++) > distance + pair.rounding() || areNearlyParallel(a, b) != parallel) continue;
        if (parallel && addEndsOfStretch(a, b, writer) <= distance + pair.tiny()) return;
        addNearest(a, b, nearestOfSegments(a.from, a.to, b.from, b.to), writer);
        return;
      }
  }
}

/// What the cores have nearest to each other.
class PolytopeMeeting {
 public:
  PolytopeMeeting(const Pair& pair, Scratch::Lists& lists, PointWriter& writer)
      : pair_(pair), lists_(lists), writer_(writer) {}

  Vector3d find() {
    const bool is_near = findAxes();
    normal_ = edges_win_ ? edges_.normal : face_.normal;
    separation_ = edges_win_ ? edges_.separation : face_.separation;
    if (!is_near) return normal_;
    addPoints();
    return Vector3d::Zero();
  }

 private:
  void addPoints() {
    clipAgainstFace(pair_, face_, pair_.coreMargin(), lists_);
    if (edges_win_)
      addCrossing();
    else if (isApartElsewhere())
      addNearestOfEdges();
    addFacePoints();
    if (writer_.count() == 0) addDeepest();
  }

  /// @return false where the cores are too far apart
  bool findAxes() {
    if (pair_.first.solid.kind == ShapeKind::box && pair_.second.solid.kind == ShapeKind::box) {
      const BoxAxes axes = bestOfBoxes(pair_);
      face_ = axes.face;
      edges_ = axes.edges;
    } else {
      face_ = bestFace(pair_, lists_);
      if (face_.separation > pair_.coreMargin()) return false;
      edges_ = bestEdges(pair_, face_, lists_);
    }
    edges_win_ = edges_.separation > face_.separation && !lieOnTheFace();
    return std::max(face_.separation, edges_.separation) <= pair_.coreMargin();
  }

  /// Edges of two faces that lie on each other: as a corner of the common polygon their crossing is where it was, with
  /// the normal of all other corners.
  bool lieOnTheFace() const {
    constexpr double kSameNormal = 1e-6;  // [rad]
    return (edges_.normal - face_.normal).squaredNorm() < kSameNormal * kSameNormal;
  }

  /// True where the cores do not overlap, but the best face is not where they are nearest: nothing above it is as near
  /// as the farthest vertex of the other core.
  bool isApartElsewhere() const {
    if (separation_ < -pair_.rounding()) return false;
    return std::ranges::none_of(lists_.polygon, [&](const ClipCorner& corner) {
      return heightAbove(pair_, face_, corner.p) <= separation_ + pair_.rounding();
    });
  }

  void addCrossing() {
    const PairEdge &a = edges_.of_first, &b = edges_.of_second;
    const NearestOfSegments nearest = nearestOfSegments(a.from, a.to, b.from, b.to);
    const bool crosses = (nearest.p - nearest.q).norm() <= std::abs(separation_) + pair_.rounding();
    if (separation_ > 0.0 && !crosses) return addNearestOfEdges();
    if (areNearlyParallel(a, b))
      for (const NearestOfSegments& end : EndsOfStretch(a, b)) addEnd(a, b, end);
    writer_.addOfCores(nearest.p, normal_, separation_, pairFeature(edgeFeature(a.index), edgeFeature(b.index)));
  }

  /// Of edges that are parallel, one lies above the other at the ends, too. Of others that cross the ends are beside
  /// each other, with a distance and a direction of their own where these edges are what is nearest there.
  void addEnd(const PairEdge& a, const PairEdge& b, const NearestOfSegments& end) {
    const Vector3d between = end.p - end.q;
    const double height = normal_.dot(between), distance = between.norm();
    if (distance - std::abs(height) <= pair_.rounding()) {
      writer_.addOfCores(end.p, normal_, height, pairFeature(featureAlong(a, end.s), featureAlong(b, end.t)));
      return;
    }
    const Vector3d n = between / distance;
    const double into_a = std::max(-n.dot(a.inward[0]), -n.dot(a.inward[1]));
    const double into_b = std::max(n.dot(b.inward[0]), n.dot(b.inward[1]));
    if (height > 0.0 && std::max(into_a, into_b) <= 0.0) addNearest(a, b, end, writer_);
  }

  void addNearestOfEdges() {
    placeNearEdges(pair_, face_, lists_);
    const double distance = nearestDistance(lists_);
    if (distance <= pair_.rounding()) return;  // they touch: there is no direction but that of the axis
    const std::size_t before = writer_.count();
    addNearestEdges(pair_, lists_, distance, writer_);
    if (writer_.count() > before || distance > pair_.coreMargin()) is_apart_ = true;
  }

  /// Those that the best axis does not contradict: where edges cross, or corners are near each other, a face of which
  /// a part lies deeper than all else says nothing. Along a face that is tilted against the axis, depths are a little
  /// larger.
  void addFacePoints() {
    constexpr double kTilt = 1.001;
    const double least = kTilt * std::min(separation_, 0.0) - pair_.rounding();
    for (const ClipCorner& corner : lists_.polygon) {
      const double height = heightAbove(pair_, face_, corner.p);
      if (height < least) continue;
      const Vector3d p = face_.of_first ? Vector3d(corner.p + height * face_.normal) : corner.p;
      writer_.addOfCores(p, face_.normal, height, corner.feature);
    }
  }

  /// Nothing lies above the best face; its normal is right all the same.
  void addDeepest() {
    if (is_apart_ || separation_ - pair_.layers() >= pair_.margin) return;
    const Part& incident = face_.of_first ? pair_.second : pair_.first;
    Vector3d deepest = incident.vertex(0);
    int index = 0;
    for (int i = 1; i < static_cast<int>(incident.core.vertices.size()); ++i) {
      const Vector3d p = incident.vertex(i);
      if (heightAbove(pair_, face_, p) >= heightAbove(pair_, face_, deepest)) continue;
      deepest = p;
      index = i;
    }
    const double height = heightAbove(pair_, face_, deepest);
    const std::uint32_t face = faceFeature(face_.face), vertex = vertexFeature(index);
    writer_.addOfCores(face_.of_first ? Vector3d(deepest + height * face_.normal) : deepest, face_.normal, height,
                       face_.of_first ? pairFeature(face, vertex) : pairFeature(vertex, face));
  }

  const Pair& pair_;
  Scratch::Lists& lists_;
  PointWriter& writer_;
  FaceAxis face_;
  EdgeAxis edges_;
  Vector3d normal_ = Vector3d::Zero();  ///< of the best axis
  double separation_ = 0.0;             ///< along it [m]
  bool edges_win_ = false;
  bool is_apart_ = false;  ///< nearest edges were found
};

void addPointsOfSegments(const Pair& pair, const PairEdge& a, const PairEdge& b, const NearestOfSegments& nearest,
                         PointWriter& writer) {
  const double distance = (nearest.p - nearest.q).norm();
  if (distance <= pair.rounding()) return addMeetingSegments(pair, a, b, nearest, writer);
  if (areNearlyParallel(a, b) && addEndsOfStretch(a, b, writer) <= distance + pair.tiny()) return;
  addNearest(a, b, nearest, writer);
  if (crossAtASmallAngle(a, b)) addEndsOfStretch(a, b, writer);
}

}  // namespace

Vector3d addPolytopePoints(const Pair& pair, Scratch::Lists& lists, PointWriter& writer) {
  return PolytopeMeeting(pair, lists, writer).find();
}

Vector3d addSegmentPoints(const Pair& pair, PointWriter& writer) {
  const auto edgeOf = [](const Part& part) {
    const int last = static_cast<int>(part.core.vertices.size()) - 1;
    return PairEdge{part.vertex(0), part.vertex(last), {Vector3d::Zero(), Vector3d::Zero()}, 0, {0, last}};
  };
  const PairEdge a = edgeOf(pair.first), b = edgeOf(pair.second);
  const NearestOfSegments nearest = nearestOfSegments(a.from, a.to, b.from, b.to);
  const double distance = (nearest.p - nearest.q).norm();
  if (distance >= pair.coreMargin()) return (nearest.p - nearest.q) / distance;
  addPointsOfSegments(pair, a, b, nearest, writer);
  return Vector3d::Zero();
}

}  // namespace footfall::collide
