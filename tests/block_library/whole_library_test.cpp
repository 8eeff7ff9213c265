// What every block of the library promises.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "block_library/library_tools.hpp"
#include "footfall/block/finishing_scratch.hpp"
#include "tools/source_dir.hpp"

namespace footfall::test {
namespace {

namespace fs = std::filesystem;

const std::string kFolder = fs::temp_directory_path() / ("footfall_blocks_" + std::to_string(::getpid()));

std::string tableFile() {
  fs::create_directories(kFolder);
  const std::string path = kFolder + "/table.csv";
  std::ofstream(path) << "time [s],q [rad]\n0,1\n0.05,3\n0.1,-1\n";
  return path;
}

std::string policyFile() {
  fs::create_directories(kFolder);
  const std::string path = kFolder + "/small.policy";
  std::ofstream(path) << "footfall_policy 1\ninputs 3\nmean 0 0 0\nscale 1 1 1\ninput_limit 5\nlayer 2 tanh\nbias 0 1\n"
                         "weights 1 2 3\nweights 0 1 0\noutput_limit 1\n";
  return path;
}

/// How a kind of block is used in the tests below.
struct Example {
  Parameters parameters;
  std::map<std::string, std::string> sources;  ///< of inputs; others read `vector`
};

std::map<std::string, Example> examples() {
  const ParameterValue sample = "3 ms";
  const Example logical{{}, {{"in1", "flag"}, {"in2", "flag"}}};
  const Example space{{{"A", rows({{0.9, 0.1}, {-0.2, 0.8}})}, {"B", rows({{0}, {1}})}, {"C", rows({{1, 0.5}})}},
                      {{"in", "scalar"}}};
  const Example fraction{{{"numerator", list({0.2, 1})}, {"denominator", list({1, -0.4, 0.2})}}, {{"in", "scalar"}}};
  return {
      {"Constant", {{{"value", 3.0}}, {}}},
      {"Clock", {}},
      {"Step", {{{"time", "40 ms"}}, {}}},
      {"Ramp", {}},
      {"Sine", {}},
      {"Chirp", {}},
      {"Noise", {{{"sample", sample}, {"mean", list({1, 2})}}, {}}},
      {"FromFile", {{{"file", tableFile()}, {"columns", "q"}}, {}}},
      {"Policy", {{{"file", policyFile()}}, {}}},
      {"MinimumJerk", {{{"times", list({0, 0.06})}, {"points", rows({{0, 1}, {2, 3}})}}, {}}},
      {"Gain", {{{"factor", 2.0}}, {}}},
      {"Sum", {}},
      {"Product", {}},
      {"Divide", {}},
      {"Min", {}},
      {"Max", {}},
      {"Abs", {}},
      {"Sign", {}},
      {"Sqrt", {}},
      {"Trigonometry", {{{"function", "sin"}}, {}}},
      {"Function", {{{"formula", "2*u + t"}}, {}}},
      {"MatrixMultiply", {{}, {{"a", "matrix"}}}},
      {"Transpose", {{}, {{"in", "matrix"}}}},
      {"Dot", {}},
      {"Cross", {}},
      {"Norm", {}},
      {"Compare", {{{"operation", "<"}}, {{"a", "scalar"}, {"b", "scalar"}}}},
      {"And", logical},
      {"Or", logical},
      {"Not", {{}, {{"in", "flag"}}}},
      {"Switch", {{}, {{"if", "flag"}}}},
      {"Merge", {}},
      {"StateMachine",
       {{{"states", texts({"off", "on"})},
         {"inputs", texts({"u"})},
         {"values", ParameterValue::Map{{"level", ParameterValue::Map{{"off", 0.0}, {"on", 2.0}}}}},
         {"transitions", ParameterValue::List{ParameterValue(
                             ParameterValue::Map{{"from", "off"}, {"to", "on"}, {"when", "u > 0 or t > 0.01"}})}}},
        {{"u", "scalar"}}}},
      {"Saturation", {{{"upper", 0.2}}, {}}},
      {"DeadZone", {{{"start", -0.1}, {"end", 0.2}}, {}}},
      {"Quantizer", {{{"interval", 0.25}}, {}}},
      {"RateLimiter", {{{"rise", 3.0}}, {}}},
      {"LookupTable", {{{"x", list({-1, 0, 1})}, {"y", list({1, 0, 2})}}, {}}},
      {"LookupTable2D",
       {{{"x", list({-1, 1})}, {"y", list({-1, 1})}, {"z", rows({{1, 2}, {3, 4}})}},
        {{"x", "scalar"}, {"y", "scalar"}}}},
      {"Mux", {}},
      {"Demux", {{{"sizes", list({2, 1})}}, {}}},
      {"Select", {{{"indices", list({2, 0})}}, {}}},
      {"Reshape", {{{"rows", 1}, {"columns", 3}}, {}}},
      {"Terminator", {}},
      {"BusCreate", {{{"fields", texts({"a", "b"})}}, {}}},
      {"BusSelect", {{{"fields", texts({"b"})}}, {{"in", "bus"}}}},
      {"BusAssign", {{{"fields", texts({"a"})}}, {{"bus", "bus"}}}},
      {"Delay", {{{"samples", 5}}, {{"in", "bus"}}}},
      {"UnitDelay", {}},
      {"ZeroOrderHold", {{{"sample", sample}}, {}}},
      {"RateTransition", {{{"sample", sample}}, {}}},
      {"DiscreteIntegrator", {{{"sample", sample}}, {{"reset", "flag"}}}},
      {"Counter", {{{"limit", 7}}, {{"enable", "flag"}, {"reset", "flag"}}}},
      {"Integrator", {{{"upper", 0.02}}, {{"reset", "flag"}}}},
      {"Derivative", {{{"filter", "10 ms"}}, {}}},
      {"StateSpace", space},
      {"TransferFunction", fraction},
      {"DiscreteStateSpace", space},
      {"DiscreteTransferFunction", fraction},
      {"DiscreteFilter", {{{"sample", sample}, {"cutoff", "20 Hz"}, {"order", 2}}, {}}},
      {"PID", {{{"kp", 2.0}, {"ki", 5.0}, {"kd", 0.1}, {"upper", 1.0}}, {}}},
      {"DiscretePID", {{{"kp", 2.0}, {"ki", 5.0}, {"kd", 0.1}, {"upper", 1.0}, {"sample", sample}}, {}}},
      {"PD", {{{"kp", 2.0}, {"kd", 0.5}}, {}}},
      {"QuadraticProgram",
       {{{"on_failure", "hold"}},
        {{"H", "matrix"}, {"g", "vector"}, {"A", "matrix"}, {"lower", "low"}, {"upper", "high"}}}},
      {"Scope", {{{"capacity", 10}}, {}}},
      {"Viewer", {}},
      {"Log", {{{"file", kFolder + "/log.csv"}}, {}}},
      {"StopWhen", {{}, {{"in", "never"}}}},
      {"Assert", {{}, {{"in", "always"}}}},
  };
}

/// The block, with signals of all kinds that change from step to step.
Diagram diagramAround(const std::string& kind) {
  const Example example = examples().at(kind);
  Rig rig;
  rig.add("scalar", "Sine", {{"frequency", 7.0}});
  rig.add("vector", "Sine", {{"frequency", list({3, 5, 11})}, {"phase", list({0, 1, 2})}});
  rig.add("flag", "Compare", {{"operation", ">"}, {"value", 0.9}}).connect("scalar", "flag.a");
  rig.add("always", "Compare", {{"operation", ">"}, {"value", -2.0}}).connect("scalar", "always.a");
  rig.add("never", "Not").connect("always", "never");
  rig.add("bus", "BusCreate", {{"fields", texts({"a", "b"})}}).connect("vector", "bus.a").connect("scalar", "bus.b");
  rig.add("matrix", "Constant", {{"value", rows({{2, 1, 0}, {1, 2, 1}, {0, 1, 2}})}});
  rig.add("low", "Constant", {{"value", list({-0.1, -0.1, -0.1})}});
  rig.add("high", "Constant", {{"value", list({0.1, 0.1, 0.1})}});
  rig.add("block", kind, example.parameters);
  BlockInterface interface;
  library().make(kind, example.parameters)->declare(interface);
  for (const BlockInterface::Input& input : interface.inputs) {
    const auto found = example.sources.find(input.name);
    rig.connect(found == example.sources.end() ? "vector" : found->second, "block." + input.name);
  }
  return rig.build();
}

void run(const Diagram& diagram, Context& context, int steps) {
  for (int k = 0; k < steps; ++k) ASSERT_TRUE(diagram.step(context)) << context.stopReason();
  // One file cannot be written by two contexts: each gives it back.
  for (int block = 0; block < static_cast<int>(diagram.blocks().size()); ++block)
    if (auto* scratch = dynamic_cast<FinishingScratch*>(context.scratch(block))) scratch->finish();
}

class EveryBlock : public ::testing::TestWithParam<std::string> {
 protected:
  static void TearDownTestSuite() { fs::remove_all(kFolder); }
};

TEST_P(EveryBlock, GoesOnBitForBitFromASavedContext) {
  const Diagram diagram = diagramAround(GetParam());
  Context context = diagram.makeContext();
  run(diagram, context, 37);  // between the samples of slow blocks, and after the flag was up
  const std::string saved = bitsOf(context);
  Context copy = context;
  run(diagram, context, 60);

  Context restored = diagram.makeContext();
  run(diagram, restored, 5);  // what it did before must not matter
  std::stringstream in(saved);
  restored.load(in, "memory");
  run(diagram, restored, 60);
  run(diagram, copy, 60);
  EXPECT_EQ(bitsOf(restored), bitsOf(context));
  EXPECT_EQ(bitsOf(copy), bitsOf(context));
}

TEST_P(EveryBlock, GivesTheSameBitsInAFreshContext) {
  const Diagram diagram = diagramAround(GetParam());
  Context first = diagram.makeContext(), second = diagram.makeContext();
  run(diagram, first, 80);
  run(diagram, second, 80);
  EXPECT_EQ(bitsOf(first), bitsOf(second));
}

TEST_P(EveryBlock, DescribesItselfCompletely) {
  const BlockDescription& text = library().get(GetParam()).description;
  EXPECT_FALSE(text.category.empty());
  EXPECT_FALSE(text.summary.empty());
  std::set<std::string> names;
  for (const ParameterDescription& parameter : text.parameters) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name << " is described twice";
    EXPECT_FALSE(parameter.help.empty()) << parameter.name;
    EXPECT_NE(parameter.required, !parameter.fallback.empty()) << parameter.name << ": required, or what it is without";
  }
  for (const auto* ports : {&text.inputs, &text.outputs})
    for (const PortDescription& port : *ports) {
      EXPECT_FALSE(port.name.empty());
      EXPECT_FALSE(port.help.empty()) << port.name;
    }
}

/// The row of a theme in docs/blocks.md, " | " at its end.
std::string documented(const std::string& theme) {
  std::ifstream page(sourceDir() + "/docs/blocks.md");
  for (std::string line; std::getline(page, line);)
    if (line.starts_with("| " + theme + " | ")) return line;
  return "";
}

TEST_P(EveryBlock, IsListedOnThePageOfBlocksUnderItsTheme) {
  const std::string row = documented(library().get(GetParam()).description.category);
  EXPECT_TRUE(row.find(" " + GetParam() + ",") != std::string::npos ||
              row.find(" " + GetParam() + " |") != std::string::npos)
      << row;
}

/// Ports whose names follow from parameters are described together: "in1, in2 …", "one per field".
bool describes(const std::string& text, const std::string& port) {
  const std::size_t stem = text.find('1');
  const bool series = text.find("…") != std::string::npos && text.substr(0, stem) == port.substr(0, stem);
  return text == port || series || text.starts_with("one per");
}

TEST_P(EveryBlock, HasThePortsThatItDescribes) {
  const BlockDescription& text = library().get(GetParam()).description;
  BlockInterface interface;
  library().make(GetParam(), examples().at(GetParam()).parameters)->declare(interface);
  const auto check = [](const auto& ports, const std::vector<PortDescription>& described) {
    for (const auto& port : ports)
      EXPECT_TRUE(std::any_of(described.begin(), described.end(),
                              [&](const PortDescription& d) { return describes(d.name, port.name); }))
          << port.name << " is not described";
    EXPECT_GE(ports.size(), described.size());
  };
  check(interface.inputs, text.inputs);
  check(interface.outputs, text.outputs);
}

TEST_P(EveryBlock, RefusesAParameterThatItDoesNotKnow) {
  Parameters parameters = examples().at(GetParam()).parameters;
  parameters.set("no_such_thing", 1.0);
  const std::string message = messageOf([&] { library().make(GetParam(), parameters); });
  EXPECT_NE(message.find("no_such_thing"), std::string::npos) << message;
  EXPECT_NE(message.find(GetParam()), std::string::npos) << message;
}

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const BlockRegistry::Kind* kind : library().kinds()) names.push_back(kind->description.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Library, EveryBlock, ::testing::ValuesIn(kinds()),
                         [](const auto& kind) { return kind.param; });

}  // namespace
}  // namespace footfall::test
