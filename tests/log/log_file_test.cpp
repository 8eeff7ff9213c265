// Files that logs are written to, whatever their format.

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "footfall/base/error.hpp"
#include "footfall/log/log_reader.hpp"
#include "log/temporary_file.hpp"

namespace footfall::test {
namespace {

class AnyLog : public ::testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Log> begin() {
    auto log = makeLog(file_.path());
    time_ = log->add({"time", "s", {}});
    log->begin();
    return log;
  }
  void addRow(Log& log, double time) {
    log.set(time_, time);
    log.endRow();
  }
  TemporaryFile file_{GetParam()};
  ChannelHandle time_;
};

TEST_P(AnyLog, IsNotOverwrittenByAnotherOneWhileItIsWritten) {
  const auto log = begin();
  addRow(*log, 0.0);
  log->flush();
  try {
    begin();
    FAIL() << "both write to one file";
  } catch (const LogError& error) {
    EXPECT_EQ(error.where(), file_.path());
    EXPECT_EQ(error.problem(), "another log is being written to this file");
  }
  addRow(*log, 1.0);
  log->close();
  if (GetParam() != std::string(".mat")) {
    EXPECT_EQ(openLog(file_.path())->rows(), 2u);
  }
}

TEST_P(AnyLog, IsOverwrittenOnceItIsClosed) {
  const auto first = begin();  // stays, as a run may keep it to ask how long it has waited
  for (int k = 0; k < 1000; ++k) addRow(*first, k);
  first->close();
  const auto long_one = std::filesystem::file_size(file_.path());
  const auto second = begin();
  addRow(*second, 0.0);
  second->close();
  EXPECT_LT(std::filesystem::file_size(file_.path()), long_one);
  if (GetParam() != std::string(".mat")) {
    EXPECT_EQ(openLog(file_.path())->rows(), 1u);
  }
}

TEST_P(AnyLog, ThatWasNotClosedLeavesItsFileToOthers) {
  begin();
  EXPECT_NO_THROW(begin());
}

TEST_P(AnyLog, OfDevicesMayBeMany) {
  std::filesystem::create_symlink("/dev/null", file_.path());
  const auto first = begin();
  EXPECT_NO_THROW(begin());
}

INSTANTIATE_TEST_SUITE_P(Formats, AnyLog, ::testing::Values(".csv", ".mcap", ".mat"),
                         [](const auto& format) { return std::string(format.param).substr(1); });

}  // namespace
}  // namespace footfall::test
