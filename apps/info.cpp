#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "footfall/log/log_reader.hpp"
#include "log_verbs.hpp"
#include "verbs.hpp"

namespace footfall::command {
namespace {

std::string sizeText(double bytes) {
  if (bytes < 1e3) return fmt::format("{:.0f} B", bytes);
  return bytes < 1e6 ? fmt::format("{:.1f} kB", bytes / 1e3) : fmt::format("{:.1f} MB", bytes / 1e6);
}

void printExtent(const LogReader& log) {
  const auto size = static_cast<double>(std::filesystem::file_size(log.path()));
  fmt::print("{}: {} rows, {} columns, {}", log.path(), log.rows(), log.columns().size(), sizeText(size));
  if (log.rows() > 0) fmt::print(", from t = {:g} s to {:g} s", log.times().front(), log.times().back());
  // A table of text has no end of its own: the last row that was written looks like the last row of the run.
  const bool tells_its_end = std::filesystem::path(log.path()).extension() != ".csv";
  const std::string sound =
      tells_its_end ? "complete" : "every row is whole; a .csv file does not tell whether its run had ended";
  fmt::print("\n  {}\n", log.damage().empty() ? sound : log.damage());
  if (!log.damage().empty()) fmt::print("  for other readers: footfall convert {} whole.mcap\n", log.path());
}

void printNotes(const LogNotes& notes) {
  std::size_t width = 0;
  for (const auto& note : notes) width = std::max(width, note.first.size());
  for (const auto& [key, value] : notes) fmt::print("  {:<{}}  {}\n", key, width, value);
}

void printChannel(const Channel& channel) {
  std::string components;
  for (const std::string& component : channel.components) components += " " + component;
  fmt::print("  {:<44} [{}]{}\n", channel.name, channel.unit, components);
}

void printChannels(const LogReader& log) {
  std::string group = "\n";  // of no channel
  for (const Channel& channel : log.channels()) {
    if (channel.group != group) fmt::print("\n{}\n", channel.group.empty() ? "channels" : channel.group);
    group = channel.group;
    printChannel(channel);
  }
  for (const EntryList& list : log.lists()) {
    fmt::print("\n{}, any number in a row\n", list.name);
    for (const Channel& channel : list.channels) printChannel(channel);
  }
}

}  // namespace

int info(const std::string& path) {
  const auto log = openLog(path);
  printExtent(*log);
  fmt::print("\n");
  printNotes(log->notes());
  printChannels(*log);
  if (!log->attachments().empty()) fmt::print("\nattachments\n");
  for (const AttachmentInfo& attachment : log->attachments())
    fmt::print("  {:<60} {:>10}  {}\n", attachment.name, sizeText(static_cast<double>(attachment.size)),
               attachment.media_type);
  return kSuccess;
}

}  // namespace footfall::command
