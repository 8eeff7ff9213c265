// What a run writes down is what happened, and its states come back.

#include "footfall/record/run_recorder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "footfall/log/log_reader.hpp"
#include "footfall/record/state_reader.hpp"
#include "footfall/run/instrumented_simulation.hpp"
#include "log/temporary_file.hpp"
#include "tools/source_dir.hpp"

namespace footfall {
namespace {

using test::TemporaryFile;

/// The states of a run at its rows; the last one is the end.
std::vector<State> recordRun(const Scene& scene, const std::string& path, int steps,
                             const RecordOptions& options = {}) {
  InstrumentedSimulation robot(scene);
  const auto log = makeLog(path);
  RunRecorder recorder(*log, robot, options);
  std::vector<State> states;
  for (int i = 0; i < steps; ++i) {
    states.push_back(robot.simulation().state());
    recorder.beforeStep(robot);
    robot.step();
    recorder.afterStep(robot);
  }
  states.push_back(robot.simulation().state());
  recorder.finish(robot);
  return states;
}

bool sameBits(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

Scene motorScene() { return loadScene(sourceDir() + "/scenes/icub_motors.yaml"); }
constexpr RecordOptions kWholeState = {.meshes = false, .scene_rate = 60.0, .warm_start = true};

TEST(RecordedBodies, ComeBackToTheBit) {
  const TemporaryFile file("bodies.mcap");
  const Scene scene = loadScene(sourceDir() + "/scenes/thrown_ball.yaml");
  const std::vector<State> states = recordRun(scene, file.path(), 300, {.meshes = false});
  const auto log = openLog(file.path());
  const InstrumentedSimulation robot(scene);
  const StateReader reader(*log, robot.model());
  ASSERT_EQ(robot.model().free_bodies, 1);
  for (const std::size_t row : {std::size_t{0}, std::size_t{100}, states.size() - 1}) {
    EXPECT_TRUE(sameBits(reader.at(row).q, states[row].q));
    EXPECT_TRUE(sameBits(reader.at(row).nu, states[row].nu));
  }
  EXPECT_EQ(log->columnIndex("ball.position.x") >= 0, true);
}

const char* const kCaughtBall = R"(
bodies: [{name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 5]}]
loops: [{name: catch, between: [world, ball], joint: weld, from: 0.02 s, until: 0.05 s}]
)";

/// The tie is there in the rows of the steps that it held in, with its frames to the bit and what it carried.
TEST(RecordedTies, ComeBackToTheBit) {
  const Scene scene = parseScene(kCaughtBall, "catch.yaml");
  for (const char* ending : {".mcap", ".mat"}) {
    const TemporaryFile file(ending);
    const std::vector<State> states = recordRun(scene, file.path(), 100, {.meshes = false});
    if (std::string(ending) == ".mat") continue;  // no reader of ours
    const auto log = openLog(file.path());
    const InstrumentedSimulation robot(scene);
    const StateReader reader(*log, robot.model());
    for (std::size_t row = 0; row < states.size(); ++row)
      ASSERT_EQ(reader.at(row).ties, states[row].ties) << "row " << row;
    EXPECT_TRUE(states[19].ties.empty());
    EXPECT_EQ(states[20].ties.size(), 1u);
    EXPECT_TRUE(states[50].ties.empty());
    const ListEntries entries = log->entries(log->findList("ties"), {30, 1});
    ASSERT_EQ(entries.values.size(), record::kTieEntry);
    const double* wrench = entries.values.data() + record::kTieEntry - 8;
    EXPECT_NEAR(Eigen::Map<const Vector3d>(wrench).norm(), 9.81, 1e-9) << "it carries the ball";
  }
}

TEST(RecordedTies, OfATableAreRefusedAsStates) {
  const Scene scene = parseScene(kCaughtBall, "catch.yaml");
  const TemporaryFile file(".csv");
  recordRun(scene, file.path(), 60, {.meshes = false});
  const auto log = openLog(file.path());
  const InstrumentedSimulation robot(scene);
  const StateReader reader(*log, robot.model());
  EXPECT_NO_THROW(reader.at(10));
  EXPECT_THROW(reader.at(30), Error);
}

/// A box on small stairs touches more places than it has corners: such rows remember joints alone, the others all of
/// it.
TEST(RecordedWarmStart, HoldsWhatFits) {
  const Scene scene = loadScene(sourceDir() + "/tests/data/box_on_small_stairs.yaml");
  const TemporaryFile file("stairs.mcap");
  const std::vector<State> states = recordRun(scene, file.path(), 500, kWholeState);
  const auto log = openLog(file.path());
  const InstrumentedSimulation robot(scene);
  const StateReader reader(*log, robot.model());
  const int slots = robot.model().usualContacts();
  int more = 0;
  for (std::size_t row = 0; row < states.size(); ++row) {
    const WarmStart& warm = states[row].warm;
    const State read = reader.at(row);
    ASSERT_TRUE(warmStartFits(robot.model(), read.warm));
    const bool fits = warm.candidate.size() == slots || warm.candidate[slots] < 0;
    more += !fits;
    if (fits)
      ASSERT_EQ(read.warm.candidate, warm.candidate.head(slots)) << row;
    else
      ASSERT_EQ(read.warm.candidate.maxCoeff(), -1) << row;
  }
  EXPECT_GT(more, 0);
}

class RecordedStates : public ::testing::TestWithParam<const char*> {};

TEST_P(RecordedStates, ComeBackToTheBit) {
  const TemporaryFile file(GetParam());
  const Scene scene = motorScene();
  const std::vector<State> states = recordRun(scene, file.path(), 200, kWholeState);
  const auto log = openLog(file.path());
  ASSERT_EQ(log->rows(), states.size());
  const Simulation simulation(scene);
  const StateReader reader(*log, simulation.model());
  for (std::size_t row = 0; row < states.size(); ++row) {
    const State state = reader.at(row);
    ASSERT_EQ(state.time, states[row].time);
    ASSERT_TRUE(sameBits(state.q, states[row].q)) << row;
    ASSERT_TRUE(sameBits(state.nu, states[row].nu)) << row;
    ASSERT_TRUE(sameBits(state.motors, states[row].motors)) << row;
    ASSERT_TRUE(sameBits(state.warm.impulse, states[row].warm.impulse)) << row;
    ASSERT_EQ(state.warm.candidate, states[row].warm.candidate);
    ASSERT_EQ(state.warm.minimum_norm, states[row].warm.minimum_norm);
  }
}

TEST_P(RecordedStates, LetTheRunGoOnFromAnyRowToTheSameBits) {
  const TemporaryFile file(GetParam());
  const Scene scene = motorScene();
  const std::vector<State> states = recordRun(scene, file.path(), 60, kWholeState);
  const auto log = openLog(file.path());
  Simulation simulation(scene);
  simulation.setState(StateReader(*log, simulation.model()).at(20));
  for (int i = 20; i < 60; ++i) simulation.step();
  EXPECT_TRUE(sameBits(simulation.state().q, states[60].q));
  EXPECT_TRUE(sameBits(simulation.state().nu, states[60].nu));
}

INSTANTIATE_TEST_SUITE_P(Formats, RecordedStates, ::testing::Values(".mcap", ".csv"));

/// Scrubbed in the middle, while rotation vectors of its hips are on their way.
TEST(RecordedBallJoints, LetTheRunGoOnFromTheMiddleToTheSameBits) {
  const TemporaryFile file("balls.mcap");
  Scene scene = loadScene(sourceDir() + "/scenes/ball_hips.yaml");
  scene.pushes[0].start = 0.02;
  const std::vector<State> states = recordRun(scene, file.path(), 200, kWholeState);
  const auto log = openLog(file.path());
  EXPECT_GE(log->columnIndex("lf_hip_x.position"), 0);
  Simulation simulation(scene);
  simulation.setState(StateReader(*log, simulation.model()).at(100));
  ASSERT_TRUE(sameBits(simulation.state().q, states[100].q));
  for (int i = 100; i < 200; ++i) simulation.step();
  EXPECT_TRUE(sameBits(simulation.state().q, states[200].q));
  EXPECT_TRUE(sameBits(simulation.state().nu, states[200].nu));
}

TEST(RunRecorder, WritesTheMomentumAndTheCentreOfMass) {
  const TemporaryFile file(".mcap");
  Scene scene = loadScene(sourceDir() + "/scenes/falling_box.yaml");
  recordRun(scene, file.path(), 20);
  const auto log = openLog(file.path());
  Simulation simulation(scene);
  const double mass = simulation.model().totalMass();
  const std::vector<double> z = log->column("momentum.linear.z"), v = log->column("base.velocity.z");
  ASSERT_LT(z[10], 0.0) << "it falls";
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(z[i], mass * v[i], 1e-12 * mass);
}

/// What the ground pushes with is told in the world and along the ground, whichever way the axes of a sole point: those
/// of iCub have z down.
TEST(RunRecorder, WritesTheForceOfTheGroundInTheWorldAndAlongItsNormal) {
  constexpr double kIncline = 0.1;  // [rad]
  const TemporaryFile file(".mcap");
  Scene scene = loadScene(sourceDir() + "/scenes/icub.yaml", {{"ground.incline", std::to_string(kIncline)}});
  InstrumentedSimulation robot(scene);
  const auto written = makeLog(file.path());
  RunRecorder recorder(*written, robot, {.meshes = false, .scene_rate = 0.0});
  double normal = 0.0, along_world_z = 0.0;
  for (int i = 0; i < 50; ++i) {
    recorder.beforeStep(robot);
    robot.step();
    recorder.afterStep(robot);
  }
  for (const ContactReport& contact : robot.result().contacts) {
    normal += contact.force_C.z();
    along_world_z += contact.force_W.z();
  }
  recorder.finish(robot);
  const auto log = openLog(file.path());
  const auto sum = [&](const std::string& name) {
    return log->column("l_sole." + name)[49] + log->column("r_sole." + name)[49];
  };
  ASSERT_GT(normal, 100.0) << "it stands";
  EXPECT_NEAR(sum("ground_force.normal"), normal, 1e-12 * normal);
  EXPECT_NEAR(sum("ground_force.z"), along_world_z, 1e-12 * normal);
  const double x = sum("ground_force.x"), z = sum("ground_force.z");
  EXPECT_NEAR(std::sin(kIncline) * x + std::cos(kIncline) * z, normal, 1e-9 * normal) << "the normal of the incline";
}

TEST(RunRecorder, WritesWhatTheStagesOfTheSolverTook) {
  const TemporaryFile file(".mcap");
  const Scene scene = loadScene(sourceDir() + "/scenes/quadruped.yaml");
  constexpr int kSteps = 300;  // it lands
  recordRun(scene, file.path(), kSteps);
  const auto log = openLog(file.path());
  Simulation simulation(scene);
  const std::vector<double> solves = log->column("solver.solves"), sweeps = log->column("solver.steps.sweeps");
  int all_sweeps = 0;
  for (int row = 0; row < kSteps; ++row) {
    const SolverCounters counters = simulation.step().counters;
    EXPECT_EQ(solves[row], counters.solves) << row;
    EXPECT_EQ(sweeps[row], counters[SolverStage::sweeps]) << row;
    all_sweeps += counters[SolverStage::sweeps];
  }
  EXPECT_GT(all_sweeps, 0) << "four feet: impulses are unique";
}

TEST(RunRecorder, ARecordedRunHasTheSameBitsAsOneThatIsNot) {
  const TemporaryFile file(".mcap");
  Scene scene = loadScene(sourceDir() + "/scenes/falling_box.yaml");
  const std::vector<State> states = recordRun(scene, file.path(), 500);
  Simulation simulation(scene);
  for (int i = 0; i < 500; ++i) simulation.step();
  EXPECT_TRUE(sameBits(simulation.state().q, states.back().q));
  EXPECT_TRUE(sameBits(simulation.state().nu, states.back().nu));
}

TEST(RecordedRun, WithoutBalanceHasTheOtherChannelsAsTheyWere) {
  const TemporaryFile whole(".csv"), part(".csv");
  recordRun(motorScene(), whole.path(), 20);
  RecordOptions options;
  options.balance = false;
  recordRun(motorScene(), part.path(), 20, options);
  const auto all = openLog(whole.path()), some = openLog(part.path());
  std::vector<std::string> left;
  for (const std::string& name : all->columns())
    if (!name.starts_with("energy.") && !name.starts_with("com.") && !name.starts_with("momentum."))
      left.push_back(name);
  ASSERT_EQ(some->columns(), left);
  for (const std::string& name : left) {
    const VectorXd a = Eigen::Map<const VectorXd>(all->column(name).data(), 21);
    const VectorXd b = Eigen::Map<const VectorXd>(some->column(name).data(), 21);
    EXPECT_TRUE(sameBits(a, b)) << name;
  }
}

}  // namespace
}  // namespace footfall
