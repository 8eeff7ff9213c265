#include "plot/font.hpp"

#include <algorithm>
#include <cstdint>

#include "plot/font_data.hpp"

namespace footfall::font {
namespace {

/// Bytes that are no UTF-8 become letters of their own.
std::vector<std::uint32_t> lettersOf(const std::string& utf8) {
  std::vector<std::uint32_t> letters;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto first = static_cast<unsigned char>(utf8[i]);
    const std::size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    std::uint32_t letter = length == 1 ? first : first & (0xFFu >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < utf8.size(); ++k)
      letter = letter << 6 | (static_cast<unsigned char>(utf8[i + k]) & 0x3Fu);
    letters.push_back(letter);
    i += length;
  }
  return letters;
}

const Glyph& glyphOf(std::uint32_t letter) {
  const auto *begin = kGlyphs, *end = begin + kGlyphCount;
  const auto find = [&](std::uint32_t wanted) {
    return std::lower_bound(begin, end, wanted, [](const Glyph& g, std::uint32_t l) { return g.letter < l; });
  };
  const Glyph* found = find(letter);
  return found != end && found->letter == letter ? *found : *find('?');
}

}  // namespace

double widthOf(const std::string& text, double size) {
  double units = 0.0;
  for (const std::uint32_t letter : lettersOf(text)) units += glyphOf(letter).advance;
  return units * size / kUnitsPerEm;
}

std::vector<std::vector<PlotPoint>> outlinesOf(const std::string& text, double size) {
  const double scale = size / kUnitsPerEm;
  std::vector<std::vector<PlotPoint>> polygons;
  double x = 0.0;
  for (const std::uint32_t letter : lettersOf(text)) {
    const Glyph& glyph = glyphOf(letter);
    const std::int16_t* next = kOutlines + glyph.outline;
    while (const int corners = *next++) {
      std::vector<PlotPoint>& polygon = polygons.emplace_back();
      for (int i = 0; i < corners; ++i, next += 2) polygon.push_back({x + scale * next[0], -scale * next[1]});
    }
    x += scale * glyph.advance;
  }
  return polygons;
}

}  // namespace footfall::font
