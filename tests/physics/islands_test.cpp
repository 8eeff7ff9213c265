// What bodies do does not depend on what else is in the world, as long as it does not touch them.

#include <gtest/gtest.h>

#include <string>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

constexpr int kSteps = 400;  // until it lies, and not longer: what rests is looked at once where all the world rests

/// The body `watched`, and others. @param e restitution of it and of the ground
std::string worldWith(const std::string& others, const std::string& e) {
  return "ground: {friction: 0.5, restitution: " + e +
         "}\n"
         "bodies:\n"
         "  - {name: watched, shape: box, size: [0.2, 0.15, 0.1], mass: 1, position: [0, 0, 0.3], rpy: [0.3, 0.2, "
         "0.1],\n"
         "     velocity: [1, 0.3, 0], angular_velocity: [3, 5, 2], friction: 0.5, restitution: " +
         e + "}\n" + others;
}

/// Of the first body, which comes first in the state.
void expectSameBits(const std::string& others, const std::string& e) {
  SCOPED_TRACE(others + ", restitution " + e);
  Simulation alone(parseScene(worldWith("", e), "alone.yaml"));
  Simulation beside(parseScene(worldWith(others, e), "beside.yaml"));
  for (int k = 0; k < kSteps; ++k) {
    ASSERT_NE(alone.step().status, SolveStatus::failed);
    ASSERT_NE(beside.step().status, SolveStatus::failed);
    const State &a = alone.state(), &b = beside.state();
    const int q_a = alone.model().freePosition(0), q_b = beside.model().freePosition(0);
    const int nu_a = alone.model().freeVelocity(0), nu_b = beside.model().freeVelocity(0);
    ASSERT_EQ(a.q.segment<7>(q_a), b.q.segment<7>(q_b)) << "step " << k;
    ASSERT_EQ(a.nu.segment<6>(nu_a), b.nu.segment<6>(nu_b)) << "step " << k;
  }
}

const char* const kElastic[] = {"0", "0.5", "1"};

TEST(IslandsOfAWorld, MoveAsTheyDoAlone) {
  for (const char* e : kElastic)
    expectSameBits(
        "  - {name: twin, shape: box, size: [0.2, 0.15, 0.1], mass: 1, position: [50, 0, 0.31], rpy: [0.3, 0.2, 0.1],\n"
        "     velocity: [1, 0.3, 0], angular_velocity: [3, 5, 2]}\n",
        e);
}

TEST(IslandsOfAWorld, HeedNoHeavierOrFasterOnes) {
  for (const char* e : kElastic) {
    expectSameBits(
        "  - {name: spinner, shape: box, size: [0.2, 0.15, 0.1], mass: 0.01, position: [50, 0, 0.3],\n"
        "     angular_velocity: [80, 5, 60]}\n",
        e);
    expectSameBits("  - {name: heavy, shape: sphere, radius: 0.5, mass: 1000, position: [50, 0, 0.9]}\n", e);
  }
}

/// Bounces happen when each island meets the ground, not when the first of all does.
TEST(IslandsOfAWorld, BounceWhenTheyDo) {
  for (const char* e : {"0.5", "1"})
    expectSameBits(
        std::string("  - {name: lower, shape: box, size: [0.2, 0.15, 0.1], mass: 1, position: [50, 0, 0.3],\n"
                    "     velocity: [1, 0.3, 0], angular_velocity: [3, 5, 2], restitution: ") +
            e +
            "}\n"
            "  - {name: upper, shape: box, size: [0.2, 0.15, 0.1], mass: 1, position: [50.05, 0, 0.6],\n"
            "     velocity: [1, 0.3, 0], angular_velocity: [3, 5, 2], restitution: " +
            e + "}\n",
        e);
}

/// What is elastic is looked for farther away, and bounces within the step: nobody else's bits know of it.
TEST(IslandsOfAWorld, HeedNoElasticOnes) {
  expectSameBits(
      "  - {name: bouncing, shape: sphere, radius: 0.1, mass: 1, position: [50, 0, 0.5], velocity: [0, 0, -4], "
      "restitution: 1}\n"
      "  - {name: wall, shape: box, size: [0.4, 0.4, 0.1], fixed: true, position: [50, 0, 0.2], restitution: 1}\n",
      "0");
}

/// A heavy plate comes down on the edge of a light drum: forces within that step are not found, and all that can be
/// had is that it makes no energy. Others keep theirs: with one account for all they lost nine tenths of their speed.
TEST(IslandsOfAWorld, PayForNoStepOfOthers) {
  expectSameBits(
      "  - {name: drum, shape: capsule, radius: 0.24, length: 1.05, mass: 0.025, position: [50, 0, 0.24],\n"
      "     rpy: [1.5707963, 0, 0.3], angular_velocity: [4, 9, -1]}\n"
      "  - {name: plate, shape: box, size: [0.22, 0.1, 0.02], mass: 15, position: [50.15, 0.1, 0.6], rpy: [-1.2, 0.4, "
      "0.5],\n"
      "     velocity: [0, 0, -7], angular_velocity: [2.4, -20, -8]}\n",
      "0");
}

}  // namespace
}  // namespace footfall::physics
