#pragma once

#include <string>

#include "footfall/block/block.hpp"

namespace footfall {

/// Size and unit of a signal in a few letters: "23 · N m", "3 × 4", "pose"; empty for a plain number.
std::string shortText(const SignalType& type);

/// "10 ms", "continuous", "constant"
std::string shortText(const SampleTime& sample_time);

}  // namespace footfall
