#include "footfall/log/csv_log.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "log/small_disk.hpp"

namespace footfall {
namespace {

namespace fs = std::filesystem;

/// A fresh file name, removed at the end.
class CsvLogFile : public ::testing::Test {
 protected:
  std::string path_ = fs::temp_directory_path() / ("footfall_log_test_" + std::to_string(::getpid()) + ".csv");
  void TearDown() override { fs::remove(path_); }

  std::vector<std::string> lines() const {
    std::ifstream file(path_);
    std::vector<std::string> result;
    for (std::string line; std::getline(file, line);) result.push_back(line);
    return result;
  }
};

TEST_F(CsvLogFile, HeaderNamesEveryColumnWithItsUnit) {
  CsvLog log(path_);
  log.addNote("version", "1.2\n3");
  log.add({"time", "s", {}});
  log.add({"base", "m", {"x", "y"}});
  log.add({"a,\"b\"", "-", {}});
  log.begin();
  log.close();
  EXPECT_EQ(lines(), (std::vector<std::string>{"# version: 1.2 3", "# channels of several columns: base 2",
                                               "time [s],base.x [m],base.y [m],\"a,\"\"b\"\" [-]\""}));
}

TEST_F(CsvLogFile, NumbersReadBackToTheSameBits) {
  const Vector3d values(1.0 / 3.0, -6.02214076e23, 5e-324);
  CsvLog log(path_);
  const ChannelHandle channel = log.add({"v", "-", {"x", "y", "z"}});
  log.begin();
  log.set(channel, values);
  log.endRow();
  log.close();
  std::istringstream row(lines().at(1));
  for (const double value : values) {
    std::string number;
    std::getline(row, number, ',');
    EXPECT_EQ(std::strtod(number.c_str(), nullptr), value);
  }
}

TEST_F(CsvLogFile, WhatIsNotSetInARowStaysEmptyAndIsNotTakenFromTheRowBefore) {
  CsvLog log(path_);
  const ChannelHandle time = log.add({"time", "s", {}});
  const ChannelHandle force = log.add({"force", "N", {}});
  log.begin();
  log.set(time, 0.0);
  log.set(force, 5.0);
  log.endRow();
  log.set(time, 1.0);
  log.endRow();
  log.close();
  EXPECT_EQ(lines().at(1), "0,5");
  EXPECT_EQ(lines().at(2), "1,");
}

TEST_F(CsvLogFile, RowsAreInTheFileAfterFlush) {
  CsvLog log(path_);
  const ChannelHandle time = log.add({"time", "s", {}});
  log.begin();
  log.set(time, 0.5);
  log.endRow();
  log.flush();
  EXPECT_EQ(lines().size(), 2u);
}

TEST_F(CsvLogFile, FullDiskIsAnErrorThatNamesTheLastCompleteRow) {
  const test::SmallDisk disk(1000);
  CsvLog log(path_);
  const ChannelHandle time = log.add({"time", "s", {}});
  log.begin();
  std::string message;
  try {
    for (int i = 0; i < 100000; ++i) {
      log.set(time, 1000 + i);
      log.endRow();
    }
    log.close();
  } catch (const LogError& error) {
    message = error.what();
  }
  // "time [s]\n" takes 9 bytes and each row 5, so 198 rows fit whole into 1000 bytes: 1000 … 1197.
  EXPECT_NE(message.find("complete up to time = 1197 s, 198 rows"), std::string::npos) << message;
  EXPECT_EQ(lines().size(), 199u);
  EXPECT_EQ(lines().back(), "1197");
  EXPECT_EQ(fs::file_size(path_), 999u);
}

TEST(CsvLog, FolderThatDoesNotExistIsAnErrorAtOnce) { EXPECT_THROW(CsvLog("/nonexistent/folder/log.csv"), LogError); }

TEST(CsvLog, DeviceWithoutSpaceIsAnErrorWithTheHeaderAlready) {
  CsvLog log("/dev/full");
  log.add({"time", "s", {}});
  EXPECT_THROW(log.begin(), LogError);
}

}  // namespace
}  // namespace footfall
