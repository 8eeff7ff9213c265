#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "footfall/log/csv_log.hpp"
#include "footfall/log/log_reader.hpp"
#include "log/temporary_file.hpp"
#include "model/error_of.hpp"

namespace footfall {
namespace {

using test::TemporaryFile;

/// time, a force, and a number that is only set in even rows; five rows.
void writeSample(const std::string& path) {
  CsvLog log(path);
  log.addNote("robot", "a: b");
  const ChannelHandle time = log.add({"time", "s", {}});
  const ChannelHandle force = log.add({"foot.force", "N", {"x", "y", "z"}});
  const ChannelHandle odd = log.add({"a,\"b\"", "-", {}});
  log.begin();
  for (int i = 0; i < 5; ++i) {
    log.set(time, 0.1 * i);
    log.set(force, Vector3d(1.0 / 3.0, i, -i));
    if (i % 2 == 0) log.set(odd, i);
    log.endRow();
  }
  log.close();
}

TEST(CsvReader, ReadsNotesChannelsAndUnits) {
  const TemporaryFile file(".csv");
  writeSample(file.path());
  const auto log = openLog(file.path());
  EXPECT_EQ(log->note("robot"), "a: b");
  EXPECT_EQ(log->columns(),
            (std::vector<std::string>{"time", "foot.force.x", "foot.force.y", "foot.force.z", "a,\"b\""}));
  ASSERT_EQ(log->channels().size(), 3u);
  EXPECT_EQ(log->channels()[1].name, "foot.force") << "neighbours x, y, z are one channel";
  EXPECT_EQ(log->channels()[1].size(), 3);
  EXPECT_EQ(log->unit(2), "N");
  EXPECT_EQ(log->rows(), 5u);
  EXPECT_EQ(log->damage(), "");
}

/// As from other formats: `energy` has four columns, and three numbers may be called x, y, z.
TEST(CsvReader, ChannelsAreThoseThatWereWritten) {
  const TemporaryFile file(".csv");
  const std::vector<Channel> written{{"time", "s", {}},        {"energy", "J", {"kinetic", "elastic"}},
                                     {"energy.lost", "J", {}}, {"place, of \"it\"", "m", {"x", "y", "z", "normal"}},
                                     {"a.x", "-", {}},         {"a.y", "-", {}},
                                     {"a.z", "-", {}},         {"b", "-", {"x"}}};
  CsvLog log(file.path());
  log.addNote("robot", "box");
  for (const Channel& channel : written) log.add(channel);
  log.begin();
  log.endRow();
  log.close();
  const auto read = openLog(file.path());
  ASSERT_EQ(read->channels().size(), written.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    EXPECT_EQ(read->channels()[i].name, written[i].name);
    EXPECT_EQ(read->channels()[i].unit, written[i].unit);
    EXPECT_EQ(read->channels()[i].components, written[i].components) << written[i].name;
  }
  EXPECT_EQ(read->notes().size(), 1u) << "the note is for the reader alone";
}

TEST(CsvReader, ColumnsThatSomebodyHasChangedAreReadByTheirNames) {
  const TemporaryFile file(".csv");
  std::ofstream(file.path()) << "# channels of several columns: energy 2,p 3\n"
                                "time [s],energy.kinetic [J],p.x [m],p.y [m],p.z [m]\n0,1,2,3,4\n";
  const auto read = openLog(file.path());
  ASSERT_EQ(read->channels().size(), 3u);
  EXPECT_EQ(read->channels()[1].name, "energy.kinetic");
  EXPECT_EQ(read->channels()[2].size(), 3);
}

TEST(CsvReader, ReadsTheSameBits) {
  const TemporaryFile file(".csv");
  writeSample(file.path());
  const auto log = openLog(file.path());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(log->times()[static_cast<std::size_t>(i)], 0.1 * i);
  EXPECT_EQ(log->column("foot.force.x")[4], 1.0 / 3.0);
  EXPECT_EQ(log->column("foot.force.z [N]")[3], -3.0);
  const std::vector<double> last = log->column(4);
  EXPECT_TRUE(std::isnan(last[1]));
  EXPECT_EQ(last[4], 4.0);
  EXPECT_EQ(log->row(2)[2], 2.0);
}

TEST(CsvReader, FindsTheRowsOfATimeSpan) {
  const TemporaryFile file(".csv");
  writeSample(file.path());
  const auto log = openLog(file.path());
  const RowRange range = log->rowsBetween(0.1, 0.35);
  EXPECT_EQ(range.first, 1u);
  EXPECT_EQ(range.count, 3u);
  const int columns[] = {3, 0};
  EXPECT_EQ(log->read(columns, range), (std::vector<double>{-1, -2, -3, 0.1, 0.2, 0.1 * 3}));
  EXPECT_EQ(log->rowsBetween(7.0, 8.0).count, 0u);
}

TEST(CsvReader, PatternsChooseColumns) {
  const TemporaryFile file(".csv");
  writeSample(file.path());
  const auto log = openLog(file.path());
  EXPECT_EQ(log->matchingColumns("foot.force"), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(log->matchingColumns("*.force.?"), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(log->matchingColumns("foot*y"), (std::vector<int>{2}));
  EXPECT_NE(std::string(errorOf([&] { log->matchingColumns("foot.forse.x"); }).what()).find("foot.force.x"),
            std::string::npos);
}

TEST(CsvReader, AStarStandsForNoLettersOrMany) {
  const TemporaryFile file(".csv");
  writeSample(file.path());
  const auto log = openLog(file.path());
  EXPECT_EQ(log->matchingColumns("*"), (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(log->matchingColumns("**time**"), (std::vector<int>{0}));
  EXPECT_EQ(log->matchingColumns("f*o*o*.z"), (std::vector<int>{3})) << "an 'o' is left for the second star";
  EXPECT_EQ(log->matchingColumns("*o?.?orce.?"), (std::vector<int>{1, 2, 3}));
  for (const char* none : {"", "?", "time?", "foot*w", "*foot.force.x*?"})
    EXPECT_THROW(log->matchingColumns(none), Error) << none;
}

/// Tried one by one, the ways to share the letters among the stars would take longer than the universe is old.
TEST(CsvReader, ManyStarsTakeNoLongerThanTheNameTimesThePattern) {
  const TemporaryFile file(".csv");
  CsvLog written(file.path());
  written.add({std::string(1000, 'a') + "c", "-", {}});
  written.begin();
  written.close();
  std::string pattern;
  for (int i = 0; i < 100; ++i) pattern += "*a";
  const auto log = openLog(file.path());
  EXPECT_EQ(log->matchingColumns(pattern + "*"), std::vector<int>{0});
  EXPECT_THROW(log->matchingColumns(pattern + "*b"), Error);
}

TEST(CsvReader, ALastLineThatDoesNotEndIsLeftOutAndNamed) {
  const TemporaryFile file(".csv");
  writeSample(file.path());
  const std::string whole = file.bytes();
  file.write(whole.substr(0, whole.size() - 3));
  const auto log = openLog(file.path());
  EXPECT_EQ(log->rows(), 4u);
  EXPECT_NE(log->damage().find("row 4"), std::string::npos);
}

TEST(CsvReader, ARowWithTooFewFieldsIsAnError) {
  const TemporaryFile file(".csv");
  file.write("time [s],a [m]\n0,1\n0.1\n0.2,3\n");
  EXPECT_NE(std::string(errorOf([&] { openLog(file.path()); }).what()).find("row 1 has 1 fields"), std::string::npos);
}

}  // namespace
}  // namespace footfall
