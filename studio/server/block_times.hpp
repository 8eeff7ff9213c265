#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "footfall/block/diagram.hpp"

namespace footfall::studio {

/// How long each block of a diagram took since the last clear().
class BlockTimes : public DiagramObserver {
 public:
  explicit BlockTimes(const Diagram& diagram)
      : starts_(diagram.blocks().size()), seconds_(diagram.blocks().size(), 0.0) {}

  void begin(int block, Phase) override { starts_[static_cast<std::size_t>(block)] = Clock::now(); }
  void end(int block, Phase) override {
    const auto number = static_cast<std::size_t>(block);
    seconds_[number] += std::chrono::duration<double>(Clock::now() - starts_[number]).count();
  }

  void clear() { std::fill(seconds_.begin(), seconds_.end(), 0.0); }
  const std::vector<double>& seconds() const { return seconds_; }  ///< one for each block [s]

 private:
  using Clock = std::chrono::steady_clock;
  std::vector<Clock::time_point> starts_;
  std::vector<double> seconds_;
};

}  // namespace footfall::studio
