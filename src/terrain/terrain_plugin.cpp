#include "footfall/terrain/terrain_plugin.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "footfall/base/error.hpp"
#include "footfall/base/internal/plugin_border.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/terrain/ray_cast.hpp"

namespace footfall {
namespace {

/// A ground of a plug-in: what it throws names it, and what no ground can be like is refused where it is said.
class WatchedTerrain : public Terrain {
 protected:
  template <class Call>
  auto watched(Call call) const {
    return border_.call(call);
  }

 public:
  WatchedTerrain(std::unique_ptr<Terrain> inner, std::string shape)
      : inner_(std::move(inner)), border_("terrain", std::move(shape)) {}

  SurfacePoint at(const Vector3d& p_W, TimeSpan span) const override {
    const SurfacePoint point = watched([&] { return inner_->at(p_W, span); });
    check(point, p_W);
    return point;
  }

  int faces(const Vector3d& p_W, TimeSpan span, std::span<SurfacePoint> out) const override {
    const int count = watched([&] { return inner_->faces(p_W, span, out); });
    if (count < 0 || count > static_cast<int>(out.size()))
      throw border_.fault(fmt::format("gave {} faces where there is room for {}", count, out.size()));
    for (int i = 0; i < count; ++i) check(out[i], p_W);
    return count;
  }

  double clearance(const Vector3d& center_W, double radius, TimeSpan span) const override {
    return watched([&] { return inner_->clearance(center_W, radius, span); });
  }
  Bounds bounds() const override {
    return watched([&] { return inner_->bounds(); });
  }
  bool isPlane() const override {
    return watched([&] { return inner_->isPlane(); });
  }
  int planeCount() const override {
    return watched([&] { return inner_->planeCount(); });
  }
  SurfacePoint atPlane(int index, const Vector3d& p_W, TimeSpan span) const override {
    const SurfacePoint point = watched([&] { return inner_->atPlane(index, p_W, span); });
    check(point, p_W);
    return point;
  }
  int blockCount() const override {
    return watched([&] { return inner_->blockCount(); });
  }
  GroundBlock block(int index, double time) const override {
    return watched([&] { return inner_->block(index, time); });
  }
  bool hasHills() const override {
    return watched([&] { return inner_->hasHills(); });
  }
  bool touchesOnce(const Vector3d& center_W, double radius, TimeSpan span) const override {
    return watched([&] { return inner_->touchesOnce(center_W, radius, span); });
  }
  GroundDrawing drawing(const Vector3d& around_W) const override {
    return watched([&] { return inner_->drawing(around_W); });
  }

 private:
  void check(const SurfacePoint& point, const Vector3d& p_W) const {
    if (std::isnan(point.gap)) throw faultAt(p_W, "gap is not a number", "a distance [m]");
    if (!(point.friction >= 0.0)) throw faultAt(p_W, fmt::format("friction is {}", point.friction), "0 or more");
    if (!(point.restitution >= 0.0 && point.restitution <= 1.0))
      throw faultAt(p_W, fmt::format("restitution is {}", point.restitution), "a number from 0 to 1");
    if (!point.velocity_W.allFinite()) throw faultAt(p_W, "velocity_W is not finite", "three finite numbers [m/s]");
    if (!isRotation(point.R_WC))
      throw faultAt(p_W, "R_WC is no rotation", "three right-handed axes of length 1, the last of them the normal");
  }

  Error faultAt(const Vector3d& p_W, const std::string& found, const std::string& expected) const {
    return border_.fault(
        fmt::format("says at ({:.4g} {:.4g} {:.4g}) m: {}, expected {}", p_W.x(), p_W.y(), p_W.z(), found, expected));
  }

  static bool isRotation(const Matrix3d& R) {
    constexpr double kRounding = 1e-6;  // a normal may have been computed in single precision
    return (R.transpose() * R - Matrix3d::Identity()).cwiseAbs().maxCoeff() < kRounding && R.determinant() > 0.0;
  }

  std::unique_ptr<Terrain> inner_;
  PluginBorder border_;
};

/// One that knows where rays meet it.
class WatchedRayTarget : public WatchedTerrain, public RayTarget {
 public:
  WatchedRayTarget(std::unique_ptr<Terrain> inner, std::string shape, const RayTarget& target)
      : WatchedTerrain(std::move(inner), std::move(shape)), target_(target) {}

  void shorten(std::span<const Ray> rays, double time, std::span<double> distance) const override {
    watched([&] { target_.shorten(rays, time, distance); });
  }

 private:
  const RayTarget& target_;  ///< the inner one
};

std::unique_ptr<Terrain> watch(std::unique_ptr<Terrain> made, const std::string& shape) {
  if (const auto* target = dynamic_cast<const RayTarget*>(made.get()))
    return std::make_unique<WatchedRayTarget>(std::move(made), shape, *target);
  return std::make_unique<WatchedTerrain>(std::move(made), shape);
}

}  // namespace

double TerrainParameters::number(const std::string& name, double fallback) const {
  asked.insert(name);
  const auto found = values.find(name);
  return found == values.end() ? fallback : found->second;
}

std::unique_ptr<Terrain> makeTerrain(const std::string& shape, const TerrainParameters& parameters) {
  std::unique_ptr<Terrain> terrain = makeFromPlugin<Terrain>("terrain", shape, "footfall_make_terrain", parameters);
  const std::vector<std::string> known(parameters.asked.begin(), parameters.asked.end());
  for (const auto& [name, value] : parameters.values)
    if (parameters.asked.count(name) == 0)
      throw Error("ground.parameters", fmt::format("the ground '{}' has no parameter '{}'", shape, name),
                  suggestOrList(name, known));
  return watch(std::move(terrain), shape);
}

}  // namespace footfall
