#include "footfall/log/mcap_log.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <random>
#include <thread>

#include "footfall/base/internal/crc32.hpp"
#include "footfall/log/log_reader.hpp"
#include "log/mcap_format.hpp"
#include "log/small_disk.hpp"
#include "log/temporary_file.hpp"
#include "model/error_of.hpp"
#include "tools/random_seed.hpp"

namespace footfall {
namespace {

using test::TemporaryFile;

constexpr int kColumns = 5;

/// What row i holds: numbers with all their digits.
double sample(int row, int column) { return std::sin(1.0 + row * 0.37 + column) * std::pow(10.0, column); }

struct SampleLog {
  explicit SampleLog(const std::string& path) : log(path) {
    log.addNote("robot", "a: b");
    log.addNote("seed", "7");
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
  const std::vector<double>& times = log.times();
  const std::vector<double> y = log.column("foot[2].force.y"), p = log.column("knee.position"),
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
    // Until no more rows come; a busy machine may well pause for some tens of milliseconds.
    for (int before = 0; rows == 0 || rows != before; std::this_thread::sleep_for(std::chrono::milliseconds(500)))
      before = rows;
    std::ofstream(copy.path(), std::ios::binary) << in.rdbuf();
  });
  constexpr int kRows = 20'000;
  McapLog log(pipe.path());
  const ChannelHandle time = log.add({"time", "s", {}});
  std::vector<std::string> components;
  for (int i = 0; i < 100; ++i) components.push_back(std::to_string(i));
  const ChannelHandle noise = log.add({"noise", "-", components});
  log.begin();
  std::mt19937_64 random(randomSeed(3));
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

TEST(McapReader, TwoChannelsOfOneNameAreDamage) {
  const TemporaryFile file(".mcap");
  {
    McapLog log(file.path());
    log.add({"knee.position", "rad", {}, "state"});
    log.add({"knee.positiom", "rad", {}, "state"});
    log.begin();
    log.close();
  }
  std::string bytes = file.bytes();
  for (std::size_t at; (at = bytes.find("positiom")) != std::string::npos;) bytes[at + 7] = 'n';
  file.write(bytes);
  EXPECT_EQ(errorOf([&] { openLog(file.path()); }).problem(), "two channels of the log are called 'knee.position'");
}

TEST(McapLog, TwoChannelsOfOneNameAreAnError) {
  const TemporaryFile file(".mcap");
  McapLog log(file.path());
  log.add({"time", "s", {}});
  EXPECT_THROW(log.add({"time", "ms", {}}), Error);
}

/// A log with one channel and `rows` rows whose only chunk is `chunk`: what stands between its times and its bytes, and
/// these.
std::string logWithChunk(std::size_t rows, const std::function<void(mcap::Writer&)>& chunk) {
  using mcap::Opcode, mcap::Writer;
  std::string bytes(mcap::kMagic);
  Writer out(bytes);
  out.record(Opcode::channel, [](Writer& w) {
    w.number(std::uint16_t{1}).number(std::uint16_t{1}).text("/state").text("protobuf");
    w.sized([](Writer& map) { map.text("time").text("s"); });
  });
  out.record(Opcode::chunk, [&](Writer& w) {
    w.number(std::uint64_t{0}).number(std::uint64_t{0});
    chunk(w);
  });
  out.record(Opcode::message_index, [&](Writer& w) { w.number(std::uint16_t{1}).text(std::string(16 * rows, '\0')); });
  return bytes;
}

constexpr std::uint64_t kOneNumber = 9 + 22 + 9;  ///< a message record with one number [bytes]

TEST(McapReader, AnUncompressedChunkThatIsShorterThanItSaysIsAnError) {
  const TemporaryFile file(".mcap");
  const auto write = [&](std::size_t size) {
    file.write(logWithChunk(100, [size](mcap::Writer& w) {
      w.number(100 * kOneNumber).number(std::uint32_t{0}).text("").number(std::uint64_t{size});
      w.raw(std::string(size, '\0'));
    }));
  };
  write(100 * kOneNumber);
  EXPECT_EQ(openLog(file.path())->column("time").size(), 100u);
  write(10);
  EXPECT_THROW(openLog(file.path())->column("time"), Error);
}

TEST(McapReader, FewBytesCannotClaimAllTheMemory) {
  const TemporaryFile file(".mcap");
  constexpr std::size_t kRows = 100'000;
  file.write(logWithChunk(kRows, [](mcap::Writer& w) {
    w.number(kRows * kOneNumber).number(std::uint32_t{0}).text("zstd").number(std::uint64_t{4}).raw("abcd");
  }));
  const Error error = errorOf([&] { openLog(file.path())->column("time"); });
  EXPECT_NE(error.problem().find("4 bytes claim to hold 4000000"), std::string::npos) << error.problem();
}

TEST(McapReader, AnAttachmentThatClaimsMoreThanTheFileIsAnError) {
  const TemporaryFile file(".mcap");
  std::string bytes = logWithChunk(0, [](mcap::Writer&) {});
  for (const std::uint64_t size : {std::uint64_t{1000}, ~std::uint64_t{0}, ~std::uint64_t{0} - 100}) {
    std::string with_attachment = bytes;
    mcap::Writer(with_attachment).record(mcap::Opcode::attachment, [size](mcap::Writer& w) {
      w.number(std::uint64_t{0}).number(std::uint64_t{0}).text("scene.yaml").text("text/yaml").number(size);
    });
    file.write(with_attachment);
    EXPECT_THROW(openLog(file.path())->attachment("scene.yaml"), Error);
  }
}

TEST(McapReader, ANameWithAHundredThousandDotsIsReadLikeAnyOther) {
  const TemporaryFile file(".mcap");
  std::string name = "a";
  for (int i = 0; i < 100'000; ++i) name += ".a";
  {
    McapLog log(file.path());
    const ChannelHandle channel = log.add({name, "-", {}});
    log.begin();
    log.set(channel, 2.5);
    log.endRow();
    log.close();
  }
  EXPECT_EQ(openLog(file.path())->column(name), std::vector<double>{2.5});
}

}  // namespace
}  // namespace footfall
