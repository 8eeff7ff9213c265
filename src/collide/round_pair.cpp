#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "collide/pair_edges.hpp"
#include "collide/pair_manifolds.hpp"
#include "collide/round_points.hpp"
#include "collide/separation.hpp"

namespace footfall::collide {
namespace {

enum class RoundAxisKind { face, cap, vertex, edge };

/// A direction that separates, and what it comes from.
struct RoundAxis {
  RoundAxisKind kind = RoundAxisKind::face;
  Vector3d normal = Vector3d::Zero();
  double separation = -std::numeric_limits<double>::infinity();
  int vertex = 0;
  PairEdge edge;
};

/// A cylinder or circle, the first, and a core, the second. Of all directions that features of the two can have in
/// common the one is taken that separates them best.
class RoundMeeting {
 public:
  RoundMeeting(const Pair& pair, Scratch::Lists& lists, PointWriter& writer)
      : pair_(pair),
        second_(pair.second),
        round_(pair.first),
        lists_(lists),
        edges_(lists.edges_of_second),
        writer_(writer) {}

  Vector3d find() {
    if (!findAxis()) return best_.normal;
    addPoints();
    return Vector3d::Zero();
  }

 private:
  static constexpr double kAligned = 0.866;  ///< cosine; as kNearlyFlatRim
  static constexpr double kTilt = 1.001;     ///< as for polytopes

  void addPoints() {
    RoundPoints points(pair_, round_, kTilt * std::min(best_.separation, 0.0) - pair_.rounding(), writer_);
    const bool on_edge = best_.kind == RoundAxisKind::vertex || best_.kind == RoundAxisKind::edge;
    const double along_axis = std::abs(best_.normal.dot(round_.axis));
    const bool above_face = face_.face >= 0 && face_.normal.dot(best_.normal) > kAligned;
    if (best_.kind == RoundAxisKind::cap || (along_axis > kAligned && (on_edge || !above_face))) {
      const Vector3d normal = best_.normal.dot(round_.axis) < 0.0 ? Vector3d(-round_.axis) : round_.axis;
      points.addBelowCap(normal, edges_);
    }
    if (above_face) points.addAboveFace(face_);
    if ((!above_face || on_edge) && along_axis < kNearlyLying && round_.half_length > 0.0)
      points.addAlongSide(best_.normal, best_.separation, edges_);
    // Last: along a line it is at one of the ends, rounding says at which, and these are known by what they are.
    if (on_edge) addPrimary();
    if (writer_.count() == 0 && best_.separation <= 0.0) addDeepest();
  }

  /// @return false where they are too far apart
  bool findAxis() {
    lookAtFaces();
    if (best_.separation > pair_.coreMargin()) return false;
    for (const double sign : {1.0, -1.0}) offer(RoundAxisKind::cap, sign * round_.axis);
    if (best_.separation > pair_.coreMargin()) return false;
    lookAtVertices();
    if (best_.separation > pair_.coreMargin()) return false;
    listEdges();
    seen_ = pointBelow(best_.normal);
    for (const PairEdge& edge : edges_)
      if (mayBeBetter(edge)) lookAtEdge(edge);
    return best_.separation <= pair_.coreMargin();
  }

  double separationAlong(const Vector3d& normal) const {
    const Vector3d direction_S = second_.X_CS.R.transpose() * normal;
    double most = -std::numeric_limits<double>::infinity();
    for (const Vector3d& v : second_.core.vertices) most = std::max(most, direction_S.dot(v));
    return -round_.reach(-normal) - most - normal.dot(second_.X_CS.p);
  }

  bool isBetter(double separation) const {
    const bool is_flat = best_.kind == RoundAxisKind::face || best_.kind == RoundAxisKind::cap;
    return separation > best_.separation + (is_flat ? pair_.preference() : 0.0);
  }

  void offer(RoundAxisKind kind, const Vector3d& normal, int vertex = 0) {
    const double separation = separationAlong(normal);
    if (!isBetter(separation)) return;
    best_.kind = kind;
    best_.normal = normal;
    best_.separation = separation;
    best_.vertex = vertex;
  }

  void lookAtFaces() {
    face_.of_first = false;
    for (int i = 0; i < static_cast<int>(second_.core.faces.size()); ++i) {
      const Vector3d normal = second_.faceNormal(i);
      const double separation = -round_.reach(-normal) - second_.core.faces[i].offset - normal.dot(second_.X_CS.p);
      if (separation <= face_.separation) continue;
      face_.face = i;
      face_.separation = separation;
      face_.normal = normal;
    }
    best_.normal = face_.normal;
    best_.separation = face_.separation;
  }

  /// The nearest vertex, and all that are inside.
  void lookAtVertices() {
    int nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < static_cast<int>(second_.core.vertices.size()); ++i) {
      const Vector3d p = second_.vertex(i);
      const double distance = round_.wayOut(p).distance;
      if (distance < least) {
        least = distance;
        nearest = i;
      }
      if (distance > 0.0) continue;
      const Round::WayOut out = round_.wayOutOfSide(p);
      if (isBetter(out.distance)) offer(RoundAxisKind::vertex, -out.direction, i);
    }
    if (isBetter(least)) offer(RoundAxisKind::vertex, -round_.wayOut(second_.vertex(nearest)).direction, nearest);
  }

