// A scene with a diagram of its own, live: the same bits as a run of it, and as the log that it leaves.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "footfall/diagram/all_blocks.hpp"
#include "footfall/diagram/diagram_channels.hpp"
#include "footfall/record/state_reader.hpp"
#include "footfall/run/simulation.hpp"
#include "log/temporary_file.hpp"
#include "studio/server/column_finder.hpp"
#include "studio/server/live_session.hpp"
#include "studio/server/log_session.hpp"
#include "tools/source_dir.hpp"

namespace footfall::studio {
namespace {

using test::TemporaryFile;

const std::string kScene = sourceDir() + "/scenes/icub_balancing.yaml";
/// Pushed early, so that a short run has it.
const std::vector<SceneOverride> kEarlyPush = {{"pushes.0.start", "0.05 s"}};

/// A balancing iCub that waits.
class Balancing {
 public:
  explicit Balancing(const std::string& log = {}, const std::vector<SceneOverride>& more = {})
      : session(kScene, options(log, more)) {}

  /// Until there are so many rows.
  void stepTo(std::size_t rows) {
    const std::size_t now = session.recording().extent().end;
    session.command(0, {{"do", "step"}, {"count", rows - now}});
    waitFor([&] { return session.recording().extent().end == rows; });
  }
  /// Something that starts rows anew; afterwards there are so many.
  void command(const nlohmann::json& message, std::size_t rows) {
    const std::uint64_t epoch = session.recording().extent().epoch;
    session.command(0, message);
    waitFor([&] { return session.recording().extent().epoch != epoch && session.recording().extent().end == rows; });
  }
  Row row(std::size_t index) const {
    Row row;
    EXPECT_TRUE(session.recording().read(index, row));
    return row;
  }
  int column(const std::string& name) const {
    const auto& columns = session.recording().columns();
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (columns[c].name == name) return static_cast<int>(c);
    ADD_FAILURE() << "no column " << name;
    return 0;
  }
  double value(std::size_t index, const std::string& name) const {
    return row(index).values[static_cast<std::size_t>(column(name))];
  }
  /// Columns behind it are times of the clock, which are others in each run.
  std::size_t physicalColumns() const { return static_cast<std::size_t>(column("stage.dynamics")); }

  LiveSession session;

