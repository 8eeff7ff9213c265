#include "footfall/collide/polytope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "collide/polytope_kernel.hpp"
#include "footfall/geometry/convex_hull.hpp"
#include "footfall/simd/internal/kernel_choice.hpp"

namespace footfall::collide {
namespace {

using Loop = std::vector<int>;  // corners of a face

/// Builds the surface face by face.
class SurfaceBuilder {
 public:
  explicit SurfaceBuilder(Polytope& polytope) : polytope_(polytope) {}

  void addFace(const Loop& loop, const Vector3d& normal) {
    Polytope::Face face;
    face.normal = normal;
    face.offset = normal.dot(polytope_.vertices[loop[0]]);
    for (const Vector3d& vertex : polytope_.vertices) face.offset = std::max(face.offset, normal.dot(vertex));
    face.first_corner = static_cast<int>(polytope_.corners.size());
    face.corner_count = static_cast<int>(loop.size());
    for (std::size_t i = 0; i < loop.size(); ++i) {
      polytope_.corners.push_back(loop[i]);
      polytope_.corner_edges.push_back(addEdge(loop[i], loop[(i + 1) % loop.size()], normal));
    }
    polytope_.faces.push_back(face);
  }

  /// What lies beside what, once all faces are there.
  void connect() {
    listFacesAtVertices();
    listFacesAtEdges();
  }

 private:
  void listFacesAtVertices() {
    std::vector<std::vector<int>> at(polytope_.vertices.size());
    for (int f = 0; f < static_cast<int>(polytope_.faces.size()); ++f) {
      const Polytope::Face& face = polytope_.faces[f];
      for (int i = 0; i < face.corner_count; ++i) at[polytope_.corners[face.first_corner + i]].push_back(f);
    }
    polytope_.first_face_at = {0};
    for (const std::vector<int>& faces : at) {
      polytope_.faces_at.insert(polytope_.faces_at.end(), faces.begin(), faces.end());
      polytope_.first_face_at.push_back(static_cast<int>(polytope_.faces_at.size()));
    }
  }

  void listFacesAtEdges() {
    for (int f = 0; f < static_cast<int>(polytope_.faces.size()); ++f) {
      const Polytope::Face& face = polytope_.faces[f];
      for (int i = 0; i < face.corner_count; ++i) {
        Polytope::Edge& edge = polytope_.edges[polytope_.corner_edges[face.first_corner + i]];
        edge.faces[edge.faces[0] < 0 ? 0 : 1] = f;
      }
    }
    for (Polytope::Edge& edge : polytope_.edges) {
      if (edge.faces[1] < 0) continue;
      // Unit vectors with an angle of 2 α between them: the one in the middle has the largest weights, 1/cos α.
      const double cosine = polytope_.faces[edge.faces[0]].normal.dot(polytope_.faces[edge.faces[1]].normal);
      if (cosine > -1.0) edge.most_weight = 1.0 / std::sqrt(0.5 * (1.0 + cosine));
    }
  }

  int addEdge(int from, int to, const Vector3d& normal) {
    const auto [entry, is_new] =
        edge_of_.try_emplace({std::min(from, to), std::max(from, to)}, static_cast<int>(polytope_.edges.size()));
    if (is_new) polytope_.edges.emplace_back().ends = {from, to};
    const Vector3d along = polytope_.vertices[to] - polytope_.vertices[from];
    polytope_.edges[entry->second].inward[is_new ? 0 : 1] = normal.cross(along).normalized();
    return entry->second;
  }

  Polytope& polytope_;
  std::map<std::pair<int, int>, int> edge_of_;
};

/// Finds the triangles that lie in one plane.
class FaceMerger {
 public:
  FaceMerger(const ConvexHull& hull, std::size_t triangles, double tolerance)
      : hull_(hull), triangles_(triangles), tolerance_(tolerance), is_taken_(triangles, false) {
    for (int t = 0; t < static_cast<int>(triangles); ++t) {
      const auto& [a, b, c] = hull.faces[t];
      triangle_at_[{a, b}] = triangle_at_[{b, c}] = triangle_at_[{c, a}] = t;
    }
  }

