#include "footfall/terrain/terrain_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "footfall/base/error.hpp"
#include "terrain/face_list.hpp"

namespace footfall {
namespace {

constexpr double kCoincident = 1e-12;  ///< rounding of gaps at a few metres from the origin, with room [m]
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Edges of neighbouring boxes are as near as the face below a point, but look aside.
bool coincide(const SurfacePoint& a, const SurfacePoint& b) {
  constexpr double kAligned = 1.0 - 1e-12;
  return std::abs(a.gap - b.gap) <= kCoincident && a.R_WC.col(2).dot(b.R_WC.col(2)) > kAligned;
}

/// Surfaces that the point is inside of count first, by their way out; then the others, by their distance.
bool countsBefore(const SurfacePoint& a, const SurfacePoint& b) {
  const bool inside_a = a.gap < -kCoincident, inside_b = b.gap < -kCoincident;
  if (inside_a != inside_b) return inside_a;
  return inside_a ? a.gap >= b.gap - kCoincident : a.gap <= b.gap + kCoincident;
}

}  // namespace

TerrainGroup::TerrainGroup(std::vector<std::shared_ptr<const Terrain>> members) : members_(std::move(members)) {
  if (members_.empty()) throw Error("ground", "the list of surfaces is empty, expected one or more");
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (!members_[i]) throw Error(fmt::format("ground[{}]", i), "there is no surface");
    bounds_.push_back(members_[i]->bounds());
    for (int k = 0; k < members_[i]->blockCount(); ++k) blocks_.push_back({members_[i].get(), k});
    if (members_[i]->isPlane()) planes_.push_back(members_[i].get());
    has_hills_ = has_hills_ || members_[i]->hasHills();
  }
}

SurfacePoint TerrainGroup::at(const Vector3d& p_W, TimeSpan span) const {
  SurfacePoint nearest = nearestOfAll(p_W, span);
  if (nearest.gap >= kTouching) return nearest;
  const bool exposed = exposedFaces(p_W, span, true, {&nearest, 1}) > 0;
  return exposed && nearest.gap < -kTouching ? orThroughCorner(nearest, p_W, span) : nearest;
}

/// In the inner corner of a floor and the wall of a box each covers the face of the other, and the top of the box is
/// all that is exposed, perhaps a metre away. The way out is through one of the two and from there through the other:
/// where that is shorter, the face of the corner counts that the point is deeper in.
SurfacePoint TerrainGroup::orThroughCorner(const SurfacePoint& exposed, const Vector3d& p_W, TimeSpan span) const {
  SurfacePoint best = exposed;
  double shortest = -exposed.gap;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (bounds_[i].distance(p_W) > kTouching) continue;
    std::array<SurfacePoint, kMostFaces> own;
    const int own_count = members_[i]->faces(p_W, span, own);
    for (const SurfacePoint& face : std::span(own).first(own_count)) {
      if (face.gap > kTouching || -face.gap > shortest) continue;
      const Vector3d just_outside = p_W - (face.gap - kTouching) * face.R_WC.col(2);
      SurfacePoint second;
      if (!coveredByOthers(i, just_outside, span) || exposedFaces(just_outside, span, true, {&second, 1}) == 0)
        continue;
      const double way = -face.gap - second.gap;
      if (way > shortest + kTouching || (way > shortest - kTouching && face.gap > best.gap)) continue;
      shortest = way;
      best = face;
    }
  }
  return best;
}

int TerrainGroup::faces(const Vector3d& p_W, TimeSpan span, std::span<SurfacePoint> out) const {
  if (out.empty()) return 0;
  const SurfacePoint nearest = nearestOfAll(p_W, span);
  int count = 0;
  if (nearest.gap < kTouching) {
    count = exposedFaces(p_W, span, true, out);
    count += exposedFaces(p_W, span, false, out.subspan(count));
  }
  if (count == 0) out[0] = nearest;
  return std::max(count, 1);
}

/// The nearest surface outside, the deepest one inside.
SurfacePoint TerrainGroup::nearestOfAll(const Vector3d& p_W, TimeSpan span) const {
  SurfacePoint nearest;
  nearest.gap = kInfinity;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (bounds_[i].distance(p_W) > std::max(nearest.gap, 0.0) + kCoincident) continue;
    const SurfacePoint surface = members_[i]->at(p_W, span);
    if (std::isnan(surface.gap)) return surface;
    if (surface.gap < nearest.gap || coincide(surface, nearest)) nearest = surface;
  }
  return nearest;
}

/// The faces that are on the outside of the union: the nearest one of each member, or all the others.
/// Leaves `out` alone if there are none.
int TerrainGroup::exposedFaces(const Vector3d& p_W, TimeSpan span, bool nearest_of_each,
                               std::span<SurfacePoint> out) const {
  int count = 0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (bounds_[i].distance(p_W) > kTouching) continue;
    std::array<SurfacePoint, kMostFaces> own;
    const int own_count = members_[i]->faces(p_W, span, own);
    bool is_nearest = true;
    for (const SurfacePoint& face : std::span(own).first(own_count)) {
      const Vector3d just_outside = p_W - (face.gap - kTouching) * face.R_WC.col(2);
      if (face.gap > kTouching || coveredByOthers(i, just_outside, span)) continue;
      if (is_nearest == nearest_of_each) count = insertFace(out, count, face, countsBefore);
      if (is_nearest && nearest_of_each) break;
      is_nearest = false;
    }
  }
  return count;
}

bool TerrainGroup::coveredByOthers(std::size_t member, const Vector3d& p_W, TimeSpan span) const {
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (i != member && bounds_[i].distance(p_W) == 0.0 && members_[i]->at(p_W, span).gap < 0.0) return true;
  return false;
}

double TerrainGroup::clearance(const Vector3d& center_W, double radius, TimeSpan span) const {
  double least = kInfinity;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    // Well away from a member, its bounds say enough.
    const double from_bounds = bounds_[i].distance(center_W) - radius;
    if (from_bounds < least)
      least = std::min(least, from_bounds > radius ? from_bounds : members_[i]->clearance(center_W, radius, span));
  }
  return least;
}

void TerrainGroup::shorten(std::span<const Ray> rays, double time, std::span<double> distance) const {
  for (const auto& member : members_) shortenRays(*member, rays, time, distance);
}

Bounds TerrainGroup::bounds() const {
  Bounds all = bounds_.front();
  for (const Bounds& b : bounds_) all = {all.low.cwiseMin(b.low), all.high.cwiseMax(b.high)};
  return all;
}

GroundBlock TerrainGroup::block(int index, double time) const {
  const Block& block = blocks_[static_cast<std::size_t>(index)];
  return block.member->block(block.index, time);
}

GroundDrawing TerrainGroup::drawing(const Vector3d& around_W) const {
  GroundDrawing all;
  for (const std::shared_ptr<const Terrain>& member : members_) {
    GroundDrawing one = member->drawing(around_W);
    all.blocks.insert(all.blocks.end(), one.blocks.begin(), one.blocks.end());
    if (!all.plane) all.plane = one.plane;
    if (!all.heights) all.heights = std::move(one.heights);
  }
  return all;
}

}  // namespace footfall
