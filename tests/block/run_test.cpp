// What a diagram does when it runs.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <sstream>
#include <thread>

#include "block/small_blocks.hpp"
#include "model/error_of.hpp"

namespace footfall {
namespace {

using namespace test;

/// ẍ = −x by two integrators, sampled every 10 ms by a discrete block.
Diagram oscillator() {
  DiagramBuilder b;
  b.add("x", block<Integrate>(1.0));
  b.add("v", block<Integrate>(0.0));
  b.add("minus", block<Gain>(-1.0));
  b.add("sampled", block<Remember>(0.0));
  b.setSampleTime("sampled", SampleTime::discrete(1e-2));
  b.connect("v", "x");
  b.connect("x", "minus");
  b.connect("minus", "v");
  b.connect("x", "sampled");
  b.output("position", "x");
  return b.build({.step = 1e-3});
}

std::string bitsOf(const Context& context) {
  std::stringstream out;
  context.save(out);
  return out.str();
}

TEST(Run, SolvesAnOscillatorToFourthOrder) {
  const Diagram diagram = oscillator();
  Context context = diagram.makeContext();
  double worst = 0.0;
  for (int i = 0; i < 10000; ++i) {
    diagram.step(context);
    worst = std::max(worst, std::abs(context.signal("position")[0] - std::cos(context.signalTime())));
  }
  // The global error of rk4 for ẍ = −x after time t is t h⁴/120.
  EXPECT_LT(worst, 1.01 * 10.0 * 1e-12 / 120.0 + 1e-13);
}

TEST(Run, SignalsOfAStepBelongToItsStart) {
  const Diagram diagram = oscillator();
  Context context = diagram.makeContext();
  diagram.step(context);
  EXPECT_EQ(context.signalTime(), 0.0);
  EXPECT_EQ(context.time(), 1e-3);
  EXPECT_EQ(context.signal("position")[0], 1.0) << "minor steps must not show";
}

TEST(Run, ASimilarDiagramTakesOverTimeAndStates) {
  const Diagram diagram = oscillator();
  Context context = diagram.makeContext();
  for (int i = 0; i < 777; ++i) diagram.step(context);
  DiagramBuilder b;  // without the block that samples, with another one
  b.add("v", block<Integrate>(0.0));
  b.add("x", block<Integrate>(1.0));
  b.add("minus", block<Gain>(-1.0));
  b.add("kept", block<Remember>(7.0));
  b.connect("v", "x");
  b.connect("x", "minus");
  b.connect("minus", "v");
  b.connect("x", "kept");
  const Diagram similar = b.build({.step = 1e-3});
  Context next = similar.makeContext();
  next.takeOver(context);
  EXPECT_EQ(next.time(), context.time());
  for (int i = 0; i < 3; ++i) {
    diagram.step(context);
    similar.step(next);
    EXPECT_EQ(next.signal("x.out")[0], context.signal("x.out")[0]);
    if (i == 0) {
      EXPECT_EQ(next.signal("kept.out")[0], 7.0) << "a block that is new starts at its start";
    }
  }
}

TEST(Run, ASlowBlockHoldsItsOutputAndAFastOneReadsIt) {
  DiagramBuilder b;
  b.add("now", block<Now>());
  b.add("slow", block<Gain>(1.0));
  b.setSampleTime("slow", SampleTime::discrete(4e-3, 1e-3));
  b.add("fast", block<Gain>(1.0));
  b.setSampleTime("fast", SampleTime::discrete(1e-3));
  b.connect("now", "slow");
  b.connect("slow", "fast");
  const Diagram diagram = b.build({.step = 1e-3});
  Context context = diagram.makeContext();
  for (int tick = 0; tick < 20; ++tick) {
    diagram.step(context);
    const double held = tick < 1 ? 0.0 : 1e-3 * (tick - (tick - 1) % 4);
    EXPECT_DOUBLE_EQ(context.signal("fast.out")[0], held) << "tick " << tick;
  }
}

TEST(Run, InheritedSampleTimesFollowTheFastestInput) {
  DiagramBuilder b;
  b.add("slow", block<Value>(VectorXd::Zero(1), "", SampleTime::discrete(6e-3)));
  b.add("fast", block<Value>(VectorXd::Zero(1), "", SampleTime::discrete(4e-3)));
  b.add("constant", block<Value>(VectorXd::Zero(1), "", SampleTime::constant()));
  b.add("both", block<Add>());
  b.add("still", block<Gain>(2.0));
  b.connect("slow", "both.a");
  b.connect("fast", "both.b");
  b.connect("constant", "still");
  const Diagram diagram = b.build({.step = 1e-3});
  EXPECT_DOUBLE_EQ(diagram.blocks()[diagram.block("both")].sample_time.period, 2e-3) << "due whenever an input is";
  EXPECT_EQ(diagram.blocks()[diagram.block("still")].sample_time.kind, SampleTime::Kind::constant);
}

TEST(Run, ARestoredContextGoesOnBitForBit) {
  const Diagram diagram = oscillator();
  Context context = diagram.makeContext();
  for (int i = 0; i < 123; ++i) diagram.step(context);
  std::stringstream saved;
  context.save(saved);
  const Context copy = context;
  for (int i = 0; i < 77; ++i) diagram.step(context);

  Context restored = diagram.makeContext();
  restored.load(saved, "memory");
  for (int i = 0; i < 77; ++i) diagram.step(restored);
  EXPECT_EQ(bitsOf(restored), bitsOf(context));

  Context copied = copy;
  for (int i = 0; i < 77; ++i) diagram.step(copied);
  EXPECT_EQ(bitsOf(copied), bitsOf(context));
}

TEST(Run, ABrokenFileLeavesTheContextAsItWas) {
  const Diagram diagram = oscillator();
  Context context = diagram.makeContext();
  for (int i = 0; i < 10; ++i) diagram.step(context);
  const std::string before = bitsOf(context);
  std::stringstream cut(before.substr(0, before.size() - 8)), other("something else");
  expectError("cut: the saved context ends too early", [&] { context.load(cut, "cut"); });
  expectError("other: this is no saved context", [&] { context.load(other, "other"); });
  EXPECT_EQ(bitsOf(context), before);
}

TEST(Run, ContextsOnSeveralThreadsDoNotDisturbEachOther) {
  const Diagram diagram = oscillator();
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (std::string& result : results)
    threads.emplace_back([&] {
      Context context = diagram.makeContext();
      for (int i = 0; i < 2000; ++i) diagram.step(context);
      result = bitsOf(context);
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& result : results) EXPECT_EQ(result, results[0]);
}

TEST(Run, ABlockCanStopTheRunAndStatesStay) {
  DiagramBuilder b;
  b.add("now", block<Now>());
  b.add("last", block<Remember>(-1.0));
  b.add("guard", block<Call>([](Evaluation& e) {
          if (e.time() > 4.5e-3) e.stop("it fell");
        }));
  b.connect("now", "last");
  b.connect("last", "guard");
  const Diagram diagram = b.build({.step = 1e-3});
  Context context = diagram.makeContext();
  int steps = 0;
  while (diagram.step(context)) ++steps;
  EXPECT_EQ(steps, 5);
  EXPECT_EQ(context.stopReason(), "it fell");
  EXPECT_EQ(context.discreteState(diagram.block("last"))[0], 4.0 * 1e-3)
      << "the update of the last step did not happen";
}

TEST(Run, AnErrorNamesTheBlockAndTheTime) {
  DiagramBuilder b;
  b.add("now", block<Now>());
  b.add("bad", block<Call>([](Evaluation& e) {
          if (e.time() > 1.5e-3) throw Error("", "the table has no such entry");
        }),
        "Table");
  b.connect("now", "bad");
  const Diagram diagram = b.build({.step = 1e-3});
  Context context = diagram.makeContext();
  diagram.step(context);
  diagram.step(context);
  try {
    diagram.step(context);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("block 'bad' (Table), t = 0.002 s: the table has no such entry"),
              std::string::npos)
        << error.what();
  }
}

TEST(Run, InputsOfTheDiagramAreKeptUntilChanged) {
  DiagramBuilder b;
  b.input("u", SignalType::vector(2, "N"));
  b.add("g", block<Gain>(10.0));
  b.connect("u", "g");
  b.output("y", "g");
  const Diagram diagram = b.build();
  Context context = diagram.makeContext();
  context.setInput("u", Eigen::Vector2d(1.0, 2.0));
  for (int i = 0; i < 3; ++i) diagram.step(context);
  EXPECT_EQ(context.signal("y"), Eigen::Vector2d(10.0, 20.0));
  expectError("'u'", [&] { context.setInput("u", 1.0); });
  expectError("has no input 'v'", [&] { context.setInput("v", 1.0); });
}

/// A table that others may look things up in.
struct Table {
  double factor;
  double lookUp(double x) const { return factor * x; }
};

class TableBlock : public Block {
 public:
  struct Scratch : BlockScratch {
    Table table{0.0};
  };
  void declare(BlockInterface& io) const override {
    io.input("factor");
    io.output("table", SignalType::function("double(double)"));
  }
  std::unique_ptr<BlockScratch> makeScratch() const override { return std::make_unique<Scratch>(); }
  void provideFunctions(Evaluation& e) const override { e.provide(0, e.scratch<Scratch>().table); }
  void outputs(Evaluation& e) const override { e.scratch<Scratch>().table.factor = e.number(0); }
};

class LookUp : public Block {
 public:
  void declare(BlockInterface& io) const override {
    io.input("table", SignalType::function("double(double)"));
    io.output("out", SignalType::scalar());
  }
  void outputs(Evaluation& e) const override { e.set(0, e.function<Table>(0).lookUp(21.0)); }
};

TEST(Run, BlocksCallFunctionsOfOtherBlocksAfterThese) {
  DiagramBuilder b;
  b.add("reader", block<LookUp>());  // added first: the order must come from the line
  b.add("two", block<Value>(2.0));
  b.add("table", block<TableBlock>());
  b.connect("two", "table");
  b.connect("table", "reader");
  const Diagram diagram = b.build();
  Context context = diagram.makeContext();
  diagram.step(context);
  EXPECT_EQ(context.signal("reader.out")[0], 42.0);
  Context copy = context;
  diagram.step(copy);
  EXPECT_EQ(copy.signal("reader.out")[0], 42.0) << "a copy has functions of its own";
}

/// `state` depends on nothing, `echo` on the input: a controller may read one and feed the other.
class Plant : public Block {
 public:
  void declare(BlockInterface& io) const override {
    const int force = io.input("force");
    io.output("state", SignalType::scalar(), {});
    io.output("echo", SignalType::scalar(), {force});
    io.discrete_states = 1;
  }
  void initialize(Evaluation& e) const override { e.discrete()[0] = 3.0; }
  void outputs(Evaluation& e) const override {
    if (e.group() == 0) e.set(0, e.discrete()[0]);
    if (e.group() == 1) e.set(1, e.number(0));
  }
};

TEST(Run, OutputsWithDifferentFeedThroughAreEvaluatedApart) {
  DiagramBuilder b;
  b.add("controller", block<Gain>(2.0));
  b.add("plant", block<Plant>());
  b.connect("plant.state", "controller");
  b.connect("controller", "plant");
  const Diagram diagram = b.build();
  Context context = diagram.makeContext();
  diagram.evaluate(context);
  EXPECT_EQ(context.signal("plant.echo")[0], 6.0);
}

TEST(Run, UnusedOutputsAreKnownToTheBlock) {
  std::vector<bool> used;
  DiagramBuilder b;
  b.add("report", block<Report>());
  b.add("taker", block<Taker>(SignalType::any()));
  b.connect("report.bus.inner.touching", "taker");
  const Diagram diagram = b.build();
  Context context = diagram.makeContext();
  diagram.evaluate(context);
  EXPECT_EQ(context.signal("report.bus.inner.touching")[0], 1.0);
  EXPECT_EQ(diagram.lines().size(), 1u);
  EXPECT_EQ(diagram.lines()[0].field, "inner.touching");
}

}  // namespace
}  // namespace footfall
