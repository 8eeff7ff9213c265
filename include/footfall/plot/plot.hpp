#pragma once

#include <string>
#include <vector>

namespace footfall {

/// A line of a plot. Values that are not a number leave a gap.
struct PlotSeries {
  std::string label;
  std::vector<double> x, y;
};

/// A frame with axes; panels of a plot lie above each other and share the x axis.
struct PlotPanel {
  std::string title;
  std::string y_label;
  std::vector<PlotSeries> series;
};

struct Plot {
  std::string title;
  std::string x_label;
  std::vector<PlotPanel> panels;
  int width = 1000;        ///< [px]
  int panel_height = 260;  ///< [px]
};

/// Draws a plot into a .png or .svg file, chosen by the ending; throws Error when the file cannot be written.
void drawPlot(const Plot& plot, const std::string& path);

}  // namespace footfall
