// Many bodies at once: heaps that fall together, a wall that is hit, a house of cards.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <ostream>
#include <random>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

/// What must hold of every step of a world without motors.
class Watch {
 public:
  explicit Watch(Simulation& simulation)
      : simulation_(simulation), dynamics_(makeDynamics("native", simulation.model())) {
    start_ = highest_ = energy();
  }

  void run(int steps) {
    for (int k = 0; k < steps; ++k) {
      const StepResult& result = simulation_.step();
      ASSERT_NE(result.status, SolveStatus::failed) << simulation_.describeFailure();
      ++steps_;
      inaccurate_ += result.status != SolveStatus::converged;
      residual_ = std::max(residual_, result.residual);
      for (const ContactReport& contact : result.contacts) deepest_ = std::min(deepest_, contact.gap);
      contacts_ = std::max(contacts_, static_cast<int>(result.contacts.size()));
      highest_ = std::max(highest_, energy());
      for (int body = 0; body < simulation_.model().free_bodies; ++body)
        fastest_ = std::max(fastest_, simulation_.state().nu.segment<3>(simulation_.model().freeVelocity(body)).norm());
    }
  }

  double deepest() const { return deepest_; }  ///< [m], negative
  double fastest() const { return fastest_; }  ///< of the bodies' origins [m/s]
  double gained() const { return (highest_ - start_) / start_; }
  double inaccurate() const { return static_cast<double>(inaccurate_) / steps_; }
  double worstResidual() const { return residual_; }  ///< [m/s]
  int contacts() const { return contacts_; }

 private:
  double energy() {
    dynamics_->updateKinematics(simulation_.state().q, simulation_.state().nu);
    return dynamics_->energy().total();
  }

  Simulation& simulation_;
  std::unique_ptr<Dynamics> dynamics_;
  double residual_ = 0.0;
  double start_ = 0.0, highest_ = 0.0, deepest_ = 0.0, fastest_ = 0.0;
  int steps_ = 0, inaccurate_ = 0, contacts_ = 0;
};

struct HeapCase {
  int seed;
  double friction;
  double mass_ratio;  ///< of the heaviest to the lightest
};

void PrintTo(const HeapCase& c, std::ostream* out) {
  *out << "seed " << c.seed << ", friction " << c.friction << ", masses 1 : " << c.mass_ratio;
}

