#pragma once

#include "collide/separation.hpp"

namespace footfall::collide {

/// The space above and below a face of a core, between planes through its sides.
class FacePrism {
 public:
  FacePrism(const Part& part, int face) : part_(part), face_(part.core.faces[face]), outward_(part.faceNormal(face)) {}

  int sides() const { return face_.corner_count; }
  int vertexAt(int side) const { return part_.core.corners[face_.first_corner + side % face_.corner_count]; }
  int edgeAt(int side) const { return part_.core.corner_edges[face_.first_corner + side]; }
  Vector3d corner(int side) const { return part_.vertex(vertexAt(side)); }

  /// At right angles to the side from this corner to the next; zero where both are one.
  Vector3d outwardOf(int side) const {
    const Vector3d normal = (corner(side + 1) - corner(side)).cross(outward_);
    const double length = normal.norm();
    return length > 0.0 ? Vector3d(normal / length) : Vector3d::Zero();
  }

  bool contains(const Vector3d& p, double slack) const {
    for (int side = 0; side < sides(); ++side)
      if (outwardOf(side).dot(p - corner(side)) > slack) return false;
    return true;
  }

 private:
  const Part& part_;
  const Polytope::Face& face_;
  Vector3d outward_;
};

/// Points of the incident core above (or below) a face of the reference core, in lists.polygon: the corners of the
/// incident face where it is clipped by the sides of the reference face, and all other vertices that are within
/// `reach` of it. Projected along the normal every one of them lies in the reference face.
void clipAgainstFace(const Pair& pair, const FaceAxis& axis, double reach, Scratch::Lists& lists);

/// Height above the reference face, which is the distance between the cores there [m].
double heightAbove(const Pair& pair, const FaceAxis& axis, const Vector3d& p_C);

}  // namespace footfall::collide
