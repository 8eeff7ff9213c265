// Lists: of their entries a row has any number.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>

#include "footfall/log/log_reader.hpp"
#include "log/temporary_file.hpp"
#include "model/error_of.hpp"

namespace footfall {
namespace {

using test::TemporaryFile;

constexpr int kRows = 5000;  // several chunks

/// Rows without, with one and with many entries.
int countOf(int row) { return row % 7 == 0 ? 0 : row % 11 == 3 ? 40 : row % 5; }
double number(int row, int entry, int component) { return std::cos(row + 0.1 * entry) + component; }

void write(const std::string& path, bool close = true) {
  const auto log = makeLog(path);
  const ChannelHandle time = log->add({"time", "s", {}, "state"});
  const ListHandle list = log->addList({"touches", {{"place", "m", {"x", "y", "z"}}, {"force", "N", {}}}, "contacts"});
  const ChannelHandle after = log->add({"after", "-", {}, "state"});
  log->begin();
  for (int row = 0; row < kRows; ++row) {
    log->set(time, 0.001 * row);
    log->set(after, row);
    for (int e = 0; e < countOf(row); ++e)
      log->addEntry(list, std::array{number(row, e, 0), number(row, e, 1), number(row, e, 2), number(row, e, 3)});
    log->endRow();
  }
  if (close) log->close();
}

void expectEntries(const LogReader& log, RowRange rows) {
  const ListEntries entries = log.entries(log.findList("touches"), rows);
  ASSERT_EQ(entries.first.size(), rows.count + 1);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const int row = static_cast<int>(rows.first + i);
    ASSERT_EQ(entries.first[i + 1] - entries.first[i], static_cast<std::size_t>(countOf(row))) << "row " << row;
    for (int e = 0; e < countOf(row); ++e)
      for (int c = 0; c < 4; ++c)
        ASSERT_EQ(entries.values[(entries.first[i] + static_cast<std::size_t>(e)) * 4 + static_cast<std::size_t>(c)],
                  number(row, e, c));
  }
}

TEST(EntryList, ComesBackToTheBitFromAnyRows) {
  const TemporaryFile file("lists.mcap");
  write(file.path());
  const auto log = openLog(file.path());
  ASSERT_EQ(log->rows(), static_cast<std::size_t>(kRows));
  ASSERT_EQ(log->lists().size(), 1u);
  EXPECT_EQ(log->lists()[0].channels[0].unit, "m");
  EXPECT_EQ(log->lists()[0].group, "contacts");
  EXPECT_EQ(log->column("after")[17], 17.0) << "columns behind the one that counts";
  expectEntries(*log, {0, log->rows()});
  expectEntries(*log, {4321, 1});
  expectEntries(*log, {7, 0});
  expectEntries(*log, {100, 3000});
}

TEST(EntryList, OfALogThatBreaksOffHasTheEntriesOfAllItsRows) {
  const TemporaryFile file("lists.mcap"), cut("cut.mcap");
  write(file.path());
  const auto size = std::filesystem::file_size(file.path());
  for (const double part : {0.3, 0.6, 0.9}) {
    std::filesystem::copy_file(file.path(), cut.path(), std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut.path(), static_cast<std::uintmax_t>(part * static_cast<double>(size)));
    const auto log = openLog(cut.path());
    EXPECT_FALSE(log->damage().empty());
    expectEntries(*log, {0, log->rows()});
  }
}

TEST(EntryList, IsCountedWhereTheFormatHasNoPlaceForIt) {
  const TemporaryFile file("lists.csv");
  write(file.path());
  const auto log = openLog(file.path());
  EXPECT_TRUE(log->lists().empty());
  EXPECT_EQ(log->findList("touches"), -1);
  EXPECT_EQ(log->column("touches.count")[3], countOf(3));
}

TEST(EntryList, ThatIsNotThereIsAnErrorAndNoCrash) {
  const TemporaryFile file("lists.mcap");
  write(file.path());
  const auto log = openLog(file.path());
  EXPECT_NE(errorOf([&] { log->entries(1, {0, 1}); }).problem().find("no list 1"), std::string::npos);
  EXPECT_NE(errorOf([&] { log->entries(0, {0, kRows + 1}); }).problem().find("no row"), std::string::npos);
}

}  // namespace
}  // namespace footfall
