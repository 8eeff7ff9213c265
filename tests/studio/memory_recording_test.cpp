#include "studio/server/memory_recording.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

namespace footfall::studio {
namespace {

const std::vector<Column> kColumns = {{"time", "s"}, {"value", "m"}};
constexpr std::size_t kPlenty = std::size_t{1} << 30;

/// Row i has time i/10, value 2 i, and i mod 3 contacts; every hundredth is an impact.
void append(MemoryRecording& recording, int i) {
  std::vector<ContactSample> contacts(static_cast<std::size_t>(i % 3));
  for (ContactSample& contact : contacts) contact.gap = i;
  const double values[] = {0.1 * i, 2.0 * i};
  recording.append(values, contacts, i % 100 == 0);
}

TEST(MemoryRecording, GivesBackRowsAndColumns) {
  MemoryRecording recording(kColumns, kPlenty);
  for (int i = 0; i < 2000; ++i) append(recording, i);
  Row row;
  ASSERT_TRUE(recording.read(1234, row));
  EXPECT_EQ(row.values, (std::vector<double>{0.1 * 1234, 2468.0}));
  ASSERT_EQ(row.contacts.size(), 1u);
  EXPECT_EQ(row.contacts[0].gap, 1234.0);
  EXPECT_FALSE(recording.read(2000, row));
  std::vector<double> column(1000);
  recording.readColumn(1, 400, 1400, column.data());
  for (std::size_t k = 0; k < column.size(); ++k) EXPECT_EQ(column[k], 2.0 * static_cast<double>(400 + k));
}

TEST(MemoryRecording, CopiesAndSwapsWithWhatPushedAndHeld) {
  MemoryRecording now(kColumns, kPlenty), former(kColumns, kPlenty);
  for (int i = 0; i < 700; ++i) append(now, i);
  const PushSample push{1.0, 3.0, {}, {0.0, 0.0, 9.0}, {}};
  const double values[] = {70.0, 1400.0};
  TieSample tie;
  tie.link_b = 4.0;
  now.append(values, {}, false, std::span(&push, 1), std::span(&tie, 1));
  former.copy(now);
  now.truncate(60.0);  // row 600 on
  for (int i = 600; i < 650; ++i) append(now, i + 5000);
  Row row;
  ASSERT_TRUE(former.read(620, row));
  EXPECT_EQ(row.values[1], 1240.0) << "rows that are written anew do not show through";
  ASSERT_TRUE(former.read(700, row));
  ASSERT_EQ(row.pushes.size(), 1u);
  EXPECT_EQ(row.pushes[0].force_W[2], 9.0);
  ASSERT_EQ(row.ties.size(), 1u);
  EXPECT_EQ(row.ties[0].link_b, 4.0);
  const std::uint64_t epoch = now.extent().epoch;
  now.swap(former);
  EXPECT_NE(now.extent().epoch, epoch);
  EXPECT_EQ(now.extent().end, 701u);
  EXPECT_EQ(former.extent().end, 650u);
  ASSERT_TRUE(former.read(620, row));
  EXPECT_EQ(row.values[1], 2.0 * 5620);
}

TEST(MemoryRecording, FindsRowsByTimeAndImpacts) {
  MemoryRecording recording(kColumns, kPlenty);
  for (int i = 0; i < 1000; ++i) append(recording, i);
  EXPECT_EQ(recording.rowAt(-5.0), 0u);
  EXPECT_EQ(recording.rowAt(50.05), 500u);
  EXPECT_EQ(recording.rowAt(1e9), 999u);
  EXPECT_EQ(recording.nextImpact(0), 100u);
  EXPECT_EQ(recording.nextImpact(950), Recording::npos);
  EXPECT_EQ(recording.previousImpact(950), 900u);
  EXPECT_EQ(recording.previousImpact(100), 0u);
  EXPECT_EQ(recording.previousImpact(0), Recording::npos);
}

TEST(MemoryRecording, DropsTheOldestRowsWhenItIsFull) {
  MemoryRecording recording(kColumns, 100'000);
  for (int i = 0; i < 50'000; ++i) append(recording, i);
  const Extent extent = recording.extent();
  EXPECT_GT(extent.first, 0u);
  EXPECT_EQ(extent.end, 50'000u);
  EXPECT_NEAR(extent.start_time, 0.1 * static_cast<double>(extent.first), 1e-9);
  Row row;
  EXPECT_FALSE(recording.read(0, row));
  ASSERT_TRUE(recording.read(49'999, row));
  EXPECT_EQ(row.values[1], 2.0 * 49'999);
  double gone = 0.0;
  recording.readColumn(1, 0, 1, &gone);
  EXPECT_TRUE(std::isnan(gone));
}

TEST(MemoryRecording, TakesBackRowsAndWritesOthersInTheirPlace) {
  MemoryRecording recording(kColumns, kPlenty);
  for (int i = 0; i < 1300; ++i) append(recording, i);
  const std::uint64_t epoch = recording.extent().epoch;
  recording.truncate(60.0);
  EXPECT_NE(recording.extent().epoch, epoch);
  EXPECT_EQ(recording.extent().end, 600u);
  const double values[] = {60.0, -1.0};
  recording.append(values, {}, false);
  Row row;
  ASSERT_TRUE(recording.read(600, row));
  EXPECT_EQ(row.values[1], -1.0);
  EXPECT_TRUE(row.contacts.empty());
  ASSERT_TRUE(recording.read(599, row));
  EXPECT_EQ(row.contacts.size(), 599u % 3);
}

TEST(MemoryRecording, IsReadWhileItIsWritten) {
  MemoryRecording recording(kColumns, 200'000);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; i < 60'000; ++i) append(recording, i);
    done = true;
  });
  Row row;
  std::vector<double> column;
  while (!done) {
    const Extent extent = recording.extent();
    if (extent.empty()) continue;
    if (recording.read(extent.end - 1, row)) {
      EXPECT_EQ(row.values[1], 2.0 * static_cast<double>(row.index));
    }
    column.resize(extent.end - extent.first);
    recording.readColumn(1, extent.first, extent.end, column.data());
    for (std::size_t k = 0; k < column.size(); ++k) {
      const bool gone = std::isnan(column[k]);
      ASSERT_TRUE(gone || column[k] == 2.0 * static_cast<double>(extent.first + k));
    }
  }
  writer.join();
}

}  // namespace
}  // namespace footfall::studio
