#include <cmath>

#include "collide/separation.hpp"

namespace footfall::collide {
namespace {

/// The edge of a box along one of its axes that lies farthest against `direction_S`.
PairEdge boxEdge(const Part& box, int axis, const Vector3d& direction_S) {
  const int next = (axis + 1) % 3, last = (axis + 2) % 3;
  const int index = 4 * axis + (direction_S[next] < 0.0 ? 1 : 0) + (direction_S[last] < 0.0 ? 2 : 0);
  const Polytope::Edge& edge = box.core.edges[index];
  return {box.vertex(edge.ends[0]),
          box.vertex(edge.ends[1]),
          {box.X_CS.R * edge.inward[0], box.X_CS.R * edge.inward[1]},
          index,
          edge.ends};
}

}  // namespace

BoxAxes bestOfBoxes(const Pair& pair) {
  constexpr double kParallel = 1e-16;
  const Vector3d& h = pair.first.core.vertices.back();  // half sizes: the corner at +++
  const Vector3d& k = pair.second.core.vertices.back();
  const Matrix3d C = pair.first.X_CS.R.transpose() * pair.second.X_CS.R;  // axes of the second box in the first
  const Matrix3d D = C.cwiseAbs();
  const Vector3d t = pair.first.X_CS.R.transpose() * (pair.second.X_CS.p - pair.first.X_CS.p);
  const Vector3d u = C.transpose() * t;

  BoxAxes best;
  FaceAxis& face = best.face;
  for (int i = 0; i < 3; ++i) {
    const double separation = std::abs(t[i]) - h[i] - D.row(i).dot(k);
    if (separation <= face.separation) continue;
    face.of_first = true;
    face.face = 2 * i + (t[i] > 0.0 ? 1 : 0);
    face.separation = separation;
  }
  if (face.separation > pair.coreMargin()) return best;
  for (int j = 0; j < 3; ++j) {
    const double separation = std::abs(u[j]) - k[j] - D.col(j).dot(h);
    if (separation <= face.separation + pair.rounding()) continue;
    face.of_first = false;
    face.face = 2 * j + (u[j] > 0.0 ? 0 : 1);
    face.separation = separation;
  }
  face.normal = face.of_first ? Vector3d(-pair.first.faceNormal(face.face)) : pair.second.faceNormal(face.face);
  if (face.separation > pair.coreMargin()) return best;

  double to_beat = face.separation + pair.rounding();
  int axis_of_first = -1, axis_of_second = -1;
  Vector3d normal;  // in the first box, towards it
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double squared = C(i1, j) * C(i1, j) + C(i2, j) * C(i2, j);  // of e_i × f_j = (-C(i2, j), C(i1, j))
      if (squared <= kParallel) continue;
      const double along = t[i2] * C(i1, j) - t[i1] * C(i2, j);
      const double reach = h[i1] * D(i2, j) + h[i2] * D(i1, j) + k[j1] * D(i, j2) + k[j2] * D(i, j1);
      const double overlap = std::abs(along) - reach;
      // Quickly, without a root: overlap / length <= to_beat
      if (to_beat >= 0.0 ? (overlap <= 0.0 || overlap * overlap <= to_beat * to_beat * squared)
                         : (overlap < 0.0 && overlap * overlap >= to_beat * to_beat * squared))
        continue;
      const double length = std::sqrt(squared);
      Vector3d axis = Vector3d::Zero();
      axis[i1] = -C(i2, j) / length;
      axis[i2] = C(i1, j) / length;
      if (along > 0.0) axis = -axis;  // the second box lies on the other side
      const Vector3d axis_in_second = C.transpose() * axis;
      // With what rounding made of the axis: then it is a separation in any case.
      const double separation = std::abs(axis.dot(t)) - h.dot(axis.cwiseAbs()) - k.dot(axis_in_second.cwiseAbs());
      if (separation <= to_beat) continue;
      to_beat = separation;
      axis_of_first = i;
      axis_of_second = j;
      normal = axis;
    }
  }
  if (axis_of_first < 0) return best;
  best.edges.separation = to_beat;
  best.edges.normal = pair.first.X_CS.R * normal;
  best.edges.of_first = boxEdge(pair.first, axis_of_first, normal);
  best.edges.of_second = boxEdge(pair.second, axis_of_second, -(C.transpose() * normal));
  return best;
}

}  // namespace footfall::collide
