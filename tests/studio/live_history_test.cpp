// Going back in a live simulation: what is saved, continued and undone is the instant that was shown, bit for bit.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "footfall/log/log_reader.hpp"
#include "log/small_disk.hpp"
#include "log/temporary_file.hpp"
#include "studio/server/live_session.hpp"
#include "studio/server/refused.hpp"
#include "tools/source_dir.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;

/// A scene that waits.
class Paused {
 public:
  explicit Paused(const std::string& scene, LiveOptions options = {})
      : session(sourceDir() + "/scenes/" + scene, paused(std::move(options))) {}

  void stepTo(std::size_t rows) {
    session.command(0, {{"do", "step"}, {"count", rows - session.recording().extent().end}});
    waitFor([&] { return session.recording().extent().end == rows; });
  }
  /// Something that takes rows back; afterwards there are so many.
  void command(const json& message, std::size_t rows) {
    const std::uint64_t epoch = session.recording().extent().epoch;
    session.command(0, message);
    waitFor([&] { return session.recording().extent().epoch != epoch && session.recording().extent().end == rows; });
  }
  /// Its answer: the first message of a kind.
  json messageOf(const std::string& type) {
    json found;
    waitFor([&] {
      for (std::string text = session.takeMessage(); !text.empty(); text = session.takeMessage())
        if (json message = json::parse(text); message["type"] == type) found = std::move(message);
      return !found.is_null();
    });
    return found;
  }
  /// The state in a row: other columns hold times of the clock.
  std::vector<double> state(std::size_t index, const Session* of = nullptr) const {
    const Recording& recording = of != nullptr ? of->recording() : session.recording();
    Row row;
    EXPECT_TRUE(recording.read(index, row)) << index;
    const json described = session.describe();
    std::vector<double> values = {row.values[0]};
    for (const char* part : {"q", "nu"})
      for (const json& column : described["state"][part])
        if (const int c = column.get<int>(); c >= 0) values.push_back(row.values[static_cast<std::size_t>(c)]);
    return values;
  }
  template <class Condition>
  void waitFor(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    ASSERT_TRUE(condition()) << session.takeMessage();
  }

  LiveSession session;

 private:
  static LiveOptions paused(LiveOptions options) {
    options.playing = false;
    return options;
  }
};

json pullUp() {
  return {{"do", "pull"}, {"link", 0}, {"point", {0.1, 0.05, 0.0}}, {"target", {1.0, 0.5, 2.0}}, {"stiffness", 40.0}};
}

TEST(LiveHistory, SavesTheShownInstantAlsoWhileSomebodyPulled) {
  Paused box("falling_box.yaml");
  box.stepTo(300);
  box.session.command(0, pullUp());
  box.stepTo(700);
  box.session.command(0, {{"do", "release"}});
  box.stepTo(1000);
  for (const std::size_t row : {10u, 255u, 256u, 500u, 999u}) {  // before, at and between checkpoints; during the pull
    const std::vector<double> shown = box.state(row);
    box.session.command(0, {{"do", "save"}, {"name", "here"}, {"index", row}});
    box.command({{"do", "restore"}, {"name", "here"}}, row + 1);
    EXPECT_EQ(box.state(row), shown) << row;
    box.command({{"do", "undo"}}, 1000);
  }
}

/// Options with a log in a file of its own; `told` counts what is told of it.
LiveOptions withLog(const std::string& path, std::atomic<int>& told) {
  LiveOptions options;
  options.log = path;
  options.log_failed = [&](const LogError&) { ++told; };
  return options;
}

