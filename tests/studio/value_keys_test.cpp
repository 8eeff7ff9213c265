#include "studio/server/value_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "footfall/scene/scene.hpp"
#include "studio/server/refused.hpp"

namespace footfall::studio {
namespace {

bool taken(const std::string& key, const std::string& value) {
  try {
    checkValueKey(key, value);
    return true;
  } catch (const Refused&) {
    return false;
  }
}

TEST(ValueKeys, TakeNumbersFlagsFormulasAndWhatIsBuiltIn) {
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"ground.friction", "0.3"},
           {"ground.1.friction", "0.3"},
           {"ground.incline", "5 deg"},
           {"ground.incline", "12.5deg"},
           {"ground.formula", "0.05*sin(3*x)*cos(2*y)"},
           {"ground.shape", "box"},
           {"physics.gravity", "[0, 0, -1.62]"},
           {"physics.gravity", "[0, 0, -1.62 m/s²]"},
           {"physics.contact", "compliant"},
           {"physics.solver", "native"},
           {"hold.enabled", "false"},
           {"hold.joint_stiffness.l_knee", "1e3"},
           {"pushes.0.force", "[50, 0, 0]"},
           {"pushes.0.start", "0.05 s"},
           {"actuators.2.transmission", "[[1, 0], [0, -1]]"},
           {"prescribed.0.table", "[[0 s, 0 deg], [1 s, 90 deg]]"},
           {"sensors.0.noise.acceleration", "0.01"},
           {"diagram.blocks.controller.com", "[80, 18, 300]"},
           {"diagram.blocks.switch.on", "true"},
           {"diagram.subdiagrams.leg.blocks.knee.kp", "40"},
           {"diagram.parameters.height", "0.5 m"},
           {"bodies.0.mass", "2"},
           {"bodies.12.velocity", "[0, -5, 1.5]"},
           {"collisions.friction", "0.4"},
           {"collisions.pairs.0.restitution", "0.2"},
           {"collisions.self", "true"},
           {"torques.left", "20"},
           {"springs.0.rest_length", "0.3"},
       })
    EXPECT_TRUE(taken(key, value)) << key << " = " << value;
}

TEST(ValueKeys, RefuseWhatNamesFilesRobotsPlugInsBlocksAndLogs) {
  for (const char* key : {"robot",
                          "robot.model",
                          "robot.joints",
                          "diagram",
                          "diagram.file",
                          "diagram.blocks",
                          "diagram.blocks.x",
                          "diagram.blocks.x.block",
                          "diagram.blocks.x.file",
                          "diagram.blocks.x.for",
                          "diagram.blocks.x.engine",
                          "diagram.blocks.x.solver",
                          "diagram.blocks.x.contact",
                          "diagram.blocks.x.integrator",
                          "diagram.connect",
                          "diagram.log",
                          "diagram.subdiagrams",
                          "diagram.subdiagrams.x",
                          "diagram.subdiagrams.x.file",
                          "diagram.subdiagrams.x.blocks.y.file",
                          "diagram.subdiagrams.x.subdiagrams.z.blocks.y.block",
                          "bodies",
                          "bodies.0",
                          "bodies.0.model",
                          "bodies.0.name",
                          "bodies.0.shape",
                          "bodies.0.fixed",
                          "bodies.0.copies",
                          "bodies.x.mass",
                          "collisions",
                          "collisions.only",
                          "collisions.pairs.0.between",
                          "springs.0.from.link",
                          "ground.file",
                          "ground.0.file",
                          "ground",
                          "run.log",
                          "run",
                          "physics",
                          "contacts.0.frame",
                          "pushes.0.link",
                          "",
                          ".",
                          "..",
                          "ground.",
                          ".friction",
                          "ground..friction",
                          "ground.friction.x",
                          "ground.x.friction",
                          "ground.-1.friction",
                          "ground.99999999999999999999.friction",
                          "ground.friction ",
                          "Ground.friction"})
    for (const char* value : {"1", "/etc/passwd", "true"}) EXPECT_FALSE(taken(key, value)) << key << " = " << value;
}

TEST(ValueKeys, RefusePlugInsWhereOneCouldBeNamed) {
  for (const char* key : {"physics.engine", "physics.solver", "physics.contact", "physics.integrator", "ground.shape"})
    for (const char* value : {"proxqp", "pinocchio", "mine", "../../tmp/evil", ""})
      EXPECT_FALSE(taken(key, value)) << key << " = " << value;
}

