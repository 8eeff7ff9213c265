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

/// Two that come near each other in flight keep their momentum, and energy that a step has made is taken from those
/// that have it. What is done for two others that strike each other is not done once more for them.
TEST(IslandsOfAWorld, HaveAccountsOfTheirOwn) {
  const std::string world = "ground: {friction: 0.5}\nphysics: {step: 0.002}\ncollisions: {separate_start: true}\n";
  const std::string near =
      "bodies:\n"
      "  - {name: a, shape: box, size: [0.123, 0.089, 0.144], mass: 8.307, friction: 0.003, restitution: 0.3,\n"
      "     position: [-0.059, -0.068, 0.211], rpy: [-1.081, 1.044, -1.289], velocity: [-0.112, -0.989, 0.63],\n"
      "     angular_velocity: [-2.75, -2.639, 0.701]}\n"
      "  - {name: b, shape: sphere, radius: 0.039, mass: 0.194, friction: 0.696, restitution: 0.3,\n"
      "     position: [0.021, -0.087, 0.269], rpy: [0.189, 1.694, 0.997], velocity: [-0.077, 0.705, 0.103],\n"
      "     angular_velocity: [1.529, 2.269, 0.737]}\n";
  const std::string far =
      "  - {name: c, shape: sphere, radius: 0.067, mass: 1.266, friction: 0.932, position: [19.992, 0.058, 0.31],\n"
      "     rpy: [-1.234, -2.183, -0.837], velocity: [-2.129, 2.101, 0.739], angular_velocity: [-1.11, 1.721, 0.988]}\n"
      "  - {name: d, shape: cylinder, radius: 0.043, length: 0.068, mass: 0.367, friction: 0.269,\n"
      "     position: [20.027, -0.071, 0.152], rpy: [1.111, 0.892, -2.805], velocity: [1.43, 1.139, -1.133],\n"
      "     angular_velocity: [0.628, -2.459, -2.802]}\n"
      "  - {name: e, shape: cylinder, radius: 0.049, length: 0.071, mass: 0.874, friction: 0.119,\n"
      "     position: [20.074, -0.052, 0.251], rpy: [-0.393, 2.316, 2.533], velocity: [-2.419, -1.422, -1.252],\n"
      "     angular_velocity: [18.999, 36.947, 11.154]}\n";
  Simulation alone(parseScene(world + near, "alone.yaml")), beside(parseScene(world + near + far, "beside.yaml"));
  for (int k = 0; k < 100; ++k) {
    ASSERT_NE(alone.step().status, SolveStatus::failed);
    ASSERT_NE(beside.step().status, SolveStatus::failed);
    for (int body = 0; body < 2; ++body) {
      const int q = alone.model().freePosition(body), nu = alone.model().freeVelocity(body);
      ASSERT_EQ(alone.state().q.segment<7>(q), beside.state().q.segment<7>(q)) << "step " << k;
      ASSERT_EQ(alone.state().nu.segment<6>(nu), beside.state().nu.segment<6>(nu)) << "step " << k;
    }
  }
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
