#include "contact/hill_tip.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

namespace footfall {
namespace {

using Vector2d = Eigen::Vector2d;

/// The tip of a hill below a face. Seen from the face, the hill is as high as the lowest of its sides: of three sides
/// that lean to different directions the tip is where they meet, unless another one is lower there, which then takes
/// the place of one of them.
class TipBelow {
 public:
  explicit TipBelow(const PlacedPanel& face) : face_(face), inward_W_(face.inward()) {}

  /// @param around points of the face, some of which see different sides
  std::optional<PanelProbe> find(std::span<const PanelProbe* const> around) {
    constexpr int kMostSteps = 20;
    constexpr double kFound = 1e-10;  // [m]
    if (!chooseFirst(around)) return std::nullopt;
    for (int k = 0; k < kMostSteps; ++k) {
      const Eigen::Vector3d tip = meetingOfSides();
      const Vector2d at = tip.head<2>();
      if (!tip.allFinite() || !face_.contains(at)) return std::nullopt;
      PanelProbe probe = face_.at(at);
      const std::optional<Side> side = sideOf(probe);
      if (!side) return std::nullopt;
      const double above = side->height - tip.z();
      if (std::abs(above) < kFound) return place(probe, at, tip.z());
      if (above < 0.0) {
        hollow_at_ = at;
        return std::nullopt;
      }
      if (!exchange(*side)) return std::nullopt;
    }
    return std::nullopt;
  }

  /// Where the ground is above the planes of its sides: it is hollow, as between four nodes of a table. Nearer to the
  /// tip it is less so.
  const std::optional<Vector2d>& hollowAt() const { return hollow_at_; }

 private:
  /// What the face sees as a plane: how far it is along the normal of the face, at a point of it.
  struct Side {
    Vector2d at, slope;
    double height;
  };

  std::optional<Side> sideOf(const PanelProbe& probe) const {
    const double facing = probe.place.surface.R_WC.col(2).dot(inward_W_);
    if (!(facing > 0.5)) return std::nullopt;
    return Side{probe.at, probe.slope / facing, probe.gap() / facing};
  }

  /// Zero is a mean of the slopes of these three: the face would have to rise wherever it goes.
  static bool surround(const Side& a, const Side& b, const Side& c) {
    const auto turn = [](const Vector2d& u, const Vector2d& v) { return u.x() * v.y() - u.y() * v.x(); };
    const double ab = turn(a.slope, b.slope), bc = turn(b.slope, c.slope), ca = turn(c.slope, a.slope);
    constexpr double kLeast = 1e-6;  // of three sides that lean to one line the tip is anywhere
    return (ab > -kLevelGround && bc > -kLevelGround && ca > -kLevelGround && ab + bc + ca > kLeast) ||
           (ab < kLevelGround && bc < kLevelGround && ca < kLevelGround && ab + bc + ca < -kLeast);
  }

  bool chooseFirst(std::span<const PanelProbe* const> around) {
    std::array<std::optional<Side>, 4> sides;
    const std::size_t count = std::min(around.size(), sides.size());
    for (std::size_t k = 0; k < count; ++k) sides[k] = sideOf(*around[k]);
    for (std::size_t left_out = 0; left_out < count; ++left_out) {
      const auto &a = sides[(left_out + 1) % count], &b = sides[(left_out + 2) % count],
                 &c = sides[(left_out + 3) % count];
      if (!a || !b || !c || !surround(*a, *b, *c)) continue;
      sides_ = {*a, *b, *c};
      return true;
    }
    return false;
  }

  /// A side that was found where the others met takes the place of the one without which they surround it.
  bool exchange(const Side& side) {
    for (int k = 0; k < 3; ++k) {
      if (!surround(side, sides_[(k + 1) % 3], sides_[(k + 2) % 3])) continue;
      sides_[k] = side;
      return true;
    }
    return false;
  }

  /// Place on the face, and height above it.
  Eigen::Vector3d meetingOfSides() const {
    Matrix3d planes;
    Vector3d heights;
    for (int k = 0; k < 3; ++k) {
      planes.row(k) << -sides_[k].slope.x(), -sides_[k].slope.y(), 1.0;
      heights[k] = sides_[k].height - sides_[k].slope.dot(sides_[k].at);
    }
    return planes.inverse() * heights;
  }

  PanelProbe place(PanelProbe probe, const Vector2d& at, double height) const {
    probe.slope.setZero();
    probe.is_kink = true;
    probe.place.surface.gap = height;
    probe.place.surface.R_WC = rotationWithZ(inward_W_);
    probe.place.lever_W = face_.leverAt(at);
    return probe;
  }

  const PlacedPanel& face_;
  Vector3d inward_W_;
  std::array<Side, 3> sides_;
  std::optional<Vector2d> hollow_at_;
};

}  // namespace

/// Four points around it see the sides, unless they lie on ridges, or the face leans nearly as much as a side: the side
/// that it leans to must be among them.
std::optional<PanelProbe> tipNear(const PlacedPanel& face, Vector2d middle, double distance) {
  constexpr double kNearest = 1e-6, kNearer = 0.25;  // [m], [-]
  double angle = 0.3;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const Vector2d first = distance * Vector2d(std::cos(angle), std::sin(angle)), second(-first.y(), first.x());
    const std::array<PanelProbe, 4> around = {face.at(middle + first), face.at(middle + second),
                                              face.at(middle - first), face.at(middle - second)};
    const std::array<const PanelProbe*, 4> all = {&around[0], &around[1], &around[2], &around[3]};
    TipBelow below(face);
    if (auto tip = below.find(all)) return tip;
    if (below.hollowAt() && distance > kNearest) {
      middle = *below.hollowAt();
      distance *= kNearer;
      attempt = -1;
      continue;
    }
    const Vector2d lean = around[0].slope + around[1].slope + around[2].slope + around[3].slope;
    angle = attempt == 0 ? std::atan2(-lean.y(), -lean.x()) : 1.1;
  }
  return std::nullopt;
}

}  // namespace footfall
