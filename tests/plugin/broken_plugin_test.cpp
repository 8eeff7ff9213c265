// A plug-in that does not work is named, with the reason, and disturbs nobody.

#include "command/command_fixture.hpp"

namespace footfall::test {
namespace {

const std::string kBroken = "FOOTFALL_PLUGIN_PATH='" FOOTFALL_BROKEN_PLUGINS "'";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class BrokenPlugins : public Command {};

TEST_F(BrokenPlugins, AreReportedByTheListOfBlocks) {
  const Outcome outcome = call("blocks", kBroken);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "libfootfall_block_old.so: it was built for version 0.0.1, this is ")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "libfootfall_block_thrower.so: the licence has expired")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "libfootfall_block_empty.so") && has(outcome.err, "footfall_add_blocks")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "libfootfall_block_text.so")) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "kinds of blocks")) << "the others are there";
}

TEST_F(BrokenPlugins, ThatWereBuiltWithOtherHeadersAreNotTouched) {
  const Outcome outcome = call("blocks", kBroken);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "libfootfall_block_strange.so: it was built with headers 000000000000, Eigen ") &&
              has(outcome.err, "build it anew with the headers that belong to this library"))
      << outcome.err;
  EXPECT_TRUE(has(outcome.err, "libfootfall_block_silent.so: it does not say which headers it was built with"))
      << outcome.err;
}

TEST_F(BrokenPlugins, ThatAlignMemoryOtherwiseAreNotTouched) {
  const Outcome outcome = call("run scene.yaml --set physics.solver=wide", kBroken);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(has(outcome.err, "aligned to 64 bytes, this library with headers ") && has(outcome.err, "-march=native"))
      << outcome.err;
}

TEST_F(BrokenPlugins, AreReportedByTheDoctor) {
  const Outcome outcome = call("doctor", kBroken);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "it was built for version 0.0.1")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "the licence has expired")) << outcome.out;
}

TEST_F(BrokenPlugins, DoNotDisturbARun) {
  EXPECT_EQ(call("run scene.yaml --quiet --duration 0.01", kBroken).exit_code, 0);
}

TEST_F(BrokenPlugins, AreNamedWhenADiagramAsksForTheirBlocks) {
  write("d.yaml", "blocks: {a: OldBlock}\n");
  const Outcome outcome = call("diagram d.yaml", kBroken);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(has(outcome.err, "d.yaml:1: there is no kind of block 'OldBlock'")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "libfootfall_block_old.so: it was built for version 0.0.1")) << outcome.err;
}

TEST_F(BrokenPlugins, AreNamedWhenAPartThrows) {
  const Outcome outcome = call("run scene.yaml --set physics.solver=thrower", kBroken);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(has(outcome.err, "libfootfall_solver_thrower.so: the solver 'thrower' could not be made: no such device"))
      << outcome.err;
}

}  // namespace
}  // namespace footfall::test
