// The README shows a program that is built and run by the tests: examples/push.cpp, line by line.
#include <gtest/gtest.h>

#include <sstream>

#include "architecture/project_files.hpp"

namespace {

using footfall::test::contentOf;
using footfall::test::kProject;

TEST(Readme, ShowsTheExampleThatIsTested) {
  std::string indented;
  std::stringstream program(contentOf(kProject / "examples/push.cpp"));
  for (std::string line; std::getline(program, line);) indented += (line.empty() ? "" : "    " + line) + "\n";
  ASSERT_FALSE(indented.empty());
  EXPECT_NE(contentOf(kProject / "README.md").find(indented), std::string::npos)
      << "copy examples/push.cpp into README.md";
}

}  // namespace
