#include "footfall/block_library/sinks.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "block_library/library_tools.hpp"
#include "footfall/log/log_reader.hpp"

namespace footfall::test {
namespace {

TEST(Scope, KeepsTheNewestSamplesOfAllInputs) {
  Rig rig;
  rig.add("clock", "Clock").add("two", "Gain", {{"factor", list({2, 3})}}).connect("clock", "two");
  rig.add("scope", "Scope", {{"inputs", texts({"t", "more"})}, {"capacity", 4}});
  const Diagram diagram = rig.connect("clock", "scope.t").connect("two", "scope.more").build();
  Context context = diagram.makeContext();
  for (int k = 0; k < 3; ++k) diagram.step(context);
  EXPECT_EQ(scopeSamples(diagram, context, "scope").count(), 3u);
  for (int k = 0; k < 8; ++k) diagram.step(context);
  const ScopeSamples& samples = scopeSamples(diagram, context, "scope");
  ASSERT_EQ(samples.count(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    const double t = 1e-3 * static_cast<double>(7 + k);
    EXPECT_DOUBLE_EQ(samples.time(k), t);
    EXPECT_EQ(samples.values(k), samples.time(k) * vec({1, 2, 3}));
  }
}

TEST(Scope, SeesWholeStepsOnlyOfContinuousSignals) {
  Rig rig;
  rig.add("one", "Constant", {{"value", 1.0}}).add("x", "Integrator").connect("one", "x.in");
  const Diagram diagram = rig.add("scope", "Scope").connect("x", "scope").build(0.5);
  Context context = diagram.makeContext();
  for (int k = 0; k < 4; ++k) diagram.step(context);
  ASSERT_EQ(scopeSamples(diagram, context, "scope").count(), 4u);
  EXPECT_EQ(scopeSamples(diagram, context, "scope").values(3)[0], 1.5);
}

TEST(Scope, IsNotConfusedWithOtherBlocks) {
  const Diagram diagram = Rig().add("clock", "Clock").build();
  Context context = diagram.makeContext();
  EXPECT_NE(messageOf([&] { scopeSamples(diagram, context, "clock"); }).find("'clock' is no Scope"), std::string::npos);
}

TEST(Viewer, HasTheNewestValues) {
  const Diagram diagram = Rig().add("clock", "Clock").add("view", "Viewer").connect("clock", "view").build();
  Context context = diagram.makeContext();
  for (int k = 0; k < 3; ++k) diagram.step(context);
  EXPECT_EQ(viewedValues(diagram, context, "view").time, 2e-3);
  EXPECT_EQ(viewedValues(diagram, context, "view").values, vec({2e-3}));
}

TEST(LogBlock, WritesSignalsAndFieldsOfBusesWithTheirUnits) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("footfall_block_log_" + std::to_string(::getpid()) + ".csv");
  {
    Rig rig;
    rig.add("force", "Constant", {{"value", list({1, 2})}, {"unit", "N"}}).add("clock", "Clock");
    rig.add("bus", "BusCreate", {{"fields", texts({"f", "t"})}}).connect("force", "bus.f").connect("clock", "bus.t");
    rig.add("log", "Log", {{"file", path}, {"inputs", texts({"wrench", "time_again"})}, {"sample", "10 ms"}});
    const Diagram diagram = rig.connect("bus", "log.wrench").connect("clock", "log.time_again").build();
    Context context = diagram.makeContext();
    for (int k = 0; k < 30; ++k) diagram.step(context);
  }
  const auto log = openLog(path);
  EXPECT_EQ(log->columns(), (std::vector<std::string>{"time", "wrench.f.0", "wrench.f.1", "wrench.t", "time_again"}));
  EXPECT_EQ(log->unit(1), "N");
  EXPECT_EQ(log->unit(3), "s");
  EXPECT_EQ(log->rows(), 3u);
  EXPECT_EQ(log->row(2), (std::vector<double>{0.02, 1, 2, 0.02, 0.02}));
  std::filesystem::remove(path);
}

/// The clock, compared with a limit, into a sink.
Diagram watched(const std::string& kind, const Parameters& parameters, const std::string& operation) {
  Rig rig;
  rig.add("clock", "Clock").add("limit", "Compare", {{"operation", operation}, {"value", 0.0045}});
  rig.connect("clock", "limit.a").add("end", kind, parameters).connect("limit", "end");
  return rig.build();
}

TEST(StopWhen, EndsTheRunWithItsReason) {
  const Diagram diagram = watched("StopWhen", {{"reason", "late"}}, ">");
  Context context = diagram.makeContext();
  while (diagram.step(context)) {
  }
  EXPECT_EQ(context.stopReason(), "late");
  EXPECT_EQ(context.time(), 5e-3);
}

TEST(Assert, IsAnErrorThatNamesTheBlockAndTheTime) {
  const Diagram diagram = watched("Assert", {{"message", "it is too late"}}, "<");
  Context context = diagram.makeContext();
  const std::string message = messageOf([&] {
    for (int k = 0; k < 10; ++k) diagram.step(context);
  });
  EXPECT_NE(message.find("block 'end' (Assert), t = 0.005 s: it is too late"), std::string::npos) << message;
}

}  // namespace
}  // namespace footfall::test
