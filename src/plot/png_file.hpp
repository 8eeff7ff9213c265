#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace footfall {

/// A PNG file of red, green and blue, row by row.
std::string encodePng(int width, int height, std::span<const std::uint8_t> pixels);

}  // namespace footfall
