// YAML for readers in other languages.

#include "footfall/keys/internal/yaml_lines.hpp"

#include <gtest/gtest.h>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

TEST(YamlWithLines, KnowsTheLineOfEveryValue) {
  EXPECT_EQ(yamlWithLines("a: 0.5\nb: ['x', \"1\"]\nc:\n  d: \"say \\\"hi\\\"\"\n", "s.yaml"),
            R"({"line": 1, "map": [["a", {"line": 1, "text": "0.5", "quoted": false}], )"
            R"(["b", {"line": 2, "list": [{"line": 2, "text": "x", "quoted": true}, )"
            R"({"line": 2, "text": "1", "quoted": true}]}], )"
            R"(["c", {"line": 4, "map": [["d", {"line": 4, "text": "say \"hi\"", "quoted": true}]]}]]})");
}

/// JSON has no line breaks inside of texts.
TEST(YamlWithLines, WritesTextsOfSeveralLines) {
  EXPECT_EQ(yamlWithLines("a: |\n  one\n  two\tthree\n", "s.yaml"),
            R"({"line": 1, "map": [["a", {"line": 1, "text": "one\u000atwo\u0009three\u000a", "quoted": true}]]})");
}

void expectRefusal(const std::string& text, const std::string& where, const std::string& what) {
  try {
    yamlWithLines(text, "s.yaml");
    FAIL() << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), where);
    EXPECT_NE(error.problem().find(what), std::string::npos) << error.problem();
  }
}

TEST(YamlWithLines, RefusesWhatHasTwoMeanings) {
  expectRefusal("a: 1\nb: 2\na: 3\n", "s.yaml:3", "a is given twice");
  expectRefusal("[a, b]: 1\n", "s.yaml:1", "a key must be a text");
  expectRefusal("a: [1\n", "s.yaml:2", "this is not YAML");
}

}  // namespace
}  // namespace footfall
