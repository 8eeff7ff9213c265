// Which file is which kind of log.

#include <fmt/format.h>

#include <filesystem>

#include "footfall/log/csv_log.hpp"
#include "footfall/log/log_reader.hpp"
#include "log/csv_reader.hpp"

namespace footfall {

std::unique_ptr<Log> makeLog(const std::string& path) { return std::make_unique<CsvLog>(path); }

std::unique_ptr<LogReader> openLog(const std::string& path) {
  if (!std::filesystem::exists(path)) throw Error(path, "there is no such log");
  return openCsv(path);
}

}  // namespace footfall
