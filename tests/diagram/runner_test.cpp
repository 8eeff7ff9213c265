#include "footfall/record/runner.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "footfall/base/cannot_write.hpp"
#include "footfall/base/error.hpp"
#include "footfall/block/finishing_scratch.hpp"
#include "footfall/diagram/all_blocks.hpp"
#include "footfall/diagram/diagram_runner.hpp"
#include "tools/source_dir.hpp"
#include "tools/test_tools.hpp"

namespace footfall {
namespace {

/// A log that counts; what it has counted outlives it.
class CountingLog : public Log {
 public:
  struct Counts {
    int rows = 0, closed = 0;
  };
  explicit CountingLog(Counts& counts) : counts_(counts) {}
  void flush() override {}
  void close() override { ++counts_.closed; }

 protected:
  void writeHeader(const LogNotes&, const std::vector<Channel>&, const std::vector<Attachment>&) override {}
  void writeRow(const std::vector<double>&) override { ++counts_.rows; }

 private:
  Counts& counts_;
};

/// A robot alone, and the same one inside of its diagram.
class EveryRunner : public ::testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Runner> make() const {
    Scene scene = loadScene(sourceDir() + "/scenes/biped_rod_ankles.yaml");
    if (std::string(GetParam()) == "scene") return makeRunner(std::move(scene), allBlocks());
    return std::make_unique<DiagramRunner>(diagramOfScene(std::move(scene), allBlocks()));
  }
};

void stepTimes(Runner& runner, int count) {
  for (int i = 0; i < count; ++i) ASSERT_TRUE(runner.step()) << runner.failure();
}

TEST(DiagramRunner, ASignalOfTheLogThatIsNotThereIsToldWithItsLineAlsoWhereNoLogIsKept) {
  const std::string text =
      "robot: {model: box, base: {fixed: true}}\n"
      "diagram:\n  blocks: {robot: Robot}\n  log:\n    - robot.q\n    - robt.q\n";
  const Error error = errorOf([&] { DiagramRunner(diagramOfScene(parseScene(text, "s.yaml"), allBlocks())); });
  EXPECT_STREQ(error.what(), "s.yaml:6: log: the diagram has no signal 'robt.q'\n  hint: did you mean 'robot.q'?");
}

/// Counts how often it was finished, and fails at it where it is asked to.
class Finishing : public Block {
 public:
  struct Scratch : FinishingScratch {
    Scratch(int& c, bool f) : count(c), fails(f) {}
    void finish() override {
      ++count;
      if (fails) throw CannotWrite("file.csv", "the disk is full");
    }
    int& count;
    bool fails;
  };
  Finishing(int& count, bool fails) : count_(count), fails_(fails) {}
  void declare(BlockInterface&) const override {}
  void outputs(Evaluation&) const override {}
  std::unique_ptr<BlockScratch> makeScratch() const override { return std::make_unique<Scratch>(count_, fails_); }

 private:
  int& count_;
  bool fails_;
};

TEST(DiagramRunner, FinishesEveryBlockAlsoWhereOneFails) {
  int count = 0;
  DiagramBuilder builder;
  builder.add("first", std::make_shared<Finishing>(count, true));
  builder.add("second", std::make_shared<Finishing>(count, false));
  builder.add("third", std::make_shared<Finishing>(count, true));
  DiagramRunner runner(DiagramSource{{}, {}, std::nullopt, builder.build({})});
  EXPECT_THROW(runner.finish(), CannotWrite);
  EXPECT_EQ(count, 3);
}

TEST_P(EveryRunner, GoesOnFromWhatWasSavedToTheSameBits) {
  const std::unique_ptr<Runner> whole = make(), second = make();
  stepTimes(*whole, 40);
  const std::string half = whole->save();
  stepTimes(*whole, 40);
  second->restore(half, "half");
  EXPECT_EQ(second->time(), 40 * second->stepSize());
  stepTimes(*second, 40);
  EXPECT_EQ(whole->save(), second->save());
}

TEST_P(EveryRunner, RefusesWhatWasNotSavedByItAndStaysAsItWas) {
  const std::unique_ptr<Runner> runner = make();
  stepTimes(*runner, 3);
  const std::string before = runner->save();
  std::vector<std::string> hostile{"", "zz", "\x1b[31mred", std::string(16, 'f'), std::string(200, '0')};
  hostile.push_back(before.substr(0, before.size() / 2));
  for (const std::string& bytes : hostile) {
    const Error refused = errorOf([&] { runner->restore(bytes, "these bytes"); });
    EXPECT_EQ(refused.where().find("these bytes"), 0U) << bytes.size();
    EXPECT_EQ(std::string(refused.what()).find('\x1b'), std::string::npos)
        << "what a file holds stays out of terminals";
    EXPECT_EQ(runner->save(), before);
  }
}

TEST_P(EveryRunner, WritesARowForEachStepAndOneForTheEnd) {
  const std::unique_ptr<Runner> runner = make();
  stepTimes(*runner, 2);
  EXPECT_EQ(runner->finishLog(), nullptr);
  CountingLog::Counts first, second;
  runner->startLog(std::make_unique<CountingLog>(first));
  stepTimes(*runner, 7);
  runner->startLog(std::make_unique<CountingLog>(second));  // ends the other one
  EXPECT_EQ(first.rows, 8);
  EXPECT_EQ(first.closed, 1);
  stepTimes(*runner, 3);
  EXPECT_TRUE(runner->hasLog());
  EXPECT_NE(runner->finishLog(), nullptr);
  EXPECT_FALSE(runner->hasLog());
  stepTimes(*runner, 1);
  EXPECT_EQ(second.rows, 4);
}

TEST_P(EveryRunner, CountsTheStepsThatAreLeftFromWhereItIs) {
  const std::unique_ptr<Runner> runner = make();
  const long long all = runner->stepsLeft();
  EXPECT_EQ(all, std::llround(runner->plan().duration / runner->stepSize()));
  stepTimes(*runner, 5);
  EXPECT_EQ(runner->stepsLeft(), all - 5);
}

INSTANTIATE_TEST_SUITE_P(Both, EveryRunner, ::testing::Values("scene", "diagram"),
                         [](const auto& kind) { return std::string(kind.param); });

TEST(Runner, IsMadeOfWhatTheFileHolds) {
  const auto robot = makeRunner(sourceDir() + "/scenes/falling_box.yaml", {}, allBlocks());
  EXPECT_TRUE(robot->blocks().empty());
  EXPECT_NE(robot->commanded(), nullptr);

  const auto diagram = makeRunner(sourceDir() + "/scenes/icub_balancing.yaml", {}, allBlocks());
  EXPECT_GE(diagram->robotBlock(), 0);
  EXPECT_NE(diagram->robot(), nullptr);
  EXPECT_EQ(diagram->commanded(), nullptr);

  const TempFolder folder;
  const auto path = folder.write("ramp.yaml", R"(
run: {duration: 0.5 s}
blocks:
  rate: {block: Constant, value: 2}
  ramp: Integrator
connect: [rate -> ramp.in]
)");
  const auto alone = makeRunner(path.string(), {}, allBlocks());
  EXPECT_EQ(alone->robot(), nullptr);
  EXPECT_EQ(alone->robotBlock(), -1);
  EXPECT_EQ(alone->blocks().size(), 2U);
  stepTimes(*alone, 500);
  EXPECT_FALSE(alone->robotMoved());
}

TEST(DiagramRunner, ACopyGoesOnByItself) {
  DiagramRunner first(loadDiagramSource(sourceDir() + "/scenes/icub_balancing.yaml", {}, allBlocks()));
  stepTimes(first, 5);
  DiagramRunner second(first);
  stepTimes(first, 5);
  EXPECT_EQ(second.diagramRobot()->time(), 5 * second.stepSize());
  stepTimes(second, 5);
  EXPECT_EQ(first.save(), second.save());
}

TEST(DiagramRunner, SaysWhenAndWhyAFailedRunEnds) {
  DiagramRunner runner(loadDiagramSource(sourceDir() + "/scenes/icub_balancing.yaml", {}, allBlocks()));
  stepTimes(runner, 2);
  State state = runner.diagramRobot()->state();
  state.nu[0] = std::numeric_limits<double>::quiet_NaN();
  runner.diagramRobot()->setState(state);
  EXPECT_FALSE(runner.step());
  EXPECT_FALSE(runner.robotMoved());
  EXPECT_EQ(runner.failure().find("t = 0.00"), 0U) << runner.failure();
}

}  // namespace
}  // namespace footfall