  /// Faces, seeded by the largest triangles: theirs are the planes that are known best.
  std::vector<Loop> loops() {
    std::vector<int> order(triangles_);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return areaVector(a).squaredNorm() > areaVector(b).squaredNorm(); });
    std::vector<Loop> loops;
    for (int seed : order) {
      if (is_taken_[seed]) continue;
      const std::vector<int> region = grow(seed);
      if (const std::optional<Loop> loop = boundary(region)) {
        loops.push_back(*loop);
      } else {  // not simply connected: noise in thin triangles; each is a face of its own
        for (int t : region) loops.emplace_back(hull_.faces[t].begin(), hull_.faces[t].end());
      }
    }
    return loops;
  }

 private:
  Vector3d areaVector(int t) const {
    const auto& [a, b, c] = hull_.faces[t];
    return (hull_.vertices[b] - hull_.vertices[a]).cross(hull_.vertices[c] - hull_.vertices[a]);
  }

  bool isInPlane(int t, const Vector3d& normal, const Vector3d& point) const {
    if (areaVector(t).dot(normal) <= 0.0) return false;
    return std::ranges::all_of(hull_.faces[t],
                               [&](int v) { return std::abs(normal.dot(hull_.vertices[v] - point)) <= tolerance_; });
  }

  std::vector<int> grow(int seed) {
    const Vector3d normal = areaVector(seed).normalized();
    const Vector3d point = hull_.vertices[hull_.faces[seed][0]];
    std::vector<int> region = {seed};
    is_taken_[seed] = true;
    for (std::size_t i = 0; i < region.size(); ++i) {
      const std::array<int, 3> corners = hull_.faces[region[i]];
      for (int k = 0; k < 3; ++k) {
        const auto across = triangle_at_.find({corners[(k + 1) % 3], corners[k]});
        if (across == triangle_at_.end() || is_taken_[across->second]) continue;
        if (!isInPlane(across->second, normal, point)) continue;
        is_taken_[across->second] = true;
        region.push_back(across->second);
      }
    }
    return region;
  }

  std::optional<Loop> boundary(const std::vector<int>& region) const {
    std::map<int, int> next;
    std::size_t count = 0;
    for (int t : region) {
      for (int k = 0; k < 3; ++k) {
        const int from = hull_.faces[t][k], to = hull_.faces[t][(k + 1) % 3];
        const auto across = triangle_at_.find({to, from});
        if (across != triangle_at_.end() && std::ranges::find(region, across->second) != region.end()) continue;
        next[from] = to;
        ++count;
      }
    }
    if (next.empty() || next.size() != count) return std::nullopt;
    Loop loop;
    int corner = next.begin()->first;
    do {
      loop.push_back(corner);
      const auto following = next.find(corner);
      if (following == next.end() || loop.size() > count) return std::nullopt;
      corner = following->second;
    } while (corner != loop.front());
    if (loop.size() != count) return std::nullopt;
    return loop;
  }

  const ConvexHull& hull_;
  std::size_t triangles_;  ///< only the first ones
  double tolerance_;
  std::vector<bool> is_taken_;
  std::map<std::pair<int, int>, int> triangle_at_;
};

/// Of a polygon that is flat but for noise.
Vector3d meanNormal(const std::vector<Vector3d>& vertices, const Loop& loop) {
  Vector3d sum = Vector3d::Zero();
  const Vector3d& origin = vertices[loop[0]];
  for (std::size_t i = 1; i + 1 < loop.size(); ++i)
    sum += (vertices[loop[i]] - origin).cross(vertices[loop[i + 1]] - origin);
  return sum.normalized();
}

double diagonal(const std::vector<Vector3d>& vertices) {
  Vector3d lower = vertices[0], upper = vertices[0];
  for (const Vector3d& v : vertices) {
    lower = lower.cwiseMin(v);
    upper = upper.cwiseMax(v);
  }
  return (upper - lower).norm();
}

int padded(std::size_t count) {
  constexpr int kPack = 8;  // the widest that kernels have
  return (static_cast<int>(count) + kPack - 1) / kPack * kPack;
}

/// The last thing that is done to a polytope.
Polytope withTables(Polytope polytope) {
  const int vertices = padded(polytope.vertices.size()), faces = padded(polytope.faces.size());
  polytope.vertex_table.resize(3 * static_cast<std::size_t>(vertices));
  for (int i = 0; i < vertices; ++i) {
    const Vector3d& vertex = polytope.vertices[std::min<std::size_t>(i, polytope.vertices.size() - 1)];
    for (int axis = 0; axis < 3; ++axis) polytope.vertex_table[axis * vertices + i] = vertex[axis];
  }
  polytope.face_table.assign(4 * static_cast<std::size_t>(faces), 0.0);
  for (int i = 0; i < faces; ++i) {
    const bool is_face = i < static_cast<int>(polytope.faces.size());
    for (int axis = 0; axis < 3 && is_face; ++axis)
      polytope.face_table[axis * faces + i] = polytope.faces[i].normal[axis];
    polytope.face_table[3 * faces + i] = is_face ? polytope.faces[i].offset : std::numeric_limits<double>::infinity();
  }
  for (const Polytope::Edge& edge : polytope.edges) polytope.faces_at_edges.push_back(edge.faces);
  return polytope;
}

}  // namespace

