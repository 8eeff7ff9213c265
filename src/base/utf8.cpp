#include "footfall/base/internal/utf8.hpp"

namespace footfall {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// What the first byte of a letter says: its own bits, how many bytes follow, and the range of the first of these,
/// which is narrow where a shorter form, a half of a pair or a letter beyond U+10FFFF would begin.
struct Start {
  char32_t bits = kReplacement;
  int following = 0;
  unsigned char lowest = 0x80, highest = 0xBF;
};

Start startOf(unsigned char byte) {
  if (byte < 0x80) return {byte};
  if (byte < 0xC2 || byte > 0xF4) return {};
  if (byte < 0xE0) return {byte & 0x1FU, 1};
  if (byte < 0xF0)
    return {byte & 0x0FU, 2, static_cast<unsigned char>(byte == 0xE0 ? 0xA0 : 0x80),
            static_cast<unsigned char>(byte == 0xED ? 0x9F : 0xBF)};
  return {byte & 0x07U, 3, static_cast<unsigned char>(byte == 0xF0 ? 0x90 : 0x80),
          static_cast<unsigned char>(byte == 0xF4 ? 0x8F : 0xBF)};
}

}  // namespace

std::u32string decodeUtf8(std::string_view bytes) {
  std::u32string letters;
  for (std::size_t i = 0; i < bytes.size();) {
    Start start = startOf(static_cast<unsigned char>(bytes[i++]));
    for (; start.following > 0; --start.following, ++i) {
      const unsigned char byte = i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
      if (byte < start.lowest || byte > start.highest) break;
      start = {start.bits << 6 | (byte & 0x3FU), start.following};
    }
    letters += start.following == 0 ? start.bits : kReplacement;
  }
  return letters;
}

}  // namespace footfall
