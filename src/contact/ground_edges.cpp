#include "contact/ground_edges.hpp"

#include <array>
#include <limits>

namespace footfall {
namespace {

constexpr double kOnFace = 1e-9;  ///< a point nearer to a face than this share of the size of its block lies on it [-]

/// The outward normals of the faces of a block that a point of its surface lies on: one, or two or three at an edge or
/// a corner.
struct Faces {
  std::array<Vector3d, 3> normals_W;
  int count = 0;
  Vector3d sum_W = Vector3d::Zero();
};

Faces facesAt(const GroundBlock& block, const Vector3d& p_W) {
  const Vector3d p_B = block.X_WB.inverse() * p_W;
  Faces faces;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(p_B[axis]) < 0.5 * block.size[axis] - kOnFace * block.size.maxCoeff()) continue;
    const Vector3d normal_W = (p_B[axis] > 0.0 ? 1.0 : -1.0) * block.X_WB.R.col(axis);
    faces.normals_W[faces.count++] = normal_W;
    faces.sum_W += normal_W;
  }
  return faces;
}

/// Where other parts of the ground begin right beside a face of the block, no contact can have a normal that leans to
/// it; and where they go on in the same plane there is no edge at all, but a seam. A second face that meets the first
/// in an inner corner is a contact of its own.
bool isHidden(const Terrain& terrain, TimeSpan span, const GroundBlock& block, const collide::ManifoldPoint& touch) {
  constexpr double kLeans = 1e-6;  // sine; rounding is a millionth of it
  constexpr double kSmall = Terrain::kTouching;
  const Vector3d &p_W = touch.p_WB, &normal_W = touch.normal_W;
  const auto isInside = [&](const Vector3d& q_W) { return terrain.at(q_W, span).gap < 0.0; };
  const Faces faces = facesAt(block, p_W);
  for (int k = 0; k < faces.count; ++k) {
    const Vector3d& face_W = faces.normals_W[k];
    const Vector3d below_others_W = kSmall * (faces.sum_W - face_W);
    if (!isInside(p_W + kSmall * face_W - below_others_W)) continue;
    if (normal_W.dot(face_W) > kLeans) return true;
    if (faces.count > 1 && !isInside(p_W + 10.0 * kSmall * face_W + kSmall * normal_W)) return true;
  }
  return false;
}

/// What the ground is like on the surface of a block.
SurfacePoint surfaceAt(const Terrain& terrain, TimeSpan span, const collide::ManifoldPoint& point) {
  SurfacePoint surface = terrain.at(point.p_WB, span);
  surface.gap = point.gap;
  surface.R_WC = axesAlong(point.normal_W);
  return surface;
}

}  // namespace

void GroundEdges::begin(const Terrain& terrain, TimeSpan span) {
  found_.clear();
  has_hills_ = terrain.hasHills();
  const auto count = static_cast<std::size_t>(terrain.blockCount());
  if (count > 0 && !solids_) solids_ = makeSolids(model_);
  if (blocks_.size() != count) blocks_.assign(count, {});
  for (std::size_t k = 0; k < count; ++k) {
    Block& block = blocks_[k];
    const GroundBlock now = terrain.block(static_cast<int>(k), span.start);
    if (block.place.size != now.size) {
      block.solid = collide::makeSolid(boxShape({}, now.size));
      manifold_.forget();
    }
    block.place = now;
  }
}

const std::vector<collide::ManifoldPoint>& GroundEdges::pointsOf(int shape, int block, const Pose& X_WL,
                                                                 const Pose& X_WB, double margin) {
  return manifold_.of(collide::place((*solids_)[shape], X_WL, static_cast<std::uint32_t>(shape)),
                      collide::place(blocks_[block].solid, X_WB, keyOf(block)), margin);
}

