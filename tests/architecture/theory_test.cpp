// docs/theory.md is what the code cites: its equations have one number each, and whoever names one finds it.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "architecture/project_files.hpp"

namespace {

namespace fs = std::filesystem;
using footfall::test::contentOf;
using footfall::test::kProject;
using footfall::test::matchesIn;

std::string theory() { return contentOf(kProject / "docs/theory.md"); }

/// Numbers at the end of indented lines.
std::vector<int> equations() {
  static const std::regex numbered("\\n {4,}[^\\n]*[^\\w]\\((\\d+)\\)(?=\\n)");
  std::vector<int> numbers;
  for (const std::string& number : matchesIn(theory(), numbered)) numbers.push_back(std::stoi(number));
  return numbers;
}

TEST(Theory, NumbersItsEquationsInOrder) {
  const std::vector<int> numbers = equations();
  ASSERT_GE(numbers.size(), 13u);
  for (std::size_t k = 0; k < numbers.size(); ++k) EXPECT_EQ(numbers[k], static_cast<int>(k) + 1);
}

TEST(Theory, RefersToEquationsThatItHas) {
  static const std::regex reference("(?:^|[^\\w])\\((\\d+\\w?)\\)");
  const int last = equations().back();
  const std::string text = theory();
  const std::string without_years = text.substr(0, text.find("\n## 8. Bibliography"));
  ASSERT_LT(without_years.size(), text.size());
  for (const std::string& number : matchesIn(without_years, reference)) {
    EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(number.back()))) << number << ": numbers have no letters";
    EXPECT_TRUE(std::stoi(number) >= 1 && std::stoi(number) <= last) << "(" << number << ")";
  }
}

/// "theory.md (11), (12)" in comments and on other pages.
TEST(Theory, HasTheEquationsThatSourcesCiteAndEachIsCited) {
  static const std::regex citation("theory\\.md(?:\\]\\([\\w/.]*\\))?((?:,? \\(\\d+\\))+)");
  static const std::regex number("\\((\\d+)\\)");
  const int last = equations().back();
  std::set<int> cited;
  for (const char* folder : {"src", "include", "tests", "docs"})
    for (const auto& entry : fs::recursive_directory_iterator(kProject / folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".hpp" && ending != ".cpp" && ending != ".md") continue;
      if (entry.path().filename() == "theory.md" || entry.path().filename() == "theory_test.cpp") continue;
      for (const std::string& list : matchesIn(contentOf(entry.path()), citation))
        for (const std::string& one : matchesIn(list, number)) {
          const int equation = std::stoi(one);
          EXPECT_TRUE(equation >= 1 && equation <= last)
              << entry.path().lexically_relative(kProject) << " cites theory.md (" << equation << ")";
          cited.insert(equation);
        }
    }
  for (int equation = 1; equation <= last; ++equation)
    EXPECT_TRUE(cited.count(equation)) << "nothing cites theory.md (" << equation << "): where is it computed?";
}

TEST(Theory, ListsWhatItCitesAndCitesWhatItLists) {
  static const std::regex entry("\\n- \\*\\*\\[(\\w+)\\]\\*\\*");
  static const std::regex group("[^*]\\[((?:[A-Z]\\w*\\d\\d(?:, )?)+)\\][^(]"), name("(\\w+)");
  const std::string text = theory();
  std::map<std::string, int> listed;
  for (const std::string& work : matchesIn(text, entry)) EXPECT_EQ(++listed[work], 1) << work;
  EXPECT_GE(listed.size(), 15u);
  std::set<std::string> cited;
  for (const std::string& works : matchesIn(text, group))
    for (const std::string& work : matchesIn(works, name)) {
      EXPECT_TRUE(listed.count(work)) << work << " is not in the bibliography";
      cited.insert(work);
    }
  for (const auto& [work, count] : listed) EXPECT_TRUE(cited.count(work)) << work << " is listed and not cited";
}

}  // namespace
