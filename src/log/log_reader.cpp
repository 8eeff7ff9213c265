#include "footfall/log/log_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

constexpr double kMostEntries = 1e6;  ///< of a row: more is damage, not data

/// `*` stands for any letters, `?` for one. What follows a `*` is looked for from its place onwards; once it is found,
/// an earlier `*` need not be tried again, so that the time is at most the product of the lengths.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, after_star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      retry = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (after_star != std::string_view::npos) {  // the star takes one letter more
      p = after_star;
      t = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string_view withoutUnit(std::string_view name) { return name.substr(0, name.rfind(" [")); }

}  // namespace

std::string LogReader::note(std::string_view key) const {
  const auto found = std::find_if(notes_.begin(), notes_.end(), [&](const auto& note) { return note.first == key; });
  return found == notes_.end() ? std::string() : found->second;
}

void LogReader::setChannels(std::vector<Channel> channels) {
  std::unordered_set<std::string_view> names;
  for (const Channel& channel : channels)
    if (!names.insert(channel.name).second)
      throw Error(path_, fmt::format("two channels of the log are called '{}'", channel.name), "is it damaged?");
  channels_ = std::move(channels);
  for (EntryList& list : lists_) {
    const auto counter = std::find_if(channels_.begin(), channels_.end(),
                                      [&](const Channel& c) { return c.name == list.name + ".count"; });
    if (counter == channels_.end() || !counter->components.empty())
      throw Error(path_, fmt::format("the log does not say how many entries of '{}' its rows have", list.name),
                  "is it damaged?");
    list.group = counter->group;
  }
  for (Column& column : columnsOf(channels_)) {
    columns_.push_back(std::move(column.name));
    units_.push_back(std::move(column.unit));
  }
}

int LogReader::columnIndex(std::string_view name) const {
  const auto found = std::find(columns_.begin(), columns_.end(), withoutUnit(name));
  if (found == columns_.end())
    throw Error(path_, fmt::format("the log has no column '{}'", name), suggestOrList(name, columns_));
  return static_cast<int>(found - columns_.begin());
}

std::vector<int> LogReader::matchingColumns(std::string_view pattern) const {
  std::vector<int> found;
  int column = 0;
  for (const Channel& channel : channels_) {
    const bool all = matches(pattern, channel.name);
    for (int i = 0; i < channel.size(); ++i, ++column)
      if (all || matches(pattern, columns_[static_cast<std::size_t>(column)])) found.push_back(column);
  }
  if (found.empty())
    throw Error(path_, fmt::format("the log has no channel '{}'", pattern), suggestOrList(pattern, columns_));
  return found;
}

const std::vector<double>& LogReader::times() const {
  if (times_.empty() && rows_ > 0) times_ = column(0);
  return times_;
}

RowRange LogReader::rowsBetween(double start, double end) const {
  const std::vector<double>& all = times();
  const auto first = std::lower_bound(all.begin(), all.end(), start);
  const auto last = std::upper_bound(first, all.end(), end);
  return {static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(last - first)};
}

std::vector<double> LogReader::read(std::span<const int> columns, RowRange rows) const {
  for (const int column : columns)
    if (column < 0 || column >= static_cast<int>(columns_.size()))
      throw Error(path_, fmt::format("the log has no column {}: there are {}", column, columns_.size()));
  if (rows.end() > rows_) throw Error(path_, fmt::format("the log has no row {}: there are {}", rows.end() - 1, rows_));
  std::vector<double> values(columns.size() * rows.count);
  if (!values.empty()) fetch(columns, rows, values.data());
  return values;
}

std::vector<double> LogReader::column(int index) const { return read(std::span(&index, 1), {0, rows_}); }

std::vector<double> LogReader::row(std::size_t index) const {
  std::vector<int> all(columns_.size());
  std::iota(all.begin(), all.end(), 0);
  return read(all, {index, 1});
}

int LogReader::findList(std::string_view name) const {
  const auto found = std::find_if(lists_.begin(), lists_.end(), [&](const EntryList& l) { return l.name == name; });
  return found == lists_.end() ? -1 : static_cast<int>(found - lists_.begin());
}

/// Counted once: the rows say how many entries they have.
const std::vector<std::size_t>& LogReader::listStarts(int list) const {
  list_starts_.resize(lists_.size());
  std::vector<std::size_t>& starts = list_starts_[static_cast<std::size_t>(list)];
  if (!starts.empty()) return starts;
  const std::vector<double> counts = column(lists_[static_cast<std::size_t>(list)].name + ".count");
  starts.push_back(0);
  for (const double count : counts) {
    if (std::isnan(count) || (count >= 0.0 && count <= kMostEntries)) {
      starts.push_back(starts.back() + (std::isnan(count) ? 0 : static_cast<std::size_t>(count)));
      continue;
    }
    starts.clear();
    throw Error(path_, fmt::format("a row claims to have {} entries", count), "is it damaged?");
  }
  return starts;
}

ListEntries LogReader::entries(int list, RowRange rows) const {
  if (list < 0 || list >= static_cast<int>(lists_.size()))
    throw Error(path_, fmt::format("the log has no list {}: there are {}", list, lists_.size()));
  if (rows.end() > rows_) throw Error(path_, fmt::format("the log has no row {}: there are {}", rows.end() - 1, rows_));
  const std::vector<std::size_t>& starts = listStarts(list);
  const std::size_t first = starts[rows.first], end = starts[rows.end()];
  ListEntries entries;
  for (std::size_t row = rows.first; row <= rows.end(); ++row) entries.first.push_back(starts[row] - first);
  if (first == end) return entries;
  entries.values.resize((end - first) * static_cast<std::size_t>(lists_[static_cast<std::size_t>(list)].size()));
  fetchEntries(list, first, end, entries.values.data());
  return entries;
}

bool LogReader::hasAttachment(std::string_view name) const {
  return std::any_of(attachments_.begin(), attachments_.end(),
                     [&](const AttachmentInfo& info) { return info.name == name; });
}

std::string LogReader::attachment(std::string_view name) const {
  std::vector<std::string> names;
  for (const AttachmentInfo& info : attachments_) names.push_back(info.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw Error(path_, fmt::format("the log has no attachment '{}'", name), suggestOrList(name, names));
  return fetchAttachment(static_cast<std::size_t>(found - names.begin()));
}

}  // namespace footfall
