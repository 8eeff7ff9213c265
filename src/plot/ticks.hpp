#pragma once

#include <string>
#include <vector>

namespace footfall {

/// Where an axis has its marks.
struct Ticks {
  std::vector<double> values;
  std::vector<std::string> labels;
};

/// Round numbers (1, 2 or 5 times a power of ten) between low and high, about `wanted` of them, with just enough
/// digits.
Ticks makeTicks(double low, double high, int wanted);

}  // namespace footfall
