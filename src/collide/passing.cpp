#include "footfall/collide/passing.hpp"

#include <algorithm>
#include <cmath>

#include "collide/pair.hpp"
#include "collide/round.hpp"

namespace footfall::collide {
namespace {

/// What lies on a face may be this deep inside of it [m], as a share of the smaller body at most.
constexpr double kResting = 1e-6, kShare = 1e-3;
/// Cosine between the normals of a contact and of a face, below which the contact is one with the side of that face.
constexpr double kSteep = 0.5;

/// The least of direction · x of all points of a solid.
double lowest(const Placed& placed, const Vector3d& direction_W) {
  const Solid& solid = *placed.solid;
  const Part part{solid, solid.core, placed.X_WS};
  if (solid.isRound()) return -Round(part).reach(-direction_W);
  return direction_W.dot(part.vertex(part.lowestVertex(placed.X_WS.R.transpose() * direction_W))) - solid.radius;
}

/// `other` slides along a face of `owner` at whose border it comes near, and stays outside of it.
bool staysOutside(const Placed& other, const Placed& owner, const Vector3d& p_W, const Vector3d& normal_W,
                  const Vector3d& way_W) {
  if (owner.solid->radius > 0.0) return false;  // round, or rounded: no such face
  const double resting =
      std::min(kResting, kShare * std::min(other.solid->bound_S.radius, owner.solid->bound_S.radius));
  const Matrix3d& R_WS = owner.X_WS.R;
  const Vector3d p_S = owner.X_WS.inverse() * p_W, normal_S = R_WS.transpose() * normal_W;
  return std::ranges::any_of(owner.solid->core.faces, [&](const Polytope::Face& face) {
    if (std::abs(face.normal.dot(p_S) - face.offset) > resting || std::abs(face.normal.dot(normal_S)) > kSteep)
      return false;
    const Vector3d outward_W = R_WS * face.normal;
    const double height = lowest(other, outward_W) - outward_W.dot(owner.X_WS.p) - face.offset;
    return height <= resting && height + std::min(outward_W.dot(way_W), 0.0) >= -resting;
  });
}

}  // namespace

bool passes(const Placed& a, const Placed& b, const ManifoldPoint& point, const Vector3d& way_W) {
  return staysOutside(a, b, point.p_WB, point.normal_W, way_W) ||
         staysOutside(b, a, point.p_WA, point.normal_W, -way_W);
}

}  // namespace footfall::collide
