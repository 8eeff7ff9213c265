#include "block_io/bindings.hpp"

#include <gtest/gtest.h>

#include "model/error_of.hpp"

namespace footfall::test {
namespace {

Bindings bindings() {
  Bindings b;
  b.set("foot", "l_sole");
  b.set("gain", 2.5);
  b.set("feet", std::vector<std::string>{"l", "r"});
  b.set("leg", ParameterValue::Map{{"name", "lf"}, {"gain", 3.0}});
  return b;
}

SceneTree text(const std::string& words, bool quoted = false) {
  SceneTree tree;
  tree.where = "f:1";
  tree.kind = SceneTree::Kind::text;
  tree.text = words;
  tree.quoted = quoted;
  return tree;
}

TEST(Bindings, FillTexts) {
  EXPECT_EQ(bindings().fill("${foot}_gain.$foot", ""), "l_sole_gain.l_sole");
  EXPECT_EQ(bindings().fill("$(foot)s at $gain", ""), "l_soles at 2.5");
  EXPECT_EQ(bindings().fill("$(leg.name)_knee", ""), "lf_knee");
  EXPECT_EQ(bindings().fill("5 $$ and $ alone", ""), "5 $ and $ alone");
}

TEST(Bindings, KeepTheKindOfAValue) {
  EXPECT_EQ(std::get<double>(bindings().evaluate(text("$gain")).value), 2.5);
  EXPECT_EQ(std::get<ParameterValue::List>(bindings().evaluate(text("$feet")).value).size(), 2u);
  EXPECT_EQ(std::get<double>(bindings().evaluate(text("1e3")).value), 1000.0);
  EXPECT_EQ(std::get<bool>(bindings().evaluate(text("true")).value), true);
  EXPECT_EQ(std::get<std::string>(bindings().evaluate(text("12", true)).value), "12");
  EXPECT_EQ(std::get<std::string>(bindings().evaluate(text("10 ms")).value), "10 ms");
  EXPECT_EQ(bindings().evaluate(text("$gain")).where, "f:1") << "the place where it is used";
}

TEST(Bindings, GoThroughListsAndNumbers) {
  std::string seen;
  bindings().forEach({{"f", text("$feet")}, {"i", text("2")}},
                     [&](const Bindings& b) { seen += b.fill("$f$i$f_index$f_number ", ""); });
  EXPECT_EQ(seen, "l001 l101 r012 r112 ");
}

TEST(Bindings, SayWhatIsNotThere) {
  EXPECT_STREQ(errorOf([] { bindings().fill("$fot.out", "f:3"); }).what(),
               "f:3: nothing is called '$fot' here\n  hint: did you mean 'foot'?");
  EXPECT_STREQ(
      errorOf([] { bindings().fill("a $feet", "f:3"); }).what(),
      "f:3: '$feet' is a list or a map, and cannot be part of a text\n  hint: write it alone, or go through it "
      "with `for`");
  EXPECT_NE(std::string(errorOf([] { bindings().fill("${foot", "f:3"); }).what()).find("no closing bracket"),
            std::string::npos);
  EXPECT_NE(std::string(errorOf([] {
                          bindings().forEach({{"f", text("$foot")}}, [](const Bindings&) {});
                        }).what())
                .find("neither a list nor a whole number"),
            std::string::npos);
}

}  // namespace
}  // namespace footfall::test
