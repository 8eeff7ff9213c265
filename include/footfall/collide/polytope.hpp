#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "footfall/spatial/pose.hpp"

namespace footfall::collide {

/// A convex polyhedron, or a flat polygon, a segment or a point, with everything that lies on its surface.
struct Polytope {
  /// A flat polygon; its corners are corners[first_corner] … , counter-clockwise seen from outside.
  struct Face {
    Vector3d normal = Vector3d::Zero();  ///< outward [-]
    double offset = 0.0;                 ///< normal · x ≤ offset for all of the body [m]
    int first_corner = 0;
    int corner_count = 0;
  };

  struct Edge {
    std::array<int, 2> ends = {0, 0};  ///< vertices
    /// From the edge into its faces, at right angles to it; zero where there is none, as of a segment. [-]
    std::array<Vector3d, 2> inward = {Vector3d::Zero(), Vector3d::Zero()};
    std::array<int, 2> faces = {-1, -1};  ///< that meet at it; none of a segment
    /// A normal between those of its faces, as a sum of them, has weights that add up to 1 … this [-]
    double most_weight = std::numeric_limits<double>::infinity();
  };

  int dimension = 0;  ///< 0: a point, 1: a segment, 2: a polygon (with two faces), 3: a solid
  std::vector<Vector3d> vertices;
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<int> corners;        ///< of all faces: vertices
  std::vector<int> corner_edges;   ///< of all faces: the edge from a corner to the next one of its face
  std::vector<int> faces_at;       ///< faces at a vertex, vertex by vertex
  std::vector<int> first_face_at;  ///< where those of a vertex begin in faces_at; one more than there are vertices

  /// The vertices and faces once more, for those who ask all of them at once: all x, all y, all z, and all offsets of
  /// faces. Each is padded to whole packs: by the last vertex, and by faces that everything is infinitely far below.
  std::vector<double> vertex_table, face_table;
  std::vector<std::array<int, 2>> faces_at_edges;  ///< the same of the edges, beside each other
  int vertexTableCount() const { return static_cast<int>(vertex_table.size() / 3); }  ///< with padding
  int faceTableCount() const { return static_cast<int>(face_table.size() / 4); }      ///< with padding
};

Polytope pointPolytope(const Vector3d& point);
Polytope segmentPolytope(const Vector3d& from, const Vector3d& to);

/// Corner i lies at +half_size where the bit (x: 1, y: 2, z: 4) is set; face 2 axis + 1 is the one at +half_size.
/// The edges along an axis are 4 axis, …, + 3: +1 at the positive side of the next axis, +2 at that of the one after.
Polytope boxPolytope(const Vector3d& half_size);

/// The convex hull of points. Triangles whose corners lie within a millionth of its size in one plane become one face:
/// that is what single precision leaves of flat faces in mesh files.
Polytope hullPolytope(std::span<const Vector3d> points);

}  // namespace footfall::collide
