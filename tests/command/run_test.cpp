// What a run leaves behind: log, states, exit codes.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "command/command_fixture.hpp"
#include "tools/source_dir.hpp"

namespace footfall::test {
namespace {

constexpr int kRunFailed = 1, kInterrupted = 130;

std::vector<std::string> fields(const std::string& row) {
  std::vector<std::string> result;
  std::istringstream text(row);
  for (std::string field; std::getline(text, field, ',');) result.push_back(field);
  if (!row.empty() && row.back() == ',') result.emplace_back();
  return result;
}

/// A log without its comments: the first line names the columns.
std::vector<std::string> table(const std::vector<std::string>& log) {
  std::vector<std::string> rows;
  std::copy_if(log.begin(), log.end(), std::back_inserter(rows),
               [](const auto& line) { return line.rfind("#", 0) != 0; });
  return rows;
}

double value(const std::vector<std::string>& rows, std::size_t row, const std::string& column) {
  const std::vector<std::string> names = fields(rows.at(0));
  const auto found = std::find(names.begin(), names.end(), column);
  EXPECT_NE(found, names.end()) << column;
  return std::strtod(fields(rows.at(row)).at(static_cast<std::size_t>(found - names.begin())).c_str(), nullptr);
}

TEST_F(Command, RunEndsWithASummary) {
  const Outcome outcome = call("run scene.yaml");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* word : {"250 in", "real time", "iterations", "residual", "impact", "weight", "base", "energy"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << " is not in\n" << outcome.out;
}

TEST_F(Command, ARunThatIsOverBeforeItBeginsSaysSo) {
  ASSERT_EQ(call("run scene.yaml --save-state end.state").exit_code, 0);
  const Outcome outcome = call("run scene.yaml --state end.state");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.err.find("no step is made: the run begins at t = 0.25 s and ends at 0.25 s"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(call("run scene.yaml --state end.state --duration 0.3").err, "");
}

TEST_F(Command, QuietRunPrintsNothing) {
  const Outcome outcome = call("run scene.yaml --quiet");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(Command, LogHasARowForEveryStepAndTheStateAtTheEnd) {
  ASSERT_EQ(call("run scene.yaml --log out.csv").exit_code, 0);
  const std::vector<std::string> rows = table(lines("out.csv"));
  ASSERT_EQ(rows.size(), 1u + 250u + 1u);
  for (const std::string& row : rows) EXPECT_EQ(fields(row).size(), fields(rows[0]).size());
  EXPECT_EQ(fields(rows[1])[0], "0");
  EXPECT_NEAR(value(rows, 251, "time [s]"), 0.25, 1e-12);
}

TEST_F(Command, LoggedForceOfAStandingRobotIsItsWeight) {
  ASSERT_EQ(call("run scene.yaml --log out.csv").exit_code, 0);
  const std::vector<std::string> rows = table(lines("out.csv"));
  // 2.5 kg; at 40 ms the push has not begun and the residual of the solver (1e-10 m/s) is far below 1e-6.
  EXPECT_NEAR(value(rows, 41, "foot.force.z [N]"), 2.5 * 9.81, 1e-5);
}

TEST_F(Command, LogPeriodThinsTheRows) {
  ASSERT_EQ(call("run scene.yaml --log out.csv --set 'run.log_period=10 ms'").exit_code, 0);
  const std::vector<std::string> rows = table(lines("out.csv"));
  ASSERT_EQ(rows.size(), 1u + 25u + 1u);
  EXPECT_NEAR(value(rows, 2, "time [s]"), 0.01, 1e-12);
}

TEST_F(Command, ALogPeriodThatIsNoWholeNumberOfStepsIsRefused) {
  const Outcome outcome = call("run scene.yaml --log out.csv --set 'run.log_period=1.5 ms'");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("run.log_period is 0.0015 s, expected a whole number of steps of 0.001 s"),
            std::string::npos)
      << outcome.err;
}

TEST_F(Command, LogSaysWhereItComesFrom) {
  ASSERT_EQ(call("run scene.yaml --log out.csv").exit_code, 0);
  const std::string log = read("out.csv");
  for (const char* note : {"# footfall: ", "# scene: ", "# instruction set: ", "# physics: engine native"})
    EXPECT_NE(log.find(note), std::string::npos) << note;
}

TEST_F(Command, SavedStateGoesOnToTheSameBits) {
  ASSERT_EQ(call("run scene.yaml --save-state whole.state").exit_code, 0);
  ASSERT_EQ(call("run scene.yaml --duration 0.07 --save-state half.state").exit_code, 0);
  ASSERT_EQ(call("run scene.yaml --state half.state --save-state rest.state").exit_code, 0);
  EXPECT_FALSE(read("whole.state").empty());
  EXPECT_NE(read("half.state"), read("whole.state"));
  EXPECT_EQ(read("rest.state"), read("whole.state"));
}

TEST_F(Command, OverrideChangesTheScene) {
  const Outcome outcome = call("run scene.yaml --set 'physics.step=2 ms' --set run.duration=0.1");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("50 in"), std::string::npos) << outcome.out;
}

TEST_F(Command, FailedSolveStopsTheRunAndKeepsTheEvidence) {
  // No solver reaches a residual of 1e-300 m/s: the first step with contacts fails.
  const Outcome outcome =
      call("run scene.yaml --log out.csv --set physics.tolerance=1e-300 --set physics.acceptable=1e-300");
  EXPECT_EQ(outcome.exit_code, kRunFailed);
  for (const char* word :
       {"error: t = ", "iterations", "residual", "contacts", "foot[", "scene.fail.state", "log complete"})
    EXPECT_NE(outcome.err.find(word), std::string::npos) << word << " is not in\n" << outcome.err;
  EXPECT_TRUE(exists("scene.fail.state"));
  const std::vector<std::string> rows = table(lines("out.csv"));
  ASSERT_GE(rows.size(), 2u);
  EXPECT_EQ(fields(rows.back()).size(), fields(rows[0]).size());
  EXPECT_EQ(call("run scene.yaml --state scene.fail.state").exit_code, 0) << "the state before the failure can be used";
}

TEST_F(Command, LogHasTheChannelsOfTheMotors) {
  write("arm.yaml", "robot: {model: " + sourceDir() +
                        "/models/rr_arm.urdf, base: {fixed: true}, initial: {shoulder: 90 deg}}\n"
                        "actuators: [{joints: [shoulder], max_torque: 5}]\n"
                        "run: {duration: 10 ms}\n");
  ASSERT_EQ(call("run arm.yaml --log out.csv").exit_code, 0);
  const std::vector<std::string> rows = table(lines("out.csv"));
  // The arm needs 20 N m to stay horizontal.
  EXPECT_EQ(std::abs(value(rows, 5, "motor.shoulder.torque [N m]")), 5.0);
  EXPECT_EQ(value(rows, 5, "motor.shoulder.limited.torque [-]"), 1.0);
  EXPECT_EQ(value(rows, 5, "motor.shoulder.limited.speed [-]"), 0.0);
}

TEST_F(Command, LogHasTheChannelsOfLoopsAndDrives) {
  ASSERT_EQ(call("run " + sourceDir() + "/scenes/four_bar.yaml --duration '10 ms' --log loop.csv").exit_code, 0);
  const std::vector<std::string> loop = table(lines("loop.csv"));
  EXPECT_GT(std::abs(value(loop, 5, "loop.pin.force.x [N]")), 0.01);
  EXPECT_LT(value(loop, 5, "loops.gap [m]"), 1e-10);

  write("arm.yaml", "robot: {model: " + sourceDir() +
                        "/models/rr_arm.urdf, base: {fixed: true}}\n"
                        "prescribed: [{joint: shoulder, speed: 1 rad/s}]\n"
                        "run: {duration: 10 ms}\n");
  ASSERT_EQ(call("run arm.yaml --log out.csv").exit_code, 0);
  const std::vector<std::string> rows = table(lines("out.csv"));
  EXPECT_EQ(value(rows, 5, "shoulder.drive_torque [N m]"), value(rows, 5, "shoulder.torque [N m]"));
  EXPECT_NE(value(rows, 5, "shoulder.drive_torque [N m]"), 0.0);
  EXPECT_EQ(value(rows, 5, "shoulder.drive_impulse [N m s]"), 0.0);
  EXPECT_EQ(value(rows, 5, "elbow.limit_torque [N m]"), 0.0);
}

TEST_F(Command, LogHasTheChannelsOfTheSensors) {
  write("scene.yaml", sceneYaml() +
                          "sensors:\n  - {type: imu, name: imu, frame: foot, delay: 2 ms, noise: {acceleration: 0.1}}\n"
                          "  - {type: contact, name: sole, frame: foot}\n");
  ASSERT_EQ(call("run scene.yaml --log out.csv").exit_code, 0);
  const std::vector<std::string> rows = table(lines("out.csv"));
  EXPECT_NEAR(value(rows, 200, "sensor.imu.acceleration.z [m/s²]"), 9.81, 0.5);
  EXPECT_EQ(value(rows, 200, "sensor.sole.contact [-]"), 1.0);
  // A row belongs to the start of its step: the reading that has arrived by then is two steps old.
  EXPECT_NEAR(value(rows, 200, "sensor.imu.time [s]"), value(rows, 198, "time [s]"), 1e-12);
  ASSERT_EQ(call("run scene.yaml --log again.csv").exit_code, 0);
  EXPECT_EQ(table(lines("again.csv")), rows);
  ASSERT_EQ(call("run scene.yaml --log other.csv --set run.seed=1").exit_code, 0);
  EXPECT_NE(table(lines("other.csv")), rows);
}

TEST_F(Command, RunGoesOnFromASavedStateWithItsSensors) {
  write("scene.yaml",
        sceneYaml() + "sensors:\n  - {type: imu, name: imu, frame: foot, delay: 2 ms, bias_walk: {acceleration: 1}}\n");
  ASSERT_EQ(call("run scene.yaml --log whole.csv").exit_code, 0);
  ASSERT_EQ(call("run scene.yaml --duration '0.1 s' --save-state half.state").exit_code, 0);
  ASSERT_EQ(call("run scene.yaml --state half.state --log rest.csv").exit_code, 0);
  const std::vector<std::string> whole = table(lines("whole.csv")), rest = table(lines("rest.csv"));
  ASSERT_EQ(rest.size(), 1u + 150u + 1u);
  for (std::size_t row = 1; row < rest.size(); ++row) EXPECT_EQ(rest[row], whole[100 + row]);
}

TEST_F(Command, InterruptEndsTheRunWithACompleteLog) {
  // Longer than anybody would wait; the interrupt comes once the log has rows, and stops waiting for them some day.
  const Outcome outcome = call(
      "run scene.yaml --duration 1e5 --set 'run.log_period=1 s' --log out.csv > run.txt 2>&1 & pid=$!; tries=0; "
      "while [ $(cat out.csv 2> /dev/null | wc -l) -lt 12 ] && [ $tries -lt 600 ]; "
      "do sleep 0.05; tries=$((tries + 1)); done; kill -INT $pid; wait $pid; exit $?");
  EXPECT_EQ(outcome.exit_code, kInterrupted) << outcome.err;
  const std::string log = read("out.csv");
  ASSERT_FALSE(log.empty());
  EXPECT_EQ(log.back(), '\n');
  const std::vector<std::string> rows = table(lines("out.csv"));
  EXPECT_EQ(fields(rows.back()).size(), fields(rows[0]).size());
}

}  // namespace
TEST_F(Command, WeighsOnlyWhatTheGroundHasToCarry) {
  write("box.yaml",
        "bodies:\n"
        "  - {name: shelf, shape: box, size: [1, 1, 0.1], mass: 50, fixed: true, position: [3, 0, 1]}\n"
        "  - {name: box, shape: box, size: [0.2, 0.2, 0.2], mass: 2, position: [0, 0, 0.1]}\n");
  const Outcome outcome = call("run box.yaml --duration '0.1 s'");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto says = [](const Outcome& run, const char* text) { return run.out.find(text) != std::string::npos; };
  EXPECT_TRUE(says(outcome, "they carry 19.620 N of the weight of 19.620 N (100.0000 %)")) << outcome.out;
  EXPECT_TRUE(says(outcome, "base           fixed to the world")) << outcome.out;

  write("shelf.yaml", "bodies: [{name: shelf, shape: box, size: [1, 1, 0.1], fixed: true, position: [3, 0, 1]}]\n");
  const Outcome shelf = call("run shelf.yaml --duration '0.01 s'");
  ASSERT_EQ(shelf.exit_code, 0) << shelf.err;
  EXPECT_FALSE(says(shelf, "of the weight")) << shelf.out;
}

}  // namespace footfall::test
