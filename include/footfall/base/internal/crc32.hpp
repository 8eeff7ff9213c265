#pragma once

#include <cstdint>
#include <string_view>

namespace footfall {

/// CRC-32 as zlib, PNG and MCAP have it; `crc` is that of the bytes before.
std::uint32_t crc32(std::string_view bytes, std::uint32_t crc = 0);

}  // namespace footfall
