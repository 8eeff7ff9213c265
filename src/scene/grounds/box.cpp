#include "footfall/terrain/box.hpp"

#include "scene/grounds/ground_kind.hpp"

namespace footfall {
namespace {

Field<SceneGround> sizeField() {
  return {"size", "of the box along its own axes [m]", vectorSchema(Quantity::length),
          [](const SceneValue& value, SceneGround& ground) {
            ground.size = readVector(value, Quantity::length);
            for (const SceneValue& item : value.items()) readNumber(item, Quantity::length, positive());
          }};
}

void checkBox(const SceneValue& value, const SceneGround& ground) {
  if (ground.size == Vector3d::Zero()) throw value.error("has no 'size', which a box needs");
}

std::shared_ptr<const Terrain> buildBox(const SceneGround& ground) {
  return std::make_shared<Box>(poseOf(ground), ground.size, materialOf(ground));
}

}  // namespace

GroundKind boxGround() { return {"box", {sizeField()}, {"position", "rpy"}, checkBox, buildBox}; }

}  // namespace footfall
