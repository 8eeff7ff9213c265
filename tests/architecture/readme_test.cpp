// The README shows a program that is built and run by the tests: examples/push.cpp, line by line.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace {

std::string readFile(const std::string& name) {
  std::ifstream file(std::string(FOOTFALL_SOURCE_DIR) + "/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Readme, ShowsTheExampleThatIsTested) {
  std::string indented;
  std::stringstream program(readFile("examples/push.cpp"));
  for (std::string line; std::getline(program, line);) indented += (line.empty() ? "" : "    " + line) + "\n";
  ASSERT_FALSE(indented.empty());
  EXPECT_NE(readFile("README.md").find(indented), std::string::npos) << "copy examples/push.cpp into README.md";
}

}  // namespace
