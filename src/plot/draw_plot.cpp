#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <utility>

#include "footfall/base/cannot_write.hpp"
#include "footfall/plot/plot.hpp"
#include "plot/canvas.hpp"
#include "plot/font.hpp"
#include "plot/ticks.hpp"

namespace footfall {
namespace {

// By Okabe and Ito: told apart by nearly all eyes.
constexpr std::array<PlotColor, 8> kPalette = {{{0.000, 0.447, 0.698},
                                                {0.835, 0.369, 0.000},
                                                {0.000, 0.620, 0.451},
                                                {0.800, 0.475, 0.655},
                                                {0.902, 0.624, 0.000},
                                                {0.337, 0.706, 0.914},
                                                {0.35, 0.35, 0.35},
                                                {0.60, 0.45, 0.20}}};
constexpr PlotColor kText = {0.15, 0.15, 0.15}, kGrid = {0.88, 0.88, 0.88}, kFrame = {0.55, 0.55, 0.55};

constexpr double kFontSize = 12.0, kTitleSize = 15.0;                       // [px]
constexpr double kLeft = 84.0, kRight = 20.0, kTop = 42.0, kBottom = 48.0;  // margins of the picture [px]
constexpr double kPanelTop = 26.0, kPanelBottom = 10.0;                     // of a panel [px]
constexpr double kLegendGap = 18.0, kLegendLine = 18.0;                     // [px]

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// Never empty, with some air above and below.
  Range padded(double share) const {
    if (low > high) return {0.0, 1.0};
    const double size = high - low;
    const double least = 1e-9 * std::max(1e-3, std::max(std::abs(low), std::abs(high)));
    const double air = size > least ? share * size : std::max(1e-6, 0.1 * std::abs(high));
    return {low - air, high + air};
  }
};

/// A rectangle of the picture, with what its edges mean.
struct Axes {
  double left, top, width, height;  // [px]
  Range x, y;

  double toX(double value) const { return left + width * (value - x.low) / (x.high - x.low); }
  double toY(double value) const { return top + height * (y.high - value) / (y.high - y.low); }
};

/// Of all points in one column of pixels, the first, the lowest, the highest and the last: looks the same, and a
/// million of them stay a small file. A line for each run of numbers.
std::vector<std::vector<PlotPoint>> tracesOf(const PlotSeries& series, const Axes& axes) {
  std::vector<std::vector<PlotPoint>> traces;
  bool drawing = false;
  const std::size_t count = std::min(series.x.size(), series.y.size());
  for (std::size_t i = 0; i < count;) {
    const double column = std::floor(2.0 * axes.toX(series.x[i]));
    std::size_t low = i, high = i, end = i;
    for (; end < count && std::isfinite(series.y[end]) && std::floor(2.0 * axes.toX(series.x[end])) == column; ++end) {
      if (series.y[end] < series.y[low]) low = end;
      if (series.y[end] > series.y[high]) high = end;
    }
    if (end == i) {  // not a number
      drawing = false;
      ++i;
      continue;
    }
    if (!std::exchange(drawing, true)) traces.emplace_back();
    for (const std::size_t k : {i, std::min(low, high), std::max(low, high), end - 1})
      traces.back().push_back({axes.toX(series.x[k]), axes.toY(series.y[k])});
    i = end;
  }
  return traces;
}

/// Draws with one color at a time.
class Painter {
 public:
  Painter(Canvas& canvas, const PlotRectangle& all) : canvas_(canvas), all_(all) {}

  void color(const PlotColor& color) { color_ = color; }

  /// `anchor` is 0 when x is the left end of the text, 1 when it is the right end.
  void text(const std::string& text, double x, double y, double size, double anchor, bool upwards = false) {
    canvas_.text(text, {x, y}, size, anchor, upwards, color_);
  }

  void line(double x1, double y1, double x2, double y2, double width) {
    const PlotPoint points[] = {{x1, y1}, {x2, y2}};
    canvas_.lines(points, width, color_, all_);
  }

  void frame(const Axes& axes) {
    color(kFrame);
    const double right = axes.left + axes.width, bottom = axes.top + axes.height;
    const PlotPoint corners[] = {
        {axes.left, axes.top}, {right, axes.top}, {right, bottom}, {axes.left, bottom}, {axes.left, axes.top}};
    canvas_.lines(corners, 1.0, color_, all_);
  }

  void series(const PlotSeries& series, const Axes& axes) {
    for (const std::vector<PlotPoint>& trace : tracesOf(series, axes))
      canvas_.lines(trace, 1.4, color_, {axes.left, axes.top, axes.width, axes.height});
  }