TEST(LiveLog, OnAFullDiskIsToldOnceAndTheRunGoesOnWithoutIt) {
  const test::TemporaryFile file(".csv");
  std::atomic<int> told = 0;
  {
    Paused box("falling_box.yaml", withLog(file.path(), told));
    const test::SmallDisk disk(100'000);  // some hundred rows
    box.stepTo(900);
    EXPECT_EQ(told, 1);
    EXPECT_NE(box.messageOf("error").dump().find("goes on without a log"), std::string::npos);
    box.stepTo(1500);
  }
  EXPECT_EQ(told, 1);
  EXPECT_GT(openLog(file.path())->rows(), 50u);
}

TEST(LiveLog, ThatCannotBeWrittenAtTheEndIsTold) {
  const test::TemporaryFile file(".mat");  // all of it is written there
  std::atomic<int> told = 0;
  const test::SmallDisk disk(100'000);
  {
    Paused box("falling_box.yaml", withLog(file.path(), told));
    box.stepTo(1000);
    EXPECT_EQ(told, 0);
  }
  EXPECT_EQ(told, 1);
}

TEST(LiveHistory, SavesTheNewestRowAndNotTheStateThatComesAfterIt) {
  Paused box("falling_box.yaml");
  box.stepTo(100);
  box.session.command(0, {{"do", "save"}, {"name", "now"}, {"index", 99}});
  box.waitFor([&] { return box.session.describe()["saved"].size() == 1; });
  EXPECT_EQ(box.session.describe()["saved"][0]["time"], box.state(99)[0]);
}

TEST(LiveHistory, GoesOnFromAnEarlierInstantAndKeepsWhatCameAfterIt) {
  Paused box("falling_box.yaml");
  box.stepTo(900);
  EXPECT_EQ(box.session.former(), nullptr);
  std::vector<std::vector<double>> before;
  for (std::size_t k = 0; k < 900; ++k) before.push_back(box.state(k));
  box.command({{"do", "branch"}, {"index", 400}}, 401);
  // Nothing was changed: the same again.
  box.stepTo(900);
  EXPECT_EQ(box.state(400), before[400]);
  EXPECT_EQ(box.state(899), before[899]);
  // Less gravity from there on: another future, and the old one beside it.
  box.command({{"do", "branch"}, {"index", 400}}, 401);
  box.command({{"do", "set"}, {"key", "physics.gravity"}, {"value", "[0, 0, -1.62]"}}, 401);
  box.stepTo(900);
  EXPECT_NE(box.state(899), before[899]);
  ASSERT_NE(box.session.former(), nullptr);
  EXPECT_EQ(box.state(899, box.session.former()), before[899]);
  EXPECT_NEAR(box.session.describe()["former"]["time"].get<double>(), before[400][0], 1e-12);
}

TEST(LiveHistory, AChangeWhileItIsPausedMovesNothing) {
  Paused box("falling_box.yaml");
  box.stepTo(300);
  const std::vector<double> shown = box.state(299);
  for (const char* gravity : {"[0, 0, -1.62]", "[0, 0, -3.7]", "[0, 0, -1.62]"}) {
    box.command({{"do", "set"}, {"key", "physics.gravity"}, {"value", gravity}}, 300);
    EXPECT_EQ(box.state(299), shown) << gravity;
  }
  // It counts from the instant that is shown: its step is made with it.
  box.stepTo(301);
  const double dt = box.state(300)[0] - shown[0];
  Row row;
  ASSERT_TRUE(box.session.recording().read(300, row));
  const json described = box.session.describe();
  const auto fall = static_cast<std::size_t>(described["state"]["nu"][2].get<int>());
  Row before;
  ASSERT_TRUE(box.session.recording().read(299, before));
  EXPECT_NEAR(row.values[fall] - before.values[fall], -1.62 * dt, 1e-12);
  // The rows before are those of the scene as it was.
  box.command({{"do", "branch"}, {"index", 200}}, 201);
}

TEST(LiveHistory, UndoBringsBackTheRowsTheStateAndTheScene) {
  Paused box("falling_box.yaml");
  box.command({{"do", "set"}, {"key", "ground.friction"}, {"value", "0.25"}}, 1);
  box.stepTo(600);
  const std::vector<double> last = box.state(599);
  box.command({{"do", "reset"}}, 1);
  box.command({{"do", "set"}, {"key", "ground.friction"}, {"value", "0.9"}}, 1);
  box.stepTo(50);
  const std::vector<double> other = box.state(49);
  box.command({{"do", "undo"}}, 600);
  EXPECT_EQ(box.state(599), last);
  box.waitFor([&] { return box.session.scene()->data()["grounds"][0]["friction"] == 0.25; });
  box.stepTo(700);
  Paused straight("falling_box.yaml");
  straight.command({{"do", "set"}, {"key", "ground.friction"}, {"value", "0.25"}}, 1);
  straight.stepTo(700);
  EXPECT_EQ(box.state(699), straight.state(699)) << "it goes on as if nothing had been";
  box.command({{"do", "undo"}}, 50);  // and the other one again
  EXPECT_EQ(box.state(49), other);
}

TEST(LiveHistory, MovesAJointWhereTheRunIsPaused) {
  Paused robot("quadruped.yaml");
  robot.stepTo(50);
  const json described = robot.session.describe();
  const int column = described["state"]["q"][7].get<int>();
  const json& dof = described["robot"]["dofs"][0];
  const double middle = 0.5 * (dof["lower"].get<double>() + dof["upper"].get<double>());
  robot.command({{"do", "pose"}, {"dof", 0}, {"value", middle}, {"index", 49}}, 50);
  Row row;
  ASSERT_TRUE(robot.session.recording().read(49, row));
  EXPECT_EQ(row.values[static_cast<std::size_t>(column)], middle);
  robot.session.command(4, {{"do", "pose"}, {"dof", 0}, {"value", dof["upper"].get<double>() + 1.0}, {"index", 49}});
  const json refused = robot.messageOf("error");
  EXPECT_EQ(refused["by"], 4);
  EXPECT_EQ(refused["do"], "pose");
  EXPECT_THROW(robot.session.command(0, {{"do", "pose"}, {"dof", -1}, {"value", 0.0}, {"index", 0}}), Refused);
  EXPECT_THROW(robot.session.command(0, {{"do", "pose"}, {"dof", 0}, {"value", 0.0}, {"index", 1e9}}), Refused);
}

TEST(LiveHistory, MovesAJointOfAClosedLoopTogetherWithTheOthers) {
  Paused bars("four_bar.yaml");
  bars.stepTo(10);
  const std::vector<double> before = bars.state(9);
  const double angle = before[8] + 0.05;  // time, base pose, first joint
  bars.command({{"do", "pose"}, {"dof", 0}, {"value", angle}, {"index", 9}}, 10);
  const std::vector<double> after = bars.state(9);
  EXPECT_EQ(after[8], angle);
  EXPECT_NE(after[9], before[9]) << "the next joint has followed";
  bars.stepTo(60);  // a loop that were open would tear, or stop the run
}

TEST(LiveHistory, ListsWhatWasChangedAndGivesItAsAScene) {
  Paused box("falling_box.yaml");
  const double original = box.session.scene()->data()["grounds"][0]["friction"];
  EXPECT_EQ(box.session.describe()["changes"].size(), 0u);
  box.session.command(0, {{"do", "set"}, {"key", "ground.friction"}, {"value", "0.25"}});
  box.session.command(0, {{"do", "set"}, {"key", "physics.step"}, {"value", "2 ms"}});
  box.waitFor([&] { return box.session.describe()["changes"].size() == 2; });
  const json described = box.session.describe();
  EXPECT_EQ(described["changes"][0]["key"], "ground.friction");
  EXPECT_EQ(described["changes"][0]["value"], "0.25");
  const Scene scene = parseScene(described["yaml"], "changed.yaml");
  EXPECT_EQ(scene.ground.friction, 0.25);
  EXPECT_EQ(scene.physics.step, 2e-3);
  box.session.command(0, {{"do", "unset"}, {"key", "ground.friction"}});
  box.waitFor([&] { return box.session.describe()["changes"].size() == 1; });
  EXPECT_EQ(box.session.scene()->data()["grounds"][0]["friction"], original);
}

TEST(LiveHistory, SaysWhoHasDoneSomething) {
  Paused box("falling_box.yaml");
  box.session.command(7, {{"do", "speed"}, {"value", 0.5}});
  const json done = box.messageOf("done");
  EXPECT_EQ(done["by"], 7);
  EXPECT_EQ(done["text"], "speed 0.5");
  box.session.command(7, pullUp());
  EXPECT_EQ(box.messageOf("done")["by"], 7);
  box.session.command(8, pullUp());  // who holds on first has it
  const json refused = box.messageOf("error");
  EXPECT_EQ(refused["by"], 8);
  EXPECT_EQ(refused["do"], "pull");
}

TEST(LiveHistory, RowsHoldWhateverPushes) {
  Paused box("falling_box.yaml");
  box.stepTo(10);
  box.session.command(0, pullUp());
  box.stepTo(20);
  Row row;
  ASSERT_TRUE(box.session.recording().read(5, row));
  EXPECT_TRUE(row.pushes.empty());
  ASSERT_TRUE(box.session.recording().read(15, row));
  ASSERT_EQ(row.pushes.size(), 1u);
  EXPECT_EQ(row.pushes[0].mouse, 1.0);
  EXPECT_EQ(row.pushes[0].p_LP[0], 0.1);
  EXPECT_GT(row.pushes[0].force_W[2], 0.0);
}

}  // namespace
}  // namespace footfall::studio
