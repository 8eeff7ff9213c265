#pragma once

#include <cmath>
#include <optional>

#include "contact/circle_places.hpp"
#include "contact/hill_places.hpp"
#include "footfall/geometry/shape.hpp"

namespace footfall {

/// A slope below this is none; the ground finds its normals to some 1e-9 [-]
constexpr double kLevelGround = 1e-7;

/// A point of a panel, and the ground there.
struct PanelProbe {
  Eigen::Vector2d at = Eigen::Vector2d::Zero();  ///< from the middle of the panel along and across it [m]
  ContactPlace place;
  Eigen::Vector2d slope = Eigen::Vector2d::Zero();  ///< of the gap [-]
  bool is_kink = false;                             ///< slopes jump there

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
  const Eigen::Vector2d& half() const { return half_; }

  PanelProbe at(const Eigen::Vector2d& at) const {
    PanelProbe probe;
    probe.at = at;
    probe.place = placeAt(pointAt(at));
    const Vector3d normal_L = X_WL_.R.transpose() * probe.place.surface.R_WC.col(2);
    probe.slope = {normal_L.dot(along_L_), normal_L.dot(across_L_)};
    return probe;
  }

  bool contains(const Eigen::Vector2d& at) const {
    if (panel_.kind == Panel::Kind::disc) return at.norm() < half_.x();
    return std::abs(at.x()) < half_.x() && std::abs(at.y()) <= half_.y();
  }

  /// From a square to the panel: grids of a square become grids of a disc.
  Eigen::Vector2d spread(const Eigen::Vector2d& s) const {
    if (panel_.kind != Panel::Kind::disc) return s;
    return {s.x() * std::sqrt(1.0 - 0.5 * s.y() * s.y()), s.y() * std::sqrt(1.0 - 0.5 * s.x() * s.x())};
  }

  /// Of a face, into the shape: what a tip below it pushes along [-]
  Vector3d inward() const { return -(X_WL_.R * panel_.outward_L); }
  Vector3d along() const { return X_WL_.R * along_L_; }
  double radius() const { return panel_.radius; }
  /// From the link's origin to the point of the panel, or of the axis of what is round [m]
  Vector3d leverAt(const Eigen::Vector2d& at) const { return X_WL_.R * pointAt(at); }

  /// A face meets what is opposite to it; an edge, what is opposite to one of its faces or between them.
  bool looksAt(const PanelProbe& probe) const { return outwardAlong(probe) < -0.5; }
  /// It is on another side of the shape, even on a slope. Between its middle and its ends there may be a ridge, and
  /// each side of that is seen by one of them.
  bool looksAway() const {
    if (panel_.outward_L.isZero(0.0)) return false;
    const auto looksAwayAt = [&](double along, double across) {
      return outwardAlong(at(half_.cwiseProduct(spread({along, across})))) > -0.2;
    };
    if (!looksAwayAt(0.0, 0.0)) return false;
    for (const double along : {-1.0, 1.0})
      for (const double across : {-1.0, 1.0})
        if (!(isLine() && across > 0.0) && !looksAwayAt(along, across)) return false;
    return true;
  }

  /// A point of the link, where it is on the panel.
  std::optional<Eigen::Vector2d> onPanel(const Vector3d& p_L) const {
    constexpr double kOn = 1e-9;  // [m]
    const Vector3d from_middle = p_L - panel_.middle_L;
    const Eigen::Vector2d at(from_middle.dot(along_L_), from_middle.dot(across_L_));
    const bool is_on = panel_.radius == 0.0 && (from_middle - at.x() * along_L_ - at.y() * across_L_).norm() < kOn;
    return is_on ? std::optional(at) : std::nullopt;
  }

  /// Of a part of it; cheap.
  double clearance(const Eigen::Vector2d& middle, double radius) const {
    return terrain_.clearance(X_WL_ * pointAt(middle), radius + panel_.radius, span_);
  }

 private:
  Vector3d pointAt(const Eigen::Vector2d& at) const { return panel_.middle_L + at.x() * along_L_ + at.y() * across_L_; }

  double outwardAlong(const PanelProbe& probe) const {
    if (panel_.outward_L.isZero(0.0)) return -1.0;
    return (X_WL_.R * panel_.outward_L).dot(probe.place.surface.R_WC.col(2));
  }

  ContactPlace placeAt(const Vector3d& p_L) const {
    if (panel_.kind == Panel::Kind::cylinder) {
      const ContactPlace lowest =
          placeOfCircle({.p_L = p_L, .radius = panel_.radius, .axis_L = along_L_}, X_WL_, terrain_, span_);
      if (isLowest(lowest, p_L)) return lowest;
    }
    return findBallPlace(p_L, panel_.radius, X_WL_, terrain_, span_);
  }

  /// The lowest point of a circle is against the normal of the ground there. Above a ridge there is none: seen from the
  /// lowest point above either side the ground is the other side. Where it counts the circle touches as a ball does.
  bool isLowest(const ContactPlace& place, const Vector3d& p_L) const {
    constexpr double kSame = 1e-6;  // of the radius
    const Vector3d down_W = towardsLowestPoint(along(), place.surface.R_WC.col(2));
    return (place.lever_W - X_WL_.R * p_L - panel_.radius * down_W).norm() < kSame * panel_.radius;
  }

  const Panel& panel_;
  const Pose& X_WL_;
  const Terrain& terrain_;
  TimeSpan span_;
  Eigen::Vector2d half_;  ///< extent [m]
  Vector3d along_L_, across_L_;
};

}  // namespace footfall
