#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "block_library/library_tools.hpp"
#include "block_library/policy_network.hpp"

namespace footfall::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPolicy = R"(footfall_policy 1
# two inputs, three neurons, one output
inputs 2
mean 1 -1
scale 2 0.5
input_limit 3
layer 3 elu
bias 0.1 -0.2 0
weights 1 0
weights 0 1
weights 1 -1
layer 1 none
bias 0.25
weights 1 2 -0.5
output_limit 1.5
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

double evaluated(const PolicyNetwork& network, double a, double b) {
  std::vector<VectorXd> values = network.makeScratch();
  network.evaluate(vec({a, b}), values);
  return values.back()[0];
}

double elu(double x) { return x > 0.0 ? x : std::exp(x) - 1.0; }

TEST(PolicyNetwork, IsTheFormulaOfItsLayers) {
  const PolicyNetwork network = parsePolicy(kPolicy, "a.policy");
  EXPECT_EQ(network.inputs(), 2);
  EXPECT_EQ(network.outputs(), 1);
  for (const double a : {-0.3, 0.4, 1.2})
    for (const double b : {-1.5, 0.0, 0.7}) {
      const double x = 2.0 * (a - 1.0), y = 0.5 * (b + 1.0);
      const double z = 0.25 + elu(x + 0.1) + 2.0 * elu(y - 0.2) - 0.5 * elu(x - y);
      EXPECT_NEAR(evaluated(network, a, b), std::clamp(z, -1.5, 1.5), 1e-14);
    }
}

TEST(PolicyNetwork, KeepsInputsAndOutputsWithinTheirLimits) {
  const PolicyNetwork network = parsePolicy(kPolicy, "a.policy");
  EXPECT_EQ(evaluated(network, 1e6, 0.0), evaluated(network, 2.5, 0.0)) << "2 (2.5 − 1) = 3, the limit";
  EXPECT_EQ(evaluated(network, 0.0, 1e6), 1.5);
}

TEST(PolicyNetwork, HasFourActivations) {
  const auto with = [](const char* activation) {
    const std::string text = "footfall_policy 1\ninputs 2\nmean 0 0\nscale 1 1\ninput_limit 9\nlayer 1 " +
                             std::string(activation) + "\nbias 0\nweights 1 0\noutput_limit 9\n";
    return parsePolicy(text, "a.policy");
  };
  EXPECT_EQ(evaluated(with("none"), -0.7, 0), -0.7);
  EXPECT_EQ(evaluated(with("relu"), -0.7, 0), 0.0);
  EXPECT_EQ(evaluated(with("relu"), 0.7, 0), 0.7);
  EXPECT_NEAR(evaluated(with("tanh"), -0.7, 0), std::tanh(-0.7), 1e-15);
  EXPECT_NEAR(evaluated(with("elu"), -0.7, 0), std::exp(-0.7) - 1.0, 1e-15);
}

TEST(PolicyFile, MistakesAreToldWithTheirLine) {
  const auto told = [](const std::string& what, const std::string& by) {
    return messageOf([&] { parsePolicy(replaced(kPolicy, what, by), "a.policy"); });
  };
  const std::vector<std::array<std::string, 3>> mistakes = {
      {"footfall_policy 1", "footfall_policy 2", "a.policy:1: this is no policy file"},
      {"inputs 2", "inputs 0", "a.policy:3: 'inputs' has no whole number"},
      {"inputs 2", "inputs 1e9", "a.policy:3: 'inputs' has no whole number"},
      {"mean 1 -1", "mean 1", "a.policy:4: 'mean' has 1 numbers, expected 2"},
      {"scale 2 0.5", "scale 2 nan", "a.policy:5: 'nan' is not a finite number"},
      {"scale 2 0.5", "scale 2 x", "a.policy:5: 'x' is not a finite number"},
      {"input_limit 3", "input_limit -3", "a.policy:6: 'input_limit' has no number above zero"},
      {"layer 3 elu", "layer 3 elo", "did you mean 'elu'"},
      {"layer 3 elu", "layer 60000 elu", "a.policy:8: 'bias' has 3 numbers, expected 60000"},
      {"weights 1 -1\n", "", "begins with 'layer', expected 'weights'"},
      {"weights 1 2 -0.5", "weights 1 2", "'weights' has 2 numbers, expected 3"},
      {"output_limit 1.5\n", "", "the file ends where 'output_limit' is expected"},
      {"output_limit 1.5\n", "output_limit 1.5\nmore\n", "'more' comes after the end"},
  };
  for (const auto& [what, by, expected] : mistakes)
    EXPECT_NE(told(what, by).find(expected), std::string::npos) << by << "\n" << told(what, by);
}

class PolicyBlock : public ::testing::Test {
 protected:
  fs::path folder_ = fs::temp_directory_path() / ("footfall_policy_" + std::to_string(::getpid()));
  void SetUp() override {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "a.policy") << kPolicy;
  }
  void TearDown() override { fs::remove_all(folder_); }
};

TEST_F(PolicyBlock, GivesWhatTheNetworkGives) {
  const ParameterValue file((folder_ / "a.policy").string());
  EXPECT_EQ(numberOf("Policy", {{"file", file}}, {{"in", list({0.4, 0.7})}}),
            evaluated(parsePolicy(kPolicy, "a.policy"), 0.4, 0.7));
}

TEST_F(PolicyBlock, LooksBesideTheFileThatNamesIt) {
  ParameterValue file("a.policy");
  file.where = (folder_ / "diagram.yaml").string() + ":7";
  EXPECT_NO_THROW(library().make("Policy", {{"file", file}}));
  file.where = "--set diagram.blocks.p.file=a.policy";
  EXPECT_NE(messageOf([&] { library().make("Policy", {{"file", file}}); }).find("a.policy"), std::string::npos);
}

TEST_F(PolicyBlock, InputsOfAnotherSizeAreRefused) {
  const ParameterValue file((folder_ / "a.policy").string());
  const std::string told = messageOf([&] { valueOf("Policy", {{"file", file}}, {{"in", list({1, 2, 3})}}); });
  EXPECT_NE(told.find("block"), std::string::npos) << told;
}

}  // namespace
}  // namespace footfall::test