const std::vector<GroundEdges::Point>& GroundEdges::find(int shape, const Pose& X_WL, double margin,
                                                         const Terrain& terrain, TimeSpan span) {
  points_.clear();
  const CollisionShape& body = model_.shapes[shape];
  const Vector3d centre_W = X_WL * body.shape.bound.centre;
  for (int k = 0; k < static_cast<int>(blocks_.size()); ++k) {
    const GroundBlock& block = blocks_[k].place;
    const Vector3d beyond = ((block.X_WB.inverse() * centre_W).cwiseAbs() - 0.5 * block.size).cwiseMax(0.0);
    if (beyond.norm() > body.shape.bound.radius + margin) continue;
    for (const collide::ManifoldPoint& touch : pointsOf(shape, k, X_WL, block.X_WB, margin)) {
      if (isHidden(terrain, span, block, touch)) continue;
      const int number =
          numberOfTouch(model_.candidates.size(), static_cast<std::uint32_t>(shape), keyOf(k), touch.feature);
      points_.push_back({touch, surfaceAt(terrain, span, touch), number, static_cast<int>(found_.size())});
      found_.push_back({shape, k, touchPoint(touch, X_WL, block.X_WB)});
    }
  }
  if (has_hills_) findHills(shape, X_WL, margin, terrain, span);
  return points_;
}

const std::vector<GroundEdges::Point>& GroundEdges::findHillsAt(int shape, const Pose& X_WL, const Terrain& terrain,
                                                                TimeSpan span) {
  points_.clear();
  if (has_hills_) findHills(shape, X_WL, 0.0, terrain, span);
  return points_;
}

void GroundEdges::findHills(int shape, const Pose& X_WL, double margin, const Terrain& terrain, TimeSpan span) {
  constexpr std::size_t kMostStarts = 8;
  std::array<Panel, kMostPanels> panels;
  HillPlaces hills;
  const int count = panelsOf(model_.shapes[shape].shape, panels);
  std::array<Vector3d, kMostStarts> starts_L;
  std::size_t starts = 0;
  for (int panel = 0; panel < count; ++panel) {
    findHillPlaces(panels[panel], X_WL, terrain, span, margin, std::span(starts_L).first(starts), hills);
    for (int k = 0; k < hills.count; ++k) {
      const ContactPlace& place = hills.places[k].place;
      if (starts < kMostStarts) starts_L[starts++] = X_WL.R.transpose() * place.lever_W;
      collide::ManifoldPoint touch;
      touch.p_WA = X_WL.p + place.lever_W;
      touch.normal_W = place.surface.R_WC.col(2);
      touch.gap = place.surface.gap;
      touch.p_WB = touch.p_WA - touch.gap * touch.normal_W;
      touch.feature = static_cast<std::uint32_t>(panel * HillPlaces::kMost + k);
      const int number = numberOfTouch(model_.candidates.size(), static_cast<std::uint32_t>(shape),
                                       keyOf(static_cast<int>(blocks_.size())), touch.feature);
      points_.push_back({touch, place.surface, number, static_cast<int>(found_.size())});
      found_.push_back({shape, -1, {}, panel, hills.places[k]});
    }
  }
}

ContactPlace GroundEdges::placeOf(const ActiveContact& contact, const Pose& X_WL, const Terrain& terrain,
                                  TimeSpan span) {
  const Found& found = found_[contact.edge_point];
  if (found.panel >= 0) {
    std::array<Panel, kMostPanels> panels;
    panelsOf(model_.shapes[found.shape].shape, panels);
    return followedHillPlace(panels[found.panel], found.hill, X_WL, terrain, span);
  }
  const Pose X_WB = terrain.block(found.block, span.start).X_WB;
  const auto& points = pointsOf(found.shape, found.block, X_WL, X_WB, std::numeric_limits<double>::infinity());
  const collide::ManifoldPoint now = followed(found.touch, points, X_WL, X_WB);
  return {surfaceAt(terrain, span, now), now.p_WA - X_WL.p};
}

}  // namespace footfall
