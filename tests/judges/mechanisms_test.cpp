// Published benchmarks of mechanisms: docs/judges.md lists them with their sources.

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "footfall/simulate/simulation.hpp"

namespace footfall {
namespace {

Scene judge(const std::string& name, const std::vector<SceneOverride>& overrides = {}) {
  return loadScene(std::string(FOOTFALL_SOURCE_DIR) + "/tests/data/judges/" + name, overrides);
}

/// Angles after 30 ms, by PSIDE with a tolerance of 1e-14 (IVP Test Set, Andrews' squeezing mechanism).
struct Angle {
  const char* joint;
  double value;  ///< [rad]
};
constexpr std::array<Angle, 7> kAndrews = {{{"beta", 15.81077119629904},
                                            {"Theta", -15.75637105984298},
                                            {"gamma", 0.04082224013073101},
                                            {"Phi", -0.5347301163226948},
                                            {"delta", 0.5244099658805304},
                                            {"Omega", 0.5347301163226948},
                                            {"epsilon", 1.048080741042263}}};

/// An integrator, and how near it comes with steps of 10 µs. K1 turns by up to 0.01 rad in such a step: a scheme of
/// second order leaves about (0.01)²/12 of its 16 rad.
struct Judged {
  const char* integrator;
  double tolerance;  ///< [rad]
};

class AndrewsSqueezer : public testing::TestWithParam<Judged> {};

TEST_P(AndrewsSqueezer, ArrivesWhereTheReferenceDoes) {
  Simulation simulation(judge("andrews_squeezer.yaml", {{"physics.integrator", GetParam().integrator}}));
  while (simulation.time() < 0.03) ASSERT_NE(simulation.step().status, SolveStatus::failed);
  for (const Angle& angle : kAndrews)
    EXPECT_NEAR(simulation.state().joints()[simulation.model().dof(angle.joint)], angle.value, GetParam().tolerance)
        << angle.joint;
}

INSTANTIATE_TEST_SUITE_P(Integrators, AndrewsSqueezer,
                         testing::Values(Judged{"rk4", 1e-6}, Judged{"second_order", 1e-4}),
                         [](const auto& test) { return std::string(test.param.integrator); });

}  // namespace
}  // namespace footfall
