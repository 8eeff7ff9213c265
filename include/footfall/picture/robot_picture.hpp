#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "footfall/model/state.hpp"
#include "footfall/scene/scene.hpp"
#include "footfall/terrain/terrain.hpp"

namespace footfall {

/// Where a picture is seen from. It looks at the target.
struct PictureView {
  double azimuth = 0.7;            ///< of the camera around the target, from x towards y [rad]
  double elevation = 0.35;         ///< of the camera above the target [rad]
  std::optional<double> distance;  ///< of the camera from the target; default: the whole robot is in the picture [m]
  std::optional<Vector3d> target;  ///< default: the base of the robot [m]
};

/// Red, green and blue, row by row from the top.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;  ///< 3 × width × height
};

/// Draws a robot on its ground, without a screen and without a graphics card: small pictures for learning and for
/// films. The same state gives the same bits. The studio draws more.
///
///     RobotPicture picture(simulation.scene(), simulation.model());
///     const Picture& image = picture.draw(simulation.state(), simulation.terrain(), {}, 640, 480);
class RobotPicture {
 public:
  /// Reads the visual shapes of the robot's file (the collision shapes of a file that has none). Meshes that are not
  /// found are left out. The model must outlive it.
  RobotPicture(const Scene& scene, const Model& model);
  ~RobotPicture();
  RobotPicture(RobotPicture&&) noexcept;
  RobotPicture& operator=(RobotPicture&&) noexcept;

  /// Valid until the next call. Throws Error for sizes, views and states that are no picture.
  const Picture& draw(const State& state, const Terrain& terrain, const PictureView& view, int width, int height);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall
