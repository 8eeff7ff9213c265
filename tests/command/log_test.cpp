// Logs as a user of the command meets them: formats, plots, killed runs and full disks.

#include <unistd.h>

#include "command/command_fixture.hpp"
#include "footfall/log/log_reader.hpp"

namespace footfall::test {
namespace {

constexpr int kBadInput = 2, kCannotWrite = 3;

TEST_F(Command, TheEndingOfALogChoosesItsFormat) {
  ASSERT_EQ(call("run scene.yaml --log out.mcap").exit_code, 0);
  ASSERT_EQ(call("run scene.yaml --log out.csv").exit_code, 0);
  const auto mcap = openLog(path("out.mcap")), csv = openLog(path("out.csv"));
  ASSERT_EQ(mcap->rows(), csv->rows());
  EXPECT_EQ(mcap->columns(), csv->columns());
  for (const std::string column : {"time", "base.position.z", "foot.force.z", "solver.residual"}) {
    const std::vector<double> a = mcap->column(column), b = csv->column(column);
    EXPECT_TRUE(std::equal(a.begin(), a.end() - 1, b.begin())) << column;  // the last row has no forces
  }
  const Outcome wrong = call("run scene.yaml --log out.mcab");
  EXPECT_EQ(wrong.exit_code, kBadInput);
  EXPECT_NE(wrong.err.find(".mcap"), std::string::npos) << wrong.err;
}

TEST_F(Command, AnMcapLogHoldsWhatTheRunWasMadeFrom) {
  ASSERT_EQ(call("run scene.yaml --log out.mcap --set run.seed=5 --set 'physics.step=2 ms'").exit_code, 0);
  const auto log = openLog(path("out.mcap"));
  EXPECT_EQ(log->attachment("scene.yaml"), read("scene.yaml"));
  EXPECT_EQ(log->attachment("model.urdf"), read("robot.urdf"));
  EXPECT_EQ(log->note("seed"), "5");
  EXPECT_EQ(log->note("set physics.step"), "2 ms");
}

TEST_F(Command, AKilledRunLeavesALogThatIsReadableToTheLastSecond) {
  // Killed two seconds after the first rows have arrived; rows get into the file twice a second.
  const Outcome outcome = call(
      "run scene.yaml --duration 1e5 --log out.mcap > run.txt 2>&1 & pid=$!; tries=0; "
      "while [ $(cat out.mcap 2> /dev/null | wc -c) -lt 100000 ] && [ $tries -lt 600 ]; "
      "do sleep 0.05; tries=$((tries + 1)); done; sleep 2; kill -9 $pid; wait $pid; exit $?");
  EXPECT_EQ(outcome.exit_code, 128 + 9);
  const auto log = openLog(path("out.mcap"));
  EXPECT_NE(log->damage().find("not closed"), std::string::npos);
  ASSERT_GT(log->rows(), 1000u);
  const std::vector<double>& times = log->times();
  for (std::size_t i = 1; i < times.size(); ++i) ASSERT_GT(times[i], times[i - 1]);
  EXPECT_EQ(log->column("foot.force.z").size(), log->rows());
  EXPECT_EQ(call("info out.mcap").exit_code, 0);
  EXPECT_EQ(call("convert out.mcap out.csv").exit_code, 0);
  EXPECT_EQ(openLog(path("out.csv"))->rows(), log->rows());
}

TEST_F(Command, AFullDiskStopsTheRunWithAnErrorAndAReadableLog) {
  const Outcome outcome =
      call("run scene.yaml --duration 1e5 --log out.mcap", "ulimit -f 8000;");  // blocks of 512 bytes
  EXPECT_EQ(outcome.exit_code, kCannotWrite);
  for (const char* words : {"out.mcap", "File too large", "complete up to time = ", "rows", "hint"})
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  const auto log = openLog(path("out.mcap"));
  EXPECT_EQ(log->damage(), "") << "closed, with its index";
  ASSERT_GT(log->rows(), 100u);
  EXPECT_NE(outcome.err.find(std::to_string(log->rows()) + " rows"), std::string::npos) << outcome.err;
}

TEST_F(Command, InfoSaysWhatIsInALog) {
  ASSERT_EQ(call("run scene.yaml --log out.mcap").exit_code, 0);
  const Outcome outcome = call("info out.mcap");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* words : {"251 rows", "complete", "foot.force", "[N] x y z", "scene.yaml", "contacts", "seed"})
    EXPECT_NE(outcome.out.find(words), std::string::npos) << words << " is not in\n" << outcome.out;
}

TEST_F(Command, PlotDrawsPngAndSvg) {
  ASSERT_EQ(call("run scene.yaml --log out.mcap").exit_code, 0);
  const Outcome svg = call("plot out.mcap 'foot.force*' base.position -o out.svg");
  ASSERT_EQ(svg.exit_code, 0) << svg.err;
  EXPECT_NE(read("out.svg").find("<svg"), std::string::npos);
  const Outcome png = call("plot out.mcap com.position.z --from 0.0995 --to 0.2005 -o out.png");
  ASSERT_EQ(png.exit_code, 0) << png.err;
  EXPECT_NE(png.out.find("101 rows"), std::string::npos) << png.out;
  EXPECT_EQ(read("out.png").substr(1, 3), "PNG");
  const Outcome unknown = call("plot out.mcap foot.farce -o out.svg");
  EXPECT_EQ(unknown.exit_code, kBadInput);
  EXPECT_NE(unknown.err.find("foot.force"), std::string::npos) << unknown.err;
  EXPECT_EQ(call("plot out.mcap foot.force -o out.gif").exit_code, kBadInput);
}

TEST_F(Command, AJointMayHaveTheNameOfOtherChannels) {
  for (const std::string name : {"base", "com", "energy"}) {
    write("robot.urdf", replaced(robotUrdf(), "\"shoulder\"", "\"" + name + "\""));
    ASSERT_EQ(call("run scene.yaml --log out.mcap").err, "") << name;
    EXPECT_NO_THROW(openLog(path("out.mcap"))->column("joint." + name + ".position"));
  }
}

TEST_F(Command, AFrameMayTouchByTwoEntries) {
  write("scene.yaml",
        replaced(sceneYaml(), "ground:", "  - {frame: foot, footprint: [[0.2, 0, 0.1]], radius: 5 cm}\nground:"));
  ASSERT_EQ(call("run scene.yaml --log out.csv").err, "");
  const auto log = openLog(path("out.csv"));
  for (const char* point : {"foot[3].force.z", "foot[4].force.z"}) EXPECT_NO_THROW(log->column(point)) << point;
}

TEST_F(Command, ALogIsNotConvertedIntoItself) {
  ASSERT_EQ(call("run scene.yaml --log out.csv").exit_code, 0);
  const std::string before = read("out.csv");
  EXPECT_EQ(call("convert out.csv ./out.csv").exit_code, kBadInput);
  EXPECT_EQ(read("out.csv"), before);
}

}  // namespace
}  // namespace footfall::test