TEST(ValueKeys, RefuseValuesThatAreNoNumbers) {
  for (const char* value : {"/etc/passwd",
                            "evil.yaml",
                            "5 /etc/passwd",
                            "5 deg x",
                            "[1, /etc/passwd]",
                            "{file: /etc/passwd}",
                            "[1, {a: 2}]",
                            "!!binary AAAA",
                            "&a 1",
                            "*a",
                            "1 # comment",
                            "[1, 2",
                            "1, 2",
                            "1]",
                            "[]",
                            "[,]",
                            "'1'",
                            "\"1\"",
                            "1: 2",
                            "- 1",
                            "| 1",
                            "> 1",
                            "? 1",
                            "1\n2",
                            "1\nfile: x",
                            "nan",
                            ".inf",
                            "inf",
                            "true",
                            "",
                            " ",
                            "[[[[[1]]]]]",
                            "0x10",
                            "1;2"})
    EXPECT_FALSE(taken("ground.friction", value)) << value;
}

TEST(ValueKeys, SayWhatWasExpectedAndHowToAllowMore) {
  try {
    checkValueKey("robot.model", "/etc/passwd");
    FAIL();
  } catch (const Refused& error) {
    EXPECT_NE(std::string(error.what()).find("--allow-files"), std::string::npos) << error.what();
  }
}

/// Every key of the schema that takes any text, and is no formula: those are names of something.
void collectTexts(const nlohmann::json& schema, const std::string& path, std::vector<std::string>& texts) {
  if (schema.contains("type") && schema["type"] == "string" && !schema.contains("pattern") && !schema.contains("enum"))
    texts.push_back(path);
  const nlohmann::json properties = schema.value("properties", nlohmann::json::object());
  for (const auto& [key, inner] : properties.items()) collectTexts(inner, path.empty() ? key : path + "." + key, texts);
  if (schema.contains("items") && schema["items"].is_object()) collectTexts(schema["items"], path + ".0", texts);
  if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
    collectTexts(schema["additionalProperties"], path + ".x", texts);
  const nlohmann::json choices = schema.value("anyOf", nlohmann::json::array());
  for (const nlohmann::json& choice : choices) collectTexts(choice, path, texts);
}

TEST(ValueKeys, TakeNoFreeTextForAnyKeyOfTheSchema) {
  std::vector<std::string> texts;
  collectTexts(nlohmann::json::parse(sceneSchema()), "", texts);
  ASSERT_GT(texts.size(), 20u);
  int formulas = 0;
  for (const std::string& key : texts) {
    if (!taken(key, "evil")) continue;
    EXPECT_TRUE(key.ends_with(".formula")) << key << " takes any word";
    ++formulas;
  }
  EXPECT_GE(formulas, 4);
}

/// A number, with or without a unit, or a list of such.
bool takesNumbers(const nlohmann::json& schema) {
  if (schema.is_array()) return std::all_of(schema.begin(), schema.end(), takesNumbers);  // one entry after the other
  if (!schema.is_object()) return false;
  const nlohmann::json type = schema.value("type", nlohmann::json());
  if (type == "number" || type == "integer") return true;
  if (type == "array") return schema.contains("items") && takesNumbers(schema["items"]);
  const nlohmann::json choices = schema.value("anyOf", nlohmann::json::array());
  return std::any_of(choices.begin(), choices.end(), takesNumbers);
}

void collectNumbers(const nlohmann::json& schema, const std::string& path, std::vector<std::string>& numbers) {
  if (takesNumbers(schema)) return numbers.push_back(path);
  const nlohmann::json properties = schema.value("properties", nlohmann::json::object());
  for (const auto& [key, inner] : properties.items())
    collectNumbers(inner, path.empty() ? key : path + "." + key, numbers);
  if (schema.contains("items") && schema["items"].is_object()) collectNumbers(schema["items"], path + ".0", numbers);
  if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
    collectNumbers(schema["additionalProperties"], path + ".x", numbers);
  const nlohmann::json choices = schema.value("anyOf", nlohmann::json::array());
  for (const nlohmann::json& choice : choices) collectNumbers(choice, path, numbers);
}

/// A key that comes later is not forgotten. What is left out: how the page opens, how many bodies there are, and
/// what belongs to the diagram as a whole.
TEST(ValueKeys, TakeEveryNumberOfTheSchema) {
  std::vector<std::string> numbers;
  collectNumbers(nlohmann::json::parse(sceneSchema()), "", numbers);
  ASSERT_GT(numbers.size(), 100u);
  const std::set<std::string> fixed = {"run.log_period",    "bodies.0.copies",  "diagram.step",
                                       "diagram.tolerance", "diagram.layout.x", "diagram.inputs.x.size"};
  std::string refused;
  for (const std::string& key : numbers)
    if (!key.starts_with("view.") && fixed.count(key) == 0 && !taken(key, "1")) refused += key + "\n";
  EXPECT_EQ(refused, "");
}

}  // namespace
}  // namespace footfall::studio
