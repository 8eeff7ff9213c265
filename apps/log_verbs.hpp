#pragma once

#include <string>
#include <vector>

namespace footfall::command {

struct PlotOptions {
  std::string log;                    ///< path
  std::vector<std::string> channels;  ///< names or patterns: a panel for each
  std::string output = "plot.png";    ///< .png or .svg
  std::string title;                  ///< empty: robot and scene
  double from = -1e300, to = 1e300;   ///< [s]
};

// What can be done with a log; as the verbs of verbs.hpp.
int convert(const std::string& from, const std::string& to);
int plot(const PlotOptions& options);
int info(const std::string& log);

}  // namespace footfall::command
