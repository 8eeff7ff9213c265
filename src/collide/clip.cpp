#include "collide/clip.hpp"

#include <algorithm>
#include <limits>

namespace footfall::collide {
namespace {

/// Sutherland and Hodgman's algorithm, which keeps track of where the edges of the polygon come from.
class FaceClipper {
 public:
  FaceClipper(const Pair& pair, const FaceAxis& axis, Scratch::Lists& lists)
      : axis_(axis),
        reference_(axis.of_first ? pair.first : pair.second),
        incident_(axis.of_first ? pair.second : pair.first),
        prism_(reference_, axis.face),
        outward_(axis.of_first ? Vector3d(-axis.normal) : axis.normal),
        slack_(pair.tiny()),
        polygon_(lists.polygon),
        clipped_(lists.clipped),
        beyond_(lists.along) {}

  void clip() {
    start();
    for (int side = 0; side < prism_.sides() && !polygon_.empty(); ++side) clipBySide(side);
  }

  /// Corners of hulls with many small faces are near as well, and corners far inside.
  void addOtherVertices(double reach) {
    const Vector3d direction_S = incident_.X_CS.R.transpose() * outward_;
    const double limit =
        reach + reference_.core.faces[axis_.face].offset - outward_.dot(incident_.X_CS.p - reference_.X_CS.p);
    findBeyond();
    for (int i = 0; i < static_cast<int>(incident_.core.vertices.size()); ++i) {
      if (beyond_[i] > 2.0 * slack_ || direction_S.dot(incident_.core.vertices[i]) > limit) continue;
      const std::uint32_t feature = featureOf(faceFeature(axis_.face), vertexFeature(i));
      if (std::ranges::any_of(polygon_, [&](const ClipCorner& c) { return c.feature == feature; })) continue;
      const Vector3d p = incident_.vertex(i);
      if (prism_.contains(p, slack_)) polygon_.push_back({p, 0.0, -1, feature});
    }
  }

 private:
  /// How far each vertex is outside of the prism, to rounding: few are inside, and those are looked at one by one.
  void findBeyond() {
    const Polytope& core = incident_.core;
    beyond_.assign(core.vertexTableCount(), -std::numeric_limits<double>::infinity());
    for (int side = 0; side < prism_.sides(); ++side) {
      const Vector3d normal = prism_.outwardOf(side), normal_S = incident_.X_CS.R.transpose() * normal;
      polytopeKernel().farther(core.vertexTableCount(), core.vertex_table.data(), normal_S.data(),
                               normal.dot(prism_.corner(side) - incident_.X_CS.p), beyond_.data());
    }
  }

  std::uint32_t featureOf(std::uint32_t of_reference, std::uint32_t of_incident) const {
    return axis_.of_first ? pairFeature(of_reference, of_incident) : pairFeature(of_incident, of_reference);
  }

  /// The face at the deepest vertex that looks most towards the reference face.
  int incidentFace() const {
    const Polytope& core = incident_.core;
    const Vector3d direction_S = incident_.X_CS.R.transpose() * outward_;
    const int deepest = incident_.lowestVertex(direction_S);
    int chosen = -1;
    double least = 2.0;
    for (int i = core.first_face_at[deepest]; i < core.first_face_at[deepest + 1]; ++i) {
      const double cosine = direction_S.dot(core.faces[core.faces_at[i]].normal);
      if (cosine >= least) continue;
      least = cosine;
      chosen = core.faces_at[i];
    }
    return chosen;
  }

  void addVertex(int vertex, int edge) {
    polygon_.push_back(
        {incident_.vertex(vertex), 0.0, edge, featureOf(faceFeature(axis_.face), vertexFeature(vertex))});
  }

  /// The whole incident face; a segment or a point is a polygon as well, with two corners or one.
  void start() {
    polygon_.clear();
    const Polytope& core = incident_.core;
    if (core.dimension < 2) {
      for (int i = 0; i < static_cast<int>(core.vertices.size()); ++i) addVertex(i, 0);
      return;
    }
    incident_face_ = incidentFace();
    if (incident_face_ < 0) return;  // rounding made the deepest vertex one of no face
    const Polytope::Face& face = core.faces[incident_face_];
    for (int i = face.first_corner; i < face.first_corner + face.corner_count; ++i)
      addVertex(core.corners[i], core.corner_edges[i]);
  }

  /// Where the polygon's edge meets a side: two edges cross, or it is the corner between two sides.
  std::uint32_t crossingFeature(int edge, int side) const {
    if (edge >= 0) return featureOf(edgeFeature(prism_.edgeAt(side)), edgeFeature(edge));
    const int other = -1 - edge, n = prism_.sides();
    const int between = (other + 1) % n == side ? side : (side + 1) % n == other ? other : side;
    return featureOf(vertexFeature(prism_.vertexAt(between)), faceFeature(incident_face_));
  }

  void clipBySide(int side) {
    const Vector3d from = prism_.corner(side);
    const Vector3d normal = prism_.outwardOf(side);
    bool all_inside = true;
    for (ClipCorner& c : polygon_) {
      c.beyond = normal.dot(c.p - from);
      all_inside = all_inside && c.beyond <= slack_;
    }
    if (all_inside) return;
    clipped_.clear();
    for (std::size_t i = 0; i < polygon_.size(); ++i) {
      const ClipCorner& here = polygon_[i];
      const ClipCorner& next = polygon_[i + 1 < polygon_.size() ? i + 1 : 0];
      const bool here_inside = here.beyond <= slack_, next_inside = next.beyond <= slack_;
      if (here_inside) clipped_.push_back(here);
      if (here_inside == next_inside) continue;
      const double share = std::clamp(here.beyond / (here.beyond - next.beyond), 0.0, 1.0);
      const int edge = here_inside ? -1 - side : here.edge;
      clipped_.push_back({here.p + share * (next.p - here.p), 0.0, edge, crossingFeature(here.edge, side)});
    }
    polygon_.swap(clipped_);
  }

  const FaceAxis& axis_;
  const Part& reference_;
  const Part& incident_;
  FacePrism prism_;
  Vector3d outward_;  ///< of the reference face
  double slack_;      ///< corners on a side are inside
  int incident_face_ = 0;
  std::vector<ClipCorner>& polygon_;
  std::vector<ClipCorner>& clipped_;
  std::vector<double>& beyond_;  ///< the sides, of all vertices [m]
};

}  // namespace

void clipAgainstFace(const Pair& pair, const FaceAxis& axis, double reach, Scratch::Lists& lists) {
  FaceClipper clipper(pair, axis, lists);
  clipper.clip();
  const Part& incident = axis.of_first ? pair.second : pair.first;
  if (incident.core.dimension >= 2) clipper.addOtherVertices(reach);
}

double heightAbove(const Pair& pair, const FaceAxis& axis, const Vector3d& p_C) {
  const Part& reference = axis.of_first ? pair.first : pair.second;
  const double along = axis.normal.dot(p_C - reference.X_CS.p);
  return (axis.of_first ? -along : along) - reference.core.faces[axis.face].offset;
}

}  // namespace footfall::collide
