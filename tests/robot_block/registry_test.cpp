#include <optional>

#include "footfall/base/error.hpp"
#include "model/error_of.hpp"
#include "robot_block/block_tools.hpp"

namespace footfall {
namespace {

using physics::sceneFile;

std::vector<std::string> namesOfRobotBlocks() {
  BlockRegistry registry;
  addRobotBlocks(registry);
  std::vector<std::string> names;
  for (const BlockRegistry::Kind* kind : registry.kinds()) names.push_back(kind->description.name);
  return names;
}

class EveryRobotBlock : public testing::TestWithParam<std::string> {};

TEST_P(EveryRobotBlock, SaysWhatItDoesAndWhatItsParametersMean) {
  BlockRegistry registry;
  addRobotBlocks(registry);
  const BlockDescription& description = registry.get(GetParam()).description;
  EXPECT_FALSE(description.category.empty());
  EXPECT_FALSE(description.summary.empty());
  for (const ParameterDescription& parameter : description.parameters) {
    EXPECT_FALSE(parameter.help.empty()) << parameter.name;
    EXPECT_TRUE(parameter.required || !parameter.fallback.empty()) << parameter.name;
  }
  for (const PortDescription& port : description.inputs) EXPECT_FALSE(port.help.empty()) << port.name;
  for (const PortDescription& port : description.outputs) EXPECT_FALSE(port.help.empty()) << port.name;
}

/// What blocks need in order to be made for iCub.
Parameters neededParameters(const std::string& kind) {
  if (kind == "ForceTorque") return {{"joint", "l_knee"}};
  if (kind == "BalancingPlan") return {{"swing", "r_sole"}};
  return {{"frame", "l_sole"}};
}

TEST_P(EveryRobotBlock, DescribesExactlyThePortsThatItHas) {
  BlockRegistry registry;
  addRobotBlocks(registry);
  const BlockRegistry::Kind& kind = registry.get(GetParam());
  if (!kind.make || GetParam() == "Sensors") return;  // ports follow from parameters or from the scene
  Scene scene = sceneFile("icub_motors.yaml");
  if (GetParam() == "ComputedTorque") {
    scene = sceneFile("icub.yaml");
    scene.robot.fixed_base = true;
    scene.robot.on_ground = false;
    scene.robot.base_position.z() = 2.0;
  }
  Parameters parameters;
  for (const ParameterDescription& parameter : kind.description.parameters)
    if (parameter.required) parameters = neededParameters(GetParam());
  parameters.environment = makeRobotEnvironment(scene);
  BlockInterface io;
  registry.make(GetParam(), parameters)->declare(io);
  const auto named = [](const std::vector<PortDescription>& ports, const std::string& name) {
    for (const PortDescription& port : ports)
      if (port.name == name || (port.name == "wrench_<frame>" && name.rfind("wrench_", 0) == 0)) return true;
    return false;
  };
  for (const auto& input : io.inputs) EXPECT_TRUE(named(kind.description.inputs, input.name)) << input.name;
  for (const auto& output : io.outputs) EXPECT_TRUE(named(kind.description.outputs, output.name)) << output.name;
  EXPECT_EQ(io.inputs.size(), kind.description.inputs.size());
}

TEST_P(EveryRobotBlock, SaysThatItNeedsAScene) {
  BlockRegistry registry;
  addRobotBlocks(registry);
  if (!registry.get(GetParam()).make) return;
  try {
    registry.make(GetParam(), neededParameters(GetParam()));
    FAIL();
  } catch (const Error& e) {
    EXPECT_FALSE(std::string(e.what()).empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryRobotBlock, testing::ValuesIn(namesOfRobotBlocks()),
                         [](const auto& test) { return test.param; });

/// One line chooses another part, and nothing else in the diagram changes.
struct Choice {
  const char *parameter, *value;
  bool pyramid = false;  ///< solvers of quadratic programs solve the contact model `gauss`
};

class Swapped : public testing::TestWithParam<Choice> {};

TEST_P(Swapped, PartsOfTheRobotLeaveTheDiagramAsItIs) {
  const auto& [parameter, value, pyramid] = GetParam();
  const Scene scene = pyramid ? sceneFile("icub.yaml", {{"physics.contact", "gauss"}}) : sceneFile("icub.yaml");
  const Diagram reference = defaultDiagram(scene).build({.step = scene.physics.step});
  RobotDiagram d(scene);
  try {
    d.add("robot", "Robot", {{parameter, value}});
  } catch (const Error& e) {
    GTEST_SKIP() << "a plug-in that is not here: " << e.what();
  }
  d.add("posture", "PostureHold");
  for (const auto& [from, to] :
       {std::pair{"robot.q", "posture.q"}, std::pair{"robot.nu", "posture.nu"},
        std::pair{"posture.springs", "robot.springs"}, std::pair{"posture.command", "robot.torque"}})
    d.builder.connect(from, to);
  const Diagram diagram = d.build();
  const auto& ports = diagram.blocks()[diagram.block("robot")].interface.outputs;
  const auto& same = reference.blocks()[reference.block("robot")].interface.outputs;
  ASSERT_EQ(ports.size(), same.size());
  for (std::size_t k = 0; k < ports.size(); ++k) EXPECT_EQ(ports[k].name, same[k].name);
  EXPECT_EQ(diagram.lines().size(), reference.lines().size());
  std::optional<Context> context;
  try {
    context = diagram.makeContext();
  } catch (const Error& e) {
    GTEST_SKIP() << "a plug-in that is not here: " << e.what();
  }
  for (int k = 0; k < 300; ++k) ASSERT_TRUE(diagram.step(*context)) << context->stopReason();
  // It stands, whatever it is made of.
  EXPECT_LT((VectorXd(context->signal("robot.q")) - d.setup().start().q).norm(), 0.02);
}

INSTANTIATE_TEST_SUITE_P(ByOneLine, Swapped,
                         testing::Values(Choice{"contact", "rigid"}, Choice{"contact", "gauss"},
                                         Choice{"contact", "compliant"}, Choice{"integrator", "semi_implicit_euler"},
                                         Choice{"integrator", "explicit_euler"}, Choice{"integrator", "rk4"},
                                         Choice{"integrator", "midpoint"}, Choice{"engine", "native"},
                                         Choice{"engine", "pinocchio"}, Choice{"engine", "idyntree"},
                                         Choice{"solver", "native"}, Choice{"solver", "proxqp", true},
                                         Choice{"solver", "osqp", true}, Choice{"solver", "qpoases", true},
                                         Choice{"solver", "daqp", true}),
                         [](const auto& test) { return std::string(test.param.parameter) + "_" + test.param.value; });

TEST(Swapped, RefusesAPartThatIsNotThere) {
  RobotDiagram d(sceneFile("icub.yaml"));
  expectError("'rk5'", [&] {
    d.add("robot", "Robot", {{"integrator", "rk5"}});
    const Diagram diagram = d.build();
    const Context context = diagram.makeContext();
  });
}

}  // namespace
}  // namespace footfall
