#include <algorithm>

#include "footfall/scene/ground_shapes.hpp"
#include "scene/grounds/ground_kind.hpp"

namespace footfall {

const std::vector<GroundKind>& groundKinds() {
  static const std::vector<GroundKind> kinds = {planeGround(), boxGround(), stairsGround(), heightFieldGround()};
  return kinds;
}

const GroundKind* findGroundKind(const std::string& name) {
  const std::vector<GroundKind>& kinds = groundKinds();
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [&](const GroundKind& kind) { return kind.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

std::vector<std::string> groundShapes() {
  std::vector<std::string> names;
  for (const GroundKind& kind : groundKinds()) names.push_back(kind.name);
  return names;
}

}  // namespace footfall
