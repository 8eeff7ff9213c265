#pragma once

#include <span>
#include <vector>

#include "footfall/collide/solid.hpp"
#include "footfall/model/model.hpp"
#include "footfall/terrain/ray_cast.hpp"

namespace footfall {

/// Where rays meet bodies, by their collision shapes. A robot is not seen: a scan that looks down from above its base
/// would show its back. Scratch of one thread.
class BodyRays {
 public:
  /// @param has_robot the first tree of the model is a robot; otherwise there are bodies alone, and all are seen
  BodyRays(const Model& model, bool has_robot);

  bool empty() const { return shapes_.empty(); }

  /// Shortens each distance to where its ray enters a body, if that is nearer; to 0 where it begins inside. Bodies
  /// whose place is not finite are not met. Allocates nothing after the first call.
  /// @param q of all bodies
  void shorten(const Eigen::Ref<const VectorXd>& q, std::span<const Ray> rays, std::span<double> distance);

 private:
  struct BodyShape {
    LinkIndex link;
    collide::Solid solid;
  };

  const Model* model_;
  std::vector<BodyShape> shapes_;
  VectorXd q_;
  std::vector<Pose> X_WL_;
};

}  // namespace footfall