  void listEdges() {
    if (face_.face >= 0) return listNearEdgesBelow();
    edges_.clear();
    if (second_.core.edges.empty()) {
      const Vector3d p = second_.vertex(0);
      edges_.push_back({p, p, {Vector3d::Zero(), Vector3d::Zero()}, 0, {0, 0}});
    } else {
      edges_.push_back({second_.vertex(0), second_.vertex(1), {Vector3d::Zero(), Vector3d::Zero()}, 0, {0, 1}});
    }
  }

  /// Edges that are nearer than the margin, or than the overlap along the best face.
  void listNearEdgesBelow() {
    const double reach = std::max(pair_.coreMargin(), -face_.separation) + pair_.tiny();
    const double lowest = -round_.reach(-face_.normal);
    listEdgesAbove(second_, face_.normal, lowest - reach, lists_);
  }

  /// A point of the round solid that is lowest along a normal, but for rounding: along the axis all of a cap is.
  Vector3d pointBelow(const Vector3d& normal) const {
    constexpr double kAlongAxis = 1e-9;
    if (round_.across(normal).norm() > kAlongAxis) return round_.farthest(-normal);
    return round_.rimMiddle(normal.dot(round_.axis) < 0.0);
  }

  /// Most edges are told apart by a point of the round solid: the one that was asked last, or the one that is lowest
  /// above the edge.
  bool mayBeBetter(const PairEdge& edge) {
    if (second_.core.dimension < 2) return true;
    const Polytope::Edge& of_core = second_.core.edges[edge.index];
    const double to_beat = best_.separation - pair_.rounding();
    const std::array<Vector3d, 2> normals = {second_.faceNormal(of_core.faces[0]),
                                             second_.faceNormal(of_core.faces[1])};
    const auto farthest = [&](const Vector3d& p) {
      const Vector3d from_core = p - second_.X_CS.p;
      return farthestBetween(of_core, normals[0].dot(from_core) - second_.core.faces[of_core.faces[0]].offset,
                             normals[1].dot(from_core) - second_.core.faces[of_core.faces[1]].offset);
    };
    if (farthest(seen_) <= to_beat) return false;
    seen_ = pointBelow(normals[0] + normals[1]);
    return farthest(seen_) > to_beat;
  }

  void lookAtEdge(const PairEdge& edge) {
    const Vector3d along = (edge.to - edge.from).normalized();
    if (along.isZero()) return;
    Vector3d middle = -(edge.inward[0] + edge.inward[1]);
    double half_angle = std::numbers::pi;
    if (middle.isZero()) {  // a segment: all around
      middle = round_.middle - edge.from;
      middle -= middle.dot(along) * along;
      if (middle.norm() <= pair_.tiny()) middle = round_.axis.cross(along);
      if (middle.norm() <= 1e-9) middle = rotationWithZ(along.z() < 0.0 ? Vector3d(-along) : along).col(0);
    } else {
      half_angle = 0.5 * (std::numbers::pi - std::acos(std::clamp(edge.inward[0].dot(edge.inward[1]), -1.0, 1.0)));
    }
    middle.normalize();
    const ArcBest arc = bestOnArc(round_, edge.from, along, middle, half_angle);
    if (!isBetter(arc.separation)) return;
    const double separation = std::min(arc.separation, separationAlong(arc.normal));
    if (isBetter(separation)) best_ = {RoundAxisKind::edge, arc.normal, separation, 0, edge};
  }

  /// The point where the best direction touches; none where that turns out to be beside an edge: then the two are
  /// farther apart than the margin.
  void addPrimary() {
    const Vector3d& n = best_.normal;
    if (best_.kind == RoundAxisKind::vertex) {
      const Vector3d p = second_.vertex(best_.vertex) + best_.separation * n;
      writer_.addOfCores(p, n, best_.separation, pairFeature(curvedFeature(), vertexFeature(best_.vertex)));
      return;
    }
    const PairEdge& edge = best_.edge;
    const auto onEdge = [&](const Vector3d& foot) {
      return Vector3d(edge.from + std::clamp(alongSegment(foot, edge.from, edge.to), 0.0, 1.0) * (edge.to - edge.from));
    };
    const auto outsideAt = [&](const Vector3d& q) { return round_.wayOut(q + best_.separation * n).distance; };
    // Below a rim, or beside the axis: the one that is on the round solid.
    const Vector3d below_rim = onEdge(round_.farthest(-n) - best_.separation * n);
    const Vector3d beside_axis =
        nearestOfSegments(edge.from, edge.to, round_.rimMiddle(false), round_.rimMiddle(true)).p;
    const Vector3d q = outsideAt(below_rim) <= outsideAt(beside_axis) ? below_rim : beside_axis;
    const double slack = 1e3 * pair_.tiny();  // of the place, which is known worse than the distance
    if (best_.separation > 0.0 && outsideAt(q) > slack) return;
    const Vector3d p = q + best_.separation * n;
    writer_.addOfCores(p, n, best_.separation, pairFeature(curvedFeature(), edgeFeature(edge.index)));
  }

  void addDeepest() {
    writer_.addOfCores(round_.farthest(-best_.normal), best_.normal, best_.separation, pairFeature(curvedFeature(), 0));
  }

  const Pair& pair_;
  const Part& second_;
  Round round_;
  FaceAxis face_;
  RoundAxis best_;
  Vector3d seen_ = Vector3d::Zero();  ///< a point of the round solid [m]
  Scratch::Lists& lists_;
  std::vector<PairEdge>& edges_;  ///< of the second solid
  PointWriter& writer_;
};

}  // namespace

Vector3d addRoundPoints(const Pair& pair, Scratch::Lists& lists, PointWriter& writer) {
  return RoundMeeting(pair, lists, writer).find();
}

}  // namespace footfall::collide
