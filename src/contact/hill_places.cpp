// Hills of the ground poke into faces and edges between corners, which are all that a shape asks the ground about. The
// gap of a point of a panel changes by the parts of the ground's normal along the panel; a place is where both are
// zero.

#include "contact/hill_places.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "contact/circle_places.hpp"
#include "contact/regula_falsi.hpp"

namespace footfall {
namespace {

using Vector2d = Eigen::Vector2d;

constexpr double kLevelGround = 1e-7;  ///< a slope below this is none; the ground finds its normals to some 1e-9 [-]

/// A point of a panel, and the ground there.
struct PanelProbe {
  Vector2d at = Vector2d::Zero();  ///< from the middle of the panel along and across it [m]
  ContactPlace place;
  Vector2d slope = Vector2d::Zero();  ///< of the gap [-]

  double gap() const { return place.surface.gap; }
};

/// A panel at some pose of its link.
class PlacedPanel {
 public:
  PlacedPanel(const Panel& panel, const Pose& X_WL, const Terrain& terrain, TimeSpan span)
      : panel_(panel),
        X_WL_(X_WL),
        terrain_(terrain),
        span_(span),
        half_(panel.along_L.norm(), panel.across_L.norm()),
        along_L_(panel.along_L / half_.x()),
        across_L_(isLine() ? Vector3d(Vector3d::Zero()) : Vector3d(panel.across_L / half_.y())) {}

  bool isLine() const { return half_.y() == 0.0; }
  const Vector2d& half() const { return half_; }

  PanelProbe at(const Vector2d& at) const {
    PanelProbe probe;
    probe.at = at;
    probe.place = placeAt(panel_.middle_L + at.x() * along_L_ + at.y() * across_L_);
    const Vector3d normal_L = X_WL_.R.transpose() * probe.place.surface.R_WC.col(2);
    probe.slope = {normal_L.dot(along_L_), normal_L.dot(across_L_)};
    return probe;
  }

  bool contains(const Vector2d& at) const {
    if (panel_.kind == Panel::Kind::disc) return at.norm() < half_.x();
    return std::abs(at.x()) < half_.x() && std::abs(at.y()) <= half_.y();
  }

  /// From a square to the panel: grids of a square become grids of a disc.
  Vector2d spread(const Vector2d& s) const {
    if (panel_.kind != Panel::Kind::disc) return s;
    return {s.x() * std::sqrt(1.0 - 0.5 * s.y() * s.y()), s.y() * std::sqrt(1.0 - 0.5 * s.x() * s.x())};
  }

  /// A face meets what is opposite to it; an edge, what is opposite to one of its faces or between them.
  bool looksAt(const PanelProbe& probe) const { return outwardAlong(probe) < -0.5; }
  /// It is on another side of the shape, even on a slope.
  bool looksAway() const { return !panel_.outward_L.isZero(0.0) && outwardAlong(at(Vector2d::Zero())) > -0.2; }

  /// A point of the link, where it is on the panel.
  std::optional<Vector2d> onPanel(const Vector3d& p_L) const {
    constexpr double kOn = 1e-9;  // [m]
    const Vector3d from_middle = p_L - panel_.middle_L;
    const Vector2d at(from_middle.dot(along_L_), from_middle.dot(across_L_));
    const bool is_on = panel_.radius == 0.0 && (from_middle - at.x() * along_L_ - at.y() * across_L_).norm() < kOn;
    return is_on ? std::optional(at) : std::nullopt;
  }

  /// Of a part of it; cheap.
  double clearance(const Vector2d& middle, double radius) const {
    const Vector3d p_L = panel_.middle_L + middle.x() * along_L_ + middle.y() * across_L_;
    return terrain_.clearance(X_WL_ * p_L, radius + panel_.radius, span_);
  }

 private:
  double outwardAlong(const PanelProbe& probe) const {
    if (panel_.outward_L.isZero(0.0)) return -1.0;
    return (X_WL_.R * panel_.outward_L).dot(probe.place.surface.R_WC.col(2));
  }

  ContactPlace placeAt(const Vector3d& p_L) const {
    if (panel_.kind != Panel::Kind::cylinder) return findBallPlace(p_L, panel_.radius, X_WL_, terrain_, span_);
    return placeOfCircle({.p_L = p_L, .radius = panel_.radius, .axis_L = along_L_}, X_WL_, terrain_, span_);
  }

