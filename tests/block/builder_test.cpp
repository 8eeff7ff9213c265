// What a diagram refuses when it is put together, and what its messages say.

#include <gtest/gtest.h>

#include "block/small_blocks.hpp"
#include "model/error_of.hpp"

namespace footfall {
namespace {

using namespace test;

std::string messageOf(const DiagramBuilder& builder, const DiagramSettings& settings = {}) {
  try {
    builder.build(settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

#define EXPECT_SAYS(message, part) EXPECT_NE((message).find(part), std::string::npos) << (message)

TEST(Builder, NamesTheWholePathOfAnAlgebraicLoop) {
  DiagramBuilder b;
  b.add("a", block<Add>());
  b.add("g", block<Gain>(2.0));
  b.add("h", block<Gain>(3.0));
  b.add("v", block<Value>(1.0));
  b.connect("v", "a.a");
  b.connect("h", "a.b");
  b.connect("a", "g");
  b.connect("g", "h");
  const std::string message = messageOf(b);
  EXPECT_SAYS(message, "algebraic loop");
  EXPECT_SAYS(message, "a.out → g.in");
  EXPECT_SAYS(message, "g.out → h.in");
  EXPECT_SAYS(message, "h.out → a.b");
  EXPECT_EQ(message.find("v.out"), std::string::npos) << "only what is in the loop is named: " << message;
}

TEST(Builder, AllowsALoopThroughAnOutputWithoutFeedThrough) {
  DiagramBuilder b;
  b.add("sum", block<Add>());
  b.add("last", block<Remember>(0.0));
  b.add("one", block<Value>(1.0));
  b.connect("last", "sum.a");
  b.connect("one", "sum.b");
  b.connect("sum", "last");
  const Diagram diagram = b.build();
  Context context = diagram.makeContext();
  for (int i = 0; i < 5; ++i) diagram.step(context);
  EXPECT_EQ(context.signal("sum.out")[0], 5.0);
}

TEST(Builder, NamesAnInputWithoutSource) {
  DiagramBuilder b;
  b.add("g", block<Gain>(2.0), "Gain", "d.yaml:4");
  const std::string message = messageOf(b);
  EXPECT_SAYS(message, "d.yaml:4");
  EXPECT_SAYS(message, "input 'in' of block 'g'");
  EXPECT_SAYS(message, "not connected");
}

TEST(Builder, NamesBothWritersOfAnInput) {
  DiagramBuilder b;
  b.add("x", block<Value>(1.0));
  b.add("y", block<Value>(2.0));
  b.add("g", block<Gain>(2.0));
  b.connect("x", "g");
  b.connect("y.out", "g.in", "d.yaml:9");
  const std::string message = messageOf(b);
  EXPECT_SAYS(message, "d.yaml:9");
  EXPECT_SAYS(message, "'g.in' has two writers: 'x' and 'y.out'");
}

TEST(Builder, NamesBothEndsWhenUnitsDiffer) {
  DiagramBuilder b;
  b.add("torque", block<Value>(VectorXd::Zero(3), "N m"));
  b.add("robot", block<Taker>(SignalType::vector(3, "rad")));
  b.connect("torque", "robot");
  EXPECT_SAYS(messageOf(b), "'torque.out' cannot go into 'robot.in': vector of 3 [N m] does not fit vector of 3 [rad]");
}

TEST(Builder, NamesBothEndsWhenSizesDiffer) {
  DiagramBuilder b;
  b.add("torque", block<Value>(VectorXd::Zero(4)));
  b.add("robot", block<Taker>(SignalType::vector(3)));
  b.connect("torque", "robot");
  EXPECT_SAYS(messageOf(b), "'torque.out' cannot go into 'robot.in': vector of 4 does not fit vector of 3");
}

TEST(Builder, SuggestsTheBlockPortOrFieldThatWasMeant) {
  DiagramBuilder b;
  b.add("report", block<Report>());
  b.add("taker", block<Taker>(SignalType::any()));
  const auto says = [&](const char* source, const char* input) {
    DiagramBuilder copy;
    copy.add("report", block<Report>());
    copy.add("taker", block<Taker>(SignalType::any()));
    copy.connect(source, input);
    return messageOf(copy);
  };
  EXPECT_SAYS(says("reprot.bus", "taker"), "did you mean 'report'");
  EXPECT_SAYS(says("report.bsu", "taker"), "did you mean 'bus'");
  EXPECT_SAYS(says("report.bus", "taker.ni"), "'in'");
  EXPECT_SAYS(says("report.bus.forse", "taker"), "did you mean 'force'");
}

TEST(Builder, RefusesAPeriodThatIsNoMultipleOfTheStep) {
  DiagramBuilder b;
  b.add("v", block<Value>(VectorXd::Zero(1), "", SampleTime::discrete(2.5e-3)));
  const std::string message = messageOf(b, {.step = 1e-3});
  EXPECT_SAYS(message, "block 'v'");
  EXPECT_SAYS(message, "no multiple of the diagram's step");
}

TEST(Builder, RefusesAFixedRateForContinuousStates) {
  DiagramBuilder b;
  b.add("v", block<Value>(1.0));
  b.add("x", block<Integrate>(0.0));
  b.setSampleTime("x", SampleTime::discrete(1e-2));
  b.connect("v", "x");
  EXPECT_SAYS(messageOf(b), "block 'x' has continuous states");
}

TEST(Builder, RefusesNamesThatCannotBeWrittenInLines) {
  DiagramBuilder b;
  expectError("'a.b' cannot be a name", [&] { b.add("a.b", block<Value>(1.0)); });
  b.add("a", block<Value>(1.0));
  expectError("'a' is given twice", [&] { b.add("a", block<Value>(1.0)); });
}

TEST(Registry, RefusesUnknownAndMissingParametersByName) {
  BlockRegistry registry;
  registry.add<Gain>();
  const auto message = [&](Parameters parameters) -> std::string {
    try {
      DiagramBuilder b;
      b.add("g", registry, "Gain", std::move(parameters));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_SAYS(message({{"facto", 2.0}, {"factor", 1.0}}), "block 'g' (Gain): parameter 'facto' is not one of 'Gain'");
  EXPECT_SAYS(message({{"facto", 2.0}, {"factor", 1.0}}), "did you mean 'factor'");
  EXPECT_SAYS(message({}), "parameter 'factor' is missing");
  EXPECT_SAYS(message({{"factor", "much"}}), "'much', expected a plain number");
  EXPECT_EQ(message({{"factor", 2.0}, {"sample", "10 ms"}}), "");
  expectError("did you mean 'Gain'", [&] { registry.get("Gian"); });
}

/// A chain of n gains, as many as the parameter says.
void fillChain(const Parameters& parameters, DiagramBuilder& inside) {
  inside.input("in", SignalType::any());
  std::string last = "in";
  for (int i = 0; i < parameters.count("length"); ++i) {
    const std::string name = "gain" + std::to_string(i);
    inside.add(name, block<Gain>(2.0));
    inside.connect(last, name);
    last = name;
  }
  inside.output("out", last);
}

TEST(Subdiagram, ContentsFollowFromTheParameters) {
  BlockRegistry registry;
  registry.addSubdiagram({"Chain", "test", "", {{"length", "", "", "-", true}}, {}, {}, ""}, fillChain);
  for (const int length : {1, 4, 10}) {
    DiagramBuilder b;
    b.add("one", block<Value>(1.0));
    b.add("chain", registry, "Chain", {{"length", length}});
    b.connect("one", "chain");
    b.output("result", "chain");
    const Diagram diagram = b.build();
    Context context = diagram.makeContext();
    diagram.evaluate(context);
    EXPECT_EQ(context.signal("result")[0], std::pow(2.0, length));
    EXPECT_EQ(diagram.blocks().size(), 1u + length);
  }
}

TEST(Subdiagram, NestsAndNamesItsBlocksByPath) {
  DiagramBuilder inner;
  inner.input("in", SignalType::any());
  inner.add("g", block<Gain>(3.0));
  inner.connect("in.force", "g");
  inner.output("out", "g");
  DiagramBuilder middle;
  middle.input("bus", SignalType::any());
  middle.add("inner", std::move(inner));
  middle.connect("bus", "inner.in");
  middle.output("tripled", "inner");
  DiagramBuilder b;
  b.add("report", block<Report>());
  b.add("middle", std::move(middle));
  b.connect("report", "middle");
  b.output("y", "middle.tripled");
  const Diagram diagram = b.build();
  Context context = diagram.makeContext();
  diagram.evaluate(context);
  EXPECT_EQ(context.signal("middle.inner.g.out"), Vector3d(3.0, 6.0, 9.0));
  EXPECT_EQ(context.signal("y"), Vector3d(3.0, 6.0, 9.0));
  EXPECT_EQ(context.signalType("y").unit, "N");
}

TEST(Subdiagram, ChecksTheTypeThatItsInputAsksFor) {
  DiagramBuilder inside;
  inside.input("torque", SignalType::vector(3, "N m"));
  inside.add("g", block<Gain>(1.0));
  inside.connect("torque", "g");
  DiagramBuilder b;
  b.add("force", block<Value>(VectorXd::Zero(3), "N"));
  b.add("leg", std::move(inside));
  b.connect("force", "leg");
  EXPECT_SAYS(messageOf(b), "'force.out' cannot go into 'leg.torque': vector of 3 [N] does not fit vector of 3 [N m]");
}

TEST(Subdiagram, PassesAnOpenInputOnToAnOptionalOne) {
  const auto make = [] {
    DiagramBuilder inside;
    inside.input("a", SignalType::any());
    inside.input("b", SignalType::any());
    inside.add("sum", block<Add>());
    inside.connect("a", "sum.a");
    inside.connect("b", "sum.b");
    inside.output("out", "sum");
    return inside;
  };
  DiagramBuilder b;
  b.add("one", block<Value>(1.0));
  b.add("s", make());
  b.connect("one", "s.a");
  EXPECT_NO_THROW(b.build());
  DiagramBuilder c;
  c.add("one", block<Value>(1.0));
  c.add("s", make());
  c.connect("one", "s.b");
  EXPECT_SAYS(messageOf(c), "input 'a' of block 's.sum'");
}

}  // namespace
}  // namespace footfall
