#include "studio/server/messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "studio/server/live_session.hpp"
#include "studio/server/memory_recording.hpp"
#include "tools/source_dir.hpp"

namespace footfall::studio {
namespace {

LiveOptions paused() {
  LiveOptions options;
  options.playing = false;
  return options;
}

/// A box that was dropped and has landed; it waits.
class FallenBox : public ::testing::Test {
 protected:
  FallenBox() : session_(sourceDir() + "/scenes/falling_box.yaml", paused()) {
    session_.command(0, {{"do", "step"}, {"count", 999}});
    while (session_.recording().extent().end < 1000) std::this_thread::yield();
  }
  LiveSession session_;
};

constexpr std::size_t kHeader = 6;  ///< of columnsMessage()

TEST_F(FallenBox, ColumnsKeepTheirExtremesHoweverFewBucketsThereAre) {
  const int height = 3;  // base.position.z
  ASSERT_EQ(session_.recording().columns()[height].name, "base.position.z");
  std::vector<double> all(1000);
  session_.recording().readColumn(height, 0, 1000, all.data());
  const Message few = columnsMessage(session_, {1.0, {height}, 0.0, 10.0, 7});
  EXPECT_EQ(few[4], 14.0);
  EXPECT_EQ(few[5], 0.0);
  const auto* values = few.data() + kHeader + 14 + 4;
  EXPECT_EQ(*std::min_element(values, values + 14), *std::min_element(all.begin(), all.end()));
  EXPECT_EQ(*std::max_element(values, values + 14), *std::max_element(all.begin(), all.end()));
}

TEST_F(FallenBox, ColumnsAreCompleteWhenTheyFit) {
  const Message all = columnsMessage(session_, {1.0, {0, 3}, 0.0, 10.0, 1000});
  EXPECT_EQ(all[4], 1000.0);
  EXPECT_EQ(all[5], 1.0);
  EXPECT_EQ(all.size(), kHeader + 1000 + 2 * (4 + 1000));
}

TEST_F(FallenBox, StatisticsAreThoseOfTheRowsBetweenTheTwoTimes) {
  // 100 … 110 ms, with one row more on either side for the line; by rows and by buckets.
  std::vector<double> inside(11);
  session_.recording().readColumn(3, 100, 111, inside.data());
  for (const int buckets : {1000, 3}) {
    const Message message = columnsMessage(session_, {1.0, {3}, 0.0995, 0.1105, buckets});
    const double* statistics = message.data() + kHeader + static_cast<std::size_t>(message[4]);
    EXPECT_EQ(statistics[0], *std::min_element(inside.begin(), inside.end())) << "lowest, " << buckets << " buckets";
    EXPECT_EQ(statistics[1], *std::max_element(inside.begin(), inside.end())) << "highest, " << buckets << " buckets";
  }
}

TEST_F(FallenBox, FramesHoldEveryRowOnce) {
  Subscription subscription;
  subscription.columns = {3};
  const Message first = frameMessage(session_, momentOf(session_), subscription);
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(first[10], 0.0);  // who has just come gets no old rows
  EXPECT_TRUE(frameMessage(session_, momentOf(session_), subscription).empty());
  session_.command(0, {{"do", "step"}, {"count", 5}});
  while (session_.recording().extent().end < 1005) std::this_thread::yield();
  const Message second = frameMessage(session_, momentOf(session_), subscription);
  EXPECT_EQ(second[10], 5.0);
  EXPECT_EQ(second[11], 1000.0);
}

/// Makes its last step while it is asked how it is getting on, and then stands still.
class StopsWhenAsked : public Session {
 public:
  nlohmann::json describe() const override { return {}; }
  std::shared_ptr<const SceneDescription> scene() const override { return nullptr; }
  const Recording& recording() const override { return rows_; }
  Pace pace() const override {
    const double values[] = {0.001 * static_cast<double>(rows_.extent().end)};
    rows_.append(values, {}, false);
    return {};
  }

 private:
  mutable MemoryRecording rows_{{{"time", "s"}}, std::size_t{1} << 20};
};

TEST(Moment, ThatIsNotPlayingHasTheLastRow) {
  const StopsWhenAsked session;
  const Moment moment = momentOf(session);
  EXPECT_FALSE(moment.pace.playing);
  EXPECT_EQ(moment.extent.end, session.recording().extent().end);
}

TEST_F(FallenBox, RowsAreEvenlySpacedAndWithinTheirLimit) {
  const Message rows = rowsMessage(session_, {1.0, 0.0, 0.9, 10});
  EXPECT_EQ(rows[3], 10.0);
  EXPECT_EQ(rows[4], static_cast<double>(session_.recording().width()));
  EXPECT_EQ(rows[5], 0.0);  // index of the first
  EXPECT_EQ(rowMessage(session_, 1.0, 1e12)[3], 0.0);
  EXPECT_EQ(rowMessage(session_, 1.0, -1.0)[3], 0.0);
}

/// The session's thread has done all that it was asked for.
void waitForEpoch(const LiveSession& session, std::uint64_t epoch, std::size_t rows) {
  while (session.recording().extent().epoch != epoch || session.recording().extent().end != rows)
    std::this_thread::yield();
}

TEST_F(FallenBox, AResetGivesTheSameBitsAgain) {
  Row before, after;
  ASSERT_TRUE(session_.recording().read(700, before));
  const std::uint64_t epoch = session_.recording().extent().epoch;
  session_.command(0, {{"do", "reset"}});
  session_.command(0, {{"do", "step"}, {"count", 800}});
  waitForEpoch(session_, epoch + 1, 801);
  ASSERT_TRUE(session_.recording().read(700, after));
  const auto& columns = session_.recording().columns();
  const auto times = std::find_if(columns.begin(), columns.end(), [](const Column& c) { return c.unit == "µs"; });
  EXPECT_TRUE(
      std::equal(before.values.begin(), before.values.begin() + (times - columns.begin()), after.values.begin()))
      << "behind them are times of the clock";
}

}  // namespace
}  // namespace footfall::studio
