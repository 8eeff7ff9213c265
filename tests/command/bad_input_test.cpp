// Bad input ends with a message that says where and what, and with an exit code that scripts can use.

#include <cmath>
#include <string>

#include "command/command_fixture.hpp"

namespace footfall::test {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

constexpr int kBadInput = 2, kCannotWrite = 3;

/// The program ended with this code, and an error that holds all of these words.
AssertionResult failed(const Outcome& outcome, int exit_code, const std::vector<std::string>& words) {
  if (outcome.exit_code != exit_code)
    return AssertionFailure() << "exit code " << outcome.exit_code << ", expected " << exit_code << "; " << outcome.err;
  if (outcome.err.rfind("error: ", 0) != 0) return AssertionFailure() << "no error message: " << outcome.err;
  for (const std::string& word : words)
    if (outcome.err.find(word) == std::string::npos)
      return AssertionFailure() << "'" << word << "' is not in: " << outcome.err;
  return AssertionSuccess();
}

class BadModel : public Command {
 protected:
  Outcome runWith(const std::string& what, const std::string& by) {
    write("robot.urdf", replaced(robotUrdf(), what, by));
    return call("run scene.yaml");
  }
};

TEST_F(BadModel, TruncatedUrdf) {
  write("robot.urdf", robotUrdf().substr(0, robotUrdf().size() / 2));
  EXPECT_TRUE(failed(call("run scene.yaml"), kBadInput, {"robot.urdf:"}));
}

TEST_F(BadModel, CyclicTree) {
  const std::string back =
      R"(<joint name="back" type="fixed"><parent link="arm"/><child link="foot"/></joint></robot>)";
  EXPECT_TRUE(failed(runWith("</robot>", back), kBadInput, {"robot.urdf:"}));
}

TEST_F(BadModel, NanInertia) {
  EXPECT_TRUE(failed(runWith("ixx=\"0.01\"", "ixx=\"nan\""), kBadInput, {"robot.urdf:5", "foot", "ixx"}));
}

TEST_F(BadModel, NegativeMass) {
  EXPECT_TRUE(failed(runWith("mass value=\"2\"", "mass value=\"-2\""), kBadInput, {"robot.urdf:4", "foot", "-2"}));
}

TEST_F(BadModel, SwappedLimits) {
  EXPECT_TRUE(failed(runWith("lower=\"-1\" upper=\"1\"", "lower=\"1\" upper=\"-1\""), kBadInput,
                     {"robot.urdf:20", "shoulder", "hint: were the limits swapped?"}));
}

TEST_F(BadModel, FileThatIsNotThere) {
  write("scene.yaml", replaced(sceneYaml(), "robot.urdf", "rowbot.urdf"));
  EXPECT_TRUE(failed(call("run scene.yaml"), kBadInput, {"rowbot.urdf"}));
}

class BadScene : public Command {
 protected:
  Outcome runWith(const std::string& what, const std::string& by) {
    write("scene.yaml", replaced(sceneYaml(), what, by));
    return call("run scene.yaml");
  }
};

TEST_F(BadScene, UnknownKey) {
  EXPECT_TRUE(failed(runWith("step: 1 ms", "sovler: native"), kBadInput, {"scene.yaml:7", "sovler", "'solver'"}));
}

TEST_F(BadScene, UnknownFrame) {
  EXPECT_TRUE(failed(runWith("frame: foot", "frame: foto"), kBadInput, {"scene.yaml:5", "foto", "'foot'"}));
}

TEST_F(BadScene, WrongSize) {
  EXPECT_TRUE(failed(runWith("position: [0, 0, 0]", "position: [0, 0]"), kBadInput, {"scene.yaml:3", "position"}));
  EXPECT_TRUE(failed(runWith("[-0.1, -0.1]", "[-0.1]"), kBadInput, {"scene.yaml:5", "footprint"}));
}

TEST_F(BadScene, NegativeStep) {
  EXPECT_TRUE(failed(runWith("step: 1 ms", "step: -1 ms"), kBadInput, {"scene.yaml:7", "step"}));
}

TEST_F(BadScene, RobotThatStartsInsideTheGround) {
  EXPECT_TRUE(failed(runWith("position: [0, 0, 0]", "position: [0, 0, -0.02]"), kBadInput,
                     {"scene.yaml:", "foot[", "on_ground"}));
}

TEST_F(BadScene, UnknownEngineAndSolver) {
  EXPECT_TRUE(failed(runWith("step: 1 ms", "engine: warp"), kBadInput, {"scene.yaml:7", "warp", "native"}));
  EXPECT_TRUE(failed(runWith("step: 1 ms", "solver: warp"), kBadInput, {"scene.yaml:7", "warp", "native"}));
}

TEST_F(BadScene, FileThatIsNotThere) { EXPECT_TRUE(failed(call("run nothing.yaml"), kBadInput, {"nothing.yaml"})); }

TEST_F(Command, AMistypedVerbIsNamedWithTheOneThatWasMeant) {
  EXPECT_TRUE(failed(call("runn scene.yaml"), kBadInput, {"no verb 'runn'", "did you mean 'run'"}));
  EXPECT_TRUE(failed(call("export simulink scene.yaml"), kBadInput, {"no verb 'simulink'", "'fmu'"}));
  EXPECT_TRUE(failed(call("scene.yaml"), kBadInput, {"no verb 'scene.yaml'", "footfall run scene.yaml"}));
}

TEST_F(Command, AMistypedOptionIsNamedWithTheOneThatWasMeant) {
  EXPECT_TRUE(failed(call("run scene.yaml --duraton 1"), kBadInput,
                     {"`footfall run` has no option '--duraton'", "did you mean '--duration'"}));
  EXPECT_TRUE(failed(call("batch scene.yaml --coppies=4"), kBadInput, {"'--coppies'", "did you mean '--copies'"}));
  EXPECT_TRUE(failed(call("run scene.yaml other.yaml"), kBadInput, {"other.yaml"}));
}

TEST_F(Command, OptionsThatWouldDoNothingAreRefused) {
  EXPECT_TRUE(failed(call("batch scene.yaml --seed 3"), kBadInput, {"--seed", "--spread"}));
  EXPECT_TRUE(failed(call("batch scene.yaml -o states.mat"), kBadInput, {"'states.mat' does not end in .csv"}));
  EXPECT_TRUE(failed(call("export fmu scene.yaml -o robot.zip"), kBadInput, {"'robot.zip' does not end in .fmu"}));
  EXPECT_TRUE(failed(call("report run.mcap -o run.txt"), kBadInput, {"'run.txt' does not end in .html"}));
  for (const char* option : {"--no-log-meshes", "--log-warm-start", "--log-scene-rate 5"})
    EXPECT_TRUE(failed(call(std::string("run scene.yaml ") + option), kBadInput, {"--", "the run writes no log"}))
        << option;
  EXPECT_TRUE(failed(call("run scene.yaml --view --save-state end.state"), kBadInput, {"--view", "--save-state"}));
}

TEST_F(Command, UnknownVerbOptionAndOverrideAreBadInput) {
  EXPECT_TRUE(failed(call("jump"), kBadInput, {"hint:"}));
  EXPECT_TRUE(failed(call("run scene.yaml --fast"), kBadInput, {"--fast"}));
  EXPECT_TRUE(failed(call("run scene.yaml --set physics.step"), kBadInput, {"KEY=VALUE"}));
  EXPECT_TRUE(failed(call("run scene.yaml --set physics.stop=1"), kBadInput, {"stop"}));
  EXPECT_TRUE(failed(call("run scene.yaml --duration soon"), kBadInput, {"soon"}));
}

TEST_F(Command, StateOfAnotherRobotOrNoStateAtAllIsBadInput) {
  write("other.state", "not a state");
  EXPECT_TRUE(failed(call("run scene.yaml --state other.state"), kBadInput, {"other.state"}));
  EXPECT_TRUE(failed(call("run scene.yaml --state nothing.state"), kBadInput, {"nothing.state"}));
  EXPECT_TRUE(failed(call("run scene.yaml --state ."), kBadInput, {"the state cannot be read: Is a directory"}));

  // As many joints and contacts, but another robot.
  ASSERT_EQ(call("run scene.yaml --save-state own.state").exit_code, 0);
  write("robot.urdf", replaced(robotUrdf(), "<robot name=\"", "<robot name=\"un"));
  EXPECT_TRUE(failed(call("run scene.yaml --state own.state"), kBadInput, {"own.state: this state is of the robot '"}));
}

TEST_F(Command, LogThatCannotBeWrittenIsAnErrorBeforeTheRun) {
  const Outcome outcome = call("run scene.yaml --log nowhere/out.csv");
  EXPECT_TRUE(failed(outcome, kCannotWrite, {"nowhere/out.csv", "hint:"}));
  EXPECT_EQ(outcome.out, "");
}

TEST_F(Command, DeviceWithoutSpaceForTheLogIsAnErrorBeforeTheRun) {
  EXPECT_TRUE(failed(call("run scene.yaml --log /dev/full"), kCannotWrite, {"/dev/full", "no complete row"}));
}

TEST_F(Command, DiskThatFillsUpEndsTheRunAndTheErrorSaysHowFarTheLogGoes) {
  // The shell's unit is 512 or 1024 bytes: the log of this run has about 100,000.
  const Outcome outcome = call("run scene.yaml --log out.csv", "ulimit -f 16;");
  EXPECT_TRUE(failed(outcome, kCannotWrite, {"out.csv", "complete up to time = 0.0"}));
  const std::vector<std::string> log = lines("out.csv");
  ASSERT_GT(log.size(), 10u);
  const std::string last_time = log.back().substr(0, log.back().find(','));
  EXPECT_NE(outcome.err.find("time = " + last_time + " s"), std::string::npos) << outcome.err;
}

TEST_F(Command, StateThatCannotBeWrittenIsAnError) {
  EXPECT_TRUE(failed(call("run scene.yaml --save-state nowhere/a.state"), kCannotWrite, {"nowhere/a.state"}));
}

TEST_F(Command, ASceneOutOfAPipeIsRefusedAsOne) {
  EXPECT_TRUE(failed(call("run /dev/stdin", "cat scene.yaml |"), kBadInput, {"/dev/stdin: is a pipe", "into a file"}));
}

TEST_F(Command, AMatLogIsNotShownAsAScene) {
  ASSERT_EQ(call("run scene.yaml --log out.mat").exit_code, 0);
  for (const char* verb : {"view out.mat --no-browser --port 0", "info out.mat", "report out.mat -o out.html"})
    EXPECT_TRUE(failed(call(verb), kBadInput, {"out.mat: logs that end in '.mat' cannot be read"}));
}

TEST_F(Command, NumbersOfOptionsAreToldInAFewWords) {
  const Outcome none = call("batch scene.yaml --copies 0");
  EXPECT_TRUE(failed(none, kBadInput, {"--copies: it is 0, expected 1 or more"}));
  EXPECT_LT(none.err.size(), 200u);
  EXPECT_TRUE(failed(call("batch scene.yaml --spread -1"), kBadInput, {"--spread: it is -1, expected 0 or more"}));
  EXPECT_TRUE(failed(call("batch scene.yaml --spread inf"), kBadInput, {"--spread: it is inf, expected 0 or more"}));
  EXPECT_TRUE(
      failed(call("batch scene.yaml --spread 1 --seed -1"), kBadInput, {"--seed: it is -1, expected 0 or more"}));
}

/// Of a script whose variable is not set: the run would write, or listen, nowhere.
TEST_F(Command, AnEmptyFileNameIsNoOptionThatIsNotGiven) {
  for (const char* option : {"run scene.yaml --log", "run scene.yaml --save-state", "run scene.yaml --state",
                             "run scene.yaml --socket", "batch scene.yaml -o"})
    EXPECT_TRUE(failed(call(std::string(option) + " \"\""), kBadInput, {"it is empty, expected a file"})) << option;
}

TEST_F(Command, AnEntryOfAListThatTheSceneDoesNotHaveCannotBeChanged) {
  EXPECT_TRUE(failed(call("run scene.yaml --set robot.base.velocity.0=1"), kBadInput,
                     {"no list whose entry 0 could be changed", "the whole list"}));
}

/// The pages name our scenes by their places in the source tree.
TEST_F(Command, ASceneOfOursIsFoundByItsName) {
  EXPECT_TRUE(failed(call("run scenes/quadruped.yaml"), kBadInput,
                     {"scenes/quadruped.yaml: cannot be read", "Footfall's own is ", "/scenes/quadruped.yaml"}));
  EXPECT_EQ(call("run scenes/nothing.yaml").err.find("own is"), std::string::npos);
}

TEST_F(Command, ADrawingOfADiagramIsNotWrittenUnderAnotherFormat) {
  EXPECT_TRUE(failed(call("diagram scene.yaml -o it.png"), kBadInput, {"it.png", "drawings cannot end in '.png'"}));
  EXPECT_TRUE(failed(call("diagram scene.yaml --json -o it.svg"), kBadInput, {"choose .json"}));
}

}  // namespace
}  // namespace footfall::test
