#pragma once

#include <memory>
#include <span>
#include <string>

namespace footfall {

struct PlotColor {
  double r, g, b;
};

struct PlotPoint {
  double x, y;  ///< to the right and downwards [px]
};

struct PlotRectangle {
  double left, top, width, height;  ///< [px]
};

/// What a plot is drawn on: a picture of pixels, or a file of shapes.
class Canvas {
 public:
  virtual ~Canvas() = default;
  /// Straight lines through the points; nothing is drawn outside of `clip`.
  virtual void lines(std::span<const PlotPoint> points, double width, const PlotColor& color,
                     const PlotRectangle& clip) = 0;
  /// Text whose base line ends at `anchor` of its width: 0 when `at` is its left end, 1 when it is the right end.
  virtual void text(const std::string& text, const PlotPoint& at, double size, double anchor, bool upwards,
                    const PlotColor& color) = 0;
  /// The whole file.
  virtual std::string encode() = 0;
};

std::unique_ptr<Canvas> makeSvgCanvas(double width, double height);
std::unique_ptr<Canvas> makePngCanvas(double width, double height);

}  // namespace footfall
