#include "footfall/terrain/terrain.hpp"

#include <fmt/format.h>

#include <limits>

#include "footfall/base/error.hpp"

namespace footfall {

void validate(const Material& material) {
  if (!(material.friction >= 0.0))
    throw Error("ground.friction", fmt::format("the friction is {}, expected 0 or more", material.friction));
  if (!(material.restitution >= 0.0 && material.restitution <= 1.0))
    throw Error("ground.restitution",
                fmt::format("the restitution is {}, expected a number from 0 to 1", material.restitution),
                "0 is a landing without rebound, 1 a rebound with the full speed");
}

int Terrain::faces(const Vector3d& p_W, TimeSpan span, std::span<SurfacePoint> out) const {
  if (out.empty()) return 0;
  out[0] = at(p_W, span);
  return 1;
}

GroundBlock Terrain::block(int index, double /*time*/) const {
  throw Error("ground", fmt::format("there is no block {} in it", index));
}

double Terrain::clearance(const Vector3d& /*center_W*/, double /*radius*/, TimeSpan /*span*/) const {
  return -std::numeric_limits<double>::infinity();
}

}  // namespace footfall
