#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "plot/canvas.hpp"
#include "plot/coverage.hpp"
#include "plot/font.hpp"
#include "plot/png_file.hpp"

namespace footfall {
namespace {

constexpr double kPixels = 2.0;  // for each unit: text stays sharp on dense screens

class PngCanvas : public Canvas {
 public:
  PngCanvas(double width, double height)
      : width_(static_cast<int>(std::ceil(kPixels * width))),
        height_(static_cast<int>(std::ceil(kPixels * height))),
        pixels_(3 * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 255),
        coverage_(width_, height_) {}

  void lines(std::span<const PlotPoint> points, double width, const PlotColor& color,
             const PlotRectangle& clip) override {
    const double radius = 0.5 * kPixels * width;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      addSegment(scaled(points[i]), scaled(points[i + 1]), radius);
      if (i > 0 && points.size() > 2) addJoint(scaled(points[i]), radius);
    }
    const int left = pixel(clip.left), right = pixel(clip.left + clip.width);
    const int top = pixel(clip.top), bottom = pixel(clip.top + clip.height);
    coverage_.paint([&](int x, int y, double share) {
      if (left <= x && x < right && top <= y && y < bottom) blend(x, y, share, color);
    });
  }

  void text(const std::string& text, const PlotPoint& at, double size, double anchor, bool upwards,
            const PlotColor& color) override {
    const double shift = -anchor * font::widthOf(text, size);
    for (std::vector<PlotPoint>& polygon : font::outlinesOf(text, size)) {
      for (PlotPoint& p : polygon) {
        p.x += shift;
        p = scaled(upwards ? PlotPoint{at.x + p.y, at.y - p.x} : PlotPoint{at.x + p.x, at.y + p.y});
      }
      coverage_.addPolygon(polygon);
    }
    coverage_.paint([&](int x, int y, double share) { blend(x, y, share, color); });
  }

  std::string encode() override { return encodePng(width_, height_, pixels_); }

 private:
  static PlotPoint scaled(const PlotPoint& point) { return {kPixels * point.x, kPixels * point.y}; }
  static int pixel(double place) { return static_cast<int>(std::lround(kPixels * place)); }

  void addSegment(const PlotPoint& a, const PlotPoint& b, double radius) {
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length == 0.0) return;
    const double nx = radius * (b.y - a.y) / length, ny = -radius * (b.x - a.x) / length;  // turned to the side
    const PlotPoint corners[] = {
        {a.x + nx, a.y + ny}, {b.x + nx, b.y + ny}, {b.x - nx, b.y - ny}, {a.x - nx, a.y - ny}};
    coverage_.addPolygon(corners);
  }

  /// A disc, which turns the way of the segments.
  void addJoint(const PlotPoint& centre, double radius) {
    constexpr int kCorners = 12;
    PlotPoint corners[kCorners];
    for (int i = 0; i < kCorners; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kCorners;
      corners[i] = {centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)};
    }
    coverage_.addPolygon(corners);
  }

  void blend(int x, int y, double share, const PlotColor& color) {
    std::uint8_t* pixel =
        &pixels_[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x))];
    for (const double part : {color.r, color.g, color.b}) {
      *pixel = static_cast<std::uint8_t>(std::lround((1.0 - share) * *pixel + share * 255.0 * part));
      ++pixel;
    }
  }

  int width_, height_;
  std::vector<std::uint8_t> pixels_;  ///< red, green, blue, row by row
  Coverage coverage_;
};

}  // namespace

std::unique_ptr<Canvas> makePngCanvas(double width, double height) {
  return std::make_unique<PngCanvas>(width, height);
}

}  // namespace footfall
