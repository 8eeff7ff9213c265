// Every misuse of library blocks gets an error that names the blocks.

#include <gtest/gtest.h>

#include "block_library/library_tools.hpp"

namespace footfall::test {
namespace {

void expectAll(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
}

TEST(Misuse, AnUnknownParameterGetsASuggestion) {
  expectAll(messageOf([] { Rig().add("g", "Gain", {{"factor", 1.0}, {"untit", "N"}}); }), {"g", "untit", "'unit'"});
}

TEST(Misuse, AMissingParameterSaysWhatItIs) {
  expectAll(messageOf([] { Rig().add("g", "Gain"); }), {"factor", "missing"});
}

TEST(Misuse, AnUnknownKindGetsASuggestion) {
  expectAll(messageOf([] { Rig().add("g", "Gian"); }), {"'Gian'", "'Gain'"});
}

TEST(Misuse, AnAlgebraicLoopIsNamedWithItsWholePath) {
  Rig rig;
  rig.add("u", "Clock").add("sum", "Sum", {{"signs", "+-"}}).add("plant", "Gain", {{"factor", 2.0}});
  rig.add("sensor", "Gain", {{"factor", 1.0}});
  rig.connect("u", "sum.in1").connect("sensor", "sum.in2").connect("sum", "plant").connect("plant", "sensor");
  expectAll(messageOf([&] { rig.build(); }),
            {"algebraic loop", "sum.out → plant.in", "plant.out → sensor.in", "sensor.out → sum.in2", "Delay"});
}

TEST(Misuse, DifferentUnitsNameTheBlockAndBothSources) {
  Rig rig;
  rig.add("f", "Constant", {{"value", 1.0}, {"unit", "N"}}).add("x", "Constant", {{"value", 1.0}, {"unit", "m"}});
  rig.add("sum", "Sum").connect("f", "sum.in1").connect("x", "sum.in2");
  expectAll(messageOf([&] { rig.build(); }), {"'sum' (Sum)", "[N] and [m]", "'f.out'", "'x.out'"});
}

TEST(Misuse, AUnitThatAnInputDoesNotTakeNamesBothEnds) {
  Rig rig;
  rig.add("f", "Constant", {{"value", 1.0}, {"unit", "N"}}).add("sin", "Trigonometry", {{"function", "sin"}});
  rig.connect("f", "sin");
  expectAll(messageOf([&] { rig.build(); }), {"f.out", "sin.in", "[N]", "[rad]"});
}

TEST(Misuse, DifferentSizesNameTheBlockAndBothSources) {
  Rig rig;
  rig.add("two", "Constant", {{"value", list({1, 2})}}).add("three", "Constant", {{"value", list({1, 2, 3})}});
  rig.add("max", "Max").connect("two", "max.in1").connect("three", "max.in2");
  expectAll(messageOf([&] { rig.build(); }), {"'max' (Max)", "vector of 2", "vector of 3", "'two.out'", "'three.out'"});
}

TEST(Misuse, ArithmeticWithABusSaysWhatToDo) {
  Rig rig;
  rig.add("one", "Constant", {{"value", 1.0}});
  rig.add("bus", "BusCreate", {{"fields", texts({"a"})}}).connect("one", "bus.a");
  rig.add("gain", "Gain", {{"factor", 1.0}}).connect("bus", "gain");
  expectAll(messageOf([&] { rig.build(); }), {"'gain' (Gain)", "bus", "field of the bus"});
}

TEST(Misuse, AFieldThatTheBusDoesNotHaveGetsASuggestion) {
  Rig rig;
  rig.add("one", "Constant", {{"value", 1.0}});
  rig.add("bus", "BusCreate", {{"fields", texts({"position"})}}).connect("one", "bus.position");
  rig.add("part", "BusSelect", {{"fields", texts({"positon"})}}).connect("bus", "part");
  expectAll(messageOf([&] { rig.build(); }), {"'part' (BusSelect)", "'positon'", "did you mean 'position'?"});
}

TEST(Misuse, SwappedLimitsAndImproperFractionsAreRefused) {
  expectAll(messageOf([] {
              Rig().add("s", "Saturation", {{"lower", 2.0}, {"upper", 1.0}});
            }),
            {"s", "lower", "swapped"});
  const Parameters improper{{"numerator", list({1, 0, 0})}, {"denominator", list({1, 1})}};
  expectAll(messageOf([&] { Rig().add("h", "TransferFunction", improper); }), {"h", "numerator", "degree 2"});
}

}  // namespace
}  // namespace footfall::test
