#pragma once

#include <map>
#include <string>
#include <vector>

#include "footfall/spatial/pose.hpp"

namespace footfall {

/// Where the studio's camera stands at first. Without anything of it: so that robot and ground are seen.
struct SceneCamera {
  std::string where;
  std::string from;                      ///< home, front, side, back or top; empty: home
  std::string show;                      ///< robot, or scene: with the boxes and stairs around it; empty: scene
  bool placed = false;                   ///< `position` was given: it counts in place of `from` and `show`
  Vector3d position = Vector3d::Zero();  ///< of the camera in the world [m]
  bool aimed = false;                    ///< `target` was given
  Vector3d target = Vector3d::Zero();    ///< the point that is in the middle of the picture [m]
};

/// How a scene looks when the studio opens it: it counts until somebody chooses something else, and changes no physics.
struct SceneView {
  std::string where;
  SceneCamera camera;
  std::map<std::string, bool> layers;           ///< of the 3D view that are on or off; the others as they were left
  std::vector<std::vector<std::string>> plots;  ///< channels of each plot; empty: those for any scene
  std::string tab;                              ///< plots, contacts, balance, diagram, link or live; empty: plots
  double speed = -1.0;                          ///< simulated seconds for each second; negative: 1
};

}  // namespace footfall
