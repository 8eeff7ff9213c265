#pragma once

#include <algorithm>
#include <limits>

#include "collide/pair.hpp"

namespace footfall::collide {

/// The face that separates two cores best, or that they have to be moved least along.
struct FaceAxis {
  bool of_first = true;
  int face = -1;
  double separation = -std::numeric_limits<double>::infinity();  ///< of the cores along the normal [m]
  Vector3d normal = Vector3d::Zero();                            ///< from the second to the first
};

/// The pair of edges that does so, where no face does it better.
struct EdgeAxis {
  PairEdge of_first, of_second;
  double separation = -std::numeric_limits<double>::infinity();
  Vector3d normal = Vector3d::Zero();
};

/// At least one of the cores has faces. Stops early where the cores are farther apart than the margin; the separation
/// then is larger than that.
FaceAxis bestFace(const Pair& pair, Scratch::Lists& lists);

/// The edges that can be nearest to each other, given the best face, in the frame of the pair: edges_of_first,
/// edges_of_second.
void placeNearEdges(const Pair& pair, const FaceAxis& face, Scratch::Lists& lists);

/// A point of a body is above the two faces of an edge by h₁ and h₂: along a normal between theirs, α n₁ + β n₂, the
/// body is no farther away than α h₁ + β h₂, and so than this.
inline double farthestBetween(const Polytope::Edge& edge, double h1, double h2) {
  const double highest = std::max(h1, h2);
  return highest > 0.0 ? edge.most_weight * highest : highest;
}

/// All edges of the second core of which a part lies above a plane, normal · x ≥ height: edges_of_second.
void listEdgesAbove(const Part& second, const Vector3d& normal, double height, Scratch::Lists& lists);

/// The best of the edges that can be nearest, where it is better than the best face. Leaves others in edges_of_first
/// and edges_of_second than placeNearEdges().
EdgeAxis bestEdges(const Pair& pair, const FaceAxis& face, Scratch::Lists& lists);

/// Faces and edges of two boxes, by the fifteen axes that they can have.
struct BoxAxes {
  FaceAxis face;
  EdgeAxis edges;  ///< only where they separate better than the face
};
BoxAxes bestOfBoxes(const Pair& pair);

}  // namespace footfall::collide