  const Panel& panel_;
  const Pose& X_WL_;
  const Terrain& terrain_;
  TimeSpan span_;
  Vector2d half_;  ///< extent [m]
  Vector3d along_L_, across_L_;
};

/// Goes down to the place below by steps along the slope, as long as the change of the last slope says (Barzilai and
/// Borwein: of two coordinates the error of a quadratic hill vanishes faster than any power). Returns whether it is on
/// the panel.
bool goDown(const PlacedPanel& panel, PanelProbe& probe) {
  constexpr int kMostSteps = 40, kMostBeyond = 4;
  constexpr double kLongest = 0.3;  // step, of the panel [-]
  const double size = panel.half().norm();
  double length = size;  // as if the hill were as round as the panel is large
  int beyond = 0;        // steps that would have ended beside the panel
  for (int k = 0; k < kMostSteps; ++k) {
    const double slope = probe.slope.norm();
    if (slope <= kLevelGround) return panel.looksAt(probe);
    const Vector2d step = -std::min(length, kLongest * size / slope) * probe.slope;
    if (!panel.contains(probe.at + step)) {
      length = 0.5 * step.norm() / slope;
      if (++beyond > kMostBeyond) return false;
      continue;
    }
    const PanelProbe next = panel.at(probe.at + step);
    const double turned = step.dot(next.slope - probe.slope);
    length = turned > 0.0 ? step.squaredNorm() / turned : 2.0 * length;
    probe = next;
  }
  return false;
}

/// On a line, between a point where the gap falls and one beyond it where it rises.
PanelProbe linePlaceBetween(const PlacedPanel& line, const PanelProbe& falling, const PanelProbe& rising) {
  const auto slopeOf = [](const PanelProbe& probe) { return probe.slope.x(); };
  return whereSlopeTurns(
      falling.at.x(), slopeOf(falling), rising.at.x(), slopeOf(rising), rising,
      [&](double x) {
        return line.at({x, 0.0});
      },
      slopeOf, [&](const PanelProbe& probe, double) { return std::abs(slopeOf(probe)) <= kLevelGround; });
}

void addHillPlace(const PlacedPanel& panel, const PanelProbe& probe, HillPlaces& found) {
  constexpr double kSamePlace = 1e-6;  // [m]
  for (int k = 0; k < found.count; ++k)
    if ((found.places[k].place.lever_W - probe.place.lever_W).norm() < kSamePlace) return;
  if (found.count == HillPlaces::kMost) return;
  const double across = panel.isLine() ? 0.0 : probe.at.y() / panel.half().y();
  found.places[found.count++] = {{probe.at.x() / panel.half().x(), across}, probe.place};
}

void findOnLine(const PlacedPanel& line, double reach, HillPlaces& found) {
  constexpr int kParts = 8;
  const double half = line.half().x(), part = 2.0 / kParts * half;
  std::optional<PanelProbe> last;
  for (int k = 0; k < kParts; ++k) {
    const double left = -half + k * part;
    if (line.clearance({left + 0.5 * part, 0.0}, 0.5 * part) > reach) {
      last.reset();
      continue;
    }
    if (!last && line.looksAway()) return;
    const PanelProbe from = last ? *last : line.at({left, 0.0}), to = line.at({left + part, 0.0});
    last = to;
    if (!(from.slope.x() < 0.0 && to.slope.x() >= 0.0)) continue;
    const PanelProbe place = linePlaceBetween(line, from, to);
    if (line.contains(place.at) && line.looksAt(place)) addHillPlace(line, place, found);
  }
}

/// Between four points a place may be where slopes along and across both turn from below to above zero.
void findOnFace(const PlacedPanel& face, double reach, HillPlaces& found) {
  constexpr int kParts = 5;  // along and across
  const double radius = face.half().norm() / kParts;
  std::array<std::array<std::optional<PanelProbe>, kParts + 1>, kParts + 1> probes;
  const auto at = [&](double i, double j) {
    return Vector2d(face.half().cwiseProduct(face.spread({2.0 * i / kParts - 1.0, 2.0 * j / kParts - 1.0})));
  };
  const auto probe = [&](int i, int j) -> const PanelProbe& {
    if (!probes[j][i]) probes[j][i] = face.at(at(i, j));
    return *probes[j][i];
  };
  bool any = false;
  for (int j = 0; j < kParts; ++j)
    for (int i = 0; i < kParts; ++i) {
      if (face.clearance(at(i + 0.5, j + 0.5), radius) > reach) continue;
      if (!any && face.looksAway()) return;
      any = true;
      const std::array<const PanelProbe*, 4> corners = {&probe(i, j), &probe(i + 1, j), &probe(i, j + 1),
                                                        &probe(i + 1, j + 1)};
      const auto turns = [&](int from, int to, int axis) {
        return corners[from]->slope[axis] < 0.0 && corners[to]->slope[axis] >= 0.0;
      };
      if (!(turns(0, 1, 0) || turns(2, 3, 0)) || !(turns(0, 2, 1) || turns(1, 3, 1))) continue;
      PanelProbe place = **std::min_element(
          corners.begin(), corners.end(), [](const PanelProbe* a, const PanelProbe* b) { return a->gap() < b->gap(); });
      if (goDown(face, place)) addHillPlace(face, place, found);
    }
}

}  // namespace

int panelsOf(const Shape& shape, std::span<Panel, kMostPanels> out) {
  int count = 0;
  const Pose& X_LS = shape.X_LS;
  const Vector3d axis_L = X_LS.R.col(2);
  if (shape.kind == ShapeKind::capsule && shape.half_length > 0.0) {
    out[count++] = {Panel::Kind::capsule, X_LS.p, shape.half_length * axis_L, {0, 0, 0}, {0, 0, 0}, shape.radius};
  } else if (shape.kind == ShapeKind::cylinder) {
    out[count++] = {Panel::Kind::cylinder, X_LS.p, shape.half_length * axis_L, {0, 0, 0}, {0, 0, 0}, shape.radius};
    for (const double side : {-1.0, 1.0})
      out[count++] = {Panel::Kind::disc, X_LS.p + side * shape.half_length * axis_L, shape.radius * X_LS.R.col(0),
                      shape.radius * X_LS.R.col(1), side * axis_L};
  } else if (shape.kind == ShapeKind::box) {
    for (int axis = 0; axis < 3; ++axis) {
      const Vector3d along_L = shape.half_size[axis] * X_LS.R.col(axis);
      const int second = (axis + 1) % 3, third = (axis + 2) % 3;
      const Vector3d second_L = shape.half_size[second] * X_LS.R.col(second);
      const Vector3d third_L = shape.half_size[third] * X_LS.R.col(third);
      for (const double side : {-1.0, 1.0})
        for (const double other : {-1.0, 1.0})
          out[count++] = {Panel::Kind::flat, X_LS.p + side * second_L + other * third_L, along_L, Vector3d::Zero(),
                          (side * X_LS.R.col(second) + other * X_LS.R.col(third)).normalized()};
    }
    for (int axis = 0; axis < 3; ++axis) {
      const int second = (axis + 1) % 3, third = (axis + 2) % 3;
      for (const double side : {-1.0, 1.0})
        out[count++] = {Panel::Kind::flat, X_LS.p + side * shape.half_size[axis] * X_LS.R.col(axis),
                        shape.half_size[second] * X_LS.R.col(second), shape.half_size[third] * X_LS.R.col(third),
                        side * X_LS.R.col(axis)};
    }
  }
  return count;
}

void findHillPlaces(const Panel& panel, const Pose& X_WL, const Terrain& terrain, TimeSpan span, double reach,
                    std::span<const Vector3d> starts_L, HillPlaces& found) {
  found.count = 0;
  const PlacedPanel placed(panel, X_WL, terrain, span);
  if (placed.clearance(Vector2d::Zero(), placed.half().norm()) > reach) return;
  if (placed.isLine()) return findOnLine(placed, reach, found);
  findOnFace(placed, reach, found);
  for (const Vector3d& start_L : starts_L) {
    const std::optional<Vector2d> at = placed.onPanel(start_L);
    if (!at) continue;
    PanelProbe place = placed.at(*at);
    if (goDown(placed, place)) addHillPlace(placed, place, found);
  }
}

ContactPlace followedHillPlace(const Panel& panel, const Eigen::Vector2d& on_panel, const Pose& X_WL,
                               const Terrain& terrain, TimeSpan span) {
  const PlacedPanel placed(panel, X_WL, terrain, span);
  const PanelProbe before = placed.at(placed.half().cwiseProduct(on_panel));
  PanelProbe now = before;
  return goDown(placed, now) ? now.place : before.place;
}

}  // namespace footfall
