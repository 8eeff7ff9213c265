#include "collide/separation.hpp"

#include <algorithm>
#include <limits>

namespace footfall::collide {
namespace {

struct Lowest {
  double along = std::numeric_limits<double>::infinity();  ///< [m]
  int vertex = 0;
};

Lowest lowestAlong(const Polytope& core, const Vector3d& direction_S) {
  Lowest lowest;
  for (int i = 0; i < static_cast<int>(core.vertices.size()); ++i) {
    const double along = direction_S.dot(core.vertices[i]);
    if (along < lowest.along) lowest = {along, i};
  }
  return lowest;
}

/// The faces of one core, with the other above them.
class FaceSearch {
 public:
  FaceSearch(const Pair& pair, bool of_first)
      : pair_(pair),
        of_first_(of_first),
        owner_(of_first ? pair.first : pair.second),
        other_(of_first ? pair.second : pair.first),
        R_other_owner_(other_.X_CS.R.transpose() * owner_.X_CS.R),
        p_owner_other_(owner_.X_CS.R.transpose() * (other_.X_CS.p - owner_.X_CS.p)) {}

  /// A face of the second core has to be better by more than rounding: of faces that lie flat on each other always the
  /// same one is taken.
  void find(FaceAxis& best) {
    const double advantage = of_first_ ? 0.0 : pair_.rounding();
    const int likely = likelyFace();
    if (likely < 0) return;
    const double known = separation(likely);
    if (known > pair_.coreMargin()) {
      take(likely, known, best);
      return;
    }
    // What is lower than the one that is known by more than a few times the advantage is not the best, in any order.
    const double hopeless = known - 4.0 * pair_.rounding();
    for (int i = 0; i < faceCount(); ++i) {
      const double bound = upperBound(i);
      if (bound < hopeless || bound <= best.separation + advantage) continue;
      const double found = separation(i);
      if (found <= best.separation + advantage) continue;
      take(i, found, best);
      if (found > pair_.coreMargin()) break;
    }
  }

 private:
  void take(int face, double separation, FaceAxis& best) const {
    best.of_first = of_first_;
    best.face = face;
    best.separation = separation;
  }

  int faceCount() const { return static_cast<int>(owner_.core.faces.size()); }

  /// Asks every vertex of the other core.
  double separation(int i) {
    const Polytope::Face& face = owner_.core.faces[i];
    const Lowest lowest = lowestAlong(other_.core, R_other_owner_ * face.normal);
    seen_ = R_other_owner_.transpose() * other_.core.vertices[lowest.vertex] + p_owner_other_;
    return lowest.along + face.normal.dot(p_owner_other_) - face.offset;
  }

  /// Asks one, which was the lowest above the last face that was looked at.
  double upperBound(int i) const {
    const Polytope::Face& face = owner_.core.faces[i];
    return face.normal.dot(seen_) - face.offset + kRounding * pair_.size;
  }

  /// The one that the middle of the other core is highest above.
  int likelyFace() const {
    const Vector3d middle = R_other_owner_.transpose() * other_.solid.box_centre_S + p_owner_other_;
    int likely = -1;
    double highest = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < faceCount(); ++i) {
      const Polytope::Face& face = owner_.core.faces[i];
      const double height = face.normal.dot(middle) - face.offset;
      if (height <= highest) continue;
      highest = height;
      likely = i;
    }
    return likely;
  }

  static constexpr double kRounding = 1e-14;  ///< of the size: some ten sums of three products

  const Pair& pair_;
  const bool of_first_;
  const Part& owner_;
  const Part& other_;
  const Matrix3d R_other_owner_;
  const Vector3d p_owner_other_;
  Vector3d seen_ = Vector3d::Zero();  ///< a vertex of the other core, in the frame of the owner [m]
};

/// All edges with a part on this side of a plane: sign · (normal · x - height) ≤ 0.
void listEdgesBelow(const Part& part, const Vector3d& normal, double height, double sign, std::vector<PairEdge>& out) {
  out.clear();
  const Vector3d direction_S = sign * (part.X_CS.R.transpose() * normal);
  const double limit = sign * (height - normal.dot(part.X_CS.p));
  if (part.core.edges.empty()) {
    const Vector3d p = part.vertex(0);
    out.push_back({p, p, {Vector3d::Zero(), Vector3d::Zero()}, 0, {0, 0}});
  }
  for (int i = 0; i < static_cast<int>(part.core.edges.size()); ++i) {
    const Polytope::Edge& edge = part.core.edges[i];
    const Vector3d& from = part.core.vertices[edge.ends[0]];
    const Vector3d& to = part.core.vertices[edge.ends[1]];
    if (std::min(direction_S.dot(from), direction_S.dot(to)) > limit) continue;
    out.push_back(
        {part.X_CS * from, part.X_CS * to, {part.X_CS.R * edge.inward[0], part.X_CS.R * edge.inward[1]}, i, edge.ends});
  }
}

/// The cores are no farther apart than this: the distance of one vertex of each. Where the margin is wide, as for a
/// contact that is looked for again wherever it has gone, it spares all pairs of edges of two hulls.
double farthestApart(const Pair& pair, const FaceAxis& face) {
  const Part& owner = face.of_first ? pair.first : pair.second;
  const Part& other = face.of_first ? pair.second : pair.first;
  const Vector3d normal_S = other.X_CS.R.transpose() * owner.faceNormal(face.face);
  const Vector3d& lowest = other.core.vertices[lowestAlong(other.core, normal_S).vertex];
  const Vector3d p_S = owner.X_CS.inverse() * (other.X_CS * lowest);
  double least = std::numeric_limits<double>::infinity();
  for (const Vector3d& vertex : owner.core.vertices) least = std::min(least, (vertex - p_S).squaredNorm());
  return std::sqrt(least);
}

/// The vertex of a core that is farthest along a direction of the pair's frame.
Vector3d farthestVertex(const Part& part, const Vector3d& direction) {
  return part.vertex(lowestAlong(part.core, -(part.X_CS.R.transpose() * direction)).vertex);
}

/// Of these edges of a core, those at which the other core can be farther away than `to_beat`. The other one contains
/// `seen`, which is above the two faces of an edge by h₁ and h₂; along a normal between theirs, α n₁ + β n₂, it is
/// therefore no farther away than α h₁ + β h₂.
void listCrossing(const Part& part, const std::vector<PairEdge>& edges, const Vector3d& seen, double to_beat,
                  std::vector<int>& out) {
  out.clear();
  const Vector3d seen_S = part.X_CS.inverse() * seen;
  const auto heightAboveFace = [&](int i) { return part.core.faces[i].normal.dot(seen_S) - part.core.faces[i].offset; };
  for (int i = 0; i < static_cast<int>(edges.size()); ++i) {
    if (!part.core.edges.empty()) {
      const Polytope::Edge& edge = part.core.edges[edges[i].index];
      const bool has_faces = edge.faces[1] >= 0;
      const double highest = has_faces ? std::max(heightAboveFace(edge.faces[0]), heightAboveFace(edge.faces[1])) : 0.0;
      if (has_faces && (highest > 0.0 ? edge.most_weight * highest : highest) <= to_beat) continue;
    }
    out.push_back(i);
  }
}

}  // namespace

