#include "scene/spring_setup.hpp"

#include <fmt/format.h>

#include "footfall/model/kinematics.hpp"
#include "scene/at_place.hpp"

namespace footfall {
namespace {

/// A point of a link, or of the world, which has no link.
struct End {
  LinkIndex link;
  Vector3d p_L, p_W;
  FrameIndex frame = {};
};

End findEnd(const SceneSpringEnd& end, const Model& model, const std::vector<Pose>& X_WL) {
  if (end.link == "world") return {{}, end.point, end.point};
  const FrameIndex number = atPlace(end.where, [&] { return model.frame(end.link); });
  const Frame& frame = model.frames[number];
  const Vector3d p_L = frame.X_LF * end.point;
  return {frame.link, p_L, X_WL[frame.link] * p_L, number};
}

PointSpring resolve(const SceneSpring& spring, const Model& model, const std::vector<Pose>& X_WL) {
  const End a = findEnd(spring.from, model, X_WL), b = findEnd(spring.to, model, X_WL);
  if (a.link == b.link)
    throw Error(spring.where,
                fmt::format("the spring between '{}' and '{}' has both ends on one rigid body", spring.from.link,
                            spring.to.link),
                "it would move nothing");
  return {.name = spring.name.empty() ? spring.from.link + "-" + spring.to.link : spring.name,
          .link_a = a.link,
          .link_b = b.link,
          .p_A = a.p_L,
          .p_B = b.p_L,
          .stiffness = spring.stiffness,
          .damping = spring.damping,
          .rest_length = spring.rest_length >= 0.0 ? spring.rest_length : (b.p_W - a.p_W).norm(),
          .frame_a = a.frame,
          .frame_b = b.frame};
}

/// How fast its ends part for a unit impulse along the line between them, where nothing else holds the robot [1/kg].
double mobility(const PointSpring& spring, const Model& model, const RobotDynamics& dynamics) {
  const auto place = [&](LinkIndex link, const Vector3d& p_L) {
    return link.valid() ? Vector3d(dynamics.linkPose(link) * p_L) : p_L;
  };
  const Vector3d line = place(spring.link_b, spring.p_B) - place(spring.link_a, spring.p_A);
  if (line.isZero(0.0)) return 0.0;
  Vector6d pull;
  pull << line.normalized(), Vector3d::Zero();
  VectorXd impulse = VectorXd::Zero(model.nv());
  if (spring.link_a.valid()) dynamics.addWrench(spring.link_a, spring.p_A, pull, impulse);
  if (spring.link_b.valid()) dynamics.addWrench(spring.link_b, spring.p_B, -pull, impulse);
  VectorXd velocity = impulse;
  dynamics.solveMass(velocity);
  return impulse.dot(velocity);
}

}  // namespace

void addPointSprings(const std::vector<SceneSpring>& springs, const State& start, Model& model) {
  if (springs.empty()) return;
  std::vector<Pose> X_WL;
  forwardKinematics(model, start.q, X_WL);
  for (const SceneSpring& spring : springs) model.point_springs.push_back(resolve(spring, model, X_WL));
}

std::vector<std::string> springsTooStiff(const Scene& scene, const Model& model, const RobotDynamics& dynamics) {
  std::vector<std::string> warnings;
  const double dt = scene.physics.step;
  for (std::size_t k = 0; k < scene.springs.size(); ++k) {
    const PointSpring& spring = model.point_springs[k];
    // x ← x + Δt v, v ← v − Δt w (k x + d v) is stable while Δt w (2 d + Δt k) < 4.
    const double turn = dt * mobility(spring, model, dynamics) * (2.0 * spring.damping + dt * spring.stiffness);
    constexpr double kStable = 4.0;
    if (turn < kStable) continue;
    warnings.push_back(
        fmt::format("{}: the spring '{}' is too stiff for steps of {} s: it turns its ends around {:.2g} times as far "
                    "as is stable; "
                    "make physics.step smaller, or the spring softer",
                    scene.springs[k].where, spring.name, dt, turn / kStable));
  }
  return warnings;
}

}  // namespace footfall
