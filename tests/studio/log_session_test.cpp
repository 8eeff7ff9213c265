#include "studio/server/log_session.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "studio/server/column_finder.hpp"
#include "studio/server/live_session.hpp"
#include "studio/server/report.hpp"
#include "tools/source_dir.hpp"

namespace footfall::studio {
namespace {

std::string sceneFile(const std::string& name) { return sourceDir() + "/scenes/" + name; }

/// A scene that was simulated live for some steps, with a log beside it.
class LoggedRun {
 public:
  LoggedRun(const std::string& scene, int steps)
      : path_(std::filesystem::temp_directory_path() / ("footfall-log-session-" + std::to_string(getpid()) + ".mcap")) {
    LiveOptions options;
    options.playing = false;
    options.log = path_;
    live_ = std::make_unique<LiveSession>(sceneFile(scene), std::move(options));
    live_->command(0, {{"do", "step"}, {"count", steps - 1}});
    while (live_->recording().extent().end < static_cast<std::size_t>(steps)) std::this_thread::yield();
    for (int k = 0; k < steps; ++k) live_->recording().read(static_cast<std::size_t>(k), rows_.emplace_back());
    columns_ = live_->recording().columns();
    live_.reset();  // the log is complete
  }
  ~LoggedRun() { std::filesystem::remove(path_); }

  std::string path_;
  std::vector<Column> columns_;
  std::vector<Row> rows_;

 private:
  std::unique_ptr<LiveSession> live_;
};

template <class T>
auto bytesOf(const T& value) {
  return std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
}

/// To the bit: the log holds contacts as the steps reported them.
void expectSameContacts(const Row& live, const Row& logged) {
  ASSERT_EQ(live.contacts.size(), logged.contacts.size()) << "row " << live.index;
  for (std::size_t k = 0; k < live.contacts.size(); ++k)
    EXPECT_EQ(bytesOf(live.contacts[k]), bytesOf(logged.contacts[k])) << "contact " << k << " of row " << live.index;
}

void expectSameTies(const Row& live, const Row& logged) {
  ASSERT_EQ(live.ties.size(), logged.ties.size()) << "row " << live.index;
  for (std::size_t k = 0; k < live.ties.size(); ++k)
    EXPECT_EQ(bytesOf(live.ties[k]), bytesOf(logged.ties[k])) << "tie " << k << " of row " << live.index;
}

TEST(LogSession, ShowsTheTiesThatTheLiveRunHad) {
  const LoggedRun run("juggle_g1.yaml", 340);
  const LogSession session(run.path_);
  Row row;
  std::set<double> seen;
  for (const Row& live : run.rows_) {
    ASSERT_TRUE(session.recording().read(live.index, row));
    expectSameTies(live, row);
    for (const TieSample& tie : row.ties) seen.insert(tie.name);
  }
  EXPECT_EQ(seen, (std::set<double>{0.0, 1.0})) << "one hand after the other";
  EXPECT_EQ(session.describe()["ties"][1], "left_0");
}

TEST(LogSession, ShowsTheRowsAndContactsThatTheLiveRunHad) {
  for (const char* scene :
       {"sliding_block.yaml", "falling_box.yaml", "hills.yaml", "conveyor.yaml", "fallen_g1.yaml"}) {
    SCOPED_TRACE(scene);
    const LoggedRun run(scene, 400);
    const LogSession session(run.path_);
    const Recording& recording = session.recording();
    ASSERT_GE(recording.extent().end, 400u);
    Row row;
    for (const Row& live : run.rows_) {
      ASSERT_TRUE(recording.read(live.index, row));
      for (std::size_t c = 0; c < recording.columns().size(); ++c) {
        ASSERT_EQ(recording.columns()[c].name, run.columns_[c].name);
        const bool same = row.values[c] == live.values[c] || std::isnan(live.values[c]);
        ASSERT_TRUE(same) << run.columns_[c].name;
      }
      expectSameContacts(live, row);
    }
  }
}

TEST(LogSession, FindsRowsByTimeAndRefusesCommands) {
  const LoggedRun run("falling_box.yaml", 100);
  LogSession session(run.path_);
  EXPECT_EQ(session.recording().rowAt(-1.0), 0u);
  EXPECT_EQ(session.recording().rowAt(0.0505), 50u);
  EXPECT_THROW(session.command(0, {{"do", "play"}}), Error);
}

TEST(Summary, OfPartsIsThatOfTheWhole) {
  const std::vector<double> values = {3.0, -1.0, std::nan(""), 4.0, 1.0, -5.0, 9.0};
  for (std::size_t middle = 0; middle <= values.size(); ++middle) {
    Summary whole, left, right;
    for (std::size_t i = 0; i < values.size(); ++i) {
      whole.add(values[i]);
      (i < middle ? left : right).add(values[i]);
    }
    left.add(right);
    EXPECT_EQ(left.low, -5.0);
    EXPECT_EQ(left.high, 9.0);
    EXPECT_EQ(left.count, 6u);
    EXPECT_EQ(left.sum, whole.sum);  // small whole numbers: no rounding
    EXPECT_EQ(left.squares, whole.squares);
    EXPECT_EQ(left.low_first, whole.low_first) << middle;
  }
}

TEST(ColumnBlocks, SayTheSameOfBlocksAsTheirRows) {
  const LoggedRun run("falling_box.yaml", 5 * ColumnBlocks::kRows + 7);  // the last block is not full
  const auto log = openLog(run.path_);
  const ColumnBlocks blocks(*log, false);
  const int height = log->columnIndex("base.position.z");
  const std::vector<double> values = log->column(height);
  for (const auto& [first, end] : {std::pair{0u, 6u}, {1u, 3u}, {4u, 9u}}) {
    Summary rows;
    for (std::size_t i = first * ColumnBlocks::kRows; i < std::min(end * ColumnBlocks::kRows, values.size()); ++i)
      rows.add(values[i]);
    const Summary found = blocks.of(height, first, end);
    EXPECT_EQ(found.low, rows.low);
    EXPECT_EQ(found.high, rows.high);
    EXPECT_EQ(found.count, rows.count);
    EXPECT_NEAR(found.sum, rows.sum, 1e-12 * rows.sum);
    EXPECT_EQ(found.low_first, rows.low_first);
  }
}

TEST(LogSession, FindsImpactsInBothDirections) {
  const LoggedRun run("falling_box.yaml", 600);
  const LogSession session(run.path_);
  const Recording& recording = session.recording();
  const std::size_t first = recording.nextImpact(0);
  ASSERT_NE(first, Recording::npos);
  EXPECT_EQ(recording.previousImpact(first), Recording::npos);
  EXPECT_EQ(recording.previousImpact(first + 1), first);
}

TEST(Report, HoldsThePageAndSaysHowManyRowsWereLeftOut) {
  const LoggedRun run("falling_box.yaml", 100);
  std::vector<std::unique_ptr<Session>> sessions;
  sessions.push_back(std::make_unique<LogSession>(run.path_));
  ReportLimits limits;
  limits.row_bytes = 40'000;
  const std::string page = reportHtml(sessions, limits);
  EXPECT_NE(page.find("of 101 rows"), std::string::npos);
  EXPECT_NE(reportHtml(sessions).find("all rows"), std::string::npos);
}

}  // namespace
}  // namespace footfall::studio
