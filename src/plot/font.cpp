#include "plot/font.hpp"

#include <algorithm>
#include <cstdint>

#include "footfall/base/internal/utf8.hpp"
#include "plot/font_data.hpp"

namespace footfall::font {
namespace {

const Glyph& glyphOf(char32_t letter) {
  const auto *begin = kGlyphs, *end = begin + kGlyphCount;
  const auto find = [&](char32_t wanted) {
    return std::lower_bound(begin, end, wanted, [](const Glyph& g, char32_t l) { return g.letter < l; });
  };
  const Glyph* found = find(letter);
  return found != end && found->letter == letter ? *found : *find('?');
}

}  // namespace

double widthOf(const std::string& text, double size) {
  double units = 0.0;
  for (const char32_t letter : decodeUtf8(text)) units += glyphOf(letter).advance;
  return units * size / kUnitsPerEm;
}

std::vector<std::vector<PlotPoint>> outlinesOf(const std::string& text, double size) {
  const double scale = size / kUnitsPerEm;
  std::vector<std::vector<PlotPoint>> polygons;
  double x = 0.0;
  for (const char32_t letter : decodeUtf8(text)) {
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
