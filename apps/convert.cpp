#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <span>

#include "footfall/log/log_reader.hpp"
#include "log_verbs.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace footfall::command {
namespace {

/// The entries of one row.
void copyEntries(const EntryList& list, const ListEntries& entries, std::size_t row, ListHandle handle, Log& to) {
  const auto width = static_cast<std::size_t>(list.size());
  for (std::size_t e = entries.first[row]; e < entries.first[row + 1]; ++e)
    to.addEntry(handle, std::span(entries.values).subspan(e * width, width));
}

/// Number of the list whose entries a channel counts; −1: none.
int listCountedBy(const Channel& channel, const LogReader& log) {
  for (std::size_t k = 0; k < log.lists().size(); ++k)
    if (channel.name == log.lists()[k].name + ".count") return static_cast<int>(k);
  return -1;
}

void warnOfLists(const LogReader& from, const std::string& to) {
  for (const EntryList& list : from.lists())
    printWarning(
        fmt::format("{}: this format has no place for the entries of '{}', only for their number; .mcap and "
                    ".mat have",
                    to, list.name));
}

/// All columns of the rows, in pieces that fit into memory whatever the length of the log.
void copyRows(const LogReader& from, const std::vector<ChannelHandle>& channels, const std::vector<ListHandle>& lists,
              Log& to) {
  constexpr std::size_t kPiece = 4096;
  std::vector<int> all(from.columns().size());
  std::iota(all.begin(), all.end(), 0);
  VectorXd row(static_cast<Eigen::Index>(all.size()));
  for (std::size_t first = 0; first < from.rows(); first += kPiece) {
    const RowRange range{first, std::min(kPiece, from.rows() - first)};
    const std::vector<double> values = from.read(all, range);
    std::vector<ListEntries> entries;
    for (std::size_t k = 0; k < lists.size(); ++k) entries.push_back(from.entries(static_cast<int>(k), range));
    for (std::size_t i = 0; i < range.count; ++i) {
      for (std::size_t c = 0; c < all.size(); ++c) row[static_cast<Eigen::Index>(c)] = values[c * range.count + i];
      for (const ChannelHandle& channel : channels) to.set(channel, row.segment(channel.first, channel.size));
      for (std::size_t k = 0; k < lists.size(); ++k) copyEntries(from.lists()[k], entries[k], i, lists[k], to);
      to.endRow();
    }
  }
}

}  // namespace

int convert(const std::string& from, const std::string& to) {
  std::error_code none;
  if (std::filesystem::equivalent(from, to, none))
    throw Error(to, "a log cannot be converted into itself", "choose another name for the result");
  const auto reader = openLog(from);
  if (!reader->damage().empty()) printWarning(fmt::format("{}: {}", from, reader->damage()));
  const auto log = makeLog(to);
  for (const auto& [key, value] : reader->notes()) log->addNote(key, value);
  std::vector<ChannelHandle> channels;
  std::vector<ListHandle> lists(reader->lists().size());
  for (const Channel& channel : reader->channels()) {
    const int list = listCountedBy(channel, *reader);
    if (list < 0)
      channels.push_back(log->add(channel));
    else
      lists[static_cast<std::size_t>(list)] = log->addList(reader->lists()[static_cast<std::size_t>(list)]);
  }
  if (!log->keepsLists()) warnOfLists(*reader, to);
  if (log->keepsAttachments())
    for (const AttachmentInfo& info : reader->attachments())
      log->attach({info.name, info.media_type, reader->attachment(info.name)});
  log->begin();
  copyRows(*reader, channels, lists, *log);
  log->close();
  fmt::print("{}: {} rows, {} channels\n", to, reader->rows(), reader->channels().size());
  return kSuccess;
}

}  // namespace footfall::command
