#pragma once

#include <random>
#include <vector>

#include "footfall/spatial/pose.hpp"
#include "tools/random_seed.hpp"

namespace footfall {

/// Random points and directions; the same ones on every run.
class RandomPoints {
 public:
  explicit RandomPoints(unsigned seed) : engine_(randomSeed(seed)) {}

  double number(double low, double high) { return low + (high - low) * unit_(engine_); }
  Vector3d inBox(double half) { return {number(-half, half), number(-half, half), number(-half, half)}; }
  Vector3d direction() { return Vector3d(normal_(engine_), normal_(engine_), normal_(engine_)).normalized(); }
  Matrix3d rotation() { return Eigen::AngleAxisd(number(-3.0, 3.0), direction()).toRotationMatrix(); }

  std::vector<Vector3d> onSphere(int count) {
    std::vector<Vector3d> points;
    for (int i = 0; i < count; ++i) points.push_back(direction());
    return points;
  }

 private:
  std::mt19937 engine_;
  std::uniform_real_distribution<double> unit_{0.0, 1.0};
  std::normal_distribution<double> normal_;
};

}  // namespace footfall
