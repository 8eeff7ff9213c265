// Hills of the ground poke into faces and edges between corners, which are all that a shape asks the ground about. The
// gap of a point of a panel changes by the parts of the ground's normal along the panel; a place is where both are
// zero, or where they jump across zero: on the tip of a pyramid, or where an edge crosses a ridge. No side of the hill
// has the normal of such a place, which is a mean of theirs that has no part along the panel.

#include "contact/hill_places.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "contact/hill_tip.hpp"
#include "contact/placed_panel.hpp"
#include "contact/regula_falsi.hpp"

namespace footfall {
namespace {

using Vector2d = Eigen::Vector2d;

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

/// Where a line crosses a ridge that has a side below each of two points nearby. The normal is across the line and the
/// ridge: the mean of the normals of both sides that has no part along the line. Both sides say how far they are from
/// the line, and so where it is nearest to the ridge.
PanelProbe crossing(const PlacedPanel& line, const PanelProbe& falling, const PanelProbe& rising) {
  PanelProbe place = rising;
  const double share = rising.slope.x() / (rising.slope.x() - falling.slope.x());
  const Vector3d normal_1 = falling.place.surface.R_WC.col(2), normal_2 = rising.place.surface.R_WC.col(2);
  const Vector3d normal = (share * normal_1 + (1.0 - share) * normal_2).normalized();
  const Vector3d lever = line.leverAt(place.at);
  const auto distanceTo = [&](const PanelProbe& side) {
    return side.gap() + side.place.surface.R_WC.col(2).dot(lever - side.place.lever_W);
  };
  Eigen::Matrix2d sides;
  sides << normal_1.dot(normal), normal_1.dot(line.along()), normal_2.dot(normal), normal_2.dot(line.along());
  const Vector2d found = sides.inverse() * Vector2d(distanceTo(falling), distanceTo(rising));
  place.at.x() -= found.y();
  place.slope.setZero();
  place.is_kink = true;
  place.place.surface.gap = found.x() - line.radius();
  place.place.surface.R_WC = rotationWithZ(normal);
  place.place.lever_W = line.leverAt(place.at) - line.radius() * normal;
  return place;
}

/// On a line, between a point where the gap falls and one beyond it where it rises.
PanelProbe linePlaceBetween(const PlacedPanel& line, PanelProbe falling, PanelProbe rising) {
  constexpr double kNear = 1e-6, kJump = 1e-3;  // [m], [-]; hills are rounder than a millimetre, or have an edge
  const auto slopeOf = [](const PanelProbe& probe) { return probe.slope.x(); };
  const PanelProbe last = whereSlopeTurns(
      falling.at.x(), slopeOf(falling), rising.at.x(), slopeOf(rising), rising,
      [&](double x) {
        const PanelProbe probe = line.at({x, 0.0});
        (slopeOf(probe) < 0.0 ? falling : rising) = probe;
        return probe;
      },
      slopeOf,
      [&](const PanelProbe& probe, double apart) {
        return std::abs(slopeOf(probe)) <= kLevelGround ||
               (apart < kNear && slopeOf(rising) - slopeOf(falling) > kJump);
      });
  return std::abs(slopeOf(last)) <= kLevelGround ? last : crossing(line, falling, rising);
}

void addHillPlace(const PlacedPanel& panel, const PanelProbe& probe, HillPlaces& found) {
  constexpr double kSamePlace = 1e-6;  // [m]
  for (int k = 0; k < found.count; ++k)
    if ((found.places[k].place.lever_W - probe.place.lever_W).norm() < kSamePlace) return;
  if (found.count == HillPlaces::kMost) return;
  const double across = panel.isLine() ? 0.0 : probe.at.y() / panel.half().y();
  found.places[found.count++] = {{probe.at.x() / panel.half().x(), across}, probe.place, probe.is_kink};
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
      // Corners of the grid that lie on ridges see one of two sides, whichever: left and right may seem exchanged.
      const auto mayTurn = [&](int axis) {
        return (corners[0]->slope[axis] < 0.0 || corners[2 - axis]->slope[axis] < 0.0) &&
               (corners[1 + axis]->slope[axis] >= 0.0 || corners[3]->slope[axis] >= 0.0);
      };
      if (!mayTurn(0) || !mayTurn(1)) continue;
      const bool turn = (turns(0, 1, 0) || turns(2, 3, 0)) && (turns(0, 2, 1) || turns(1, 3, 1));
      PanelProbe place = **std::min_element(
          corners.begin(), corners.end(), [](const PanelProbe* a, const PanelProbe* b) { return a->gap() < b->gap(); });
      if (turn && goDown(face, place))
        addHillPlace(face, place, found);
      else if (const auto tip = tipNear(face, at(i + 0.5, j + 0.5), 0.5 * radius))
        addHillPlace(face, *tip, found);
    }
}

/// Downhill of a point of a line, as long as slopes do not turn.
std::optional<PanelProbe> followOnLine(const PlacedPanel& line, const PanelProbe& from) {
  constexpr double kFirst = 1e-3;  // step, of the line [-]
  const double way = from.slope.x() < 0.0 ? 1.0 : -1.0;
  PanelProbe last = from;
  for (double step = kFirst * line.half().x();; step *= 2.0) {
    const Vector2d at(last.at.x() + way * step, 0.0);
    if (!line.contains(at)) return std::nullopt;
    const PanelProbe next = line.at(at);
    if ((next.slope.x() < 0.0) != (last.slope.x() < 0.0))
      return way > 0.0 ? linePlaceBetween(line, last, next) : linePlaceBetween(line, next, last);
    last = next;
  }
}

/// The tip of the hill where it was before, or nearby.
std::optional<PanelProbe> followOnFace(const PlacedPanel& face, const Vector2d& at) {
  for (const double share : {1e-3, 1e-2, 1e-1})
    if (auto tip = tipNear(face, at, share * face.half().norm())) return tip;
  return std::nullopt;
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

ContactPlace followedHillPlace(const Panel& panel, const HillPlace& hill, const Pose& X_WL, const Terrain& terrain,
                               TimeSpan span) {
  const PlacedPanel placed(panel, X_WL, terrain, span);
  const PanelProbe before = placed.at(placed.half().cwiseProduct(hill.on_panel));
  PanelProbe now = before;
  if (!hill.is_kink && goDown(placed, now)) return now.place;
  if (const auto kink = placed.isLine() ? followOnLine(placed, before) : followOnFace(placed, before.at))
    return kink->place;
  return hill.is_kink && goDown(placed, now) ? now.place : before.place;
}

}  // namespace footfall
