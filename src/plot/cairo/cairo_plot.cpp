// Draws plots with cairo, which makes both PNG and SVG. Its headers stay here.

#include <cairo-svg.h>
#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>

#include "footfall/base/error.hpp"
#include "footfall/base/version.hpp"
#include "footfall/plot/plot.hpp"
#include "plot/ticks.hpp"

namespace footfall {
namespace {

struct Color {
  double r, g, b;
};

// By Okabe and Ito: told apart by nearly all eyes.
constexpr std::array<Color, 8> kPalette = {{{0.000, 0.447, 0.698},
                                            {0.835, 0.369, 0.000},
                                            {0.000, 0.620, 0.451},
                                            {0.800, 0.475, 0.655},
                                            {0.902, 0.624, 0.000},
                                            {0.337, 0.706, 0.914},
                                            {0.35, 0.35, 0.35},
                                            {0.60, 0.45, 0.20}}};
constexpr Color kText = {0.15, 0.15, 0.15}, kGrid = {0.88, 0.88, 0.88}, kFrame = {0.55, 0.55, 0.55};

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

class Painter {
 public:
  explicit Painter(cairo_t* cairo) : cairo_(cairo) {
    cairo_select_font_face(cairo_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  }

  void color(const Color& c) { cairo_set_source_rgb(cairo_, c.r, c.g, c.b); }

  double textWidth(const std::string& text, double size) {
    cairo_set_font_size(cairo_, size);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_, text.c_str(), &extents);
    return extents.x_advance;
  }

  /// `anchor` is 0 when x is the left end of the text, 1 when it is the right end.
  void text(const std::string& text, double x, double y, double size, double anchor, bool upwards = false) {
    const double width = textWidth(text, size);
    cairo_save(cairo_);
    cairo_translate(cairo_, x, y);
    if (upwards) cairo_rotate(cairo_, -M_PI / 2);
    cairo_move_to(cairo_, -anchor * width, 0.0);
    cairo_show_text(cairo_, text.c_str());
    cairo_restore(cairo_);
  }

  void line(double x1, double y1, double x2, double y2, double width) {
    cairo_set_line_width(cairo_, width);
    cairo_move_to(cairo_, x1, y1);
    cairo_line_to(cairo_, x2, y2);
    cairo_stroke(cairo_);
  }

  void frame(const Axes& axes) {
    color(kFrame);
    cairo_set_line_width(cairo_, 1.0);
    cairo_rectangle(cairo_, axes.left, axes.top, axes.width, axes.height);
    cairo_stroke(cairo_);
  }

  void series(const PlotSeries& series, const Axes& axes) {
    cairo_save(cairo_);
    cairo_rectangle(cairo_, axes.left, axes.top, axes.width, axes.height);
    cairo_clip(cairo_);
    cairo_set_line_width(cairo_, 1.4);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    trace(series, axes);
    cairo_stroke(cairo_);
    cairo_restore(cairo_);
  }

 private:
  /// Of all points in one column of pixels, the first, the lowest, the highest and the last: looks the same, and
  /// a million of them stay a small file.
  void trace(const PlotSeries& series, const Axes& axes) {
    bool drawing = false;
    const std::size_t count = std::min(series.x.size(), series.y.size());
    for (std::size_t i = 0; i < count;) {
      const double column = std::floor(2.0 * axes.toX(series.x[i]));
      std::size_t low = i, high = i, end = i;
      for (; end < count && std::isfinite(series.y[end]) && std::floor(2.0 * axes.toX(series.x[end])) == column;
           ++end) {
        if (series.y[end] < series.y[low]) low = end;
        if (series.y[end] > series.y[high]) high = end;
      }
      if (end == i) {  // not a number
        drawing = false;
        ++i;
        continue;
      }
      for (const std::size_t k : {i, std::min(low, high), std::max(low, high), end - 1}) {
        const double x = axes.toX(series.x[k]), y = axes.toY(series.y[k]);
        drawing ? cairo_line_to(cairo_, x, y) : cairo_move_to(cairo_, x, y);
        drawing = true;
      }
      i = end;
    }
  }

  cairo_t* cairo_;
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
    width += kLegendLine + 5.0 + painter.textWidth(series.label, kFontSize) + kLegendGap;
  double x = std::max(axes.left + title_width, axes.left + axes.width - width + kLegendGap);
  const double y = axes.top - 8.0;
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const std::string& label = panel.series[i].label;
    const double needed = kLegendLine + 5.0 + painter.textWidth(label, kFontSize);
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
  if (panel.series.size() > 1) drawLegend(painter, panel, axes, painter.textWidth(panel.title, kFontSize) + kLegendGap);
}

Range xRange(const Plot& plot) {
  Range range;
  for (const PlotPanel& panel : plot.panels)
    for (const PlotSeries& series : panel.series)
      for (const double x : series.x) range.include(x);
  return range.padded(0.0);
}

void draw(const Plot& plot, cairo_t* cairo, double height) {
  Painter painter(cairo);
  cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
  cairo_paint(cairo);
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

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;

void require(cairo_status_t status, const std::string& path) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error(path, fmt::format("the plot cannot be written: {}", cairo_status_to_string(status)));
}

}  // namespace
}  // namespace footfall

extern "C" const char* footfall_plugin_version() { return FOOTFALL_VERSION_TEXT; }

extern "C" void footfall_draw_plot(const footfall::Plot& plot, const std::string& path) {
  using namespace footfall;
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending != ".png" && ending != ".svg")
    throw Error(path, fmt::format("plots cannot end in '{}'", ending), "choose .png or .svg");
  const double height = kTop + kBottom + static_cast<double>(plot.panels.size()) * plot.panel_height - kPanelBottom;
  constexpr int kPixels = 2;  // for each unit of a PNG: text stays sharp on dense screens
  const bool svg = ending == ".svg";
  const Surface surface(
      svg ? cairo_svg_surface_create(path.c_str(), plot.width, height)
          : cairo_image_surface_create(CAIRO_FORMAT_RGB24, kPixels * plot.width, static_cast<int>(kPixels * height)),
      cairo_surface_destroy);
  require(cairo_surface_status(surface.get()), path);
  const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> cairo(cairo_create(surface.get()), cairo_destroy);
  if (!svg) cairo_scale(cairo.get(), kPixels, kPixels);
  draw(plot, cairo.get(), height);
  require(cairo_status(cairo.get()), path);
  if (!svg) return require(cairo_surface_write_to_png(surface.get(), path.c_str()), path);
  cairo_surface_finish(surface.get());
  require(cairo_surface_status(surface.get()), path);
}