 private:
  static LiveOptions options(const std::string& log, const std::vector<SceneOverride>& more) {
    LiveOptions options;
    options.playing = false;
    options.overrides = kEarlyPush;
    options.overrides.insert(options.overrides.end(), more.begin(), more.end());
    options.log = log;
    return options;
  }
  template <class Condition>
  void waitFor(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    ASSERT_TRUE(condition()) << session.takeMessage();
  }
};

bool sameBits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// What `footfall run` writes.
std::vector<State> runWithLog(const std::string& path, int steps) {
  DiagramSource source = loadDiagramSource(kScene, kEarlyPush, allBlocks());
  Context context = source.diagram.makeContext();
  DiagramRobot robot(source.diagram, context);
  DiagramChannels signals(source, context, allBlocks());
  const auto log = makeLog(path);
  for (const auto& [key, value] : kEarlyPush) log->addNote("set " + key, value);
  RunRecorder recorder(*log, robot, {.meshes = false, .scene_rate = 0.0, .more = &signals});
  std::vector<State> states;
  for (int k = 0; k < steps; ++k) {
    states.push_back(robot.state());
    recorder.beforeStep(robot);
    EXPECT_TRUE(source.diagram.step(context));
    recorder.afterStep(robot);
  }
  states.push_back(robot.state());
  source.diagram.evaluate(context);
  recorder.finish(robot);
  return states;
}

TEST(LiveDiagram, GivesTheSameBitsAsARunOfTheScene) {
  constexpr int kSteps = 120;
  const TemporaryFile file(".mcap");
  runWithLog(file.path(), kSteps);
  const auto log = openLog(file.path());
  ASSERT_GE(log->columnIndex("controller.torque.22"), 0);
  Balancing live;
  live.stepTo(kSteps);
  for (const std::string& name : log->columns()) {
    const std::vector<double> run = log->column(name);
    const int column = live.column(name);
    std::vector<double> shown(kSteps);
    live.session.recording().readColumn(column, 0, kSteps, shown.data());
    for (std::size_t k = 0; k < kSteps; ++k)
      ASSERT_TRUE(sameBits(run[k], shown[k]) || (std::isnan(run[k]) && std::isnan(shown[k]))) << name << ", row " << k;
  }
}

TEST(LiveDiagram, LeavesALogThatShowsTheSameRowsAgain) {
  constexpr std::size_t kSteps = 60;
  const TemporaryFile file(".mcap");
  std::vector<Row> rows;
  std::vector<Column> columns;
  {
    Balancing live(file.path());
    live.stepTo(kSteps);
    for (std::size_t k = 0; k < kSteps; ++k) rows.push_back(live.row(k));
    columns = live.session.recording().columns();
  }
  const LogSession session(file.path());
  const ColumnFinder finder(columns);
  Row row;
  for (std::size_t k = 0; k < kSteps; ++k) {
    ASSERT_TRUE(session.recording().read(k, row));
    for (std::size_t c = 0; c < row.values.size(); ++c) {
      const double live =
          rows[k].values[static_cast<std::size_t>(finder.require(session.recording().columns()[c].name))];
      ASSERT_TRUE(row.values[c] == live || std::isnan(live)) << session.recording().columns()[c].name;
    }
    // A log knows impulses by soles only, and shows them beside the points.
    const auto points = [](const Row& r) {
      return std::count_if(r.contacts.begin(), r.contacts.end(),
                           [](const ContactSample& c) { return c.candidate >= 0; });
    };
    EXPECT_EQ(points(row), points(rows[k]));
  }
}

TEST(LiveDiagram, StatesOfItsLogComeBackToTheBitWithTheirMotors) {
  const TemporaryFile file(".mcap");
  const std::vector<State> states = runWithLog(file.path(), 80);
  const auto log = openLog(file.path());
  const Simulation simulation(withoutDiagram(loadScene(kScene)));
  const StateReader reader(*log, simulation.model());
  ASSERT_EQ(log->rows(), states.size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    const State state = reader.at(k);
    ASSERT_EQ(state.time, states[k].time);
    ASSERT_TRUE(state.q == states[k].q && state.nu == states[k].nu && state.motors == states[k].motors) << k;
  }
  EXPECT_GT((states.back().motors - states.front().motors).norm(), 1.0) << "motors answer to the push";
}

TEST(LiveDiagram, GoesOnFromASavedStateBitForBit) {
  Balancing live;
  live.stepTo(73);  // the shown instant is between two samples of the controller
  live.session.command(0, {{"do", "save"}, {"name", "here"}});
  live.stepTo(160);
  const Row before = live.row(159);
  live.command({{"do", "restore"}, {"name", "here"}}, 73);
  live.stepTo(160);
  const Row after = live.row(159);
  for (std::size_t c = 0; c < live.physicalColumns(); ++c)
    ASSERT_TRUE(sameBits(before.values[c], after.values[c])) << live.session.recording().columns()[c].name;
}

TEST(LiveDiagram, AResetGivesTheSameBitsAgain) {
  Balancing live;
  live.stepTo(100);
  const Row before = live.row(99);
  live.command({{"do", "reset"}}, 1);
  live.stepTo(100);
  const Row after = live.row(99);
  for (std::size_t c = 0; c < live.physicalColumns(); ++c)
    ASSERT_TRUE(sameBits(before.values[c], after.values[c])) << live.session.recording().columns()[c].name;
}

TEST(LiveDiagram, HasOneRowForEachStepOfTheRobotWhateverTheStepOfTheDiagram) {
  Balancing live, fine("", {{"diagram.step", "0.25 ms"}});
  for (Balancing* each : {&live, &fine}) each->stepTo(50);
  for (const char* name : {"time", "base.position.z", "controller.torque.3", "motors.torque.3"})
    EXPECT_EQ(fine.value(49, name), live.value(49, name)) << name;
}

TEST(LiveDiagram, IsPulledByTheMouse) {
  Balancing left_alone, pulled;
  for (Balancing* each : {&left_alone, &pulled}) each->stepTo(20);
  pulled.session.command(
      0, {{"do", "pull"}, {"link", 0}, {"point", {0, 0, 0}}, {"target", {1, 0, 0.6}}, {"stiffness", 50}});
  for (Balancing* each : {&left_alone, &pulled}) each->stepTo(60);
  EXPECT_EQ(pulled.value(19, "base.velocity.x"), left_alone.value(19, "base.velocity.x"));
  // 50 N on 33 kg for 40 ms, on feet that hold on to the ground.
  EXPECT_GT(pulled.value(59, "base.velocity.x"), left_alone.value(59, "base.velocity.x") + 1e-3);
}

TEST(LiveDiagram, KeepsWhatItsBlocksRememberWhenTheSceneChanges) {
  Balancing live;
  live.stepTo(95);
  const double torque = live.value(94, "motors.torque.0");
  live.command({{"do", "set"}, {"key", "ground.friction"}, {"value", "0.3"}}, 95);
  live.stepTo(97);
  EXPECT_EQ(live.value(96, "time"), live.value(95, "time") + 1e-3);
  EXPECT_EQ(live.row(96).contacts.at(0).friction, 0.3);
  // Motors answer within 20 ms: had they been made anew they would give another torque.
  EXPECT_NEAR(live.value(96, "motors.torque.0"), torque, 0.05 * std::abs(torque));
}

TEST(LiveDiagram, GivesARunningControllerOtherGains) {
  Balancing live, changed;
  for (Balancing* each : {&live, &changed}) each->stepTo(95);
  changed.command({{"do", "set"}, {"key", "diagram.blocks.controller.com"}, {"value", "[80, 18, 300]"}}, 95);
  for (Balancing* each : {&live, &changed}) each->stepTo(102);
  EXPECT_EQ(changed.value(99, "controller.torque.0"), live.value(99, "controller.torque.0"))
      << "held until it runs again";
  EXPECT_NE(changed.value(100, "controller.torque.0"), live.value(100, "controller.torque.0"));
}

TEST(LiveDiagram, RefusesAChangeThatMakesNoSenseAndGoesOn) {
  Balancing live;
  live.stepTo(10);
  live.session.command(0, {{"do", "set"}, {"key", "diagram.blocks.controller.nothing"}, {"value", "5"}});
  live.stepTo(20);
  std::string said;
  for (std::string text = live.session.takeMessage(); !text.empty(); text = live.session.takeMessage()) said += text;
  EXPECT_NE(said.find("error"), std::string::npos) << said;
  EXPECT_NE(said.find("nothing"), std::string::npos) << said;
}

TEST(LiveDiagram, SaysWhichColumnsHoldItsSignalsAndTimes) {
  Balancing live;
  live.stepTo(20);
  const nlohmann::json diagram = live.session.describe()["diagram"];
  ASSERT_EQ(diagram["drawing"]["blocks"].size(), 6u);
  EXPECT_EQ(diagram["signals"]["controller.torque"]["columns"].size(), 23u);
  EXPECT_EQ(diagram["signals"]["com.position"]["columns"][0], live.column("diagram.com.position.0"))
      << "the robot's centre of mass is another channel";
  double sum = 0.0;
  for (std::size_t k = 0; k < 20; ++k) sum += live.row(k).values[diagram["times"]["controller"].get<std::size_t>()];
  EXPECT_GT(sum, 0.0);
  EXPECT_EQ(live.value(11, "block.controller"), 0.0) << "it runs every 10 ms only";
}

TEST(LiveDiagram, SaysThatADiagramWithoutRobotCannotBeSeen) {
  const TemporaryFile file(".yaml");
  std::ofstream(file.path()) << "blocks: {wave: Sine, twice: {block: Gain, factor: 2}}\nconnect: [wave -> twice]\n";
  try {
    LiveSession session(file.path(), {});
    ADD_FAILURE() << "it was shown";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("without a robot"), std::string::npos) << error.what();
  }
}

TEST(LogOfADiagram, HoldsADrawingWithTheChannelsOfItsSignals) {
  const TemporaryFile file(".mcap");
  runWithLog(file.path(), 20);
  const LogSession session(file.path());
  const nlohmann::json diagram = session.describe()["diagram"];
  ASSERT_EQ(diagram["drawing"]["blocks"].size(), 6u);
  EXPECT_EQ(diagram["signals"]["controller.torque"]["columns"].size(), 23u);
  EXPECT_EQ(diagram["signals"]["robot.q"]["columns"].size(), 30u);
  EXPECT_FALSE(diagram["signals"].contains("motors.torque")) << "it was not asked for";
  EXPECT_TRUE(diagram["times"].empty());
}

}  // namespace
}  // namespace footfall::studio
