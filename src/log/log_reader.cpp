#include "footfall/log/log_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

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
  for (const std::string& name : columnNames(channels_)) columns_.emplace_back(withoutUnit(name));
  for (const Channel& channel : channels_)
    units_.insert(units_.end(), static_cast<std::size_t>(channel.size()), channel.unit);
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
