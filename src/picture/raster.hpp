#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "footfall/spatial/pose.hpp"

namespace footfall::picture {

using Color = Eigen::Vector3f;  ///< red, green, blue from 0 to 1

/// A pinhole camera C: x to the right, y down, z forwards.
struct Pinhole {
  Pose X_CW;
  double focal = 1.0;  ///< length over half the height of the picture [-]
};

/// Triangles on a grid of pixels; those that are nearer hide those behind them. Every pixel is the mean of 2 × 2
/// samples.
class Raster {
 public:
  void begin(int width, int height, const Pinhole& camera);
  /// Corners in the world [m]. Those that reach behind the camera are left out.
  void draw(const std::array<Vector3d, 3>& corners, const Color& color);
  /// Writes 3 bytes for each pixel.
  void finish(std::vector<std::uint8_t>& pixels) const;

 private:
  void fill(const std::array<Vector3d, 3>& screen, std::uint32_t color);

  Pinhole camera_;
  int width_ = 0, height_ = 0;         ///< of the samples
  std::vector<float> nearness_;        ///< 1 / depth of what a sample shows; 0: the sky [1/m]
  std::vector<std::uint32_t> colors_;  ///< of the samples: 0x00bbggrr
};

}  // namespace footfall::picture
