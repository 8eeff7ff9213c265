// Two types of one name in one namespace are undefined behaviour once a program holds both: the linker keeps one of
// their destructors, which no compiler sees. Private headers of different modules never meet, so that nothing else
// finds it.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "architecture/project_files.hpp"

namespace {

namespace fs = std::filesystem;
using Types = std::map<std::string, std::set<std::string>>;  // type with its namespace → headers that define it

using footfall::test::contentOf;
using footfall::test::kProject;

/// Types of the outermost level, behind the name of the namespace that was opened last.
void addTypes(const std::string& text, const std::string& file, Types& types) {
  static const std::regex pattern(
      "(?:^|\\n)(?:namespace ([\\w:]+) \\{|"
      "(?:class|struct|union|enum class|enum) (?:alignas\\(\\w+\\) )?([\\w:]+(?:<[^;{]*>)?)[^;{]*\\{)");
  std::string space;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    if ((*match)[1].matched) space = (*match)[1];
    if ((*match)[2].matched) types[space + "::" + (*match)[2].str()].insert(file);
  }
}

TEST(TypeNames, AreFoundInAHeader) {
  Types types;
  addTypes("namespace a {\nclass B;\nstruct C {\n  struct D {};\n};\n}\nnamespace a::e {\nenum class F { g };\n}\n",
           "h", types);
  EXPECT_EQ(types, (Types{{"a::C", {"h"}}, {"a::e::F", {"h"}}}));
}

TEST(TypeNames, ANamespaceDefinesATypeOnce) {
  Types types;
  for (const char* folder : {"include", "src", "studio/server", "apps", "bindings"})
    for (const auto& entry : fs::recursive_directory_iterator(kProject / folder))
      if (entry.path().extension() == ".hpp")
        addTypes(contentOf(entry.path()), entry.path().lexically_relative(kProject).string(), types);
  EXPECT_GE(types.size(), 300u);
  for (const auto& [name, files] : types)
    EXPECT_EQ(files.size(), 1u) << name << " is defined in " << *files.begin() << " and " << *files.rbegin();
}

}  // namespace