 private:
  Canvas& canvas_;
  PlotRectangle all_;
  PlotColor color_ = kText;
};

void drawGrid(Painter& painter, const Axes& axes, bool with_x_labels) {
  const Ticks x = makeTicks(axes.x.low, axes.x.high, 12), y = makeTicks(axes.y.low, axes.y.high, 7);
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const double at = axes.toX(x.values[i]);
    painter.color(kGrid);
    painter.line(at, axes.top, at, axes.top + axes.height, 1.0);
    painter.color(kText);
    if (with_x_labels) painter.text(x.labels[i], at, axes.top + axes.height + 17.0, kFontSize, 0.5);
  }
  for (std::size_t i = 0; i < y.values.size(); ++i) {
    const double at = axes.toY(y.values[i]);
    painter.color(kGrid);
    painter.line(axes.left, at, axes.left + axes.width, at, 1.0);
    painter.color(kText);
    painter.text(y.labels[i], axes.left - 7.0, at + 0.35 * kFontSize, kFontSize, 1.0);
  }
}

/// In a row above the frame, from its right end; lines that find no room there are not named.
void drawLegend(Painter& painter, const PlotPanel& panel, const Axes& axes, double title_width) {
  double width = 0.0;
  for (const PlotSeries& series : panel.series)
    width += kLegendLine + 5.0 + font::widthOf(series.label, kFontSize) + kLegendGap;
  double x = std::max(axes.left + title_width, axes.left + axes.width - width + kLegendGap);
  const double y = axes.top - 8.0;
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const std::string& label = panel.series[i].label;
    const double needed = kLegendLine + 5.0 + font::widthOf(label, kFontSize);
    if (x + needed > axes.left + axes.width + 1.0) {
      painter.color(kText);
      painter.text("…", axes.left + axes.width, y, kFontSize, 0.0);
      return;
    }
    painter.color(kPalette[i % kPalette.size()]);
    painter.line(x, y - 4.0, x + kLegendLine, y - 4.0, 2.5);
    painter.color(kText);
    painter.text(label, x + kLegendLine + 5.0, y, kFontSize, 0.0);
    x += needed + kLegendGap;
  }
}

void drawPanel(Painter& painter, const PlotPanel& panel, const Axes& axes, bool last) {
  drawGrid(painter, axes, last);
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    painter.color(kPalette[i % kPalette.size()]);
    painter.series(panel.series[i], axes);
  }
  painter.frame(axes);
  painter.color(kText);
  painter.text(panel.title, axes.left, axes.top - 8.0, kFontSize, 0.0);
  painter.text(panel.y_label, 20.0, axes.top + 0.5 * axes.height, kFontSize, 0.5, true);
  if (panel.series.size() > 1) drawLegend(painter, panel, axes, font::widthOf(panel.title, kFontSize) + kLegendGap);
}

Range xRange(const Plot& plot) {
  Range range;
  for (const PlotPanel& panel : plot.panels)
    for (const PlotSeries& series : panel.series)
      for (const double x : series.x) range.include(x);
  return range.padded(0.0);
}

void draw(const Plot& plot, Canvas& canvas, double height) {
  Painter painter(canvas, {0.0, 0.0, static_cast<double>(plot.width), height});
  painter.color(kText);
  painter.text(plot.title, kLeft, 26.0, kTitleSize, 0.0);
  const Range x = xRange(plot);
  for (std::size_t p = 0; p < plot.panels.size(); ++p) {
    Range y;
    for (const PlotSeries& series : plot.panels[p].series)
      for (const double value : series.y) y.include(value);
    const Axes axes{kLeft,
                    kTop + static_cast<double>(p) * plot.panel_height + kPanelTop,
                    plot.width - kLeft - kRight,
                    plot.panel_height - kPanelTop - kPanelBottom,
                    x,
                    y.padded(0.06)};
    drawPanel(painter, plot.panels[p], axes, p + 1 == plot.panels.size());
  }
  painter.color(kText);
  painter.text(plot.x_label, kLeft + 0.5 * (plot.width - kLeft - kRight), height - 12.0, kFontSize, 0.5);
}

}  // namespace

void drawPlot(const Plot& plot, const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending != ".png" && ending != ".svg")
    throw Error(path, fmt::format("plots cannot end in '{}'", ending), "choose .png or .svg");
  const double height = kTop + kBottom + static_cast<double>(plot.panels.size()) * plot.panel_height - kPanelBottom;
  const auto canvas = ending == ".svg" ? makeSvgCanvas(plot.width, height) : makePngCanvas(plot.width, height);
  draw(plot, *canvas, height);
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << canvas->encode();
  file.close();
  if (!file) throw CannotWrite(path, fmt::format("the plot cannot be written: {}", std::strerror(errno)));
}

}  // namespace footfall
