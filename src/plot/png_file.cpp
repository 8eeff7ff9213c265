#include "plot/png_file.hpp"

#include <algorithm>

#include "footfall/base/internal/crc32.hpp"

#ifdef FOOTFALL_HAS_ZLIB
#include <zlib.h>
#endif

namespace footfall {
namespace {

std::string bigEndian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xFFu);
  return bytes;
}

#ifdef FOOTFALL_HAS_ZLIB

std::string packed(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string result(size, '\0');
  compress2(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
            static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION);
  result.resize(size);
  return result;
}

#else

std::uint32_t adler32(const std::string& bytes) {
  std::uint32_t a = 1, b = 0;
  for (const char byte : bytes) {
    a = (a + static_cast<unsigned char>(byte)) % 65521u;
    b = (b + a) % 65521u;
  }
  return b << 16 | a;
}

/// The same format without packing anything: blocks that are stored as they are.
std::string packed(const std::string& bytes) {
  constexpr std::size_t kLargestBlock = 65535;
  std::string result = "\x78\x01";
  for (std::size_t begin = 0; begin < bytes.size(); begin += kLargestBlock) {
    const std::size_t size = std::min(kLargestBlock, bytes.size() - begin);
    result += begin + size == bytes.size() ? '\x01' : '\x00';
    for (const std::size_t number : {size, ~size}) {
      result += static_cast<char>(number & 0xFFu);
      result += static_cast<char>(number >> 8 & 0xFFu);
    }
    result.append(bytes, begin, size);
  }
  return result + bigEndian(adler32(bytes));
}

#endif

std::string chunk(const std::string& type, const std::string& data) {
  return bigEndian(static_cast<std::uint32_t>(data.size())) + type + data + bigEndian(footfall::crc32(type + data));
}

}  // namespace

std::string encodePng(int width, int height, std::span<const std::uint8_t> pixels) {
  const std::size_t row = 3 * static_cast<std::size_t>(width);
  std::string rows;
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    rows += '\0';  // no filter
    rows.append(reinterpret_cast<const char*>(pixels.data()) + y * row, row);
  }
  const std::string eight_bits_of_three_colors("\x08\x02\x00\x00\x00", 5);
  return "\x89PNG\r\n\x1A\n" +
         chunk("IHDR", bigEndian(static_cast<std::uint32_t>(width)) + bigEndian(static_cast<std::uint32_t>(height)) +
                           eight_bits_of_three_colors) +
         chunk("IDAT", packed(rows)) + chunk("IEND", "");
}

}  // namespace footfall
