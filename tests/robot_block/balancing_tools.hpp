#pragma once

#include "footfall/block_io/diagram_reader.hpp"
#include "robot_block/block_tools.hpp"

namespace footfall {

/// iCub on its real motors with the balancing controller, pushed at the chest by a force in world axes.
inline Scene pushedScene(const Vector3d& force = {50.0, 0.0, 0.0}) {
  Scene scene = physics::sceneFile("icub_balancing.yaml");
  scene.pushes[0].force = force;
  return scene;
}

/// The diagram that the scene has in its file.
inline RobotDiagram balancingDiagram(const Scene& scene) {
  RobotDiagram d(scene);
  d.builder = readDiagram(scene.diagram, d.registry, d.environment);
  return d;
}

}  // namespace footfall
