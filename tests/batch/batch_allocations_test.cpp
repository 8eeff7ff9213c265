#include <gtest/gtest.h>

#include "footfall/batch/batch_simulation.hpp"
#include "physics/scene_tools.hpp"
#include "tools/count_allocations.hpp"

namespace footfall {
namespace {

TEST(Batch, StepsAllocateNothing) {
  Scene scene = physics::sceneFile("quadruped.yaml");
  scene.pushes[0].start = 0.01;
  for (const int threads : {1, 2}) {
    SCOPED_TRACE(threads);
    BatchSimulation batch(scene, {.copies = 40, .threads = threads, .longest_delay = 4, .auto_reset = true});
    for (const BatchQuantity& quantity : batch.quantities()) batch.values(quantity.name);
    batch.values("push").row(1).setConstant(1.0);
    batch.values("delay").row(1).setConstant(2.0);
    const long before = allocations_of_all_threads;
    for (int k = 0; k < 50; ++k) {
      if (k % 20 == 10)
        batch.values("mass").row(k % batch.copies()).setConstant(1.0 + 0.01 * k);  // a robot of another weight
      batch.step();
    }
    EXPECT_EQ(allocations_of_all_threads - before, 0);
  }
}

}  // namespace
}  // namespace footfall
