// Parts that are built outside of the tree, in examples/plugin, are found by their names.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "command/command_fixture.hpp"
#include "footfall/scene/internal/terrain_setup.hpp"
#include "tools/source_dir.hpp"

namespace footfall::test {
namespace {

const std::string kExamples = sourceDir() + "/examples/plugin/";
const std::string kPath = "FOOTFALL_PLUGIN_PATH='" FOOTFALL_EXAMPLE_PLUGINS "'";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The examples are built by another test, which ctest runs before: see CMakeLists.txt.
class ExamplePlugin : public Command {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(FOOTFALL_EXAMPLE_PLUGINS "/libfootfall_block_leaky.so"))
      GTEST_SKIP() << "run them with ctest, which builds the examples";
  }
  /// Columns of the last row of a log, by name.
  double last(const std::string& log, const std::string& column) const {
    std::vector<std::string> names;
    std::string row;
    for (const std::string& line : lines(log)) {
      if (line.empty() || line[0] == '#') continue;
      if (names.empty())
        names = split(line);
      else
        row = line;
    }
    const std::vector<std::string> values = split(row);
    for (std::size_t k = 0; k < names.size(); ++k)
      if (names[k] == column) return std::stod(values.at(k));
    ADD_FAILURE() << "no column " << column;
    return 0.0;
  }

 private:
  static std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> parts(1);
    for (const char c : line) {
      if (c == ',')
        parts.emplace_back();
      else
        parts.back() += c;
    }
    return parts;
  }
};

TEST_F(ExamplePlugin, BlocksDocumentThemselves) {
  const Outcome outcome = call("blocks LeakyIntegrator", kPath);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "integrates, and forgets")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "time_constant") && has(outcome.out, "[s]") && has(outcome.out, "default: 1"))
      << outcome.out;
}

TEST_F(ExamplePlugin, BlocksRunInDiagrams) {
  const Outcome outcome = call("run " + kExamples + "leaky.yaml --log leaky.csv", kPath);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  // ẋ = 1 − x / 0.5 from 0: x(1) = 0.5 (1 − exp(−2)); RK4 with 1 ms is exact to far more digits than this.
  EXPECT_NEAR(last("leaky.csv", "leaky.out [-]"), 0.5 * (1.0 - std::exp(-2.0)), 1e-12);
}

TEST_F(ExamplePlugin, GroundCarriesABox) {
  const Outcome outcome = call("run " + kExamples + "drop.yaml --log drop.csv", kPath);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  // It rests on the waves: half its height above them, give or take their amplitude.
  EXPECT_NEAR(last("drop.csv", "base.position.z [m]"), 0.1, 0.015);
}

TEST_F(ExamplePlugin, GroundIsDrawn) {
  setenv("FOOTFALL_PLUGIN_PATH", FOOTFALL_EXAMPLE_PLUGINS, 1);
  const Scene scene = loadScene(kExamples + "drop.yaml");
  const double amplitude = scene.ground.parameters.at("amplitude");
  const GroundDrawing drawing = buildGround(scene.ground)->drawing(scene.ground.position);
  unsetenv("FOOTFALL_PLUGIN_PATH");
  ASSERT_TRUE(drawing.heights);
  const auto [lowest, highest] = std::minmax_element(drawing.heights->values.begin(), drawing.heights->values.end());
  ASSERT_TRUE(*lowest);  // there is ground everywhere
  EXPECT_NEAR(**lowest, -amplitude, 0.02 * amplitude);
  EXPECT_NEAR(**highest, amplitude, 0.02 * amplitude);
}

TEST_F(ExamplePlugin, GroundRefusesParametersThatItDoesNotKnow) {
  const Outcome outcome = call("run " + kExamples + "drop.yaml --set ground.parameters.amplitud=1", kPath);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(has(outcome.err, "the ground 'waves' has no parameter 'amplitud'")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "did you mean 'amplitude'?")) << outcome.err;
}

TEST_F(ExamplePlugin, ContactModelIsChosenByOneLine) {
  const Outcome outcome =
      call("run " + kExamples + "drop.yaml --set physics.contact=ice --set 'robot.base={on_ground: true}' " +
               "--set 'ground={shape: plane, incline: 10 deg, friction: 2}' --log ice.csv",
           kPath);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  // Without friction it slides down: x grows by g sin(2·10°) / 4 t², but for the softness of the ground. Its middle
  // starts half its height away from the plane.
  const double incline = 10.0 * M_PI / 180.0;
  EXPECT_NEAR(last("ice.csv", "base.position.x [m]"), 0.1 * std::sin(incline) + 9.81 * std::sin(2.0 * incline) / 4.0,
              0.005);
}

TEST_F(ExamplePlugin, IntegratorIsExactForAStoneThatFalls) {
  const Outcome outcome =
      call("run " + kExamples + "drop.yaml --set physics.integrator=trapezoid --duration 0.1 --log f.csv", kPath);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NEAR(last("f.csv", "base.position.z [m]"), 0.3 - 0.5 * 9.81 * 0.01, 1e-12);
}

TEST_F(ExamplePlugin, SolverAndEngineAreUsed) {
  const Outcome outcome = call(
      "run " + kExamples + "drop.yaml --set physics.solver=counting --set physics.engine=relay --log a.csv", kPath);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "contact problems were solved")) << outcome.err;
  ASSERT_EQ(call("run " + kExamples + "drop.yaml --log b.csv", kPath).exit_code, 0);
  EXPECT_EQ(last("a.csv", "base.position.x [m]"), last("b.csv", "base.position.x [m]"))
      << "they hand on to the native ones: same bits";
}

TEST_F(ExamplePlugin, UnknownNamesAreRefusedWithThoseOfPlugins) {
  const Outcome outcome = call("run " + kExamples + "drop.yaml --set physics.contact=icy", kPath);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(has(outcome.err, "did you mean 'ice'?")) << outcome.err;
}

}  // namespace
}  // namespace footfall::test
