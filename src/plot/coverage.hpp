#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "plot/canvas.hpp"

namespace footfall {

/// How much of each pixel is covered by polygons. An edge adds to each pixel that it crosses the area to its right, and
/// its height to the pixels further right: a sum along the row then is the area that lies inside. Polygons that turn
/// the same way may overlap.
class Coverage {
 public:
  Coverage(int width, int height)
      : width_(width), height_(height), sums_(static_cast<std::size_t>(width + 2) * static_cast<std::size_t>(height)) {}

  void addPolygon(std::span<const PlotPoint> corners) {
    for (std::size_t i = 0; i < corners.size(); ++i) addEdge(corners[i], corners[(i + 1) % corners.size()]);
  }

  /// Calls paint(x, y, share) for every pixel with a share of it inside, and forgets everything.
  template <class Paint>
  void paint(const Paint& paint) {
    for (int y = first_row_; y < last_row_; ++y) {
      double sum = 0.0;
      double* row = rowOf(y);
      for (int x = 0; x < width_; ++x) {
        sum += std::exchange(row[x], 0.0);
        const double share = std::min(1.0, std::abs(sum));
        if (share > 1e-3) paint(x, y, share);
      }
      row[width_] = row[width_ + 1] = 0.0;
    }
    first_row_ = height_;
    last_row_ = 0;
  }

 private:
  double* rowOf(int y) { return sums_.data() + static_cast<std::ptrdiff_t>(y) * (width_ + 2); }

  void addEdge(PlotPoint a, PlotPoint b) {
    if (a.y == b.y) return;
    const double direction = a.y < b.y ? 1.0 : -1.0;
    if (direction < 0.0) std::swap(a, b);
    const double slope = (b.x - a.x) / (b.y - a.y);
    const int first = std::max(0, static_cast<int>(std::floor(a.y)));
    const int last = std::min(height_, static_cast<int>(std::ceil(b.y)));
    first_row_ = std::min(first_row_, first);
    last_row_ = std::max(last_row_, last);
    for (int y = first; y < last; ++y) {
      const double top = std::max<double>(y, a.y), bottom = std::min<double>(y + 1, b.y);
      const double x1 = a.x + (top - a.y) * slope, x2 = a.x + (bottom - a.y) * slope;
      addPiece(rowOf(y), std::min(x1, x2), std::max(x1, x2), direction * (bottom - top));
    }
  }

  /// An edge from x = left to x = right inside of one row, `height` of it tall.
  void addPiece(double* row, double left, double right, double height) {
    left = std::clamp<double>(left, 0.0, width_);
    right = std::clamp<double>(right, 0.0, width_);
    const int first = static_cast<int>(left), last = static_cast<int>(right);
    if (first == last) return addToPixel(row, first, height, 0.5 * (left + right) - first);
    const double per_pixel = height / (right - left);
    addToPixel(row, first, per_pixel * (first + 1 - left), 0.5 * (left + first + 1) - first);
    for (int x = first + 1; x < last; ++x) addToPixel(row, x, per_pixel, 0.5);
    addToPixel(row, last, per_pixel * (right - last), 0.5 * (last + right) - last);
  }

  /// `centre` is where the piece of the edge lies in the pixel, from 0 to 1.
  static void addToPixel(double* row, int x, double height, double centre) {
    row[x] += height * (1.0 - centre);
    row[x + 1] += height * centre;
  }

  int width_, height_;
  int first_row_ = height_, last_row_ = 0;  ///< that were touched
  std::vector<double> sums_;                ///< two columns more than the picture
};

}  // namespace footfall
