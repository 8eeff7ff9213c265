#include "footfall/terrain/moving_terrain.hpp"

#include "footfall/base/error.hpp"
#include "terrain/checks.hpp"

namespace footfall {
namespace {

std::shared_ptr<const Terrain> requireGround(std::shared_ptr<const Terrain> ground) {
  if (!ground) throw Error("ground", "there is no ground to be moved");
  return ground;
}

}  // namespace

MovingTerrain::MovingTerrain(std::shared_ptr<const Terrain> ground, Motion motion)
    : ground_(requireGround(std::move(ground))), motion_(std::move(motion)) {}

/// From the ground's own frame to the world.
void MovingTerrain::carry(const Vector3d& p_W, TimeSpan span, const Pose& X_WG, SurfacePoint& surface) const {
  surface.R_WC = X_WG.R * surface.R_WC;
  const Vector3d contact_W = p_W - surface.gap * surface.R_WC.col(2);
  surface.velocity_W = X_WG.R * surface.velocity_W + motion_.velocity(contact_W, span);
}

SurfacePoint MovingTerrain::at(const Vector3d& p_W, TimeSpan span) const {
  const Pose X_WG = motion_.pose(span.start);
  SurfacePoint surface = ground_->at(X_WG.inverse() * p_W, span);
  carry(p_W, span, X_WG, surface);
  return surface;
}

int MovingTerrain::faces(const Vector3d& p_W, TimeSpan span, std::span<SurfacePoint> out) const {
  const Pose X_WG = motion_.pose(span.start);
  const int count = ground_->faces(X_WG.inverse() * p_W, span, out);
  for (SurfacePoint& surface : out.first(count)) carry(p_W, span, X_WG, surface);
  return count;
}

double MovingTerrain::clearance(const Vector3d& center_W, double radius, TimeSpan span) const {
  const Vector3d center_G = motion_.pose(span.start).inverse() * center_W;
  // Seen from the ground, no point of the sphere moves farther than this.
  const double reach = motion_.reach(center_W, radius, span);
  return ground_->clearance(center_G, radius + reach, span);
}

bool MovingTerrain::touchesOnce(const Vector3d& center_W, double radius, TimeSpan span) const {
  return ground_->touchesOnce(motion_.pose(span.start).inverse() * center_W, radius, span);
}

GroundBlock MovingTerrain::block(int index, double time) const {
  GroundBlock block = ground_->block(index, time);
  block.X_WB = motion_.pose(time) * block.X_WB;
  return block;
}

void MovingTerrain::shorten(std::span<const Ray> rays, double time, std::span<double> distance) const {
  const Pose X_GW = motion_.pose(time).inverse();
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const Ray ray_G{X_GW * rays[i].origin_W, X_GW.R * rays[i].direction_W};
    shortenRays(*ground_, {&ray_G, 1}, time, distance.subspan(i, 1));
  }
}

Conveyor::Conveyor(std::shared_ptr<const Terrain> ground, const Vector3d& direction, TimeFunction travel)
    : ground_(requireGround(std::move(ground))),
      direction_(requireDirection("conveyor.direction", "direction of the belt", direction)),
      travel_(std::move(travel)) {}

void Conveyor::run(TimeSpan span, SurfacePoint& surface) const {
  constexpr double kSquare = 1e-6;  // sine of the angle between direction and normal that counts as none
  const Vector3d normal = surface.R_WC.col(2);
  const Vector3d along = direction_ - normal.dot(direction_) * normal;
  const double length = along.norm();
  if (length > kSquare) surface.velocity_W += travel_.meanRate(span) / length * along;
}

SurfacePoint Conveyor::at(const Vector3d& p_W, TimeSpan span) const {
  SurfacePoint surface = ground_->at(p_W, span);
  run(span, surface);
  return surface;
}

int Conveyor::faces(const Vector3d& p_W, TimeSpan span, std::span<SurfacePoint> out) const {
  const int count = ground_->faces(p_W, span, out);
  for (SurfacePoint& surface : out.first(count)) run(span, surface);
  return count;
}

double Conveyor::clearance(const Vector3d& center_W, double radius, TimeSpan span) const {
  return ground_->clearance(center_W, radius, span);
}

}  // namespace footfall
