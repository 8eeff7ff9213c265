// Diagrams on the command line: run, drawn, documented, profiled.

#include <yaml-cpp/yaml.h>

#include "command/command_fixture.hpp"

namespace footfall::test {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

constexpr const char* kRamp = R"(about: a ramp, twice as steep
blocks:
  one: {block: Constant, value: 1}
  ramp: Integrator
  twice: {block: Gain, factor: 2}
connect: [one -> ramp.in, ramp -> twice]
log: [twice.out]
run: {duration: 0.5 s, log_period: 0.1 s}
)";

class DiagramCommand : public Command {
 protected:
  DiagramCommand() { write("ramp.yaml", kRamp); }
};

TEST_F(DiagramCommand, RunsADiagramWithoutRobot) {
  const Outcome outcome = call("run ramp.yaml --log out.csv");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "3 blocks, 500 steps of 1 ms")) << outcome.out;
  const std::vector<std::string> rows = lines("out.csv");
  EXPECT_TRUE(has(rows.back(), "0.5,")) << rows.back();
  EXPECT_NEAR(std::stod(rows.back().substr(rows.back().find(',') + 1)), 1.0, 1e-12);
  EXPECT_TRUE(has(rows[rows.size() - 7], "time [s],twice.out [")) << "a row every 0.1 s, and the last one";
}

TEST_F(DiagramCommand, AFileOfABlockThatCannotBeWrittenIsToldWheneverThatIs) {
  const auto withLog = [](const std::string& file) {
    return replaced(kRamp, "connect: [", "  log: {block: Log, file: " + file + "}\nconnect: [twice -> log, ");
  };
  constexpr int kCannotWrite = 3;
  write("csv.yaml", withLog("rows.csv"));
  write("mat.yaml", withLog("rows.mat"));  // all of it is written at the end
  write("nowhere.yaml", withLog("nowhere/rows.csv"));
  for (const char* scene : {"csv", "mat"}) {
    const Outcome outcome = call(std::string("run ") + scene + ".yaml --duration 20", "ulimit -f 16;");
    EXPECT_EQ(outcome.exit_code, kCannotWrite) << scene;
    EXPECT_TRUE(has(outcome.err, "the log cannot be written: File too large")) << outcome.err;
  }
  EXPECT_EQ(call("run nowhere.yaml").exit_code, kCannotWrite);
  EXPECT_EQ(call("run mat.yaml").exit_code, 0);
}

TEST_F(DiagramCommand, GoesOnFromASavedStateToTheBit) {
  ASSERT_EQ(call("run ramp.yaml --quiet --log whole.csv").exit_code, 0);
  ASSERT_EQ(call("run ramp.yaml --quiet --duration 0.2 --save-state a.state").exit_code, 0);
  ASSERT_EQ(call("run ramp.yaml --quiet --state a.state --log rest.csv").exit_code, 0);
  EXPECT_EQ(lines("whole.csv").back(), lines("rest.csv").back());
}

TEST_F(DiagramCommand, SaysWhichKeysOfTheSceneNoBlockUses) {
  const std::string robot_alone = sceneYaml() + "diagram:\n  blocks: {robot: Robot}\n";
  write("alone.yaml", robot_alone);
  const Outcome alone = call("run alone.yaml --duration 0.01");
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_TRUE(has(alone.err, "`pushes` of the scene does nothing: its diagram has no block Pushes")) << alone.err;
  write("pushed.yaml", replaced(robot_alone, "robot: Robot}", "robot: Robot, pushes: Pushes}"));
  const Outcome pushed = call("run pushed.yaml --duration 0.01");
  ASSERT_EQ(pushed.exit_code, 0) << pushed.err;
  EXPECT_FALSE(has(pushed.err, "does nothing")) << pushed.err;
}

TEST_F(DiagramCommand, DrawsAPictureAndData) {
  const Outcome outcome = call("diagram ramp.yaml -o ramp.svg");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(read("ramp.svg"), "a ramp, twice as steep"));
  const YAML::Node data = YAML::Load(call("diagram ramp.yaml --json").out);  // JSON is YAML
  ASSERT_EQ(data["blocks"].size(), 3u);
  EXPECT_EQ(data["lines"].size(), 2u);
  EXPECT_LT(data["blocks"][0]["box"][0].as<double>(), data["blocks"][1]["box"][0].as<double>());
}

