#include "picture/raster.hpp"

#include <algorithm>
#include <cmath>

namespace footfall::picture {
namespace {

constexpr int kSamples = 2;        // of a pixel, along each of its sides
constexpr double kNearest = 1e-2;  // in front of the camera [m]
const Color kZenith(0.55f, 0.68f, 0.85f), kHorizon(0.93f, 0.95f, 0.97f);

std::uint32_t packed(const Color& color) {
  const Eigen::Array3f bytes = (color.array().max(0.0f).min(1.0f) * 255.0f).round();
  return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
         static_cast<std::uint32_t>(bytes[2]) << 16;
}

/// Twice the area of the triangle a, b, p; its sign says on which side of the line a b the point p lies.
double edge(const Vector3d& a, const Vector3d& b, double x, double y) {
  return (b.x() - a.x()) * (y - a.y()) - (b.y() - a.y()) * (x - a.x());
}

}  // namespace

void Raster::begin(int width, int height, const Pinhole& camera) {
  camera_ = camera;
  width_ = kSamples * width;
  height_ = kSamples * height;
  const std::size_t size = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  nearness_.assign(size, 0.0f);
  colors_.resize(size);
  for (int row = 0; row < height_; ++row) {
    const float down = static_cast<float>(row) / static_cast<float>(height_);
    const auto first = colors_.begin() + static_cast<std::ptrdiff_t>(row) * width_;
    std::fill(first, first + width_, packed(kZenith + down * (kHorizon - kZenith)));
  }
}

void Raster::draw(const std::array<Vector3d, 3>& corners, const Color& color) {
  std::array<Vector3d, 3> screen;
  const double scale = 0.5 * height_ * camera_.focal;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3d p_C = camera_.X_CW * corners[i];
    if (p_C.z() < kNearest) return;
    screen[i] << 0.5 * width_ + scale * p_C.x() / p_C.z(), 0.5 * height_ + scale * p_C.y() / p_C.z(), 1.0 / p_C.z();
  }
  fill(screen, packed(color));
}

/// 1 / depth is linear on the screen, so its weights are those of the areas.
void Raster::fill(const std::array<Vector3d, 3>& screen, std::uint32_t color) {
  const auto& [a, b, c] = screen;
  const double area = edge(a, b, c.x(), c.y());
  if (std::abs(area) < 1e-12 || !std::isfinite(area)) return;
  // Limited on both sides before they become whole numbers: corners may lie as far outside as they like.
  const auto firstSample = [](double lowest, int count) {
    return static_cast<int>(std::ceil(std::clamp(lowest - 0.5, 0.0, static_cast<double>(count))));
  };
  const auto lastSample = [](double highest, int count) {
    return static_cast<int>(std::floor(std::clamp(highest - 0.5, -1.0, count - 1.0)));
  };
  const int left = firstSample(std::min({a.x(), b.x(), c.x()}), width_);
  const int top = firstSample(std::min({a.y(), b.y(), c.y()}), height_);
  const int right = lastSample(std::max({a.x(), b.x(), c.x()}), width_);
  const int bottom = lastSample(std::max({a.y(), b.y(), c.y()}), height_);
  for (int row = top; row <= bottom; ++row) {
    const std::size_t line = static_cast<std::size_t>(row) * static_cast<std::size_t>(width_);
    for (int column = left; column <= right; ++column) {
      const double x = column + 0.5, y = row + 0.5;
      const double of_a = edge(b, c, x, y) / area, of_b = edge(c, a, x, y) / area, of_c = 1.0 - of_a - of_b;
      if (of_a < 0.0 || of_b < 0.0 || of_c < 0.0) continue;
      const auto nearness = static_cast<float>(of_a * a.z() + of_b * b.z() + of_c * c.z());
      const std::size_t sample = line + static_cast<std::size_t>(column);
      if (nearness <= nearness_[sample]) continue;
      nearness_[sample] = nearness;
      colors_[sample] = color;
    }
  }
}

void Raster::finish(std::vector<std::uint8_t>& pixels) const {
  const int columns = width_ / kSamples, rows = height_ / kSamples;
  pixels.resize(3 * static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  auto out = pixels.begin();
  for (int row = 0; row < rows; ++row) {
    const std::uint32_t* upper = colors_.data() + static_cast<std::ptrdiff_t>(kSamples * row) * width_;
    const std::uint32_t* lower = upper + width_;
    for (int column = 0; column < columns; ++column, upper += kSamples, lower += kSamples)
      for (int shift = 0; shift < 24; shift += 8) {
        const std::uint32_t sum = (upper[0] >> shift & 255) + (upper[1] >> shift & 255) + (lower[0] >> shift & 255) +
                                  (lower[1] >> shift & 255);
        *out++ = static_cast<std::uint8_t>((sum + 2) / 4);
      }
  }
}

}  // namespace footfall::picture
