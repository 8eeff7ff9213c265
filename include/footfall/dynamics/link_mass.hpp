#pragma once

#include <span>
#include <vector>

#include "footfall/model/model.hpp"

namespace footfall {

/// What a link weighs in place of what its model says. The axes of its inertia stay those of the model.
struct LinkMass {
  double mass = 0.0;                ///< [kg]
  double turning = 1.0;             ///< rotational inertia about the centre of mass, times that of the model [-]
  Vector3d com = Vector3d::Zero();  ///< centre of mass in the link frame [m]

  /// The link as the model has it.
  static LinkMass of(const Link& link) { return {link.inertia.mass, 1.0, link.inertia.com}; }
  SpatialInertia inertiaOf(const Link& link) const { return {mass, com, turning * link.inertia.I_com}; }
};

/// All links as the model has them.
inline std::vector<LinkMass> linkMassesOf(const Model& model) {
  std::vector<LinkMass> masses;
  for (const Link& link : model.links) masses.push_back(LinkMass::of(link));
  return masses;
}

}  // namespace footfall