TEST_F(DiagramCommand, ListsAndDocumentsBlocks) {
  const Outcome list = call("blocks");
  EXPECT_TRUE(has(list.out, "Gain") && has(list.out, "sources")) << list.out;
  const Outcome one = call("blocks Gain");
  EXPECT_TRUE(has(one.out, "Parameters") && has(one.out, "{block: Gain")) << one.out;
  const Outcome none = call("blocks Gan");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(has(none.err, "did you mean 'Gain'")) << none.err;
}

TEST_F(DiagramCommand, SaysWhereTheTimeOfADiagramGoes) {
  const Outcome outcome = call("run ramp.yaml --profile=trace.json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "calls") && has(outcome.out, "share") && has(outcome.out, "twice")) << outcome.out;
  const YAML::Node trace = YAML::Load(read("trace.json"));
  ASSERT_GT(trace["traceEvents"].size(), 500u);
  EXPECT_EQ(trace["traceEvents"][1]["ph"].as<std::string>(), "X");
}

TEST_F(DiagramCommand, SaysWhereTheTimeOfAStepGoes) {
  const Outcome outcome = call("run scene.yaml --profile --duration 0.05");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* stage : {"dynamics", "contacts", "forces", "motion", "report", "step "})
    EXPECT_TRUE(has(outcome.out, stage)) << stage << " is not in\n" << outcome.out;
  EXPECT_FALSE(exists("true")) << "--profile alone writes no trace";
}

constexpr const char* kAround = R"(blocks:
  robot: Robot
  hold: PostureHold
  energy: {block: Gain, factor: 2}
connect:
  - robot.q -> hold.q
  - robot.nu -> hold.nu, energy.in
  - hold.springs -> robot.springs
  - hold.command -> robot.torque
log: [energy.out, hold.command]
)";

/// A robot in a diagram leaves the log that it leaves without one, and the signals of the diagram behind it.
TEST_F(DiagramCommand, LogsTheRobotOfADiagramLikeEveryOther) {
  write("around.yaml", kAround);
  write("with.yaml", read("scene.yaml") + "diagram: around.yaml\n");
  write("without.yaml",
        replaced(read("scene.yaml"), "pushes:\n  - {link: arm, force: [0.5, 0, 0], start: 0.05 s, duration: 0.05 s}\n",
                 ""));
  ASSERT_EQ(call("run with.yaml --quiet --log with.csv").exit_code, 0);
  ASSERT_EQ(call("run without.yaml --quiet --log without.csv").exit_code, 0);
  const std::vector<std::string> with = lines("with.csv"), without = lines("without.csv");
  std::size_t compared = 0;
  for (std::size_t k = 1; k <= 250; ++k) {
    const std::string &row = with[with.size() - k], &plain = without[without.size() - k];
    EXPECT_EQ(row.substr(0, plain.size()), plain);
    compared += row.size() > plain.size();
  }
  EXPECT_EQ(compared, 250u) << "signals stand behind the robot's channels";
  EXPECT_TRUE(has(read("with.csv"), "energy.out.0 ["));
}

TEST_F(DiagramCommand, SummarisesTheRobotLikeEveryOtherRun) {
  write("around.yaml", kAround);
  write("with.yaml", read("scene.yaml") + "diagram: around.yaml\n");
  const Outcome outcome = call("run with.yaml");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* word :
       {"diagram of 3 blocks", "× real time", "worst residual", "order", "of the weight of", "energy"})
    EXPECT_TRUE(has(outcome.out, word)) << word << " is not in\n" << outcome.out;
}

TEST_F(DiagramCommand, KeepsTheEvidenceOfAFailedSolve) {
  write("around.yaml", kAround);
  write("with.yaml", read("scene.yaml") + "diagram: around.yaml\n");
  // No solver reaches a residual of 1e-300 m/s where something slides; of what stands it may be zero to the bit.
  const Outcome outcome = call(
      "run with.yaml --set physics.tolerance=1e-300 --set physics.acceptable=1e-300 "
      "--set 'robot.base.velocity=[0.31, 0.17, 0]'");
  EXPECT_EQ(outcome.exit_code, 1);
  for (const char* word : {"error: t = ", "residual", "contacts", "with.fail.state"})
    EXPECT_TRUE(has(outcome.err, word)) << word << " is not in\n" << outcome.err;
  EXPECT_EQ(call("run with.yaml --state with.fail.state").exit_code, 0) << "the state before the failure can be used";
}

TEST_F(DiagramCommand, ReportsAMistakeWithItsLine) {
  write("bad.yaml", "blocks:\n  a: {block: Gain, factor: 2}\n");
  const Outcome outcome = call("run bad.yaml");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(has(outcome.err, "bad.yaml:2: input 'in' of block 'a'")) << outcome.err;
}

}  // namespace
}  // namespace footfall::test
