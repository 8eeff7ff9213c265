#include "footfall/log/mcap_log.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cmath>
#include <random>
#include <thread>

#include "footfall/log/log_reader.hpp"
#include "base/crc32.hpp"
#include "log/small_disk.hpp"
#include "log/temporary_file.hpp"
#include "model/error_of.hpp"

namespace footfall {
namespace {

using test::TemporaryFile;

constexpr int kColumns = 5;

/// What row i holds: numbers with all their digits.
double sample(int row, int column) { return std::sin(1.0 + row * 0.37 + column) * std::pow(10.0, column); }

struct SampleLog {
  explicit SampleLog(const std::string& path) : log(path) {
    log.note("robot", "a: b");
    log.note("seed", "7");
    time = log.add({"time", "s", {}, "state"});
    force = log.add({"foot[2].force", "N", {"x", "y", "z"}, "contacts"});
    position = log.add({"knee.position", "rad", {}, "state"});
    half = log.add({"foot[2].touches", "-", {}, "contacts"});
    log.attach({"scene.yaml", "text/yaml", "robot: {}\n"});
    log.attach({"package://a/b.stl", "model/stl", std::string("\0\1\2", 3)});
  }

  void row(int i) {
    log.set(time, 0.001 * i);
    log.set(force, Vector3d(sample(i, 0), sample(i, 1), sample(i, 2)));
    log.set(position, sample(i, 3));
    if (i % 2 == 0) log.set(half, sample(i, 4));
    log.endRow();
  }
  void rows(int count) {
    for (int i = 0; i < count; ++i) row(i);
  }

