#pragma once

#include <array>
#include <span>

#include "footfall/contact/contact_place.hpp"
#include "footfall/geometry/shape.hpp"

namespace footfall {

/// A part of the surface of a shape between its corners, that a hill may poke into: a face, an edge, the cap of a
/// cylinder, or the lowest line of a capsule or of a cylinder's side.
struct Panel {
  enum class Kind { flat, disc, capsule, cylinder };

  Kind kind = Kind::flat;
  Vector3d middle_L = Vector3d::Zero();   ///< [m]
  Vector3d along_L = Vector3d::Zero();    ///< from its middle to its end [m]
  Vector3d across_L = Vector3d::Zero();   ///< the same, at right angles; zero: it is a line [m]
  Vector3d outward_L = Vector3d::Zero();  ///< of a face, between the faces of an edge; zero: it is round [-]
  double radius = 0.0;                    ///< of capsules and cylinders, whose axis it is [m]
};

constexpr int kMostPanels = 18;
/// Of boxes, capsules and cylinders, in their links, edges before faces; other shapes have none. Returns how many were
/// written.
int panelsOf(const Shape& shape, std::span<Panel, kMostPanels> out);

/// A place on a panel where the gap is smaller than all around.
struct HillPlace {
  Eigen::Vector2d on_panel = Eigen::Vector2d::Zero();  ///< from −1 to 1 along and across
  ContactPlace place;
  bool is_kink = false;  ///< the tip of a hill, or a ridge: its normal is none of those of the ground
};
struct HillPlaces {
  static constexpr int kMost = 4;
  std::array<HillPlace, kMost> places;
  int count = 0;
};

/// Those that are not on the border of the panel, and may be nearer than `reach`.
/// @param starts_L points of the link where other parts of it touch: on the border of a face, the ground may rise from
///                 there
void findHillPlaces(const Panel& panel, const Pose& X_WL, const Terrain& terrain, TimeSpan span, double reach,
                    std::span<const Vector3d> starts_L, HillPlaces& found);

/// The same place with the link at another pose. Where there is none any more, the point of the link that was there.
ContactPlace followedHillPlace(const Panel& panel, const HillPlace& hill, const Pose& X_WL, const Terrain& terrain,
                               TimeSpan span);

}  // namespace footfall
