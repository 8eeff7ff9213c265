#include "block_io/text_width.hpp"

#include <string_view>

namespace footfall {

double textWidth(const std::string& text, double font_size) {
  constexpr std::string_view kNarrow = " .,:;'|!ijltfr()[]{}-", kWide = "mwMW@%";
  double ems = 0.0;
  for (const char c : text) {
    const bool continues_a_letter = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;  // UTF-8
    if (continues_a_letter) continue;
    if (kNarrow.find(c) != std::string_view::npos)
      ems += 0.40;
    else if (kWide.find(c) != std::string_view::npos)
      ems += 1.0;
    else
      ems += c >= 'A' && c <= 'Z' ? 0.74 : 0.64;
  }
  return ems * font_size;
}

}  // namespace footfall