const PolytopeKernel& polytopeKernel() {
  static const PolytopeKernel& kernel = FOOTFALL_CHOSEN_KERNEL(polytope_kernel);
  return kernel;
}

Polytope pointPolytope(const Vector3d& point) {
  Polytope polytope;
  polytope.vertices = {point};
  return withTables(std::move(polytope));
}

Polytope segmentPolytope(const Vector3d& from, const Vector3d& to) {
  Polytope polytope;
  polytope.dimension = 1;
  polytope.vertices = {from, to};
  polytope.edges = {{{0, 1}, {Vector3d::Zero(), Vector3d::Zero()}}};
  return withTables(std::move(polytope));
}

Polytope boxPolytope(const Vector3d& half_size) {
  Polytope box;
  box.dimension = 3;
  const Vector3d& h = half_size;
  for (int corner = 0; corner < 8; ++corner)
    box.vertices.emplace_back(corner & 1 ? h.x() : -h.x(), corner & 2 ? h.y() : -h.y(), corner & 4 ? h.z() : -h.z());
  const auto bit = [](int axis) { return 1 << (axis % 3); };
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 4; ++side) {
      Polytope::Edge edge;
      const int from = (side & 1 ? bit(axis + 1) : 0) | (side & 2 ? bit(axis + 2) : 0);
      edge.ends = {from, from | bit(axis)};
      edge.inward[0][(axis + 1) % 3] = side & 1 ? -1.0 : 1.0;
      edge.inward[1][(axis + 2) % 3] = side & 2 ? -1.0 : 1.0;
      box.edges.push_back(edge);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int positive = 0; positive < 2; ++positive) {
      Polytope::Face face;
      face.normal[axis] = positive ? 1.0 : -1.0;
      face.offset = h[axis];
      face.first_corner = static_cast<int>(box.corners.size());
      face.corner_count = 4;
      box.faces.push_back(face);
      const int base = positive ? bit(axis) : 0;
      // Along u, along v, back along u, back along v; the other way round on the negative side.
      const int step1 = positive ? bit(u) : bit(v), step2 = positive ? bit(v) : bit(u);
      const int axis1 = positive ? u : v;
      const int axis2 = positive ? v : u;
      const auto edgeAlong = [&](int along, int corner) {
        return 4 * along + (corner & bit(along + 1) ? 1 : 0) + (corner & bit(along + 2) ? 2 : 0);
      };
      const int loop[4] = {base, base | step1, base | step1 | step2, base | step2};
      for (int i = 0; i < 4; ++i) {
        box.corners.push_back(loop[i]);
        box.corner_edges.push_back(edgeAlong(i % 2 == 0 ? axis1 : axis2, loop[i] & loop[(i + 1) % 4]));
      }
    }
  }
  SurfaceBuilder(box).connect();
  return withTables(std::move(box));
}

Polytope hullPolytope(std::span<const Vector3d> points) {
  constexpr double kFlatness = 1e-6;  // of the size
  const ConvexHull hull = convexHull(points);
  if (hull.dimension == 0) return pointPolytope(hull.vertices[0]);
  if (hull.dimension == 1) return segmentPolytope(hull.vertices[0], hull.vertices[1]);
  Polytope polytope;
  polytope.dimension = hull.dimension;
  polytope.vertices = hull.vertices;
  SurfaceBuilder surface(polytope);
  const bool is_flat = hull.dimension == 2;  // then the second half of the triangles is the other side of the first
  const std::size_t triangles = is_flat ? hull.faces.size() / 2 : hull.faces.size();
  for (Loop& loop : FaceMerger(hull, triangles, kFlatness * diagonal(hull.vertices)).loops()) {
    const Vector3d normal = meanNormal(hull.vertices, loop);
    surface.addFace(loop, normal);
    if (!is_flat) continue;
    std::ranges::reverse(loop);
    surface.addFace(loop, -normal);
  }
  surface.connect();
  return withTables(std::move(polytope));
}

}  // namespace footfall::collide
