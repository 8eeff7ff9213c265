// One table of fields reads a section, refuses what it does not know, and gives the schema.

#include <gtest/gtest.h>

#include "footfall/keys/internal/scene_field.hpp"
#include "model/error_of.hpp"

namespace footfall {
namespace {

struct Part {
  double length = 1.0;  ///< [m]
  std::string kind = "round";
};

FieldTable<Part> partFields() {
  return {required(numberField("length", &Part::length, Quantity::length, positive(), "how long [m]")),
          choiceField("kind", &Part::kind, {"round", "flat"}, "its shape")};
}

Part read(const std::string& text, const std::vector<SceneOverride>& overrides = {}) {
  const SceneSource source{"part.yaml", overrides};
  Part part;
  readSection(SceneValue(source, parseSceneDocument(text, source), ""), partFields(), part);
  return part;
}

TEST(FieldTable, ReadsValuesWithTheirUnits) {
  const Part part = read("length: 20 cm\nkind: flat\n");
  EXPECT_DOUBLE_EQ(part.length, 0.2);
  EXPECT_EQ(part.kind, "flat");
}

TEST(FieldTable, KeepsDefaultsOfWhatIsLeftOut) { EXPECT_EQ(read("length: 1\n").kind, "round"); }

TEST(FieldTable, NamesLineAndNearestKeyOfWhatItDoesNotKnow) {
  const Error error = errorOf([] { read("length: 1\nknd: flat\n"); });
  EXPECT_EQ(error.where(), "part.yaml:2");
  EXPECT_NE((error.problem() + error.hint()).find("kind"), std::string::npos) << error.what();
}

TEST(FieldTable, RefusesNumbersOutsideOfTheirRangeAndOtherChoices) {
  EXPECT_EQ(errorOf([] { read("length: -1\n"); }).where(), "part.yaml:1");
  EXPECT_NE(std::string(errorOf([] { read("length: 1\nkind: oval\n"); }).what()).find("flat"), std::string::npos);
}

TEST(FieldTable, AsksForWhatIsRequired) {
  EXPECT_NE(std::string(errorOf([] { read("kind: flat\n"); }).what()).find("length"), std::string::npos);
}

TEST(FieldTable, RefusesAKeyThatComesTwice) {
  EXPECT_EQ(errorOf([] { read("length: 1\nlength: 2\n"); }).where(), "part.yaml:2");
}

TEST(FieldTable, TakesChangesOfTheCommandLineAndNamesThemInErrors) {
  EXPECT_DOUBLE_EQ(read("length: 1\n", {{"length", "3"}}).length, 3.0);
  EXPECT_NE(errorOf([] {
              read("length: 1\n", {{"length", "-3"}});
            })
                .where()
                .find("--set length=-3"),
            std::string::npos);
}

TEST(FieldTable, GivesTheSchemaOfItsSection) {
  const std::string schema = sectionSchema(partFields());
  for (const char* word : {"\"length\"", "\"kind\"", "\"round\"", "how long", "\"required\""})
    EXPECT_NE(schema.find(word), std::string::npos) << word << " is not in " << schema;
}

}  // namespace
}  // namespace footfall
