#include "collide/separation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace footfall::collide {
namespace {

/// The faces of one core, with the other above them.
class FaceSearch {
 public:
  FaceSearch(const Pair& pair, bool of_first, Scratch::Lists& lists)
      : pair_(pair),
        of_first_(of_first),
        owner_(of_first ? pair.first : pair.second),
        other_(of_first ? pair.second : pair.first),
        R_other_owner_(other_.X_CS.R.transpose() * owner_.X_CS.R),
        p_owner_other_(owner_.X_CS.R.transpose() * (other_.X_CS.p - owner_.X_CS.p)),
        bounds_(lists.bounds),
        asked_(lists.asked) {}

  /// No face separates the cores by more than the height of any vertex of the other core above it. Those that promise
  /// most are asked first, and each answer brings a vertex that tells more about the rest.
  void find(FaceAxis& best) {
    if (owner_.core.faces.empty()) return;
    bounds_.resize(owner_.core.faceTableCount());
    asked_.clear();
    double most = ask(likelyFace());
    kernel_.above(faceCount(), faces(), seen_.data(), bounds_.data());
    bounds_[asked_.back().face] = kNone;
    while (most <= pair_.coreMargin()) {
      const int face = kernel_.highest(faceCount(), bounds_.data());
      // What is lower than the best by more than a few times the advantage is not taken, in any order.
      const double to_beat = std::max(most - 4.0 * pair_.rounding(), best.separation + advantage());
      if (!(bounds_[face] + kRounding * pair_.size > to_beat)) break;
      bounds_[face] = kNone;
      most = std::max(most, ask(face));
      kernel_.lower(faceCount(), faces(), seen_.data(), bounds_.data());
    }
    std::ranges::sort(asked_, {}, &Scratch::Lists::AskedFace::face);
    for (const auto& [face, separation] : asked_)
      if (separation > best.separation + advantage()) best = {of_first_, face, separation, Vector3d::Zero()};
  }

 private:
  /// A face of the second core has to be better by more than rounding: of faces that lie flat on each other always the
  /// same one is taken.
  double advantage() const { return of_first_ ? 0.0 : pair_.rounding(); }

  int faceCount() const { return owner_.core.faceTableCount(); }
  const double* faces() const { return owner_.core.face_table.data(); }

  /// Asks every vertex of the other core.
  double ask(int i) {
    const Polytope::Face& face = owner_.core.faces[i];
    const Vector3d& lowest = other_.core.vertices[other_.lowestVertex(R_other_owner_ * face.normal)];
    seen_ = R_other_owner_.transpose() * lowest + p_owner_other_;
    asked_.push_back({i, face.normal.dot(seen_) - face.offset});
    return asked_.back().separation;
  }

  /// The one that the middle of the other core is highest above.
  int likelyFace() {
    const Vector3d middle = R_other_owner_.transpose() * other_.solid.box_centre_S + p_owner_other_;
    kernel_.above(faceCount(), faces(), middle.data(), bounds_.data());
    return kernel_.highest(faceCount(), bounds_.data());
  }

  static constexpr double kNone = -std::numeric_limits<double>::infinity();
  static constexpr double kRounding = 1e-14;  ///< of the size: some ten sums of three products

  const Pair& pair_;
  const bool of_first_;
  const Part& owner_;
  const Part& other_;
  const Matrix3d R_other_owner_;
  const Vector3d p_owner_other_;
  std::vector<double>& bounds_;  ///< of what faces separate, −∞ of those that were asked [m]
  std::vector<Scratch::Lists::AskedFace>& asked_;
  const PolytopeKernel& kernel_ = polytopeKernel();
  Vector3d seen_ = Vector3d::Zero();  ///< the vertex of the other core that decided last, in the frame of the owner [m]
};

/// In the frame of the pair; of a core without edges its only point.
PairEdge edgeOf(const Part& part, int i) {
  if (part.core.edges.empty()) {
    const Vector3d p = part.vertex(0);
    return {p, p, {Vector3d::Zero(), Vector3d::Zero()}, 0, {0, 0}};
  }
  const Polytope::Edge& edge = part.core.edges[i];
  return {part.vertex(edge.ends[0]),
          part.vertex(edge.ends[1]),
          {part.X_CS.R * edge.inward[0], part.X_CS.R * edge.inward[1]},
          i,
          edge.ends};
}

void placeEdges(const Part& part, const std::vector<int>& numbers, std::vector<PairEdge>& out) {
  out.clear();
  for (const int i : numbers) out.push_back(edgeOf(part, i));
}

/// The side of a plane: sign · (normal · x - height) ≤ 0.
struct HalfSpace {
  Vector3d normal;
  double height;
  double sign;
};

/// Which edges of a core have a part in a half space.
class EdgesWithin {
 public:
  EdgesWithin(const Part& part, const HalfSpace& space, Scratch::Lists& lists)
      : core_(part.core), limit_(space.sign * (space.height - space.normal.dot(part.X_CS.p))), along_(lists.along) {
    const Vector3d direction_S = space.sign * (part.X_CS.R.transpose() * space.normal);
    along_.resize(core_.vertexTableCount());
    polytopeKernel().along(core_.vertexTableCount(), core_.vertex_table.data(), direction_S.data(), along_.data());
  }

