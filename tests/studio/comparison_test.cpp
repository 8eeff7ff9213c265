// Where two logs part, and what a server calls itself for other machines.

#include <gtest/gtest.h>

#include <fstream>

#include "log/temporary_file.hpp"
#include "studio/server/first_difference.hpp"
#include "studio/server/reachable_name.hpp"

namespace footfall::studio {
namespace {

using test::TemporaryFile;

/// A table with the time and two columns.
class Table {
 public:
  Table(const std::string& header, const std::vector<std::string>& rows) : file_(".csv") {
    std::ofstream out(file_.path());
    out << header << "\n";
    for (const std::string& row : rows) out << row << "\n";
  }
  std::unique_ptr<LogReader> open() const { return openLog(file_.path()); }

 private:
  TemporaryFile file_;
};

std::optional<Difference> compare(const Table& a, const Table& b) {
  const std::atomic<bool> go_on = false;
  return firstDifference(*a.open(), *b.open(), go_on);
}

const std::string kHeader = "time [s],x [m],y [m]";

TEST(FirstDifference, IsTheFirstInstantWithOtherBits) {
  const Table a(kHeader, {"0,1,5", "0.1,2,5", "0.2,3,5", "0.3,4,9"}),
      b(kHeader, {"0,1,5", "0.1,2,5", "0.2,3,5.5", "0.3,7,9"});
  const auto found = compare(a, b);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->time, 0.2);
  EXPECT_EQ(found->column, "y");
  EXPECT_EQ(found->a, 5.0);
  EXPECT_EQ(found->b, 5.5);
}

TEST(FirstDifference, ComparesColumnsOfTheSameNameAtCommonInstants) {
  const Table a(kHeader, {"0,1,5", "0.1,2,5", "0.2,3,5"});
  const Table fewer("time [s],y [m],z [m]", {"0,5,1", "0.2,5,2"});  // other columns, and every second row
  EXPECT_FALSE(compare(a, fewer));
  const Table longer(kHeader, {"0,1,5", "0.1,2,5", "0.2,3,5", "0.3,9,9"});
  EXPECT_FALSE(compare(a, longer));
}

TEST(FirstDifference, IsNotTheEndOfTheShorterRun) {
  // y is a force: it belongs to the step that begins at a row, and the last row begins none.
  const Table shorter(kHeader, {"0,1,5", "0.1,2,5", "0.2,3,nan"});
  const Table longer(kHeader, {"0,1,5", "0.1,2,5", "0.2,3,5", "0.3,9,nan"});
  EXPECT_FALSE(compare(shorter, longer));
  EXPECT_FALSE(compare(longer, shorter));
  const Table elsewhere(kHeader, {"0,1,5", "0.1,2,5", "0.2,4,nan"});  // what both have still counts there
  EXPECT_EQ(compare(elsewhere, longer).value().column, "x");
  const Table within(kHeader, {"0,1,5", "0.1,2,nan", "0.2,3,nan"});
  EXPECT_EQ(compare(within, longer).value().time, 0.1);
}

TEST(NameForOthers, IsAnAddressThatGoesBeyondThisMachine) {
  const std::vector<OwnAddress> addresses = {{"127.0.0.1", false, true, false},   {"::1", true, true, false},
                                             {"169.254.3.4", false, false, true}, {"fe80::1", true, false, true},
                                             {"2001:db8::7", true, false, false}, {"192.0.2.7", false, false, false}};
  EXPECT_EQ(nameForOthers(addresses, false), "192.0.2.7");
  EXPECT_EQ(nameForOthers(addresses, true), "192.0.2.7");  // both kinds are listened to, and this one is easier to type
  const std::vector<OwnAddress> only_new(addresses.begin(), addresses.end() - 1);
  EXPECT_EQ(nameForOthers(only_new, true), "2001:db8::7");
  EXPECT_EQ(nameForOthers(only_new, false), "127.0.0.1");
}

}  // namespace
}  // namespace footfall::studio
