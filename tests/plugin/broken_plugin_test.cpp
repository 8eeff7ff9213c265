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
  EXPECT_TRUE(has(outcome.out, "does not work: it does not export footfall_make_solver()")) << outcome.out;
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

TEST_F(BrokenPlugins, AreNamedWhenAGroundFails) {
  const std::string file = "libfootfall_terrain_faulty.so: the terrain 'faulty' ";
  const std::pair<int, std::string> faults[] = {
      {1, "could not be made: something that is no std::exception"},
      {2, "threw an exception: the map has a hole"},
      {3, "threw an exception: something that is no std::exception"},
      {4, "m: friction is -1, expected 0 or more"},
      {5, "m: friction is nan, expected 0 or more"},
      {6, "m: R_WC is no rotation, expected three right-handed axes of length 1"},
      {7, "m: R_WC is no rotation"},
      {8, "m: gap is not a number, expected a distance [m]"}};
  for (const auto& [fault, message] : faults) {
    const Outcome outcome =
        call("run scene.yaml --quiet --set ground.shape=faulty --set ground.parameters.fault=" + std::to_string(fault),
             kBroken);
    EXPECT_EQ(outcome.exit_code, 2) << fault;
    EXPECT_TRUE(has(outcome.err, file) && has(outcome.err, message)) << outcome.err;
  }
  const Outcome sound = call("run scene.yaml --quiet --duration 0.01 --set ground.shape=faulty", kBroken);
  EXPECT_EQ(sound.exit_code, 0) << sound.err;
}

TEST_F(BrokenPlugins, AreNamedWhenASolverFails) {
  const Outcome thrown = call("run scene.yaml --quiet --set physics.solver=faulty", kBroken);
  EXPECT_EQ(thrown.exit_code, 2);
  EXPECT_TRUE(has(thrown.err, "the solver 'faulty' threw an exception: something that is no std::exception"))
      << thrown.err;
  const Outcome vague = call("run scene.yaml --quiet --set physics.solver=vague", kBroken);
  EXPECT_EQ(vague.exit_code, 2);
  EXPECT_TRUE(has(vague.err, "the solver 'vague' says that it has solved a problem with a residual of nan"))
      << vague.err;
}

TEST_F(BrokenPlugins, AreNamedWhenAContactModelOrAnIntegratorThrows) {
  const Outcome contact = call("run scene.yaml --quiet --set physics.contact=faulty", kBroken);
  EXPECT_EQ(contact.exit_code, 2);
  EXPECT_TRUE(has(contact.err, "the contact 'faulty' threw an exception: no stiffness is known")) << contact.err;
  write("fall.yaml",
        "robot: {model: robot.urdf, base: {position: [0, 0, 9]}}\n"
        "physics: {integrator: faulty}\n");
  const Outcome integrator = call("run fall.yaml --quiet", kBroken);
  EXPECT_EQ(integrator.exit_code, 2);
  EXPECT_TRUE(has(integrator.err, "the integrator 'faulty' threw an exception: the tableau is empty"))
      << integrator.err;
}

TEST_F(BrokenPlugins, AreNamedWithTheBlockThatThrows) {
  const std::pair<std::string, std::string> faults[] = {{"constructor", "threw while it was made: no such device"},
                                                        {"declare", "threw: no such port"},
                                                        {"initialize", "threw: something that is no std::exception"},
                                                        {"outputs", "threw: the line is dead"},
                                                        {"number", "threw: something that is no std::exception"}};
  for (const auto& [where, message] : faults) {
    write("d.yaml", "run: {duration: 1 s}\nblocks:\n  a: {block: FaultyBlock, where: " + where + "}\n");
    const Outcome outcome = call("run d.yaml --quiet", kBroken);
    EXPECT_EQ(outcome.exit_code, 2) << where;
    EXPECT_TRUE(has(outcome.err, "d.yaml:3: block ") && has(outcome.err, "(FaultyBlock)") &&
                has(outcome.err, "libfootfall_block_faulty.so") && has(outcome.err, message))
        << outcome.err;
  }
}

}  // namespace
}  // namespace footfall::test
