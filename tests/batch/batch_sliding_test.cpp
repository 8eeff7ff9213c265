#include <gtest/gtest.h>

#include "batch/batch_tools.hpp"

namespace footfall {
namespace {

/// Robots that stand, each pushed in another direction, harder than friction holds.
BatchSimulation pushedAllAround(const Scene& scene, int copies) {
  constexpr int kSettle = 2000;
  constexpr double kPush = 0.18;  // [m/s]
  Simulation standing(scene);
  for (int k = 0; k < kSettle; ++k) standing.step();
  BatchSimulation batch(scene, {.copies = copies, .threads = 2});
  std::mt19937 random(1);
  std::uniform_real_distribution<double> angle(0.0, 6.283185307179586);
  for (int world = 0; world < copies; ++world) {
    batch.setState(world, standing.state());
    const double heading = angle(random);
    batch.values("nu")(world, 0) += kPush * std::cos(heading);
    batch.values("nu")(world, 1) += kPush * std::sin(heading);
  }
  return batch;
}

class BatchOfFlatFeet : public testing::TestWithParam<const char*> {};

/// Every step of every world, from where it is. Feet of four points slide, rock on their edges, and stick with points
/// at the limit of friction; some of these problems take the solver more than twenty iterations. Packs make such steps:
/// those that are not made by packs have the bits of the Simulation, which packs hardly ever have.
TEST_P(BatchOfFlatFeet, SlidesInPacksAsASimulationDoes) {
  constexpr int kCopies = 64, kSteps = 70;
  constexpr double kAgreed = 2e-8;  // two hundred times what the solver may leave at a contact
  constexpr int kAlone = kCopies * kSteps / 20;
  const Scene scene = physics::sceneFile(GetParam());
  BatchSimulation batch = pushedAllAround(scene, kCopies);
  Simulation simulation(scene);
  std::vector<State> before(kCopies);
  int alone = 0;
  for (int k = 0; k < kSteps; ++k) {
    for (int world = 0; world < kCopies; ++world) before[world] = batch.state(world);
    batch.step();
    for (int world = 0; world < kCopies; ++world) {
      simulation.setState(before[world]);
      simulation.step();
      const State after = batch.state(world);
      ASSERT_LE((after.nu - simulation.state().nu).lpNorm<Eigen::Infinity>(), kAgreed) << world << " in step " << k;
      ASSERT_LE((after.q - simulation.state().q).lpNorm<Eigen::Infinity>(), kAgreed) << world << " in step " << k;
      if (sameBits(after.nu, simulation.state().nu)) ++alone;
    }
  }
  EXPECT_LT(alone, kAlone);
}

INSTANTIATE_TEST_SUITE_P(All, BatchOfFlatFeet, testing::Values("icub.yaml", "g1.yaml"));

}  // namespace
}  // namespace footfall
