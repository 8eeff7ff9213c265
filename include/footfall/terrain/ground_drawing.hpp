#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "footfall/spatial/pose.hpp"

namespace footfall {

class Terrain;

/// What a ground looks like: any of these together. Plain data, in the world as it is at the start.
struct GroundDrawing {
  struct Block {
    Pose X_WB;  ///< of its middle
    Vector3d size = Vector3d::Zero();
  };
  /// Heights on a grid.
  struct Heights {
    int columns = 0;                            ///< along x
    int rows = 0;                               ///< along y
    Eigen::Vector2d size{0.0, 0.0};             ///< of the rectangle, along x and y [m]
    Vector3d origin = Vector3d::Zero();         ///< its middle; heights count from there [m]
    std::vector<std::optional<double>> values;  ///< row by row from −y to +y; none: there is no ground [m]
  };

  std::optional<Pose> plane;  ///< without end; its z is the normal
  std::vector<Block> blocks;
  std::optional<Heights> heights;
};

/// The ground under a place.
struct GroundBelow {
  double z = 0.0;      ///< where the search has ended [m]
  bool found = false;  ///< there is ground
};
/// Follows it down from z = `from`, where nothing but walls is in the way.
GroundBelow findGroundBelow(const Terrain& terrain, double x, double y, double from, double time);

/// Fine enough to look like the ground that the robot feels; `height(x, y)` counts from the origin.
template <class Height>
GroundDrawing::Heights drawHeights(const Vector3d& origin, const Eigen::Vector2d& size, Height height);

/// Of a ground that nothing else is known about: how high it is around a place.
GroundDrawing drawByHeights(const Terrain& terrain, const Vector3d& around_W);

// --- inline ----------------------------------------------------------------------------------------

template <class Height>
GroundDrawing::Heights drawHeights(const Vector3d& origin, const Eigen::Vector2d& size, Height height) {
  constexpr int kNodes = 160;  // along the longer side
  const double cell = size.maxCoeff() / kNodes;
  GroundDrawing::Heights out;
  out.columns = std::max(2, static_cast<int>(std::ceil(size.x() / cell)) + 1);
  out.rows = std::max(2, static_cast<int>(std::ceil(size.y() / cell)) + 1);
  out.size = size;
  out.origin = origin;
  for (int r = 0; r < out.rows; ++r)
    for (int c = 0; c < out.columns; ++c)
      out.values.push_back(height(size.x() * (c / (out.columns - 1.0) - 0.5), size.y() * (r / (out.rows - 1.0) - 0.5)));
  return out;
}

}  // namespace footfall
