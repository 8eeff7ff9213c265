#include "footfall/robot_block/unused_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "footfall/robot_block/diagram_robot.hpp"

namespace footfall {
namespace {

bool hasBlock(const Diagram& diagram, const char* kind) {
  return std::any_of(diagram.blocks().begin(), diagram.blocks().end(),
                     [&](const Diagram::BlockInfo& block) { return block.kind == kind; });
}

}  // namespace

std::vector<std::string> unusedKeys(const Scene& scene, const Diagram& diagram) {
  if (robotOf(diagram).empty()) return {};
  struct Key {
    const char *name, *block;
    bool said;
  };
  const Key keys[] = {
      {"hold", "PostureHold", scene.hold.enabled && scene.hold.where != scene.source},
      {"torques", "PostureHold", !scene.torques.joints.empty()},
      {"actuators", "Motors", !scene.actuators.empty()},
      {"pushes", "Pushes", !scene.pushes.empty()},
      {"sensors", "Sensors", !scene.sensors.empty()},
  };
  std::vector<std::string> warnings;
  for (const Key& key : keys)
    if (key.said && !hasBlock(diagram, key.block))
      warnings.push_back(fmt::format("{}: `{}` of the scene does nothing: its diagram has no block {}", scene.source,
                                     key.name, key.block));
  return warnings;
}

}  // namespace footfall
