// What runs when: conditions, branches, state machines, algebraic loops, crossings.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "block_library/library_tools.hpp"
#include "footfall/base/error.hpp"

namespace footfall::test {
namespace {

using Kind = RunCondition::Kind;

RunCondition when(std::string source, Kind kind = Kind::is_true) {
  RunCondition condition;
  condition.kind = kind;
  condition.source = std::move(source);
  return condition;
}

/// A flag that is true from 10 to 20 ms and from 30 to 40 ms.
void addGate(DiagramBuilder& b) {
  b.add("wave", library(), "Function", {{"formula", "sin(100*pi*t + 0.1)"}, {"inputs", texts({})}});
  b.add("gate", library(), "Compare", {{"operation", "<"}});
  b.connect("wave", "gate.a");
}

/// Counts the instants at which it runs.
DiagramBuilder counter() {
  DiagramBuilder b;
  b.add("one", library(), "Constant", {{"value", 1.0}});
  b.add("sum", library(), "Sum");
  b.add("delay", library(), "UnitDelay");
  b.connect("one", "sum.in1");
  b.connect("delay", "sum.in2");
  b.connect("sum", "delay");
  b.output("count", "sum");
  return b;
}

DiagramBuilder gatedCounter(RunCondition condition) {
  DiagramBuilder b;
  addGate(b);
  b.add("counter", counter());
  b.setCondition("counter", std::move(condition));
  b.output("count", "counter.count");
  return b;
}

TEST(Conditions, ASubdiagramRunsOnlyWhileItsConditionHolds) {
  const Diagram diagram = gatedCounter(when("gate")).build({.step = 1e-3});
  const std::vector<double> counts = record(diagram, "count", 50);
  const auto gate = record(diagram, "gate.out", 50);
  double expected = 0.0;
  for (int k = 0; k < 50; ++k) {
    expected += gate[k];
    EXPECT_EQ(counts[k], expected) << "instant " << k;
  }
  EXPECT_NEAR(expected, 20.0, 2.0) << "the flag was true for two half periods";
}

TEST(Conditions, NotIsTheOtherHalf) {
  const auto on = record(gatedCounter(when("gate")).build({.step = 1e-3}), "count", 50);
  const auto off = record(gatedCounter(when("gate", Kind::is_false)).build({.step = 1e-3}), "count", 50);
  for (int k = 0; k < 50; ++k) EXPECT_EQ(on[k] + off[k], k + 1.0);
}

TEST(Conditions, EdgesAreSingleInstants) {
  EXPECT_EQ(record(gatedCounter(when("gate", Kind::rises)).build({.step = 1e-3}), "count", 50).back(), 2.0);
  EXPECT_EQ(record(gatedCounter(when("gate", Kind::changes)).build({.step = 1e-3}), "count", 50).back(), 4.0);
  EXPECT_EQ(record(gatedCounter(when("gate", Kind::falls)).build({.step = 1e-3}), "count", 50).back(), 2.0);
}

TEST(Conditions, RestartBeginsAnewAndClearEndsWithZero) {
  RunCondition condition = when("gate");
  condition.restart = condition.clear = true;
  const Diagram diagram = gatedCounter(condition).build({.step = 1e-3});
  const auto counts = record(diagram, "count", 50), gate = record(diagram, "gate.out", 50);
  double expected = 0.0;
  for (int k = 0; k < 50; ++k) {
    expected = gate[k] != 0.0 ? expected + 1.0 : 0.0;
    EXPECT_EQ(counts[k], expected) << "instant " << k;
  }
}

TEST(Conditions, ContinuousStatesStandStillMeanwhile) {
  DiagramBuilder b;
  addGate(b);
  b.add("one", library(), "Constant", {{"value", 1.0}});
  b.add("integral", library(), "Integrator");
  b.connect("one", "integral.in");
  b.setCondition("integral", when("gate"));
  const Diagram diagram = b.build({.step = 1e-3});
  const auto integral = record(diagram, "integral.out", 51), gate = record(diagram, "gate.out", 50);
  double expected = 0.0;
  for (int k = 0; k < 50; ++k) {
    if (gate[k] != 0.0) {
      EXPECT_NEAR(integral[k], expected, 1e-15);
    }
    expected += 1e-3 * gate[k];
  }
}

TEST(Conditions, InnerOnesNeedTheOuterOnes) {
  DiagramBuilder inside = counter();
  DiagramBuilder outer;
  outer.input("inner_gate", SignalType::boolean());
  outer.add("counter", std::move(inside));
  outer.setCondition("counter", when("inner_gate"));
  outer.output("count", "counter.count");
  DiagramBuilder b;
  addGate(b);
  b.add("always", library(), "Compare", {{"operation", "<"}, {"value", 2.0}});
  b.connect("wave", "always.a");
  b.add("outer", std::move(outer));
  b.connect("always", "outer.inner_gate");
  b.setCondition("outer", when("gate"));
  const Diagram diagram = b.build({.step = 1e-3});
  EXPECT_EQ(record(diagram, "outer.counter.sum.out", 50).back(),
            record(gatedCounter(when("gate")).build({.step = 1e-3}), "count", 50).back());
}

TEST(Conditions, ARestoredRunGoesOnBitForBit) {
  RunCondition condition = when("gate", Kind::rises);
  condition.restart = true;
  const Diagram diagram = gatedCounter(condition).build({.step = 1e-3});
  Context context = diagram.makeContext();
  for (int k = 0; k < 13; ++k) diagram.step(context);
  std::stringstream saved;
  context.save(saved);
  Context restored = diagram.makeContext();
  restored.load(saved, "memory");
  for (int k = 0; k < 40; ++k) {
    diagram.step(context);
    diagram.step(restored);
  }
  EXPECT_EQ(bitsOf(context), bitsOf(restored));
}

TEST(Conditions, WhatDecidesAboutItselfIsRefused) {
  DiagramBuilder b;
  b.add("one", library(), "Constant", {{"value", 1.0}});
  b.add("twice", library(), "Gain", {{"factor", 2.0}});
  b.connect("one", "twice");
  b.setCondition("twice", when("twice.out"));
  const std::string message = messageOf([&] { b.build({.step = 1e-3, .solve_loops = true}); });
  EXPECT_NE(message.find("twice.out → condition of twice"), std::string::npos) << message;
  EXPECT_NE(message.find("Delay"), std::string::npos) << message;
}

TEST(Conditions, AVectorIsNoCondition) {
  DiagramBuilder b;
  b.add("two", library(), "Constant", {{"value", list({1, 2})}});
  b.add("twice", library(), "Gain", {{"factor", 2.0}});
  b.connect("two", "twice");
  b.setCondition("twice", when("two"));
  const std::string message = messageOf([&] { b.build(); });
  EXPECT_NE(message.find("'two.out' cannot go into 'condition of twice'"), std::string::npos) << message;
}

TEST(Conditions, MergeTakesTheBranchThatRuns) {
  DiagramBuilder b;
  addGate(b);
  for (const double value : {1.0, 2.0}) {
    DiagramBuilder branch;
    branch.add("value", library(), "Constant", {{"value", value}});
    branch.output("out", "value");
    const std::string name = value == 1.0 ? "then" : "else";
    b.add(name, std::move(branch));
    b.setCondition(name, when("gate", value == 1.0 ? Kind::is_true : Kind::is_false));
  }
  b.add("merge", library(), "Merge");
  b.connect("then", "merge.in1");
  b.connect("else", "merge.in2");
  const Diagram diagram = b.build({.step = 1e-3});
  const auto merged = record(diagram, "merge.out", 50), gate = record(diagram, "gate.out", 50);
  for (int k = 0; k < 50; ++k) EXPECT_EQ(merged[k], gate[k] != 0.0 ? 1.0 : 2.0) << "instant " << k;
}

TEST(Conditions, MergeKeepsItsValueWhileNobodyRuns) {
  DiagramBuilder b;
  addGate(b);
  b.add("clock", library(), "Clock");
  b.add("held", library(), "Gain", {{"factor", 1.0}});
  b.connect("clock", "held");
  b.setCondition("held", when("gate", Kind::rises));
  b.add("merge", library(), "Merge", {{"inputs", 1}, {"initial", -7.0}});
  b.connect("held", "merge.in1");
  const auto merged = record(b.build({.step = 1e-3}), "merge.out", 50);
  EXPECT_EQ(merged[0], -7.0);
  EXPECT_NEAR(merged[25], 0.0105, 0.001);
  EXPECT_NEAR(merged[49], 0.0305, 0.001);
}

// --- names of signals
// --------------------------------------------------------------------------------------------------

TEST(Tags, AreKnownInTheirDiagramAndInside) {
  DiagramBuilder inside;
  inside.add("twice", library(), "Gain", {{"factor", 2.0}});
  inside.connect("<level>", "twice");
  inside.output("out", "twice");
  DiagramBuilder b;
  b.add("three", library(), "Constant", {{"value", 3.0}});
  b.connect("three", "<level>");
  b.add("inside", std::move(inside));
  b.add("again", library(), "Gain", {{"factor", 1.0}});
  b.connect("<level>", "again");
  const Diagram diagram = b.build();
  Context context = diagram.makeContext();
  diagram.evaluate(context);
  EXPECT_EQ(context.signal("inside.twice.out")[0], 6.0);
  EXPECT_EQ(context.signal("again.out")[0], 3.0);
}

TEST(Tags, UnknownAndDoubleNamesAreRefused) {
  DiagramBuilder b;
  b.add("three", library(), "Constant", {{"value", 3.0}});
  b.add("again", library(), "Gain", {{"factor", 1.0}});
  b.connect("three", "<level>");
  EXPECT_NE(messageOf([&] { b.connect("again", "<level>"); }).find("two signals are named '<level>'"),
            std::string::npos);
  EXPECT_NE(messageOf([&] { b.connect("again", "<a b>"); }).find("cannot be the name"), std::string::npos);
  b.connect("<levle>", "again");
  const std::string message = messageOf([&] { b.build(); });
  EXPECT_NE(message.find("nothing was named '<levle>'"), std::string::npos) << message;
  EXPECT_NE(message.find("<level>"), std::string::npos) << message;
}

// --- state machines
// ------------------------------------------------------------------------------------------------------

Parameters lamp() {
  const auto go = [](const char* from, const char* to, const char* condition) {
    return ParameterValue(ParameterValue::Map{{"from", from}, {"to", to}, {"when", condition}});
  };
  return {
      {"states", texts({"red", "green", "yellow"})},
      {"start", "red"},
      {"inputs", texts({"cars"})},
      {"transitions", ParameterValue::List{go("red", "green", "cars > 2 and t >= 0.01"),
                                           go("green", "yellow", "t >= 0.005"), go("yellow", "red", "t >= 0.002")}},
      {"values", ParameterValue::Map{{"speed", ParameterValue::Map{{"red", 0.0}, {"green", 50.0}, {"yellow", 20.0}}}}}};
}

TEST(StateMachine, GoesWhereItsConditionsLead) {
  DiagramBuilder b;
  b.add("cars", library(), "Step", {{"time", "20 ms"}, {"after", 3.0}});
  b.add("lamp", library(), "StateMachine", lamp());
  b.connect("cars", "lamp.cars");
  const Diagram diagram = b.build({.step = 1e-3});
  const auto states = record(diagram, "lamp.state", 40), speed = record(diagram, "lamp.speed", 40);
  const auto green = record(diagram, "lamp.green", 40);
  for (int k = 0; k < 40; ++k) {
    // Cars are there from instant 20; the new state is seen one instant later, for 5, 2 and 10 ms and one instant each.
    const double expected = k <= 20 ? 0.0 : k <= 25 ? 1.0 : k <= 27 ? 2.0 : k <= 37 ? 0.0 : 1.0;
    EXPECT_EQ(states[k], expected) << "instant " << k;
    EXPECT_EQ(green[k], expected == 1.0 ? 1.0 : 0.0);
    EXPECT_EQ(speed[k], expected == 0.0 ? 0.0 : expected == 1.0 ? 50.0 : 20.0);
  }
}

TEST(StateMachine, SwitchesSubdiagrams) {
  DiagramBuilder b;
  b.add("cars", library(), "Constant", {{"value", 5.0}});
  b.add("lamp", library(), "StateMachine", lamp());
  b.connect("cars", "lamp.cars");
  b.add("counter", counter());
  b.setCondition("counter", when("lamp.yellow"));
  const Diagram diagram = b.build({.step = 1e-3});
  const auto yellow = record(diagram, "lamp.yellow", 60);
  EXPECT_EQ(record(diagram, "counter.sum.out", 60).back(), std::accumulate(yellow.begin(), yellow.end(), 0.0));
}

TEST(StateMachine, SaysWhatIsWrong) {
  const auto problem = [](const char* name, const ParameterValue& value) {
    Parameters p = lamp();
    p.set(name, value);
    p.block = "lamp (StateMachine)";
    return messageOf([&] { library().make("StateMachine", p); });
  };
  const auto entry = [](const char* from, const char* to, const char* condition) {
    return ParameterValue::List{ParameterValue(ParameterValue::Map{{"from", from}, {"to", to}, {"when", condition}})};
  };
  EXPECT_NE(problem("start", "rad").find("names a state 'rad'"), std::string::npos) << problem("start", "rad");
  EXPECT_NE(problem("transitions", entry("red", "blue", "t > 1")).find("'blue'"), std::string::npos);
  EXPECT_NE(problem("transitions", entry("red", "green", "card > 1")).find("unknown name 'card'"), std::string::npos);
  EXPECT_NE(problem("transitions", "red").find("is no list"), std::string::npos);
  EXPECT_NE(problem("states", texts({"red", "time"})).find("taken"), std::string::npos);
  const ParameterValue::Map partial{{"speed", ParameterValue::Map{{"red", 0.0}}}};
  EXPECT_NE(problem("values", partial).find("does not say what 'speed' is in the state 'green'"), std::string::npos);
}

// --- algebraic loops
// -------------------------------------------------------------------------------------------------------

/// x = source + factor x
DiagramBuilder linearLoop(double factor) {
  DiagramBuilder b;
  b.add("source", library(), "Clock");
  b.add("sum", library(), "Sum");
  b.add("gain", library(), "Gain", {{"factor", factor}});
  b.connect("source", "sum.in1");
  b.connect("gain", "sum.in2");
  b.connect("sum", "gain");
  return b;
}

TEST(AlgebraicLoops, AreRefusedUnlessAskedFor) {
  const std::string message = messageOf([] { linearLoop(0.5).build(); });
  EXPECT_NE(message.find("algebraic loop"), std::string::npos) << message;
  EXPECT_NE(message.find("algebraic_loops: solve"), std::string::npos) << message;
}

TEST(AlgebraicLoops, ALinearOneIsSolvedAlsoWhereIterationWouldDiverge) {
  for (const double factor : {0.5, -3.0, 10.0}) {
    const Diagram diagram = linearLoop(factor).build({.step = 1e-2, .solve_loops = true});
    Context context = diagram.makeContext();
    for (int k = 0; k < 20; ++k) {
      diagram.step(context);
      EXPECT_NEAR(context.signal("sum.out")[0], 0.01 * k / (1.0 - factor), 1e-12) << factor;
    }
  }
}

TEST(AlgebraicLoops, ANonlinearOneIsSolvedByNewtonsMethod) {
  DiagramBuilder b;
  b.add("f", library(), "Function", {{"formula", "cos(u)"}});
  b.add("zero", library(), "Constant", {{"value", 0.0}});
  b.add("sum", library(), "Sum");
  b.connect("zero", "sum.in1");
  b.connect("f", "sum.in2");
  b.connect("sum", "f");
  const Diagram diagram = b.build({.solve_loops = true});
  Context context = diagram.makeContext();
  diagram.step(context);
  EXPECT_NEAR(context.signal("f.out")[0], 0.73908513321516064, 1e-12) << "Dottie's number";
}

TEST(AlgebraicLoops, OneInsideOfAnIntegrationKeepsItsOrder) {
  // ẋ = y, y = −x − y/2 − … solved for y:  y = −x/1.5, so that x = exp(−t/1.5).
  DiagramBuilder b;
  b.add("x", library(), "Integrator", {{"initial", 1.0}});
  b.add("sum", library(), "Sum", {{"signs", "--"}});
  b.add("half", library(), "Gain", {{"factor", 0.5}});
  b.connect("x.out", "sum.in1");
  b.connect("half", "sum.in2");
  b.connect("sum", "half");
  b.connect("sum", "x.in");
  const Diagram diagram = b.build({.step = 1e-2, .solve_loops = true});
  Context context = diagram.makeContext();
  for (int k = 0; k < 101; ++k) diagram.step(context);
  // rk4: t h⁴/120 · (1/1.5)⁵ is 1.1e-11.
  EXPECT_NEAR(context.signal("x.out")[0], std::exp(-1.0 / 1.5), 2e-11);
}

TEST(AlgebraicLoops, OneWithoutASolutionIsNamed) {
  const Diagram diagram = linearLoop(1.0).build({.step = 1e-2, .solve_loops = true});
  Context context = diagram.makeContext();
  diagram.step(context);  // 0 = 0
  const std::string message = messageOf([&] { diagram.step(context); });
  EXPECT_NE(message.find("algebraic loop through gain, sum could not be solved"), std::string::npos) << message;
}

// --- crossings
// ------------------------------------------------------------------------------------------------------------

/// A ball from a height of 1 m that keeps 80 % of its speed in a bounce.
Diagram ball(const std::string& solver, double step) {
  DiagramBuilder b;
  b.add("gravity", library(), "Constant", {{"value", -9.81}});
  b.add("speed", library(), "Integrator", {{"reset_on", "rise"}});
  b.add("height", library(), "Integrator", {{"initial", 1.0}});
  b.add("below", library(), "Compare", {{"operation", "<"}});
  b.add("bounce", library(), "Gain", {{"factor", -0.8}});
  b.connect("gravity", "speed.in");
  b.connect("speed.out", "height.in");
  b.connect("height.out", "below.a");
  b.connect("below", "speed.reset");
  b.connect("speed.state", "bounce");
  b.connect("bounce", "speed.initial");
  return b.build({.step = step, .solver = solver, .tolerance = 1e-9});
}

TEST(Crossings, ABallBouncesAtTheInstantAtWhichItTouches) {
  const Diagram diagram = ball("rk45", 0.1);
  Context context = diagram.makeContext();
  const double first = std::sqrt(2.0 / 9.81), speed = 9.81 * first;
  for (int k = 0; k <= 20; ++k) {
    diagram.step(context);
    const double t = context.signalTime();
    double start = first, up = 0.8 * speed;
    if (t < first) {
      EXPECT_NEAR(context.signal("height.out")[0], 1.0 - 0.5 * 9.81 * t * t, 1e-12) << t;
      continue;
    }
    while (t > start + 2.0 * up / 9.81) {
      start += 2.0 * up / 9.81;
      up *= 0.8;
    }
    const double flight = t - start;
    // A parabola is exact for rk45; the instants of the bounces are known to rounding.
    EXPECT_NEAR(context.signal("height.out")[0], up * flight - 0.5 * 9.81 * flight * flight, 1e-12) << t;
    EXPECT_NEAR(context.signal("speed.out")[0], up - 9.81 * flight, 1e-11) << t;
  }
}

TEST(Crossings, WithoutThemItBouncesALittleLate) {
  const Diagram exact = ball("rk45", 0.1), fixed = ball("rk4", 1e-3);
  Context a = exact.makeContext(), b = fixed.makeContext();
  for (int k = 0; k < 11; ++k) exact.step(a);
  for (int k = 0; k < 1001; ++k) fixed.step(b);
  const double error = std::abs(a.signal("height.out")[0] - b.signal("height.out")[0]);
  EXPECT_GT(error, 1e-6);
  EXPECT_LT(error, 2e-2) << "a step late, at 4 m/s and 3.5 m/s";
}

TEST(Crossings, AStepBetweenTwoInstantsIsIntegratedExactly) {
  DiagramBuilder b;
  b.add("force", library(), "Step", {{"time", 0.0337}, {"after", 2.0}});
  b.add("x", library(), "Integrator");
  b.connect("force", "x.in");
  const Diagram diagram = b.build({.step = 0.01, .solver = "rk45"});
  Context context = diagram.makeContext();
  for (int k = 0; k < 11; ++k) diagram.step(context);
  EXPECT_NEAR(context.signal("x.out")[0], 2.0 * (0.1 - 0.0337), 2.1e-9) << "it happens 1e-9 early";
}

TEST(Crossings, StepsAreChosenByTheTolerance) {
  // Van der Pol's oscillator with μ = 100: a base step of 0.1 is far too long for it.
  const auto build = [](double tolerance) {
    DiagramBuilder b;
    b.add("x", library(), "Integrator", {{"initial", 2.0}});
    b.add("v", library(), "Integrator");
    b.add("f", library(), "Function", {{"formula", "100*(1 - x^2)*v - x"}, {"inputs", texts({"x", "v"})}});
    b.connect("v.out", "x.in");
    b.connect("x.out", "f.x");
    b.connect("v.out", "f.v");
    b.connect("f", "v.in");
    return b.build({.step = 0.1, .solver = "rk45", .tolerance = tolerance});
  };
  const Diagram rough = build(1e-4), fine = build(1e-9);
  Context a = rough.makeContext(), b = fine.makeContext();
  for (int k = 0; k < 101; ++k) {
    rough.step(a);
    fine.step(b);
  }
  const double error = std::abs(a.signal("x.out")[0] - b.signal("x.out")[0]);
  EXPECT_LT(error, 1e-3);
  EXPECT_GT(error, 0.0);
}

TEST(Crossings, WhatTendsToInfinityIsAnError) {
  DiagramBuilder b;  // ẋ = x²
  b.add("x", library(), "Integrator", {{"initial", 1.0}});
  b.add("square", library(), "Product");
  b.connect("x.out", "square.in1");
  b.connect("x.out", "square.in2");
  b.connect("square", "x.in");
  const Diagram diagram = b.build({.step = 0.1, .solver = "rk45"});
  Context context = diagram.makeContext();
  const std::string message = messageOf([&] {
    for (int k = 0; k < 12; ++k) diagram.step(context);
  });
  EXPECT_NE(message.find("rk45"), std::string::npos) << message;
}

}  // namespace
}  // namespace footfall::test
