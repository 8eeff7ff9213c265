#include "footfall/terrain/terrain_plugin.hpp"

#include <fmt/format.h>

#include "footfall/base/error.hpp"
#include "footfall/base/plugin.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {

double TerrainParameters::number(const std::string& name, double fallback) const {
  asked.insert(name);
  const auto found = values.find(name);
  return found == values.end() ? fallback : found->second;
}

std::unique_ptr<Terrain> makeTerrain(const std::string& shape, const TerrainParameters& parameters) {
  std::unique_ptr<Terrain> terrain = makeFromPlugin<Terrain>("terrain", shape, "footfall_make_terrain", parameters);
  const std::vector<std::string> known(parameters.asked.begin(), parameters.asked.end());
  for (const auto& [name, value] : parameters.values)
    if (parameters.asked.count(name) == 0)
      throw Error("ground.parameters", fmt::format("the ground '{}' has no parameter '{}'", shape, name),
                  suggestOrList(name, known));
  return terrain;
}

}  // namespace footfall