/// Boxes, balls and capsules in three layers that fall on each other, turning.
Scene heapOf(int bodies, const HeapCase& c) {
  std::mt19937 random(c.seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Scene scene = parseScene("ground: {shape: plane, friction: " + std::to_string(c.friction) +
                               "}\nbodies: [{name: plate, shape: box, size: [0.6, 0.6, 0.02], position: [0, 0, 0.01]}]",
                           "heap.yaml");
  for (int k = 0; k < bodies; ++k) {
    SceneBody body;
    body.name = "body" + std::to_string(k);
    body.shape = std::vector<std::string>{"box", "sphere", "capsule"}[k % 3];
    body.size = {0.08, 0.1, 0.05};
    body.radius = 0.035;
    body.length = 0.06;
    body.mass = 0.3 * std::pow(c.mass_ratio, 0.5 + 0.5 * unit(random));
    body.friction = c.friction;
    const int place = k % 9;
    body.position = {0.16 * (place % 3 - 1) + 0.01 * unit(random), 0.16 * (place / 3 - 1) + 0.01 * unit(random),
                     0.12 + 0.16 * (k / 9)};
    body.rpy = {3.0 * unit(random), 1.5 * unit(random), 3.0 * unit(random)};
    scene.bodies.push_back(body);
  }
  return scene;
}

class FallingHeap : public testing::TestWithParam<HeapCase> {};

TEST_P(FallingHeap, ComesDownWithoutAFailedStep) {
  Simulation simulation(heapOf(27, GetParam()));
  Watch watch(simulation);
  watch.run(450);
  EXPECT_GT(watch.contacts(), 30);
  // What a much heavier body throws may get inside of a third one within the step, by what it moves in it.
  const bool thrown = GetParam().mass_ratio > 10.0;
  EXPECT_GT(watch.deepest(), thrown ? -watch.fastest() * 1e-3 : -1e-3) << watch.fastest();
  EXPECT_LT(watch.gained(), 1e-6);
  EXPECT_LT(watch.inaccurate(), 0.01);
}

INSTANTIATE_TEST_SUITE_P(Cases, FallingHeap,
                         testing::Values(HeapCase{1, 0.2, 1.0}, HeapCase{2, 0.5, 1.0}, HeapCase{3, 1.0, 1.0},
                                         HeapCase{4, 0.5, 100.0}, HeapCase{5, 0.8, 10.0}, HeapCase{6, 1.0, 10.0}));

TEST(ManyBodies, AWallIsHitByABall) {
  std::string copies;
  for (int row = 0; row < 5; ++row)
    for (int k = 0; k < 4; ++k)
      copies += (copies.empty() ? "[0, " : ", [0, ") + std::to_string(0.2 * k + 0.1 * (row % 2)) + ", " +
                std::to_string(0.06 * row) + "]";
  Simulation simulation(
      parseScene("bodies: [{name: brick, shape: box, size: [0.1, 0.2, 0.06], mass: 2, position: [0, 0, "
                 "0.03], copies: [" +
                     copies +
                     "]}, {name: ball, shape: sphere, radius: 0.1, mass: 8, position: [-0.2, 0.33, "
                     "0.2], velocity: [8, 0, 0]}]",
                 "wall.yaml"));
  Watch watch(simulation);
  watch.run(100);
  EXPECT_GT(watch.contacts(), 100);
  EXPECT_GT(watch.deepest(), -1e-3);
  EXPECT_LT(watch.gained(), 1e-9);
}

/// Stones under the feet of a robot that holds its posture by springs, and stones beside it: what moves decays with its
/// dampers. Gaps of nanometres between stones, which no motion closes, kept them creeping at 0.6 mm/s for ever.
TEST(ManyBodies, StonesUnderARobotComeToRest) {
  Simulation simulation(sceneFile("quadruped_on_stones.yaml"));
  Watch watch(simulation);
  watch.run(1500);
  EXPECT_LT(simulation.state().nu.lpNorm<Eigen::Infinity>(), 1e-6);
  EXPECT_GT(watch.deepest(), -50e-6);
  EXPECT_EQ(watch.inaccurate(), 0.0);
}

/// In a heap of more than a hundred bodies some impulses are wrong by a thousandth of what gravity does in a step,
/// which makes no energy and lets nothing in, and says so.
TEST(ManyBodies, APileEndsItsStepsInTime) {
  Simulation simulation(sceneFile("pile.yaml"));
  const double in_time = 1e-3 * simulation.model().gravity.norm() * simulation.settings().step;
  Watch watch(simulation);
  watch.run(600);
  EXPECT_LT(watch.gained(), 1e-9);
  EXPECT_GT(watch.deepest(), -0.25e-3);
  EXPECT_GT(watch.inaccurate(), 0.0);
  EXPECT_LE(watch.worstResidual(), 2.0 * in_time);
}

/// Five floors, 30 cards in tents. Numbers of the file are rounded to 0.1 µm, which is what they settle by.
TEST(ManyBodies, AHouseOfCardsStandsUntilACardIsPulledAway) {
  Simulation simulation(sceneFile("card_house.yaml", {{"pushes.0.start", "0.5 s"}}));
  const int roof = simulation.model().free_bodies - 1;
  const auto height = [&] { return simulation.state().q[simulation.model().freePosition(roof) + 2]; };
  const VectorXd start = simulation.state().q;
  const double above = height();
  Watch watch(simulation);
  watch.run(500);
  EXPECT_LT((simulation.state().q - start).lpNorm<Eigen::Infinity>(), 1e-6);
  EXPECT_LT(simulation.state().nu.lpNorm<Eigen::Infinity>(), 1e-6);
  watch.run(490);  // a card of the fourth floor is pulled out, and what stands on it topples
  EXPECT_LT(height(), above - 0.01);
  EXPECT_GT(watch.deepest(), -1e-3);
}

}  // namespace
}  // namespace footfall::physics
