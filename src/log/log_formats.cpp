// Which file is which kind of log.

#include <fmt/format.h>

#include <filesystem>

#include "footfall/base/suggest.hpp"
#include "footfall/log/csv_log.hpp"
#include "footfall/log/log_reader.hpp"
#include "footfall/log/mcap_log.hpp"
#include "log/csv_reader.hpp"
#include "log/mat_log.hpp"
#include "log/mcap_reader.hpp"

namespace footfall {
namespace {

std::string endingOf(const std::string& path) { return std::filesystem::path(path).extension().string(); }

/// A file without an ending, such as a device, is CSV.
bool isCsv(const std::string& path) { return endingOf(path) == ".csv" || endingOf(path).empty(); }

}  // namespace

std::unique_ptr<Log> makeLog(const std::string& path) {
  if (endingOf(path) == ".mcap") return std::make_unique<McapLog>(path);
  if (isCsv(path)) return std::make_unique<CsvLog>(path);
  if (endingOf(path) != ".mat")
    throw Error(path, fmt::format("there are no logs that end in '{}'", endingOf(path)),
                suggestOrList(endingOf(path), {".mcap", ".csv", ".mat"}));
  return makeMatLog(path);
}

std::unique_ptr<LogReader> openLog(const std::string& path) {
  if (!std::filesystem::exists(path)) throw Error(path, "there is no such log");
  if (endingOf(path) == ".mcap") return openMcap(path);
  if (isCsv(path)) return openCsv(path);
  throw Error(path, fmt::format("logs that end in '{}' cannot be read", endingOf(path)),
              suggestOrList(endingOf(path), {".mcap", ".csv"}));
}

}  // namespace footfall
