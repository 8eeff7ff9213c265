#include "batch/height_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

/// Where the x axis of the base points to as seen from above. One that points up or down has no such direction: then
/// the y axis says it.
Eigen::Vector2d headingOf(const Eigen::Quaterniond& attitude) {
  const Matrix3d R_WB = attitude.normalized().toRotationMatrix();
  const Eigen::Vector2d forward = R_WB.col(0).head<2>(), left = R_WB.col(1).head<2>();
  constexpr double kFlat = 1e-6;
  return forward.norm() > kFlat ? forward.normalized() : Eigen::Vector2d(left.y(), -left.x()).normalized();
}

}  // namespace

void requireGoodScan(std::span<const Eigen::Vector2d> points, double above, double reach, std::size_t room,
                     int worlds) {
  if (room != points.size() * worlds)
    throw Error("height scan", fmt::format("there is room for {} heights, expected {} points for each of {} worlds",
                                           room, points.size(), worlds));
  if (!std::isfinite(above)) throw Error("height scan", fmt::format("rays begin {} m above the base", above));
  if (!(reach > 0.0) || !std::isfinite(reach))
    throw Error("height scan", fmt::format("the reach is {} m, expected a finite length above zero", reach));
  for (const Eigen::Vector2d& point : points)
    if (!point.allFinite()) throw Error("height scan", "a point is not finite");
}

void HeightScan::scan(const Terrain& ground, BodyRays& bodies, const Eigen::Ref<const VectorXd>& q, double time,
                      std::span<double> heights) {
  const Eigen::Quaterniond attitude(q[6], q[3], q[4], q[5]);
  if (!q.head<7>().allFinite() || attitude.norm() == 0.0) {
    std::fill(heights.begin(), heights.end(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const Eigen::Vector2d x = headingOf(attitude), y(-x.y(), x.x());
  for (std::size_t i = 0; i < rays_.size(); ++i) {
    rays_[i].origin_W.head<2>() = q.head<2>() + points_[i].x() * x + points_[i].y() * y;
    rays_[i].origin_W.z() = q[2] + above_;
  }
  std::fill(heights.begin(), heights.end(), reach_);
  shortenRays(ground, rays_, time, heights);
  bodies.shorten(q, rays_, heights);
  for (double& height : heights) height = above_ - height;
}

}  // namespace footfall