  McapLog log;
  ChannelHandle time, force, position, half;
};

void writeSample(const std::string& path, int rows) {
  SampleLog sample_log(path);
  sample_log.log.begin();
  sample_log.rows(rows);
  sample_log.log.close();
}

void expectSampleRows(const LogReader& log) {
  const std::vector<double> times = log.times(), y = log.column("foot[2].force.y"), p = log.column("knee.position"),
                            half = log.column("foot[2].touches");
  for (int i = 0; i < static_cast<int>(log.rows()); ++i) {
    const auto k = static_cast<std::size_t>(i);
    ASSERT_EQ(times[k], 0.001 * i);
    ASSERT_EQ(y[k], sample(i, 1));
    ASSERT_EQ(p[k], sample(i, 3));
    ASSERT_TRUE(i % 2 == 0 ? half[k] == sample(i, 4) : std::isnan(half[k]));
  }
}

TEST(Crc32, IsThatOfZlib) {
  EXPECT_EQ(crc32("123456789"), 0xCBF43926u);  // the check value of every catalogue of CRCs
  EXPECT_EQ(crc32("56789", crc32("1234")), 0xCBF43926u);
}

TEST(McapLog, ReadsBackTheSameBitsAcrossChunks) {
  const TemporaryFile file(".mcap");
  constexpr int kRows = 50000;  // several chunks: one holds 7384
  writeSample(file.path(), kRows);
  const auto log = openLog(file.path());
  ASSERT_EQ(log->rows(), static_cast<std::size_t>(kRows));
  EXPECT_EQ(log->damage(), "");
  expectSampleRows(*log);
}

TEST(McapLog, KeepsNotesChannelsUnitsAndAttachments) {
  const TemporaryFile file(".mcap");
  writeSample(file.path(), 3);
  const auto log = openLog(file.path());
  EXPECT_EQ(log->notes(), (LogNotes{{"robot", "a: b"}, {"seed", "7"}}));
  ASSERT_EQ(log->channels().size(), 4u);
  EXPECT_EQ(columnNames(log->channels()),
            (std::vector<std::string>{"time [s]", "knee.position [rad]", "foot[2].force.x [N]", "foot[2].force.y [N]",
                                      "foot[2].force.z [N]", "foot[2].touches [-]"}))
      << "bus by bus";
  EXPECT_EQ(log->channels()[2].group, "contacts");
  ASSERT_EQ(log->attachments().size(), 2u);
  EXPECT_EQ(log->attachments()[1].media_type, "model/stl");
  EXPECT_EQ(log->attachment("package://a/b.stl"), std::string("\0\1\2", 3));
  EXPECT_NE(std::string(errorOf([&] { log->attachment("scene.yml"); }).what()).find("scene.yaml"), std::string::npos);
}

TEST(McapLog, ReadsSomeRowsOfSomeColumns) {
  const TemporaryFile file(".mcap");
  writeSample(file.path(), 40000);
  const auto log = openLog(file.path());
  const RowRange range = log->rowsBetween(13.9995, 16.0);  // across the border of two chunks
  EXPECT_EQ(range.first, 14000u);
  ASSERT_GT(range.count, 1999u);
  const int columns[] = {log->columnIndex("foot[2].force.z"), 0};
  const std::vector<double> values = log->read(columns, range);
  for (std::size_t i = 0; i < range.count; ++i) {
    ASSERT_EQ(values[i], sample(static_cast<int>(range.first + i), 2));
    ASSERT_EQ(values[range.count + i], 0.001 * static_cast<double>(range.first + i));
  }
  EXPECT_EQ(log->row(39999)[1], sample(39999, 3));
  EXPECT_EQ(log->row(2)[1], sample(2, 3)) << "backwards as well";
}

TEST(McapLog, WhereverTheFileIsCutItReadsUpToTheLastCompleteChunk) {
  const TemporaryFile whole_file(".mcap"), cut_file(".mcap");
  constexpr int kRows = 40000;
  writeSample(whole_file.path(), kRows);
  const std::string whole = whole_file.bytes();
  std::size_t rows_before = 0;
  int with_rows = 0;
  for (std::size_t share = 1; share <= 40; ++share) {
    cut_file.write(whole.substr(0, whole.size() * share / 41));
    std::unique_ptr<LogReader> log;
    try {
      log = openLog(cut_file.path());
    } catch (const Error&) {
      EXPECT_EQ(rows_before, 0u) << "only a file without its head is refused";
      continue;
    }
    EXPECT_NE(log->damage().find("breaks off"), std::string::npos);
    EXPECT_GE(log->rows(), rows_before);
    rows_before = log->rows();
    with_rows += rows_before > 0;
    expectSampleRows(*log);
  }
  EXPECT_GT(with_rows, 10);
  EXPECT_LT(rows_before, static_cast<std::size_t>(kRows));
}

TEST(McapLog, FlippedBitsInAChunkAreAnError) {
  const TemporaryFile file(".mcap");
  writeSample(file.path(), 1000);
  std::string bytes = file.bytes();
  bytes[bytes.size() / 2] ^= 0x10;
  file.write(bytes);
  EXPECT_THROW(
      {
        const auto log = openLog(file.path());
        for (int c = 0; c < kColumns; ++c) log->column(c);
      },
      Error);
}

TEST(McapLog, RowsAreInTheFileAfterFlush) {
  const TemporaryFile file(".mcap");
  SampleLog sample_log(file.path());
  sample_log.log.begin();
  sample_log.rows(10);
  sample_log.log.flush();
  const auto log = openLog(file.path());
  EXPECT_EQ(log->rows(), 10u);
  EXPECT_NE(log->damage(), "");
}

TEST(McapLog, WaitsForASlowDiskAndDropsNoRow) {
  const TemporaryFile pipe(".mcap"), copy(".mcap");
  std::filesystem::remove(pipe.path());
  ASSERT_EQ(mkfifo(pipe.path().c_str(), 0600), 0);
  std::atomic<int> rows = 0;
  std::thread disk([&] {
    std::ifstream in(pipe.path(), std::ios::binary);
    for (int before = 0; rows == 0 || rows != before; std::this_thread::sleep_for(std::chrono::milliseconds(20)))
      before = rows;  // until no more rows come
    std::ofstream(copy.path(), std::ios::binary) << in.rdbuf();
  });
  constexpr int kRows = 20'000;
  McapLog log(pipe.path());
  const ChannelHandle time = log.add({"time", "s", {}});
  std::vector<std::string> components;
  for (int i = 0; i < 100; ++i) components.push_back(std::to_string(i));
  const ChannelHandle noise = log.add({"noise", "-", components});
  log.begin();
  std::mt19937_64 random(3);
  VectorXd values(100);
  for (; rows < kRows; ++rows) {
    for (double& value : values) value = static_cast<double>(random());
    log.set(time, static_cast<double>(rows));
    log.set(noise, values);
    log.endRow();
  }
  log.close();
  disk.join();
  EXPECT_GT(log.secondsWaited(), 0.0);
  EXPECT_EQ(openLog(copy.path())->rows(), static_cast<std::size_t>(kRows));
}

TEST(McapLog, FullDiskIsAnErrorAndLeavesALogThatIsClosedProperly) {
  const TemporaryFile file(".mcap");
  std::string message;
  {
    const test::SmallDisk disk(3'000'000);
    SampleLog sample_log(file.path());
    sample_log.log.begin();
    try {
      sample_log.rows(1'000'000);
      sample_log.log.close();
    } catch (const LogError& error) {
      message = error.what();
    }
  }
  const auto log = openLog(file.path());
  ASSERT_GT(log->rows(), 1000u);
  EXPECT_EQ(log->damage(), "") << "the summary took the place of the last chunks";
  EXPECT_NE(message.find("rows"), std::string::npos) << message;
  EXPECT_NE(message.find(std::to_string(log->rows()) + " rows"), std::string::npos) << message;
  expectSampleRows(*log);
}

TEST(McapLog, FolderThatDoesNotExistIsAnErrorAtOnce) { EXPECT_THROW(McapLog("/nonexistent/log.mcap"), LogError); }

TEST(McapLog, DeviceWithoutSpaceIsAnErrorWithTheHeaderAlready) {
  SampleLog sample_log("/dev/full");
  EXPECT_THROW(sample_log.log.begin(), LogError);
}

TEST(McapReader, AnotherKindOfFileIsRefused) {
  const TemporaryFile file(".mcap");
  file.write("time [s]\n0\n");
  EXPECT_NE(std::string(errorOf([&] { openLog(file.path()); }).what()).find("not an MCAP log"), std::string::npos);
}

}  // namespace
}  // namespace footfall
