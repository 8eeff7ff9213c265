#pragma once

#include <span>
#include <vector>

#include "footfall/run/body_rays.hpp"

namespace footfall {

/// Throws Error unless a scan of so many worlds makes sense. @param room for so many heights
void requireGoodScan(std::span<const Eigen::Vector2d> points, double above, double reach, std::size_t room, int worlds);

/// The ground around a robot by rays that go down; the scratch of one thread.
class HeightScan {
 public:
  /// See BatchSimulation::scanHeights().
  HeightScan(std::span<const Eigen::Vector2d> points, double above, double reach)
      : points_(points), above_(above), reach_(reach), rays_(points.size(), {Vector3d::Zero(), -Vector3d::UnitZ()}) {}

  /// @param q of all bodies: position of the robot's base, and its attitude (x, y, z, w), come first
  void scan(const Terrain& ground, BodyRays& bodies, const Eigen::Ref<const VectorXd>& q, double time,
            std::span<double> heights);

 private:
  std::span<const Eigen::Vector2d> points_;
  double above_, reach_;  ///< [m]
  std::vector<Ray> rays_;
};

}  // namespace footfall
