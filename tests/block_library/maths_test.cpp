// Blocks without memory, point by point.

#include <gtest/gtest.h>

#include <cmath>

#include "block_library/library_tools.hpp"

namespace footfall::test {
namespace {

TEST(Gain, TakesNumbersListsAndMatrices) {
  EXPECT_EQ(valueOf("Gain", {{"factor", 2.0}}, {{"in", list({1, 2, 3})}}), vec({2, 4, 6}));
  EXPECT_EQ(valueOf("Gain", {{"factor", list({1, 10, 100})}}, {{"in", list({1, 2, 3})}}), vec({1, 20, 300}));
  EXPECT_EQ(valueOf("Gain", {{"factor", list({1, 10})}}, {{"in", 3.0}}), vec({3, 30}));
  EXPECT_EQ(valueOf("Gain", {{"factor", rows({{1, 2, 3}, {0, 1, 0}})}}, {{"in", list({1, 2, 3})}}), vec({14, 2}));
  EXPECT_EQ(valueOf("Gain", {{"factor", rows({{1, 1}})}}, {{"in", rows({{1, 2}, {3, 4}})}}), vec({4, 6}));
}

TEST(Sum, FollowsItsSigns) {
  EXPECT_EQ(numberOf("Sum", {{"signs", "+-+"}}, {{"in1", 5.0}, {"in2", 3.0}, {"in3", 1.0}}), 3.0);
  EXPECT_EQ(numberOf("Sum", {{"signs", "-"}}, {{"in1", 5.0}}), -5.0);
  EXPECT_EQ(valueOf("Sum", {}, {{"in1", list({1, 2})}, {"in2", 10.0}}), vec({11, 12}));
}

TEST(Arithmetic, WorksElementByElement) {
  EXPECT_EQ(valueOf("Product", {}, {{"in1", list({1, 2})}, {"in2", list({3, 4})}}), vec({3, 8}));
  EXPECT_EQ(valueOf("Divide", {}, {{"in1", list({1, 2})}, {"in2", 4.0}}), vec({0.25, 0.5}));
  EXPECT_EQ(valueOf("Min", {}, {{"in1", list({1, 5})}, {"in2", 3.0}}), vec({1, 3}));
  EXPECT_EQ(valueOf("Max", {{"inputs", 3}}, {{"in1", list({1, 5})}, {"in2", 3.0}, {"in3", 4.0}}), vec({4, 5}));
  EXPECT_EQ(valueOf("Abs", {}, {{"in", list({-1, 2})}}), vec({1, 2}));
  EXPECT_EQ(valueOf("Sign", {}, {{"in", list({-3, 0, 2})}}), vec({-1, 0, 1}));
  EXPECT_EQ(valueOf("Sqrt", {}, {{"in", list({4, 9})}}), vec({2, 3}));
  EXPECT_DOUBLE_EQ(numberOf("Trigonometry", {{"function", "atan"}}, {{"in", 1.0}}), std::atan(1.0));
}

TEST(Function, EvaluatesItsFormulaOfNamedInputs) {
  const Parameters parameters{{"formula", "2*a + sin(b)^2"}, {"inputs", texts({"a", "b"})}};
  const VectorXd value = valueOf("Function", parameters, {{"a", list({1, 2})}, {"b", 0.5}});
  EXPECT_DOUBLE_EQ(value[0], 2.0 + std::pow(std::sin(0.5), 2.0));
  EXPECT_DOUBLE_EQ(value[1], 4.0 + std::pow(std::sin(0.5), 2.0));
}

TEST(Function, NamesThePlaceThatIsWrong) {
  const std::string message = messageOf([] { library().make("Function", {{"formula", "2*sinn(u)"}}); });
  EXPECT_NE(message.find("unknown function 'sinn' at position 3"), std::string::npos) << message;
  EXPECT_NE(message.find("did you mean 'sin'?"), std::string::npos) << message;
}

TEST(LinearAlgebra, MultipliesTransposesAndMeasures) {
  const ParameterValue A = rows({{1, 2, 3}, {4, 5, 6}}), B = rows({{1, 0}, {0, 1}, {2, 2}});
  EXPECT_EQ(valueOf("MatrixMultiply", {}, {{"a", A}, {"b", B}}), vec({7, 16, 8, 17}));
  EXPECT_EQ(valueOf("MatrixMultiply", {}, {{"a", A}, {"b", list({1, 1, 1})}}), vec({6, 15}));
  EXPECT_EQ(valueOf("Transpose", {}, {{"in", A}}), vec({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(numberOf("Dot", {}, {{"a", list({1, 2})}, {"b", list({3, 4})}}), 11.0);
  EXPECT_EQ(valueOf("Cross", {}, {{"a", list({1, 0, 0})}, {"b", list({0, 1, 0})}}), vec({0, 0, 1}));
  EXPECT_EQ(numberOf("Norm", {}, {{"in", list({3, 4})}}), 5.0);
}

TEST(Logic, ComparesAndJoins) {
  const auto compare = [](const char* operation, double a, double b) {
    return numberOf("Compare", {{"operation", operation}}, {{"a", a}, {"b", b}}) == 1.0;
  };
  EXPECT_TRUE(compare("<", 1, 2) && !compare("<", 2, 2) && compare("<=", 2, 2) && !compare("<=", 3, 2));
  EXPECT_TRUE(compare(">", 3, 2) && !compare(">", 2, 2) && compare(">=", 2, 2) && !compare(">=", 1, 2));
  EXPECT_TRUE(compare("==", 2, 2) && !compare("==", 1, 2) && compare("!=", 1, 2) && !compare("!=", 2, 2));

  Rig rig;
  rig.add("one", "Constant", {{"value", 1.0}});
  rig.add("yes", "Compare", {{"operation", ">"}}).connect("one", "yes.a");
  rig.add("no", "Not").connect("yes", "no");
  rig.add("and", "And").connect("yes", "and.in1").connect("no", "and.in2");
  rig.add("or", "Or").connect("yes", "or.in1").connect("no", "or.in2");
  rig.add("switch", "Switch").connect("no", "switch.if").connect("one", "switch.else");
  rig.add("two", "Constant", {{"value", 2.0}}).connect("two", "switch.then");
  const Diagram diagram = rig.build();
  Context context = diagram.makeContext();
  diagram.evaluate(context);
  EXPECT_EQ(context.signal("and.out")[0], 0.0);
  EXPECT_EQ(context.signal("or.out")[0], 1.0);
  EXPECT_EQ(context.signal("switch.out")[0], 1.0);
}

TEST(Saturation, ClampsEachElement) {
  const Parameters limits{{"lower", -1.0}, {"upper", list({2, 3, 4})}};
  EXPECT_EQ(valueOf("Saturation", limits, {{"in", list({-5, 2.5, 9})}}), vec({-1, 2.5, 4}));
}

TEST(DeadZone, IsZeroInsideAndContinuousAtItsEnds) {
  const Parameters zone{{"start", -1.0}, {"end", 2.0}};
  EXPECT_EQ(valueOf("DeadZone", zone, {{"in", list({-3, -1, 0, 2, 2.5})}}), vec({-2, 0, 0, 0, 0.5}));
}

TEST(Quantizer, RoundsToTheNearest) {
  EXPECT_EQ(valueOf("Quantizer", {{"interval", 0.5}}, {{"in", list({0.2, 0.3, -0.74})}}), vec({0, 0.5, -0.5}));
}

TEST(LookupTable, InterpolatesAndClipsOrGoesOn) {
  Parameters table{{"x", list({0, 1, 3})}, {"y", list({10, 20, 0})}};
  EXPECT_EQ(valueOf("LookupTable", table, {{"in", list({-1, 0, 0.5, 1, 2, 3, 4})}}), vec({10, 10, 15, 20, 10, 0, 0}));
  table.set("beyond", "linear");
  EXPECT_EQ(valueOf("LookupTable", table, {{"in", list({-1, 4})}}), vec({0, -10}));
}

TEST(LookupTable2D, IsBilinear) {
  const Parameters table{{"x", list({0, 1})}, {"y", list({0, 2, 4})}, {"z", rows({{0, 2, 4}, {10, 12, 20}})}};
  EXPECT_EQ(numberOf("LookupTable2D", table, {{"x", 0.5}, {"y", 1.0}}), 6.0);
  EXPECT_EQ(numberOf("LookupTable2D", table, {{"x", 1.0}, {"y", 3.0}}), 16.0);
  EXPECT_EQ(numberOf("LookupTable2D", table, {{"x", 9.0}, {"y", -9.0}}), 10.0) << "clipped";
}

TEST(Routing, JoinsCutsAndPicks) {
  EXPECT_EQ(valueOf("Mux", {{"inputs", 3}}, {{"in1", 1.0}, {"in2", list({2, 3})}, {"in3", 4.0}}), vec({1, 2, 3, 4}));
  EXPECT_EQ(valueOf("Demux", {{"sizes", list({1, 2})}}, {{"in", list({1, 2, 3})}}, "out2"), vec({2, 3}));
  EXPECT_EQ(valueOf("Select", {{"indices", list({2, 0, 2})}}, {{"in", list({1, 2, 3})}}), vec({3, 1, 3}));
  EXPECT_EQ(valueOf("Reshape", {{"rows", 2}, {"columns", 2}}, {{"in", list({1, 2, 3, 4})}}), vec({1, 2, 3, 4}));
}

TEST(Buses, AreMadeTakenApartAndChanged) {
  Rig rig;
  rig.add("v", "Constant", {{"value", list({1, 2})}, {"unit", "m"}});
  rig.add("s", "Constant", {{"value", 3.0}});
  rig.add("inner", "BusCreate", {{"fields", texts({"p", "q"})}}).connect("v", "inner.p").connect("s", "inner.q");
  rig.add("outer", "BusCreate", {{"fields", texts({"s", "state"})}});
  rig.connect("s", "outer.s").connect("inner", "outer.state");
  rig.add("nine", "Constant", {{"value", 9.0}});
  rig.add("changed", "BusAssign", {{"fields", texts({"state.q"})}});
  rig.connect("outer", "changed.bus").connect("nine", "changed.state_q");
  rig.add("parts", "BusSelect", {{"fields", texts({"state.p", "state.q"})}}).connect("changed", "parts");
  const Diagram diagram = rig.build();
  Context context = diagram.makeContext();
  diagram.evaluate(context);
  EXPECT_EQ(context.signal("changed.out"), vec({3, 1, 2, 9}));
  EXPECT_EQ(context.signal("parts.p"), vec({1, 2}));
  EXPECT_EQ(context.signalType("parts.p").unit, "m");
  EXPECT_EQ(context.signal("parts.q"), vec({9}));
  EXPECT_EQ(context.signal("outer.out.state.q"), vec({3})) << "the first bus stays as it was";
}

}  // namespace
}  // namespace footfall::test