  bool contain(const Polytope::Edge& edge) const {
    return std::min(along_[edge.ends[0]], along_[edge.ends[1]]) <= limit_;
  }

  /// The numbers of all of them.
  void list(std::vector<int>& out) const {
    out.clear();
    if (core_.edges.empty()) out.push_back(0);
    for (int i = 0; i < static_cast<int>(core_.edges.size()); ++i)
      if (contain(core_.edges[i])) out.push_back(i);
  }

 private:
  const Polytope& core_;
  const double limit_;
  std::vector<double>& along_;  ///< the normal, of all vertices [m]
};

/// The cores are no farther apart than this: the distance of one vertex of each. Where the margin is wide, as for a
/// contact that is looked for again wherever it has gone, it spares all pairs of edges of two hulls.
double farthestApart(const Pair& pair, const FaceAxis& face) {
  const Part& owner = face.of_first ? pair.first : pair.second;
  const Part& other = face.of_first ? pair.second : pair.first;
  const Vector3d normal_S = other.X_CS.R.transpose() * owner.faceNormal(face.face);
  const Vector3d& lowest = other.core.vertices[other.lowestVertex(normal_S)];
  const Vector3d p_S = owner.X_CS.inverse() * (other.X_CS * lowest);
  double least = std::numeric_limits<double>::infinity();
  for (const Vector3d& vertex : owner.core.vertices) least = std::min(least, (vertex - p_S).squaredNorm());
  return std::sqrt(least);
}

/// Of the edges of one core that are near the other, those at which that one can be farther away than `to_beat`.
class CrossingEdges {
 public:
  CrossingEdges(const Pair& pair, bool of_first, double to_beat, Scratch::Lists& lists)
      : part_(of_first ? pair.first : pair.second),
        other_(of_first ? pair.second : pair.first),
        R_other_part_(other_.X_CS.R.transpose() * part_.X_CS.R),
        p_part_other_(part_.X_CS.R.transpose() * (other_.X_CS.p - part_.X_CS.p)),
        to_beat_(to_beat),
        heights_(lists.bounds) {}

  /// Each edge is asked what costs least first: most are told apart by the vertex of the other core that is lowest
  /// along the normal of the best face, outward of this core.
  void list(const Vector3d& normal, const EdgesWithin& near, std::vector<PairEdge>& out) {
    out.clear();
    const Polytope& core = part_.core;
    seen_ = lowestOfOther(part_.X_CS.R.transpose() * normal);
    heights_.resize(core.faceTableCount());
    polytopeKernel().above(core.faceTableCount(), core.face_table.data(), seen_.data(), heights_.data());
    if (core.dimension < 2) return out.push_back(edgeOf(part_, 0));  // a point or a segment is near as a whole
    const double* heights = heights_.data();
    const std::array<int, 2>* faces = core.faces_at_edges.data();
    const double floor = std::min(to_beat_, 0.0);
    for (int i = 0, count = static_cast<int>(core.edges.size()); i < count; ++i) {
      const double h1 = heights[faces[i][0]], h2 = heights[faces[i][1]];
      if (std::max(h1, h2) <= floor) continue;
      const Polytope::Edge& edge = core.edges[i];
      if (farthestBetween(edge, h1, h2) > to_beat_ && near.contain(edge) && !isBelowOthers(edge))
        out.push_back(edgeOf(part_, i));
    }
  }

 private:
  /// The lowest vertex of the other core, in the frame of this one.
  Vector3d lowestOfOther(const Vector3d& direction) const {
    const Vector3d& lowest = other_.core.vertices[other_.lowestVertex(R_other_part_ * direction)];
    return R_other_part_.transpose() * lowest + p_part_other_;
  }

  /// The same by two more vertices: the last one that was asked, and the one that is lowest above this edge.
  bool isBelowOthers(const Polytope::Edge& edge) {
    if (farthestOf(edge, seen_) <= to_beat_) return true;
    seen_ = lowestOfOther(part_.core.faces[edge.faces[0]].normal + part_.core.faces[edge.faces[1]].normal);
    return farthestOf(edge, seen_) <= to_beat_;
  }

