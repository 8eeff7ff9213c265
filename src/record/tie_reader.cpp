#include "footfall/record/tie_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "footfall/base/error.hpp"
#include "footfall/model/state.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {
namespace record {
namespace {

/// Numbers of a tie in older logs, which do not tell the parts of the links that are held.
constexpr std::size_t kEntryWithoutParts = 34;
const std::vector<std::string> kAxes = {"x", "y", "z"};
const std::vector<std::string> kMatrix = {"xx", "yx", "zx", "xy", "yy", "zy", "xz", "yz", "zz"};

}  // namespace

EntryList tieEntries() {
  return {"ties",
          {{"name", "-", {}},
           {"kind", "-", {}},
           {"a", "-", {}},
           {"b", "-", {}},
           {"rotation_a", "-", kMatrix},
           {"position_a", "m", kAxes},
           {"rotation_b", "-", kMatrix},
           {"position_b", "m", kAxes},
           {"force", "N", kAxes},
           {"moment", "N m", kAxes},
           {"part_a", "-", {}},
           {"part_b", "-", {}}},
          "state"};
}

std::vector<std::string> tieNames(const Scene& scene) {
  std::vector<std::string> names;
  for (const SceneLoop& loop : scene.loops)
    if (loop.isTie()) names.push_back(nameOf(loop));
  return names;
}

int numberOf(const Loop& tie, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), tie.name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

std::array<double, kTieEntry> numbersOf(const Loop& tie, int name, const Vector6d& wrench_F) {
  std::array<double, kTieEntry> numbers = {static_cast<double>(name), static_cast<double>(tie.kind),
                                           static_cast<double>(tie.link_a), static_cast<double>(tie.link_b)};
  double* next = numbers.data() + 4;
  for (const Pose* X : {&tie.X_AF, &tie.X_BF}) {
    next = std::copy_n(X->R.data(), 9, next);
    next = std::copy_n(X->p.data(), 3, next);
  }
  next = std::copy_n(wrench_F.data(), 6, next);
  *next++ = static_cast<double>(tie.frame_a);
  *next = static_cast<double>(tie.frame_b);
  return numbers;
}

}  // namespace record

namespace {

std::vector<std::string> namesIn(const LogReader& log) {
  std::vector<std::string> names;
  for (const auto& [key, value] : log.notes()) {
    if (key != "tie names") continue;
    std::istringstream words(value);
    for (std::string word; words >> word;) names.push_back(word);
  }
  return names;
}

}  // namespace

TieReader::TieReader(const LogReader& log, const Model& model)
    : log_(log), model_(model), list_(log.findList("ties")), names_(namesIn(log)) {
  if (list_ < 0) return;
  entry_ = static_cast<std::size_t>(log.lists()[static_cast<std::size_t>(list_)].size());
  if (entry_ != record::kTieEntry && entry_ != record::kEntryWithoutParts)
    throw Error(log.path(), "it writes ties in another way", "was it written by another version of the program?");
}

LoggedTie TieReader::tieOf(const double* numbers, std::size_t row) const {
  const auto index = [&](double number, int least, int count) {
    if (number >= least && number < count && number == static_cast<int>(number)) return static_cast<int>(number);
    throw Error(log_.path(), fmt::format("row {} has a tie with the number {}", row, number), "is it damaged?");
  };
  const int links = static_cast<int>(model_.links.size());
  const int name = index(numbers[0], -1, static_cast<int>(names_.size()));
  LoggedTie logged;
  Loop& tie = logged.tie;
  tie.kind = static_cast<LoopKind>(index(numbers[1], 0, 4));
  tie.link_a = LinkIndex(index(numbers[2], -1, links));
  tie.link_b = LinkIndex(index(numbers[3], -1, links));
  const double* next = numbers + 4;
  for (Pose* X : {&tie.X_AF, &tie.X_BF}) {
    std::copy_n(next, 9, X->R.data());
    std::copy_n(next + 9, 3, X->p.data());
    next += 12;
  }
  const auto nameOfLink = [&](LinkIndex link) { return link.valid() ? model_.links[link].name : "world"; };
  tie.name = name >= 0 ? names_[static_cast<std::size_t>(name)] : nameOfLink(tie.link_a) + "-" + nameOfLink(tie.link_b);
  std::copy_n(next, 6, logged.wrench_F.data());
  if (entry_ == record::kTieEntry) {
    const int frames = static_cast<int>(model_.frames.size());
    tie.frame_a = FrameIndex(index(next[6], -1, frames));
    tie.frame_b = FrameIndex(index(next[7], -1, frames));
  }
  return logged;
}

/// Tables keep no lists: their states are whole only without ties.
void TieReader::refuseLostTies(std::size_t row) const {
  const auto found = std::find(log_.columns().begin(), log_.columns().end(), "ties.count");
  if (found == log_.columns().end()) return;
  const int column = static_cast<int>(found - log_.columns().begin());
  if (log_.read({&column, 1}, {row, 1}).front() > 0.0)
    throw Error(log_.path(), fmt::format("row {} has ties, and this format only counts them", row),
                "write the log as .mcap or .mat");
}

std::vector<LoggedTie> TieReader::read(std::size_t row) const {
  std::vector<LoggedTie> ties;
  if (list_ < 0) return ties;
  const ListEntries found = log_.entries(list_, {row, 1});
  for (std::size_t k = 0; k * entry_ < found.values.size(); ++k)
    ties.push_back(tieOf(found.values.data() + k * entry_, row));
  return ties;
}

std::vector<Loop> TieReader::at(std::size_t row) const {
  if (list_ < 0) refuseLostTies(row);
  std::vector<Loop> ties;
  for (LoggedTie& logged : read(row)) ties.push_back(std::move(logged.tie));
  checkTies(model_, ties, log_.path());
  return ties;
}

}  // namespace footfall
