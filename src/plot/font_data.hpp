#pragma once

#include <cstddef>
#include <cstdint>

/// The letters of plots as polygons; font_data.cpp is written by tools/plot_font.py.
namespace footfall::font {

struct Glyph {
  std::uint32_t letter;   ///< by Unicode; the table is sorted by it
  std::int16_t advance;   ///< [units]
  std::uint16_t outline;  ///< where it begins in kOutlines
};

extern const double kUnitsPerEm;
extern const Glyph kGlyphs[];
extern const std::size_t kGlyphCount;
/// For each polygon its number of corners, then x and y of each, y upwards from the base line; 0 ends a glyph.
extern const std::int16_t kOutlines[];

}  // namespace footfall::font
