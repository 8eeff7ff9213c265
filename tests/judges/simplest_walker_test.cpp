#include <gtest/gtest.h>

#include <cmath>

#include "physics/made_models.hpp"

// The simplest walker (Garcia, Chatterjee, Ruina, Coleman 1998): a hip on two legs without mass, down a slope of 0.009
// rad.
namespace footfall::physics {
namespace {

constexpr double kGravity = 9.81, kSlope = 0.009;
/// Stance leg just after the heel has struck, and its rate in √(g/l): the fixed point for feet without mass.
constexpr double kTheta = 0.200310900544, kRate = -0.199832473005;

/// Scuffing is ignored: the swinging foot finds no ground near the standing one.
class GroundThatIsNotScuffed : public Terrain {
 public:
  SurfacePoint at(const Vector3d& p_W, TimeSpan) const override {
    constexpr double kNear = 0.25, kDeep = 10.0;  // of a step of 0.4 m
    const bool hole = lane(p_W) == swinging && std::abs(p_W.x() - standing_x) < kNear;
    SurfacePoint surface;
    surface.gap = hole ? p_W.z() + kDeep : p_W.z();
    surface.friction = 1.0;
    return surface;
  }
  static int lane(const Vector3d& p_W) { return p_W.y() > 0.0 ? 0 : 1; }

  int swinging = 1;
  double standing_x = 0.0;  ///< [m]
};

/// Legs of 1 m that turn about y, 10 cm beside the hip so that each has its lane. Downhill is x.
Model walkerModel() {
  constexpr double kFootToHip = 1e-6;
  Model model = fixedBaseModel();
  model.gravity = kGravity * Vector3d(std::sin(kSlope), 0.0, -std::cos(kSlope));
  const LinkIndex slide = addLink(model, LinkIndex(0), JointKind::prismatic, Vector3d::UnitX(), {}, {});
  const LinkIndex hip = addLink(model, slide, JointKind::prismatic, Vector3d::UnitZ(), {},
                                bodyInertia(1.0, Vector3d::Zero(), Vector3d::Zero()));
  for (const double y : {0.1, -0.1}) {
    const LinkIndex leg = addHinge(model, hip, -Vector3d::UnitY(), Vector3d::Zero(),
                                   bodyInertia(kFootToHip, {0.0, y, -1.0}, Vector3d::Zero()));
    addContactPoint(model, leg, {0.0, y, -1.0});
  }
  return model;
}

State walkerStart(const Model& model) {
  State state = makeState(model);
  const double rate = kRate * std::sqrt(kGravity), between = rate * (1.0 - std::cos(2.0 * kTheta));
  state.joints() << -std::sin(kTheta), std::cos(kTheta), kTheta, -kTheta;
  state.nu << -std::cos(kTheta) * rate, -std::sin(kTheta) * rate, rate, rate - between;
  return state;
}

struct Gait {
  int steps = 0;
  double theta = 0.0;   ///< mean of half the angle between the legs when a heel strikes, from where feet stand [rad]
  double period = 0.0;  ///< of a step [√(l/g)]
};

Gait walk(double dt, int steps) {
  const Model model = walkerModel();
  GroundThatIsNotScuffed ground;
  Settings settings;
  settings.step = dt;
  Workspace workspace(model, ground, settings);
  State state = walkerStart(model);
  const Input input = makeInput(model);
  Gait gait;
  double last = 0.0;
  while (gait.steps < steps && state.joints()[1] > 0.5) {
    const StepResult& result = step(state, input, nullptr, workspace);
    if (result.status == SolveStatus::failed) break;
    state = result.next;
    for (const ContactReport& contact : result.contacts) {
      if (contact.candidate != ground.swinging || contact.impulse_C.z() <= 0.0 || state.time - last < 0.5) continue;
      const double theta = state.joints()[2 + contact.candidate];
      ground.swinging = 1 - ground.swinging;
      const double stood_x = ground.standing_x;
      ground.standing_x = state.joints()[0] + std::sin(theta);
      gait.theta += std::asin(0.5 * (ground.standing_x - stood_x)) / steps;
      ++gait.steps;
      last = state.time;
      break;
    }
  }
  gait.period = last * std::sqrt(kGravity) / std::max(gait.steps, 1);
  return gait;
}

// Half a step of 1 ms is a sixth of a percent of a period. Landings are where and when feet meet the ground, so what is
// left is of second order: (Δt √(g/l))² = 1e-5 of an angle, and as much for feet that have a mass.
TEST(SimplestWalker, WalksAHundredStepsAtTheFixedPoint) {
  const Gait gait = walk(1e-3, 100);
  EXPECT_EQ(gait.steps, 100);
  EXPECT_NEAR(gait.theta, kTheta, 1e-4 * kTheta);
  EXPECT_NEAR(gait.period, 3.8824637529, 2e-5 * 3.88);
}

TEST(SimplestWalker, LandsWithSecondOrder) {
  const double exact = walk(1e-3 / 64, 1).theta;
  double last = 0.0;
  for (const double dt : {1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
    const double error = std::abs(walk(dt, 1).theta - exact);
    EXPECT_GT(last > 0.0 ? std::log2(last / error) : 2.0, 1.8) << "at " << dt << " s, off by " << error;
    last = error;
  }
}

}  // namespace
}  // namespace footfall::physics
