#pragma once

#include <cstddef>

#include "footfall/spatial/contact_layout.hpp"
#include "footfall/spatial/pose.hpp"

namespace footfall {

/// Numbers of many worlds, a row for each: entry i of world w is at w · width + i.
class BatchArray {
 public:
  BatchArray() = default;
  BatchArray(int copies, int width, double value = 0.0)
      : copies_(copies), width_(width), values_(static_cast<std::size_t>(copies) * width, value) {}

  bool empty() const { return copies_ == 0; }
  int copies() const { return copies_; }
  int width() const { return width_; }
  double* data() { return values_.data(); }
  const double* data() const { return values_.data(); }
  std::size_t bytes() const { return values_.size() * sizeof(double); }

  double& operator()(int world, int entry) { return values_[static_cast<std::size_t>(world) * width_ + entry]; }
  double operator()(int world, int entry) const { return values_[static_cast<std::size_t>(world) * width_ + entry]; }

  /// The row of a world: a view.
  auto row(int world) { return Eigen::Map<VectorXd>(data() + static_cast<std::size_t>(world) * width_, width_); }
  auto row(int world) const {
    return Eigen::Map<const VectorXd>(data() + static_cast<std::size_t>(world) * width_, width_);
  }

 private:
  int copies_ = 0, width_ = 0;
  AlignedVector values_;
};

}  // namespace footfall
