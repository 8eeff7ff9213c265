#include "collide/round_points.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collide/pair_edges.hpp"

namespace footfall::collide {
namespace {

constexpr double kOnSurface = 0.05;  ///< the core lies below its edge, to this sine

/// Of a place on a line of the side, from one rim to the other.
std::uint32_t featureOnLine(double share) {
  return share == 0.0 ? rimFeature(false, 0) : share == 1.0 ? rimFeature(true, 0) : lineFeature(1);
}

/// Where a line of the side and an edge beside it have an end: what is beside a rim is in its plane.
EndsOfStretch endsAlongAxis(const Round& round, const PairEdge& line, const PairEdge& edge) {
  const double from = round.axis.dot(edge.from - round.middle), to = round.axis.dot(edge.to - round.middle);
  const double half = round.half_length;
  return {line, edge, [&](double s) { return ((s == 0.0 ? -half : half) - from) / (to - from); },
          [&](double t) { return ((t == 0.0 ? from : to) + half) / (2.0 * half); }};
}

}  // namespace

void RoundPoints::add(const Vector3d& p, const Vector3d& normal, double distance, std::uint32_t of_first,
                      std::uint32_t of_second) {
  if (distance < deepest_) return;
  writer_.addOfCores(p, normal, distance, pairFeature(of_first, of_second));
}

void RoundPoints::addAboveFace(const FaceAxis& face) {
  const FacePrism prism(pair_.second, face.face);
  addRim(false, face, prism);
  if (round_.half_length > 0.0) addRim(true, face, prism);
  if (std::abs(face.normal.dot(round_.axis)) < kNearlyLying && round_.half_length > 0.0) addLine(face, prism);
}

/// The lowest point of a rim, and all of a rim that can lie flat.
void RoundPoints::addRim(bool upper, const FaceAxis& face, const FacePrism& prism) {
  const Vector3d middle = round_.rimMiddle(upper);
  const Vector3d down = round_.radius * towardsLowestPoint(round_.axis, face.normal);
  const Vector3d lowest = middle + down;
  if (prism.contains(lowest, pair_.tiny()))
    add(lowest, face.normal, heightAbove(pair_, face, lowest), rimFeature(upper, 0), faceFeature(face.face));
  const double along = face.normal.dot(round_.axis);
  const bool looks_down = round_.half_length == 0.0 || (along > 0.0) != upper;
  if (!looks_down || round_.axis.cross(face.normal).norm() > kNearlyFlatRim) return;
  if (heightAbove(pair_, face, lowest) < pair_.coreMargin()) addFlatRim(upper, face, prism);
}

/// As on the ground, points that are fixed to the rim carry it once all of it is near.
void RoundPoints::addFlatRim(bool upper, const FaceAxis& face, const FacePrism& prism) {
  const Vector3d middle = round_.rimMiddle(upper);
  const double sine = round_.axis.cross(face.normal).norm();
  if (heightAbove(pair_, face, middle) + round_.radius * sine < pair_.coreMargin()) {
    const Matrix3d& R = pair_.first.X_CS.R;
    for (int i = 0; i < 6; ++i) {
      const double angle = i * std::numbers::pi / 3.0;
      const Vector3d p = middle + round_.radius * (std::cos(angle) * R.col(0) + std::sin(angle) * R.col(1));
      if (prism.contains(p, pair_.tiny()))
        add(p, face.normal, heightAbove(pair_, face, p), rimFeature(upper, 1 + i), faceFeature(face.face));
    }
  }
  for (int side = 0; side < prism.sides(); ++side) {
    addCrossings(upper, side, face, prism);
    const Vector3d corner = prism.corner(side);
    const double height = round_.axis.dot(middle - corner) / round_.axis.dot(face.normal);
    const Vector3d p = corner + height * face.normal;
    if ((p - middle).norm() <= round_.radius + pair_.tiny())
      add(p, face.normal, height, capFeature(upper), vertexFeature(prism.vertexAt(side)));
  }
}

/// Where a rim passes over a side of a face.
void RoundPoints::addCrossings(bool upper, int side, const FaceAxis& face, const FacePrism& prism) {
  const Vector3d middle = round_.rimMiddle(upper), from = prism.corner(side), to = prism.corner(side + 1);
  const Vector3d outward = prism.outwardOf(side);
  const Vector3d towards = round_.across(outward);  // in the plane of the rim
  const double length = towards.norm();
  if (length < 1e-9) return;
  const double cosine = outward.dot(from - middle) / (round_.radius * length);
  if (std::abs(cosine) > 1.0) return;
  const double sine = std::sqrt(1.0 - cosine * cosine);
  const Vector3d tangent = round_.axis.cross(towards) / length;
  const Polytope::Edge& edge = pair_.second.core.edges[prism.edgeAt(side)];
  const bool runs_along = edge.ends[0] == prism.vertexAt(side);  // as the edge does, by which crossings are numbered
  for (const bool later : {false, true}) {
    const Vector3d p = middle + round_.radius * (cosine / length * towards + (later ? sine : -sine) * tangent);
    const double share = alongSegment(p, from, to);
    const bool later_on_edge = (tangent.dot(to - from) > 0.0) == (later == runs_along);
    if (share >= 0.0 && share <= 1.0)
      add(p, face.normal, heightAbove(pair_, face, p), crossingFeature(upper, later_on_edge),
          edgeFeature(prism.edgeAt(side)));
  }
}

/// Where the lowest line of a lying cylinder leaves the face.
void RoundPoints::addLine(const FaceAxis& face, const FacePrism& prism) {
  const Vector3d down = round_.radius * towardsLowestPoint(round_.axis, face.normal);
  const Vector3d start = round_.rimMiddle(false) + down, end = round_.rimMiddle(true) + down;
  double enters = 0.0, leaves = 1.0;
  int entry = -1, exit = -1;
  for (int side = 0; side < prism.sides(); ++side) {
    const Vector3d outward = prism.outwardOf(side);
    const double beyond = outward.dot(start - prism.corner(side)), change = outward.dot(end - start);
    if (change == 0.0) {
      if (beyond > pair_.tiny()) return;
      continue;
    }
    const double share = -beyond / change;
    if (change < 0.0 && share > enters) {
      enters = share;
      entry = side;
    } else if (change > 0.0 && share < leaves) {
      leaves = share;
      exit = side;
    }
  }
  if (enters > leaves) return;
  const auto addAt = [&](double share, int side) {
    if (side < 0) return;
    const Vector3d p = start + share * (end - start);
    add(p, face.normal, heightAbove(pair_, face, p), lineFeature(0), edgeFeature(prism.edgeAt(side)));
  };
  addAt(enters, entry);
  addAt(leaves, exit);
}

void RoundPoints::addBelowCap(const Vector3d& normal, const std::vector<PairEdge>& edges) {
  const bool upper = normal.dot(round_.axis) < 0.0;
  const Vector3d middle = round_.rimMiddle(upper);
  const auto addAt = [&](const Vector3d& q, std::uint32_t of_first, std::uint32_t of_second) {
    const double height = normal.dot(middle - q);
    add(q + height * normal, normal, height, of_first, of_second);
  };
  for (const PairEdge& edge : edges) {
    for (int end = 0; end < 2; ++end) {
      const Vector3d& q = end == 0 ? edge.from : edge.to;
      if (round_.across(q - middle).norm() <= round_.radius + pair_.tiny())
        addAt(q, capFeature(upper), vertexFeature(edge.ends[end]));
    }
    // Where the edge passes below the rim: |start + share · change| = radius
    const Vector3d start = round_.across(edge.from - middle), change = round_.across(edge.to - edge.from);
    const double a = change.squaredNorm(), b = start.dot(change);
    const double c = start.squaredNorm() - round_.radius * round_.radius;
    const double root = b * b - a * c;
    if (a <= 0.0 || root <= 0.0) continue;
    for (const bool later : {false, true}) {
      const double share = (-b + (later ? 1.0 : -1.0) * std::sqrt(root)) / a;
      if (share > 0.0 && share < 1.0)
        addAt(edge.from + share * (edge.to - edge.from), crossingFeature(upper, later), edgeFeature(edge.index));
    }
  }
}

void RoundPoints::addAlongSide(const Vector3d& normal, double separation, const std::vector<PairEdge>& edges) {
  const Vector3d down = round_.radius * towardsLowestPoint(round_.axis, normal);
  PairEdge line;
  line.from = round_.rimMiddle(false) + down;
  line.to = round_.rimMiddle(true) + down;
  for (const PairEdge& edge : edges)
    if (areNearlyParallel(line, edge) || crossAtASmallAngle(line, edge)) addEndsBeside(line, edge, normal, separation);
}

/// An edge that is not parallel to the line of the side goes around it: its ends are beside the line, each with a
/// direction of its own. Those of one that is have the direction of the two.
void RoundPoints::addEndsBeside(const PairEdge& line, const PairEdge& edge, const Vector3d& normal, double separation) {
  const auto isOnSurface = [&](const Vector3d& direction) {
    return std::max(direction.dot(edge.inward[0]), direction.dot(edge.inward[1])) <= kOnSurface;
  };
  for (const NearestOfSegments& end : endsAlongAxis(round_, line, edge)) {
    const Round::WayOut out = round_.wayOutOfSide(end.q);
    const double height = normal.dot(end.p - end.q);
    const bool is_below = std::abs(out.distance - height) <= pair_.rounding();
    const Vector3d direction = is_below ? normal : Vector3d(-out.direction);
    const double distance = is_below ? height : out.distance;
    if ((!is_below && distance < separation) || !isOnSurface(direction)) continue;
    add(end.q + distance * direction, direction, distance, featureOnLine(end.s), featureAlong(edge, end.t));
  }
}

}  // namespace footfall::collide
