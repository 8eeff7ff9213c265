#include "footfall/step/internal/pack_step.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

#include "footfall/base/error.hpp"
#include "physics/scene_tools.hpp"

namespace footfall {
namespace {

// What the solver leaves at contacts, 1e-12 m/s here, is ten to twenty times that at joints, whose levers are short.
constexpr double kAgreed = 1e-10;

/// Robots of one scene, in packs and alone.
class Pack : public testing::TestWithParam<const char*> {
 protected:
  explicit Pack(const std::string& scene = GetParam(), int settle = 300)
      : simulation(physics::sceneFile(scene, {{"physics.tolerance", "1e-12"}})),
        pack(PackStep::make(simulation.model(), simulation.terrain(), simulation.settings())) {
    for (int k = 0; k < settle; ++k) simulation.step();
    standing = simulation.state();
  }

  /// Standing, with another velocity for each number.
  State robot(int number, double speed = 1e-2) const {
    State state = standing;
    std::mt19937 random(number);
    std::uniform_real_distribution<double> entry(-speed, speed);
    for (double& rate : state.nu) rate += entry(random);
    return state;
  }

  bool add(const State& state) {
    simulation.setState(state);
    return pack->add(simulation.nextStep(), 1.0);
  }

  /// Of a robot of the pack that has made its step.
  State next(int number) const {
    State state = standing;
    pack->storeNext(number, state.q, state.nu, state.warm);
    return state;
  }

