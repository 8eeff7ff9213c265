#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "footfall/log/log_reader.hpp"
#include "log_verbs.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace footfall::command {
namespace {

/// All columns of the rows, in pieces that fit into memory whatever the length of the log.
void copyRows(const LogReader& from, const std::vector<ChannelHandle>& channels, Log& to) {
  constexpr std::size_t kPiece = 4096;
  std::vector<int> all(from.columns().size());
  std::iota(all.begin(), all.end(), 0);
  VectorXd row(static_cast<Eigen::Index>(all.size()));
  for (std::size_t first = 0; first < from.rows(); first += kPiece) {
    const RowRange range{first, std::min(kPiece, from.rows() - first)};
    const std::vector<double> values = from.read(all, range);
    for (std::size_t i = 0; i < range.count; ++i) {
      for (std::size_t c = 0; c < all.size(); ++c) row[static_cast<Eigen::Index>(c)] = values[c * range.count + i];
      for (const ChannelHandle& channel : channels) to.set(channel, row.segment(channel.first, channel.size));
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
  for (const auto& [key, value] : reader->notes()) log->note(key, value);
  std::vector<ChannelHandle> channels;
  for (const Channel& channel : reader->channels()) channels.push_back(log->add(channel));
  if (log->keepsAttachments())
    for (const AttachmentInfo& info : reader->attachments())
      log->attach({info.name, info.media_type, reader->attachment(info.name)});
  log->begin();
  copyRows(*reader, channels, *log);
  log->close();
  fmt::print("{}: {} rows, {} channels\n", to, reader->rows(), channels.size());
  return kSuccess;
}

}  // namespace footfall::command