void listEdgesAbove(const Part& part, const Vector3d& normal, double height, std::vector<PairEdge>& out) {
  listEdgesBelow(part, normal, height, -1.0, out);
}

FaceAxis bestFace(const Pair& pair) {
  FaceAxis best;
  FaceSearch(pair, true).find(best);
  if (best.separation <= pair.coreMargin()) FaceSearch(pair, false).find(best);
  best.normal = best.of_first ? Vector3d(-pair.first.faceNormal(best.face)) : pair.second.faceNormal(best.face);
  return best;
}

void listNearEdges(const Pair& pair, const FaceAxis& face, Scratch::Lists& lists) {
  // Edges that decide are as near to each other as the cores are apart, or overlap along the best face at most.
  const double apart = std::min(pair.coreMargin(), farthestApart(pair, face));
  const double reach = std::max(apart, -face.separation) + pair.tiny();
  const Part& owner = face.of_first ? pair.first : pair.second;
  const double plane =
      owner.core.faces[face.face].offset * (face.of_first ? -1.0 : 1.0) + face.normal.dot(owner.X_CS.p);
  const double lowest_of_first = face.of_first ? plane : plane + face.separation;
  const double highest_of_second = lowest_of_first - face.separation;
  listEdgesBelow(pair.first, face.normal, highest_of_second + reach, 1.0, lists.edges_of_first);
  listEdgesAbove(pair.second, face.normal, lowest_of_first - reach, lists.edges_of_second);
}

EdgeAxis bestEdges(const Pair& pair, const FaceAxis& face, Scratch::Lists& lists) {
  constexpr double kParallel = 1e-16;  // square of the sine: below it the cross product is noise
  constexpr double kTouch = 1e-9;      // [-] a normal that leaves a core by less than this lies on it
  EdgeAxis best;
  best.separation = face.separation + pair.rounding();
  const double to_beat = best.separation - 2.0 * kTouch * pair.size;
  listCrossing(pair.first, lists.edges_of_first, farthestVertex(pair.second, face.normal), to_beat,
               lists.crossing_of_first);
  listCrossing(pair.second, lists.edges_of_second, farthestVertex(pair.first, -face.normal), to_beat,
               lists.crossing_of_second);
  for (const int i : lists.crossing_of_first) {
    const PairEdge& a = lists.edges_of_first[i];
    const Vector3d along_a = a.to - a.from;
    for (const int k : lists.crossing_of_second) {
      const PairEdge& b = lists.edges_of_second[k];
      const Vector3d along_b = b.to - b.from;
      const Vector3d cross = along_a.cross(along_b);
      const double squared = cross.squaredNorm();
      if (squared <= kParallel * along_a.squaredNorm() * along_b.squaredNorm()) continue;
      const double length = std::sqrt(squared);
      const double offset = cross.dot(a.from - b.from);
      for (const double sign : {1.0, -1.0}) {
        if (sign * offset <= best.separation * length) continue;
        const Vector3d normal = (sign / length) * cross;
        // Only where the first core lies above its edge and the second one below, the edges are what separates them.
        if (std::min(normal.dot(a.inward[0]), normal.dot(a.inward[1])) < -kTouch) continue;
        if (std::max(normal.dot(b.inward[0]), normal.dot(b.inward[1])) > kTouch) continue;
        // The ends one by one: they err to the safe side where the edges are nearly parallel.
        const double separation =
            std::min(normal.dot(a.from), normal.dot(a.to)) - std::max(normal.dot(b.from), normal.dot(b.to));
        if (separation <= best.separation) continue;
        best = {a, b, separation, normal};
      }
    }
  }
  if (best.normal.isZero()) best.separation = -std::numeric_limits<double>::infinity();
  return best;
}

}  // namespace footfall::collide
