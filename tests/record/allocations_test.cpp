// Recording must not allocate on the simulation thread, pictures included: what the thread that writes does is its own
// affair.

#include <gtest/gtest.h>

#include "footfall/record/run_recorder.hpp"
#include "footfall/run/instrumented_simulation.hpp"
#include "log/temporary_file.hpp"
#include "tools/count_allocations.hpp"
#include "tools/source_dir.hpp"

namespace footfall {
namespace {

class RecordedSteps : public testing::TestWithParam<const char*> {};

TEST_P(RecordedSteps, AllocateNothing) {
  constexpr int kPicturesPerSecond = 500;  // many: one in two steps
  const test::TemporaryFile file(".mcap");
  InstrumentedSimulation robot(loadScene(sourceDir() + "/scenes/" + GetParam()));
  const auto log = makeLog(file.path());
  RunRecorder recorder(*log, robot, {.meshes = false, .scene_rate = kPicturesPerSecond, .warm_start = true});
  const auto steps = [&](int count) {
    for (int k = 0; k < count; ++k) {
      recorder.beforeStep(robot);
      robot.step();
      recorder.afterStep(robot);
    }
  };
  steps(50);
  const long before = allocations;
  steps(3000);
  EXPECT_EQ(allocations - before, 0);
  recorder.finish(robot);
}

INSTANTIATE_TEST_SUITE_P(Scenes, RecordedSteps, testing::Values("icub.yaml", "icub_motors.yaml", "icub_sensors.yaml"));

}  // namespace
}  // namespace footfall
