#include "collide/separation.hpp"

#include <algorithm>
#include <limits>

namespace footfall::collide {
namespace {

double leastAlong(const Polytope& core, const Vector3d& direction_S) {
  double least = std::numeric_limits<double>::infinity();
  for (const Vector3d& vertex : core.vertices) least = std::min(least, direction_S.dot(vertex));
  return least;
}

/// Looks at the faces of one core, with the other above them. A face of the second core has to be better by more than
/// rounding: of faces that lie flat on each other always the same one is taken.
void lookAtFaces(const Pair& pair, bool of_first, FaceAxis& best) {
  const Part& owner = of_first ? pair.first : pair.second;
  const Part& other = of_first ? pair.second : pair.first;
  const Matrix3d R_other_owner = other.X_CS.R.transpose() * owner.X_CS.R;
  const Vector3d p_owner_other = owner.X_CS.R.transpose() * (other.X_CS.p - owner.X_CS.p);
  const double advantage = of_first ? 0.0 : pair.rounding();
  for (int i = 0; i < static_cast<int>(owner.core.faces.size()); ++i) {
    const Polytope::Face& face = owner.core.faces[i];
    const double separation =
        leastAlong(other.core, R_other_owner * face.normal) + face.normal.dot(p_owner_other) - face.offset;
    if (separation <= best.separation + advantage) continue;
    best.of_first = of_first;
    best.face = i;
    best.separation = separation;
    if (separation > pair.coreMargin()) break;
  }
}

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
  const auto isLower = [&](const Vector3d& a, const Vector3d& b) { return normal_S.dot(a) < normal_S.dot(b); };
  const Vector3d& lowest = *std::min_element(other.core.vertices.begin(), other.core.vertices.end(), isLower);
  const Vector3d p_S = owner.X_CS.inverse() * (other.X_CS * lowest);
  double least = std::numeric_limits<double>::infinity();
  for (const Vector3d& vertex : owner.core.vertices) least = std::min(least, (vertex - p_S).squaredNorm());
  return std::sqrt(least);
}

}  // namespace

void listEdgesAbove(const Part& part, const Vector3d& normal, double height, std::vector<PairEdge>& out) {
  listEdgesBelow(part, normal, height, -1.0, out);
}

FaceAxis bestFace(const Pair& pair) {
  FaceAxis best;
  lookAtFaces(pair, true, best);
  if (best.separation <= pair.coreMargin()) lookAtFaces(pair, false, best);
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

EdgeAxis bestEdges(double to_beat, const Scratch::Lists& lists) {
  constexpr double kParallel = 1e-16;  // square of the sine: below it the cross product is noise
  const double touch = 1e-9;           // [-] a normal that leaves a core by less than this lies on it
  EdgeAxis best;
  best.separation = to_beat;
  for (const PairEdge& a : lists.edges_of_first) {
    const Vector3d along_a = a.to - a.from;
    for (const PairEdge& b : lists.edges_of_second) {
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
        if (std::min(normal.dot(a.inward[0]), normal.dot(a.inward[1])) < -touch) continue;
        if (std::max(normal.dot(b.inward[0]), normal.dot(b.inward[1])) > touch) continue;
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
