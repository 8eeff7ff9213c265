#include "footfall/log/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "footfall/base/internal/require_size.hpp"

namespace footfall {
namespace {
constexpr double kNotSet = std::numeric_limits<double>::quiet_NaN();
constexpr std::chrono::milliseconds kPushPeriod{500};
}  // namespace

std::vector<Column> columnsOf(const std::vector<Channel>& channels) {
  std::vector<Column> columns;
  for (const Channel& channel : channels) {
    if (channel.components.empty()) columns.push_back({channel.name, channel.unit});
    for (const std::string& component : channel.components)
      columns.push_back({channel.name + "." + component, channel.unit});
  }
  return columns;
}

std::vector<std::string> columnNames(const std::vector<Channel>& channels) {
  std::vector<std::string> names;
  for (const Column& column : columnsOf(channels)) names.push_back(fmt::format("{} [{}]", column.name, column.unit));
  return names;
}

ChannelHandle Log::add(Channel channel) {
  if (std::any_of(channels_.begin(), channels_.end(), [&](const Channel& c) { return c.name == channel.name; }))
    throw Error("", fmt::format("two channels of the log are called '{}'", channel.name),
                "readers find a channel by its name");
  const ChannelHandle handle{static_cast<int>(row_.size()), channel.size()};
  row_.resize(row_.size() + static_cast<std::size_t>(channel.size()), kNotSet);
  channels_.push_back(std::move(channel));
  return handle;
}

int EntryList::size() const {
  int size = 0;
  for (const Channel& channel : channels) size += channel.size();
  return size;
}

ListHandle Log::addList(EntryList list) {
  list_counts_.push_back(add({list.name + ".count", "-", {}, list.group}));
  lists_.push_back(std::move(list));
  entries_.emplace_back();
  entry_counts_.push_back(0);
  return {static_cast<int>(lists_.size()) - 1};
}

void Log::addEntry(ListHandle list, std::span<const double> values) {
  const auto number = static_cast<std::size_t>(list.number);
  requireSize("log", lists_[number].name.c_str(), static_cast<long long>(values.size()), lists_[number].size());
  ++entry_counts_[number];
  if (keepsLists()) entries_[number].insert(entries_[number].end(), values.begin(), values.end());
}

void Log::attach(Attachment attachment) {
  if (keepsAttachments()) attachments_.push_back(std::move(attachment));
}

void Log::begin() {
  writeHeader(notes_, channels_, attachments_);
  last_push_ = std::chrono::steady_clock::now();
  attachments_ = {};  // meshes are large, and nobody needs them any more
}

void Log::set(ChannelHandle channel, double value) {
  requireSize("log", "a single number", 1, channel.size);
  row_[static_cast<std::size_t>(channel.first)] = value;
}

void Log::set(ChannelHandle channel, const Eigen::Ref<const VectorXd>& values) {
  requireSize("log", "a row of a channel", values.size(), channel.size);
  std::copy(values.data(), values.data() + values.size(), row_.begin() + channel.first);
}

void Log::endRow() {
  for (std::size_t k = 0; k < lists_.size(); ++k) {
    set(list_counts_[k], static_cast<double>(std::exchange(entry_counts_[k], 0)));
    if (!entries_[k].empty()) writeEntries(static_cast<int>(k), row_, entries_[k]);
    entries_[k].clear();
  }
  writeRow(row_);
  std::fill(row_.begin(), row_.end(), kNotSet);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_push_ < kPushPeriod) return;
  last_push_ = now;
  pushRows();
}

}  // namespace footfall
