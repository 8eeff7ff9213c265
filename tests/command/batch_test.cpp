// `footfall batch`: many copies of a scene.

#include <algorithm>

#include "command/command_fixture.hpp"

namespace footfall::test {
namespace {

TEST_F(Command, BatchSaysHowFastItWasAndWhatFailed) {
  const Outcome outcome = call("batch scene.yaml --copies 20 --steps 30 --threads 2");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* word : {"20 worlds", "30 steps", "2 threads", "steps/s", "0 failed", "kB a copy"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << " is not in\n" << outcome.out;
}

TEST_F(Command, BatchWritesStatesThatDoNotDependOnThreads) {
  const std::string common = "batch scene.yaml --copies 7 --steps 40 --spread 0.1 --seed 3 ";
  EXPECT_EQ(call(common + "--threads 1 -o one.csv").exit_code, 0);
  EXPECT_EQ(call(common + "--threads 3 -o three.csv").exit_code, 0);
  const std::vector<std::string> rows = lines("one.csv");
  ASSERT_EQ(rows.size(), 8u);
  EXPECT_EQ(rows[0].rfind("world,failed,time,q[0]", 0), 0u) << rows[0];
  EXPECT_NE(rows[1].substr(1), rows[2].substr(1)) << "each world starts with a velocity of its own";
  EXPECT_EQ(rows, lines("three.csv"));
}

TEST_F(Command, BatchTellsWhatIsWrong) {
  EXPECT_EQ(call("batch scene.yaml --copies 0").exit_code, 2);
  EXPECT_EQ(call("batch nothing.yaml").exit_code, 2);
  EXPECT_EQ(call("batch scene.yaml --copies 2 --steps 1 -o no/such/folder.csv").exit_code, 3);
}

TEST_F(Command, MoreWorldsThanFitIntoTheMemoryAreNoBug) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer takes more than any limit for itself";
#endif
  const Outcome outcome = call("batch scene.yaml --copies 16000000 --steps 1", "ulimit -v 2000000;");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("error: there is not enough memory"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace footfall::test
