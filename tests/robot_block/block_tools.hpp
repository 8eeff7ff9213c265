#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "footfall/robot_block/robot_blocks.hpp"
#include "footfall/robot_block/robot_ports.hpp"
#include "footfall/robot_block/robot_setup.hpp"
#include "physics/scene_tools.hpp"

namespace footfall {

inline bool sameBits(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() && (a.size() == 0 || std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0);
}

/// All but the motors, which a diagram keeps in a block of their own.
inline void expectSameBits(const State& a, const State& b) {
  EXPECT_EQ(a.time, b.time);
  EXPECT_TRUE(sameBits(a.q, b.q)) << (a.q - b.q).transpose();
  EXPECT_TRUE(sameBits(a.nu, b.nu)) << (a.nu - b.nu).transpose();
  EXPECT_TRUE(a.warm.candidate == b.warm.candidate);
  EXPECT_TRUE(sameBits(a.warm.impulse, b.warm.impulse));
  EXPECT_EQ(a.warm.minimum_norm, b.warm.minimum_norm);
}

/// A diagram under construction around the robot of a scene.
struct RobotDiagram {
  explicit RobotDiagram(const Scene& scene) : environment(makeRobotEnvironment(scene)), step(scene.physics.step) {
    addRobotBlocks(registry);
  }

  void add(const std::string& name, const std::string& kind, Parameters parameters = {}) {
    parameters.environment = environment;
    builder.add(name, registry, kind, parameters);
  }
  Diagram build() const { return builder.build({.step = step}); }
  const RobotSetup& setup() const { return *environment->find<RobotSetup>(); }

  BlockRegistry registry;
  std::shared_ptr<const Environment> environment;
  DiagramBuilder builder;
  double step;
};

}  // namespace footfall