  double farthestOf(const Polytope::Edge& edge, const Vector3d& vertex) const {
    const auto heightAbove = [&](const Polytope::Face& face) { return face.normal.dot(vertex) - face.offset; };
    return farthestBetween(edge, heightAbove(part_.core.faces[edge.faces[0]]),
                           heightAbove(part_.core.faces[edge.faces[1]]));
  }

  const Part& part_;
  const Part& other_;
  const Matrix3d R_other_part_;
  const Vector3d p_part_other_;
  const double to_beat_;
  std::vector<double>& heights_;      ///< of the first vertex that is asked, above all faces [m]
  Vector3d seen_ = Vector3d::Zero();  ///< the vertex of the other core that was asked last, in the frame of this [m]
};

/// Where edges have a part that can decide, given the best face.
struct NearSpaces {
  HalfSpace of_first, of_second;
};

NearSpaces nearSpaces(const Pair& pair, const FaceAxis& face) {
  // Edges that decide are as near to each other as the cores are apart, or overlap along the best face at most.
  const double apart = std::min(pair.coreMargin(), farthestApart(pair, face));
  const double reach = std::max(apart, -face.separation) + pair.tiny();
  const Part& owner = face.of_first ? pair.first : pair.second;
  const double plane =
      owner.core.faces[face.face].offset * (face.of_first ? -1.0 : 1.0) + face.normal.dot(owner.X_CS.p);
  const double lowest_of_first = face.of_first ? plane : plane + face.separation;
  const double highest_of_second = lowest_of_first - face.separation;
  return {{face.normal, highest_of_second + reach, 1.0}, {face.normal, lowest_of_first - reach, -1.0}};
}

}  // namespace

void listEdgesAbove(const Part& second, const Vector3d& normal, double height, Scratch::Lists& lists) {
  EdgesWithin(second, {normal, height, -1.0}, lists).list(lists.near_of_second);
  placeEdges(second, lists.near_of_second, lists.edges_of_second);
}

FaceAxis bestFace(const Pair& pair, Scratch::Lists& lists) {
  FaceAxis best;
  FaceSearch(pair, true, lists).find(best);
  if (best.separation <= pair.coreMargin()) FaceSearch(pair, false, lists).find(best);
  best.normal = best.of_first ? Vector3d(-pair.first.faceNormal(best.face)) : pair.second.faceNormal(best.face);
  return best;
}

void placeNearEdges(const Pair& pair, const FaceAxis& face, Scratch::Lists& lists) {
  const NearSpaces near = nearSpaces(pair, face);
  EdgesWithin(pair.first, near.of_first, lists).list(lists.near_of_first);
  EdgesWithin(pair.second, near.of_second, lists).list(lists.near_of_second);
  placeEdges(pair.first, lists.near_of_first, lists.edges_of_first);
  placeEdges(pair.second, lists.near_of_second, lists.edges_of_second);
}

EdgeAxis bestEdges(const Pair& pair, const FaceAxis& face, Scratch::Lists& lists) {
  constexpr double kParallel = 1e-16;  // square of the sine: below it the cross product is noise
  constexpr double kTouch = 1e-9;      // [-] a normal that leaves a core by less than this lies on it
  EdgeAxis best;
  best.separation = face.separation + pair.rounding();
  const double to_beat = best.separation - 2.0 * kTouch * pair.size;
  const NearSpaces near = nearSpaces(pair, face);
  CrossingEdges(pair, true, to_beat, lists)
      .list(-face.normal, EdgesWithin(pair.first, near.of_first, lists), lists.edges_of_first);
  CrossingEdges(pair, false, to_beat, lists)
      .list(face.normal, EdgesWithin(pair.second, near.of_second, lists), lists.edges_of_second);
  for (const PairEdge& a : lists.edges_of_first) {
    const Vector3d along_a = a.to - a.from;
    for (const PairEdge& b : lists.edges_of_second) {
      const Vector3d along_b = b.to - b.from;
      const Vector3d cross = along_a.cross(along_b);
      const double squared = cross.squaredNorm();
      if (squared <= kParallel * along_a.squaredNorm() * along_b.squaredNorm()) continue;
      const double offset = cross.dot(a.from - b.from);
      // Only where the first core lies above its edge and the second one below, the edges are what separates them.
      const double above[2] = {cross.dot(a.inward[0]), cross.dot(a.inward[1])};
      const double below[2] = {cross.dot(b.inward[0]), cross.dot(b.inward[1])};
      for (const double sign : {1.0, -1.0}) {
        const double inside = std::min({sign * above[0], sign * above[1], -sign * below[0], -sign * below[1]});
        if (inside < 0.0 && inside * inside > kTouch * kTouch * squared) continue;
        const double length = std::sqrt(squared);
        if (sign * offset <= best.separation * length) continue;
        const Vector3d normal = (sign / length) * cross;
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
