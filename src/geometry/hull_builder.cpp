#include "geometry/hull_builder.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "geometry/orientation.hpp"
#include "geometry/point_distance.hpp"

namespace footfall {
namespace {

constexpr int kNone = -1;

int following(int corner) { return corner == 2 ? 0 : corner + 1; }

}  // namespace

HullBuilder::HullBuilder(std::span<const Vector3d> points, const std::array<int, 4>& corners, double rounding)
    : points_(points), rounding_(rounding), order_(corners.begin(), corners.end()), edge_from_(points.size()) {
  for (int corner : corners) centre_ += 0.25 * points[corner];
  const auto [a, b, c, d] = corners;
  const bool d_is_above = (points[b] - points[a]).cross(points[c] - points[a]).dot(points[d] - points[a]) > 0.0;
  const std::array<int, 3> base = d_is_above ? std::array{a, c, b} : std::array{a, b, c};
  faces_.push_back({base, {1, 2, 3}, Vector3d::Zero(), 0.0, true});
  for (int i = 0; i < 3; ++i)
    faces_.push_back(
        {{base[following(i)], base[i], d}, {0, 1 + (i + 2) % 3, 1 + following(i)}, Vector3d::Zero(), 0.0, true});
  for (Face& face : faces_) setPlane(face);
  alive_count_ = static_cast<int>(faces_.size());
  is_visible_.assign(faces_.size(), false);

  listAlive();
  for (int i = 0; i < static_cast<int>(points.size()); ++i) outside_.push_back({i, kNone, 0.0});
  for (OutsidePoint& outside : outside_) assign(outside, alive_);
  dropInside();
}

/// In extended precision, so that even a face as thin as rounding allows has the right plane.
void HullBuilder::setPlane(Face& face) const {
  using Extended = Eigen::Matrix<long double, 3, 1>;
  const Extended a = points_[face.vertices[0]].cast<long double>();
  const Extended ab = points_[face.vertices[1]].cast<long double>() - a;
  const Extended ac = points_[face.vertices[2]].cast<long double>() - a;
  face.normal = ab.cross(ac).normalized().cast<double>();
  face.offset = static_cast<double>(face.normal.cast<long double>().dot(a));
}

void HullBuilder::listAlive() {
  alive_.clear();
  for (int f = 0; f < static_cast<int>(faces_.size()); ++f)
    if (faces_[f].alive) alive_.push_back(f);
}

void HullBuilder::assign(OutsidePoint& outside, std::span<const int> candidates) const {
  const Vector3d& p = points_[outside.point];
  for (int f : candidates) {
    const double distance = faces_[f].above(p);
    if (distance > outside.distance) outside = {outside.point, f, distance};
  }
}

/// Points that are hardly outside stay: beyond a sharp edge they are little above its faces, but will be far above the
/// blunter ones that come after.
void HullBuilder::dropInside() {
  const double inside = 1e-5 * rounding_;
  std::erase_if(outside_, [&](const OutsidePoint& outside) { return outside.distance <= inside; });
}

double HullBuilder::farthest() const {
  double farthest = 0.0;
  for (const OutsidePoint& outside : outside_) farthest = std::max(farthest, outside.distance);
  return farthest;
}

/// Of points that are equally far above, such as those of one flat side, the one farthest from the centre is a corner.
std::size_t HullBuilder::chooseNext() const {
  const double enough = farthest() - rounding_;
  std::size_t chosen = 0;
  double chosen_reach = -1.0;
  for (std::size_t i = 0; i < outside_.size(); ++i) {
    if (outside_[i].distance < enough) continue;
    const double reach = (points_[outside_[i].point] - centre_).squaredNorm();
    if (reach > chosen_reach) {
      chosen = i;
      chosen_reach = reach;
    }
  }
  return chosen;
}

void HullBuilder::addFarthest() {
  const auto next = outside_.begin() + static_cast<std::ptrdiff_t>(chooseNext());
  const auto [point, face, distance] = *next;
  outside_.erase(next);
  if (!isVisible(face, points_[point])) return;  // not above at all: the distance to a very thin face was rounding
  findVisible(face, points_[point]);
  findHorizon();
  buildCone(point);
  updateOutside();
  for (int f : visible_) is_visible_[f] = false;
}

/// Decided exactly, so that the surface is always closed and convex, however thin its faces are.
bool HullBuilder::isVisible(int face, const Vector3d& p) const {
  const auto [a, b, c] = faces_[face].vertices;
  return orientation(points_[a], points_[b], points_[c], p) > 0;
}

void HullBuilder::markVisible(int face) {
  is_visible_[face] = true;
  visible_.push_back(face);
}

/// The faces that p is above: one connected patch, which contains `start`.
void HullBuilder::findVisible(int start, const Vector3d& p) {
  visible_.clear();
  markVisible(start);
  for (std::size_t i = 0; i < visible_.size(); ++i)
    for (int neighbour : faces_[visible_[i]].neighbours)
      if (!is_visible_[neighbour] && isVisible(neighbour, p)) markVisible(neighbour);
}

/// The border of the visible patch, edge after edge.
void HullBuilder::findHorizon() {
  std::size_t count = 0;
  HorizonEdge first{};
  for (int f : visible_) {
    const Face& face = faces_[f];
    for (int i = 0; i < 3; ++i) {
      if (is_visible_[face.neighbours[i]]) continue;
      first = {face.vertices[i], face.vertices[following(i)], face.neighbours[i]};
      edge_from_[first.from] = first;
      ++count;
    }
  }
  horizon_.assign(1, first);
  while (horizon_.size() < count) horizon_.push_back(edge_from_[horizon_.back().to]);
  assert(horizon_.back().to == first.from);
}

int HullBuilder::takeSlot() {
  if (free_slots_.empty()) {
    faces_.emplace_back();
    is_visible_.push_back(false);
    return static_cast<int>(faces_.size()) - 1;
  }
  const int slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

/// Replaces the visible patch by faces from its border to the point.
void HullBuilder::buildCone(int point) {
  order_.push_back(point);
  alive_count_ += static_cast<int>(horizon_.size()) - static_cast<int>(visible_.size());
  for (int f : visible_) faces_[f].alive = false;
  free_slots_.insert(free_slots_.end(), visible_.begin(), visible_.end());
  new_faces_.clear();
  for (std::size_t i = 0; i < horizon_.size(); ++i) new_faces_.push_back(takeSlot());
  const std::size_t count = horizon_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [from, to, outside] = horizon_[i];
    Face& face = faces_[new_faces_[i]];
    face.vertices = {from, to, point};
    face.neighbours = {outside, new_faces_[(i + 1) % count], new_faces_[(i + count - 1) % count]};
    face.alive = true;
    setPlane(face);
    Face& behind = faces_[outside];
    for (int k = 0; k < 3; ++k)
      if (behind.vertices[k] == to && behind.vertices[following(k)] == from) behind.neighbours[k] = new_faces_[i];
  }
}

void HullBuilder::updateOutside() {
  listAlive();
  for (OutsidePoint& outside : outside_) {
    const bool lost_its_face = is_visible_[outside.face];
    if (lost_its_face) outside.distance = 0.0;
    assign(outside, lost_its_face ? alive_ : new_faces_);
  }
  dropInside();
}

double HullBuilder::distanceTo(const Vector3d& p) const {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Face& face : faces_) {
    if (!face.alive || face.above(p) <= 0.0) continue;  // the nearest point of the hull is on a face that p sees
    const auto [a, b, c] = face.vertices;
    nearest = std::min(nearest, distanceToTriangle(p, points_[a], points_[b], points_[c]));
  }
  return nearest < std::numeric_limits<double>::infinity() ? nearest : 0.0;
}

double HullBuilder::error() const {
  double error = 0.0;
  for (const OutsidePoint& outside : outside_) error = std::max(error, distanceTo(points_[outside.point]));
  return error;
}

}  // namespace footfall
