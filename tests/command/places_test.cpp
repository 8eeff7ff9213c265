// Where results cannot go: terminals that are closed, disks that are full, folders that are not there.

#include "command/command_fixture.hpp"
#include "footfall/log/log_reader.hpp"

namespace footfall::test {
namespace {

constexpr int kBadInput = 2, kCannotWrite = 3, kInterrupted = 130;

/// Arguments that end with a redirection of their own.
std::string withOwnStreams(const std::string& arguments) { return arguments + "; exit $?; true"; }

TEST_F(Command, AnErrorThatNobodyCanReadKeepsItsExitCode) {
  EXPECT_EQ(call(withOwnStreams("run nothing.yaml 2> /dev/full")).exit_code, kBadInput);
  EXPECT_EQ(call(withOwnStreams("run nothing.yaml 2>&-")).exit_code, kBadInput);
}

TEST_F(Command, AWarningThatNobodyCanReadDoesNotEndTheRun) {
  ASSERT_EQ(call("run scene.yaml --log out.mcap").exit_code, 0);
  // A table has no place for the lists of a log, and says so.
  EXPECT_EQ(call(withOwnStreams("convert out.mcap out.csv 2>&-")).exit_code, 0);
  EXPECT_EQ(openLog(path("out.csv"))->rows(), openLog(path("out.mcap"))->rows());
}

TEST_F(Command, WhatIsPrintedDoesNotGetIntoALogWhereTheStreamsAreClosed) {
  ASSERT_EQ(call("run scene.yaml --log open.csv").exit_code, 0);
  ASSERT_EQ(call(withOwnStreams("run scene.yaml --log closed.csv <&- >&- 2>&-")).exit_code, 0);
  EXPECT_EQ(read("closed.csv"), read("open.csv"));
}

TEST_F(Command, OutputThatDoesNotArriveIsAnError) {
  for (const char* verb :
       {"diagram scene.yaml", "init --schema", "blocks --markdown", "inspect robot.urdf", "--help"}) {
    const Outcome outcome = call(withOwnStreams(std::string(verb) + " > /dev/full 2> stderr.txt"));
    EXPECT_EQ(outcome.exit_code, kCannotWrite) << verb;
    EXPECT_NE(outcome.err.find("standard output cannot be written"), std::string::npos) << verb << outcome.err;
  }
}

TEST_F(Command, AFileForTheEndOfARunIsAskedForBeforeItsFirstStep) {
  // Hours of simulated time: a run that is not refused at once does not end within the test's time.
  for (const char* option :
       {"run scene.yaml --duration 1e7 --save-state nowhere/a.state",
        "run scene.yaml --duration 1e7 --profile=nowhere/trace.json", "run scene.yaml --duration 1e7 --save-state .",
        "batch scene.yaml --copies 1 --steps 2000000000 -o nowhere/states.csv"}) {
    const Outcome outcome = call(option);
    EXPECT_EQ(outcome.exit_code, kCannotWrite) << option;
    EXPECT_NE(outcome.err.find("cannot be written"), std::string::npos) << outcome.err;
  }
  ASSERT_EQ(call("run scene.yaml --save-state new.state --duration nonsense").exit_code, kBadInput);
  EXPECT_FALSE(exists("new.state")) << "asking leaves nothing behind";
}

TEST_F(Command, ASceneIsNotOverwrittenByItsState) {
  EXPECT_EQ(call("run scene.yaml --save-state ./scene.yaml").exit_code, kBadInput);
  EXPECT_EQ(read("scene.yaml"), sceneYaml());
}

TEST_F(Command, AFullDiskTakesNoStateAway) {
  ASSERT_EQ(call("run scene.yaml --duration '50 ms' --save-state a.state").exit_code, 0);
  const std::string before = read("a.state");
  const Outcome outcome = call("run scene.yaml --state a.state --save-state a.state", "ulimit -f 0;");
  // The shell's own files have no room either: what is told is not looked at.
  EXPECT_EQ(outcome.exit_code, kCannotWrite);
  EXPECT_EQ(read("a.state"), before);
  EXPECT_FALSE(exists("a.state.unfinished"));
}

TEST_F(Command, AStateIsReplacedAlsoWhereNoFileCanBeMadeBesideIt) {
  ASSERT_EQ(call("run scene.yaml --duration '50 ms' --save-state a.state").exit_code, 0);
  const std::string before = read("a.state");
  std::filesystem::create_directory(path("a.state.unfinished"));
  ASSERT_EQ(call("run scene.yaml --save-state a.state").exit_code, 0);
  EXPECT_NE(read("a.state"), before);
}

TEST_F(Command, WhereTheLogIsFullTheStateIsKeptToGoOnFrom) {
  const Outcome outcome = call("run scene.yaml --log out.csv --save-state at_the_end.state", "ulimit -f 16;");
  EXPECT_EQ(outcome.exit_code, kCannotWrite);
  EXPECT_NE(outcome.err.find("saved to at_the_end.state"), std::string::npos) << outcome.err;
  ASSERT_EQ(call("run scene.yaml --save-state whole.state").exit_code, 0);
  ASSERT_EQ(call("run scene.yaml --state at_the_end.state --save-state rest.state").exit_code, 0);
  EXPECT_EQ(read("rest.state"), read("whole.state"));
}

TEST_F(Command, APlotThatCannotBeWrittenIsNoBadInput) {
  ASSERT_EQ(call("run scene.yaml --log out.csv").exit_code, 0);
  EXPECT_EQ(call("plot out.csv base.position -o nowhere/a.png").exit_code, kCannotWrite);
  EXPECT_EQ(call("plot out.csv base.position -o a.gif").exit_code, kBadInput);
}

TEST_F(Command, ATableDoesNotSayThatItIsCompleteForItCannotKnow) {
  ASSERT_EQ(call("run scene.yaml --log out.csv").exit_code, 0);
  EXPECT_NE(call("info out.csv").out.find("does not tell whether its run had ended"), std::string::npos);
  ASSERT_EQ(call("run scene.yaml --log out.mcap").exit_code, 0);
  EXPECT_NE(call("info out.mcap").out.find("\n  complete\n"), std::string::npos);
}

/// Starts a run without end, waits until its log has begun, and sends it a signal.
std::string signalled(const std::string& signal) {
  return "run scene.yaml --duration 1e7 --log out.csv --save-state end.state > run.txt 2>&1 & pid=$!; tries=0; "
         "while [ $(cat out.csv 2> /dev/null | wc -c) -lt 10000 ] && [ $tries -lt 600 ]; "
         "do sleep 0.05; tries=$((tries + 1)); done; kill -" +
         signal + " $pid; wait $pid; exit $?; true";
}

TEST_F(Command, ATerminalThatIsClosedEndsTheRunAsCtrlCDoes) {
  EXPECT_EQ(call(signalled("HUP")).exit_code, kInterrupted);
  EXPECT_NE(read("run.txt").find("interrupted"), std::string::npos);
  EXPECT_TRUE(exists("end.state"));
}

TEST_F(Command, ATerminalThatIsClosedDoesNotMatterUnderNohup) {
  // `nohup` ignores the signal for those that it starts; the second one ends the run.
  EXPECT_EQ(call(signalled("HUP $pid; sleep 0.3; kill -TERM"), "trap '' HUP;").exit_code, kInterrupted);
  EXPECT_TRUE(exists("end.state"));
}

}  // namespace
}  // namespace footfall::test
