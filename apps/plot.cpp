#include "footfall/plot/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "footfall/base/error.hpp"
#include "footfall/log/log_reader.hpp"
#include "log_verbs.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace footfall::command {
namespace {

/// "force [N]", or "[N]" when the lines of a panel are of different kinds; numbers without a unit have none.
std::string axisLabel(const std::string& title, const std::string& unit) {
  const std::string quantity = title.find_first_of("*?") == std::string::npos ? title + " " : "";
  return unit == "-" ? quantity : fmt::format("{}[{}]", quantity, unit);
}

/// The columns that a pattern means, a panel for each unit.
std::vector<PlotPanel> panelsOf(const LogReader& log, const std::string& pattern, RowRange rows,
                                const std::vector<double>& times) {
  std::vector<PlotPanel> panels;
  std::vector<std::string> units;
  for (const int column : log.matchingColumns(pattern)) {
    const auto found = std::find(units.begin(), units.end(), log.unit(column));
    const auto index = static_cast<std::size_t>(found - units.begin());
    if (found == units.end()) {
      units.push_back(log.unit(column));
      panels.push_back({pattern, axisLabel(pattern, log.unit(column)), {}});
    }
    panels[index].series.push_back(
        {log.columns()[static_cast<std::size_t>(column)], times, log.read(std::span(&column, 1), rows)});
  }
  return panels;
}

std::string defaultTitle(const LogReader& log) {
  const std::string robot = log.note("robot"), scene = std::filesystem::path(log.note("scene")).filename().string();
  if (robot.empty()) return std::filesystem::path(log.path()).filename().string();
  return scene.empty() ? robot : fmt::format("{}, {}", robot, scene);
}

}  // namespace

int plot(const PlotOptions& options) {
  const auto log = openLog(options.log);
  if (!log->damage().empty()) printWarning(fmt::format("{}: {}", options.log, log->damage()));
  if (log->rows() == 0)
    throw Error(options.log, "the log has no rows", "did the run end before its first half second?");
  const RowRange rows = log->rowsBetween(options.from, options.to);
  if (rows.count == 0)
    throw Error(options.log, fmt::format("there are no rows from {} s to {} s", options.from, options.to),
                fmt::format("it goes from {:.9g} s to {:.9g} s", log->times().front(), log->times().back()));
  const auto first = log->times().begin() + static_cast<std::ptrdiff_t>(rows.first);
  const std::vector<double> times(first, first + static_cast<std::ptrdiff_t>(rows.count));
  Plot plot;
  plot.title = options.title.empty() ? defaultTitle(*log) : options.title;
  plot.x_label = fmt::format("{} [{}]", log->columns().front(), log->unit(0));
  for (const std::string& pattern : options.channels)
    for (PlotPanel& panel : panelsOf(*log, pattern, rows, times)) plot.panels.push_back(std::move(panel));
  drawPlot(plot, options.output);
  fmt::print("{}: {} rows, {} panels\n", options.output, rows.count, plot.panels.size());
  return kSuccess;
}

}  // namespace footfall::command
