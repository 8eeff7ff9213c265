#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "footfall/terrain/terrain.hpp"

namespace footfall {

/// What a scene says about a ground whose shape is a plug-in.
struct TerrainParameters {
  Pose X_WT;  ///< position and rpy of the scene; the terrain may use them as it likes
  Material material;
  std::map<std::string, double> values;  ///< `parameters` of the scene, SI units

  /// One of the values, or the fallback when it is not given.
  double number(const std::string& name, double fallback) const;

  /// Names that number() was asked for. Values with other names would have no effect: makeTerrain() refuses them.
  mutable std::set<std::string> asked;
};

/// The shape of libfootfall_terrain_<shape>.so; throws Error.
std::unique_ptr<Terrain> makeTerrain(const std::string& shape, const TerrainParameters& parameters);

}  // namespace footfall
