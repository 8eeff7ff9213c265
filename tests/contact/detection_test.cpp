#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "contact/shape_contacts.hpp"
#include "footfall/contact/contact.hpp"
#include "footfall/terrain/terrain.hpp"
#include "model/error_of.hpp"
#include "physics/scene_tools.hpp"
#include "tools/random_seed.hpp"

namespace footfall::physics {
namespace {

constexpr DetectionSettings kSettings{};

/// Only the model counts: the scene may have the robot anywhere above the ground.
Model modelOf(Scene scene) {
  scene.robot.base_position.z() += 2.0;
  return Simulation(scene).model();
}

struct Motion {
  VectorXd q, nu;
};

/// Somewhere from partly inside the ground to well above it, in any attitude, with all joints moving.
Motion randomMotion(const Model& model, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Motion motion{VectorXd::Zero(model.nq()), VectorXd::Zero(model.nv())};
  for (double& value : motion.q) value = unit(random);
  for (double& value : motion.nu) value = 3.0 * unit(random);
  if (model.floating_base) {
    motion.q[2] = 1.0 + 0.7 * unit(random);
    motion.q.segment<4>(3).normalize();
  } else {
    motion.q.head<7>() << 0, 0, 0, 1, 0, 0, 0;
  }
  return motion;
}

TEST(ContactDetector, RefusesAShapeWithMorePointsThanItHasMemoryFor) {
  Model model = modelOf(shapedBody("box"));
  std::vector<Vector3d> corners;
  for (int k = 0; k < 257; ++k) corners.push_back({std::cos(0.02 * k), std::sin(0.02 * k), 0.1 * (k % 2)});
  model.shapes[0].shape = hullShape({}, corners);
  const Error error = errorOf([&] { const ContactDetector detector(model); });
  EXPECT_EQ(error.where(), "link 'box'");
  EXPECT_EQ(error.problem(), "a collision shape has 257 contact points, expected 256 or fewer");
  corners.pop_back();
  model.shapes[0].shape = hullShape({}, corners);
  const ContactDetector enough(model);
}

/// What the definition says, of every point of every shape: a contact takes part when it could touch within the step.
std::set<int> everyPointLookedAt(const Model& model, const Terrain& ground, const Dynamics& dynamics) {
  const double margin = kSettings.acceleration * kSettings.step * kSettings.step;
  std::set<int> active;
  for (const CollisionShape& body : model.shapes) {
    const Pose X_WL = dynamics.linkPose(body.link);
    const Vector6d V = dynamics.linkVelocity(body.link);
    const SurfacePoint below = ground.at(X_WL * body.shape.bound.centre, {0.0, kSettings.step});
    const Vector3d up_S = (X_WL.R * body.shape.X_LS.R).transpose() * below.R_WC.col(2);
    std::vector<ContactPoint> points(maxContactPoints(body.shape));
    const int count = contactPoints(body.shape, up_S, points);
    for (const ContactPoint& point : std::span(points).first(static_cast<std::size_t>(count))) {
      if (point.kind == ContactPoint::Kind::ring) continue;  // of these the detector has a rule of its own
      ContactFeature feature{body.shape.X_LS * point.p_S, point.radius};
      if (point.kind == ContactPoint::Kind::rim) feature.axis_L = body.shape.X_LS.R.col(2);
      const ContactPlace place = findContactPlace(feature, X_WL, ground, {0.0, kSettings.step});
      const double approach = place.surface.R_WC.col(2).dot(V.head<3>() + V.tail<3>().cross(place.lever_W));
      if (place.surface.gap <= margin - kSettings.step * approach) active.insert(body.first_candidate + point.feature);
    }
  }
  return active;
}

std::set<int> candidatesOf(const std::vector<ActiveContact>& contacts) {
  std::set<int> candidates;
  for (const ActiveContact& contact : contacts) candidates.insert(contact.candidate);
  return candidates;
}

/// Numbers of the places that are fixed to a rim for when it lies flat.
std::set<int> ringsOf(const Model& model) {
  std::set<int> rings;
  for (const CollisionShape& body : model.shapes) {
    std::vector<ContactPoint> points(maxContactPoints(body.shape));
    points.resize(contactPoints(body.shape, Vector3d::UnitZ(), points));
    for (const ContactPoint& point : points)
      if (point.kind == ContactPoint::Kind::ring) rings.insert(body.first_candidate + point.feature);
  }
  return rings;
}

/// Returns in how many of the motions something touches, so that a test can see that both outcomes were tried.
int compareWithEveryPoint(const Model& model, const Terrain& ground, int motions) {
  const auto dynamics = makeDynamics("native", model);
  ContactDetector detector(model);
  std::vector<ContactFrame> frames;
  std::vector<ActiveContact> active;
  const std::set<int> rings = ringsOf(model);
  std::mt19937 random(randomSeed(7));
  int touching = 0;
  for (int k = 0; k < motions; ++k) {
    const Motion motion = randomMotion(model, random);
    dynamics->update(motion.q, motion.nu);
    detector.detect(ground, 0.0, kSettings, motion.q, motion.nu, *dynamics, frames, active);
    const std::set<int> expected = everyPointLookedAt(model, ground, *dynamics);
    std::set<int> found = candidatesOf(active);
    std::erase_if(found, [&](int candidate) { return rings.contains(candidate); });
    EXPECT_EQ(found, expected) << "motion " << k;
    touching += !expected.empty();
  }
  return touching;
}

TEST(Detection, LeavingOutFarLimbsOfAHumanoidLosesNoContact) {
  const Model g1 = modelOf(sceneFile("fallen_g1.yaml"));
  const Plane flat;
  const Plane slope({0.3, -0.2, 0.1}, {0.4, -0.3, 1.0}, Material{});
  for (const Plane& ground : {flat, slope}) {
    const int touching = compareWithEveryPoint(g1, ground, 2000);
    EXPECT_GT(touching, 100);
    EXPECT_LT(touching, 1800);
  }
}

// Joints that slide change how far a limb reaches.
TEST(Detection, LeavingOutFarLimbsOfASlidingRobotLosesNoContact) {
  const Model gripper = modelOf(shapedBody("slider_gripper"));
  const int touching = compareWithEveryPoint(gripper, Plane(), 2000);
  EXPECT_GT(touching, 100);
  EXPECT_LT(touching, 1800);
}

// Two humanoids somewhere around each other, in any posture: those that nothing can come near are not looked at.
TEST(Detection, LeavingOutFarRobotsLosesNoContact) {
  const Model boxers = modelOf(sceneFile("boxing_g1.yaml"));
  const auto dynamics = makeDynamics("native", boxers);
  const Plane far_below(Vector3d(0.0, 0.0, -100.0), Vector3d::UnitZ(), Material{});
  ContactDetector detector(boxers);
  ShapeContacts every_shape(boxers, makeSolids(boxers));
  std::vector<ContactFrame> frames, expected_frames;
  std::vector<ActiveContact> found, expected;
  std::mt19937 random(randomSeed(8));
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  int touching = 0;
  for (int k = 0; k < 1000; ++k) {
    VectorXd q(boxers.nq()), nu(boxers.nv());
    for (double& value : q) value = unit(random);
    for (double& value : nu) value = 10.0 * unit(random);
    forFloatingBases(boxers, [&](int position, int) { q.segment<4>(position + 3).normalize(); });
    dynamics->update(q, nu);
    detector.detect(far_below, 0.0, kSettings, q, nu, *dynamics, frames, found);
    expected_frames.clear();
    expected.clear();
    every_shape.detect(kSettings, *dynamics, expected_frames, expected);
    ASSERT_EQ(found.size(), expected.size()) << k;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].candidate, expected[i].candidate);
      EXPECT_EQ(found[i].surface.gap, expected[i].surface.gap);
    }
    touching += !found.empty();
  }
  EXPECT_GT(touching, 50);
  EXPECT_LT(touching, 900);
}

// A ball fills the ball around it: nothing but its speed brings it into the step.
TEST(Detection, AFastBallIsSeenBeforeItTouches) {
  const Model ball = modelOf(shapedBody("sphere"));
  constexpr double kRadius = 0.1, kGap = 4e-3;  // [m]
  const auto dynamics = makeDynamics("native", ball);
  VectorXd q = VectorXd::Zero(7), nu = VectorXd::Zero(6);
  q[2] = kRadius + kGap;
  q[3] = 1.0;
  std::vector<ContactFrame> frames;
  std::vector<ActiveContact> active;
  for (double speed : {0.0, 5.0}) {
    nu[2] = -speed;
    dynamics->update(q, nu);
    ContactDetector(ball).detect(Plane(), 0.0, kSettings, q, nu, *dynamics, frames, active);
    EXPECT_EQ(active.size(), speed > 0.0 ? 1u : 0u);
  }
}

}  // namespace
}  // namespace footfall::physics
