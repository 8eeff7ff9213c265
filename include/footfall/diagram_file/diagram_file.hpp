#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "footfall/diagram_file/scene_diagram.hpp"
#include "footfall/keys/scene_override.hpp"

namespace footfall {

/// The section `run` of a scene, or of a diagram in a file of its own.
struct SceneRun {
  std::string where;
  double duration = 10.0;   ///< [s]
  std::string log;          ///< path of the log; empty: none
  double log_period = 0.0;  ///< time between rows; 0: every step [s]
  std::uint64_t seed = 0;   ///< of all random numbers
};

/// A block diagram in a file of its own, without a robot.
struct DiagramFile {
  SceneDiagram diagram;
  SceneRun run;
};

/// Throws Error with file and line.
DiagramFile loadDiagramFile(const std::string& path, const std::vector<SceneOverride>& overrides = {});

}  // namespace footfall
