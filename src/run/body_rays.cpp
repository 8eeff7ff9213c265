#include "footfall/run/body_rays.hpp"

#include "footfall/collide/ray.hpp"
#include "footfall/model/kinematics.hpp"
#include "footfall/model/tree.hpp"

namespace footfall {
namespace {

/// Whether a ray comes as near to a ball within that distance as its radius.
bool mayMeet(const Ray& ray, const Vector3d& centre_W, double radius, double distance) {
  const Vector3d towards = centre_W - ray.origin_W;
  const double along = towards.dot(ray.direction_W);
  if (along < -radius || along - radius > distance) return false;
  return (towards - along * ray.direction_W).squaredNorm() <= radius * radius;
}

}  // namespace

BodyRays::BodyRays(const Model& model, bool has_robot) : model_(&model) {
  const Tree first = treesOf(model).front();
  for (const CollisionShape& shape : model.shapes)
    if (!has_robot || !first.contains(shape.link)) shapes_.push_back({shape.link, collide::makeSolid(shape.shape)});
}

void BodyRays::shorten(const Eigen::Ref<const VectorXd>& q, std::span<const Ray> rays, std::span<double> distance) {
  if (empty()) return;
  q_ = q;
  forwardKinematics(*model_, q_, X_WL_);
  for (const BodyShape& shape : shapes_) {
    const collide::Placed placed = collide::place(shape.solid, X_WL_[shape.link]);
    if (!placed.centre_W.allFinite()) continue;
    for (std::size_t i = 0; i < rays.size(); ++i)
      if (mayMeet(rays[i], placed.centre_W, shape.solid.bound_S.radius, distance[i]))
        distance[i] = rayDistance(placed, rays[i].origin_W, rays[i].direction_W, distance[i]);
  }
}

}  // namespace footfall
