#include "studio/server/value_keys.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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

}  // namespace
}  // namespace footfall::studio