  Simulation simulation;
  std::unique_ptr<PackStep> pack;
  State standing;
};

class PackOfQuadrupeds : public Pack {
 protected:
  PackOfQuadrupeds() : Pack("quadruped.yaml") {}
};

bool sameBits(const State& a, const State& b) {
  return std::memcmp(a.q.data(), b.q.data(), sizeof(double) * a.q.size()) == 0 &&
         std::memcmp(a.nu.data(), b.nu.data(), sizeof(double) * a.nu.size()) == 0 &&
         a.warm.candidate == b.warm.candidate &&
         std::memcmp(a.warm.impulse.data(), b.warm.impulse.data(), sizeof(double) * a.warm.impulse.size()) == 0;
}

/// Some of them move, so that their steps need corrections, and some stand still.
TEST_P(Pack, StepsOfStickingContactsAreThoseOfRobotsAlone) {
  ASSERT_TRUE(pack);
  for (int k = 0; k < PackStep::kRobots; ++k) ASSERT_TRUE(add(k % 3 == 0 ? standing : robot(k))) << k;
  pack->step();
  int made = 0;
  for (int k = 0; k < PackStep::kRobots; ++k) {
    if (!pack->made(k)) continue;
    ++made;
    simulation.setState(k % 3 == 0 ? standing : robot(k));
    simulation.step();
    EXPECT_LE((next(k).q - simulation.state().q).lpNorm<Eigen::Infinity>(), kAgreed) << k;
    EXPECT_LE((next(k).nu - simulation.state().nu).lpNorm<Eigen::Infinity>(), kAgreed) << k;
    EXPECT_EQ(next(k).warm.candidate, simulation.state().warm.candidate) << k;
  }
  EXPECT_GE(made, 3) << "the test looks at nothing";
}

TEST_P(Pack, ARobotGivesTheSameBitsAtEveryPlaceAndBesideEveryOther) {
  ASSERT_TRUE(pack);
  for (int k = 0; k < PackStep::kRobots; ++k) ASSERT_TRUE(add(k == 0 ? standing : robot(k, 1e-3)));
  pack->step();
  std::vector<State> first;
  std::vector<bool> made;
  for (int k = 0; k < PackStep::kRobots; ++k) {
    first.push_back(next(k));
    made.push_back(pack->made(k));
  }
  for (int k = 0; k < PackStep::kRobots; ++k) {
    pack->clear();
    ASSERT_TRUE(add(robot(100 + k, 0.1)));  // others, and only some of them
    ASSERT_TRUE(add(k == 0 ? standing : robot(k, 1e-3)));
    pack->step();
    EXPECT_EQ(pack->made(1), made[k]) << k;
    EXPECT_TRUE(sameBits(next(1), first[k])) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Pack, testing::Values("icub.yaml", "quadruped.yaml", "ball_hips.yaml"));

/// All feet at once, or one of them: from the step in which it begins until some go on and some have stopped.
TEST_F(PackOfQuadrupeds, StepsOfSlidingContactsAreThoseOfRobotsAlone) {
  std::vector<State> robots(PackStep::kRobots, standing);
  for (int k = 0; k < PackStep::kRobots; ++k) robots[k].nu.head<2>() << 0.3 * k, 0.1;
  int slid = 0;
  for (int step = 0; step < 60; ++step) {
    pack->clear();
    for (const State& state : robots) ASSERT_TRUE(add(state));
    pack->step();
    for (int k = 0; k < PackStep::kRobots; ++k) {
      simulation.setState(robots[k]);
      const StepResult& result = simulation.step();
      if (pack->made(k)) {
        EXPECT_LE((next(k).q - simulation.state().q).lpNorm<Eigen::Infinity>(), kAgreed) << k;
        EXPECT_LE((next(k).nu - simulation.state().nu).lpNorm<Eigen::Infinity>(), kAgreed) << k;
        for (const ContactReport& contact : result.contacts) slid += contact.mode == ContactMode::sliding;
      }
      robots[k] = simulation.state();
    }
  }
  EXPECT_GE(slid, 200) << "the test looks at nothing";
}

TEST_F(PackOfQuadrupeds, LeavesOutWhatIsNoSmoothStep) {
  State falling = standing;
  falling.q[2] += 0.1;
  State striking = standing;
  striking.nu[2] = -0.5;
  State spinning = standing;
  spinning.nu[10] = 100.0;
  for (const State& state : {standing, falling, striking, spinning}) ASSERT_TRUE(add(state));
  pack->step();
  EXPECT_TRUE(pack->made(0));
  for (const int k : {1, 2, 3}) EXPECT_FALSE(pack->made(k)) << k;
}

/// Nothing has pressed; the feet have just left the ground, or are about to reach it.
TEST_F(PackOfQuadrupeds, FliesNearTheGroundAsARobotAloneDoes) {
  std::vector<State> alone;
  int flights = 0;
  for (int k = 0; k < PackStep::kRobots; ++k) {
    State flying = standing;
    flying.q[2] += 1e-5 * k;
    flying.nu[0] = 0.1 * k;
    flying.warm.candidate.setConstant(-1);
    ASSERT_TRUE(add(flying));
    simulation.setState(flying);
    const auto presses = [](const ContactReport& contact) { return contact.force_C.z() > 0.0; };
    const std::vector<ContactReport>& contacts = simulation.step().contacts;
    flights += std::none_of(contacts.begin(), contacts.end(), presses) ? 1 : 0;
    alone.push_back(simulation.state());
  }
  pack->step();
  for (int k = 0; k < PackStep::kRobots; ++k) {
    ASSERT_TRUE(pack->made(k)) << k;
    EXPECT_LE((next(k).q - alone[k].q).lpNorm<Eigen::Infinity>(), kAgreed) << k;
    EXPECT_LE((next(k).nu - alone[k].nu).lpNorm<Eigen::Infinity>(), kAgreed) << k;
  }
  EXPECT_GE(flights, 2) << "the test looks at nothing";
}

TEST_F(PackOfQuadrupeds, RefusesWhatIsKnownToBeNoneBefore) {
  State broken = standing;
  broken.q[9] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(add(broken));
  broken = standing;
  broken.q.segment<4>(3).setZero();  // no rotation
  EXPECT_FALSE(add(broken));
  EXPECT_EQ(pack->size(), 0);
  simulation.setState(standing);
  simulation.springs()->stiffness[0] = -1.0;
  EXPECT_THROW(pack->add(simulation.nextStep(), 1.0), Error);
}

TEST(PackOfScenes, OfWhatHasNoFeetOnAPlaneThereIsNone) {
  for (const char* file :
       {"biped_rod_ankles.yaml", "shaking_table.yaml", "push_ups.yaml", "stairs.yaml", "thrown_ball.yaml"}) {
    const Simulation simulation(physics::sceneFile(file));
    EXPECT_EQ(PackStep::make(simulation.model(), simulation.terrain(), simulation.settings()), nullptr) << file;
  }
}

}  // namespace
}  // namespace footfall
