"""plot_font.py FONT.ttf > src/plot/font_data.cpp: outlines of the letters that plots are labelled with, as polygons. Needs fontTools."""

import math
import sys

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

EM = 512  # units of the table for each em
TOLERANCE = 0.7  # of a chord from its curve, in these units: a tenth of a pixel at the sizes of plots
LETTERS = [*range(32, 127), *map(ord, "°±²³µ·×÷ÄÖÜßàáâäåæçèéêëíîñóôöøúûüαβγδεζηθκλμνξπρστφχψωΓΔΘΛΣΦΨΩ–—…−√∞≤≥∂∫")]


class PolygonPen(BasePen):
    """Collects the contours of a glyph, curves as chords."""

    def __init__(self, glyphs, scale):
        super().__init__(glyphs)
        self.scale = scale
        self.contours = []

    def _point(self, point):
        return (round(point[0] * self.scale), round(point[1] * self.scale))

    def _moveTo(self, point):
        self.contours.append([point])

    def _lineTo(self, point):
        self.contours[-1].append(point)

    def _qCurveToOne(self, control, end):
        start = self.contours[-1][-1]
        bend = math.dist((0, 0), [a - 2 * b + c for a, b, c in zip(start, control, end)]) * self.scale
        pieces = max(1, math.ceil(math.sqrt(bend / (4 * TOLERANCE))))
        for i in range(1, pieces + 1):
            t = i / pieces
            self.contours[-1].append(
                tuple((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t**2 * c for a, b, c in zip(start, control, end)))

    def polygons(self):
        return [[self._point(point) for point in contour] for contour in self.contours]


def wrapped(numbers, width=118):
    line = " "
    for number in numbers:
        word = f" {number},"
        if len(line) + len(word) > width:
            yield line
            line = " "
        line += word
    yield line


def main():
    font = TTFont(sys.argv[1])
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    scale = EM / font["head"].unitsPerEm
    outline, table = [], []
    for letter in sorted(set(LETTERS)):
        pen = PolygonPen(glyphs, scale)
        glyphs[names[letter]].draw(pen)
        table += [letter, round(glyphs[names[letter]].width * scale), len(outline)]
        for polygon in pen.polygons():
            outline += [len(polygon), *(c for point in polygon for c in point)]
        outline.append(0)
    print(f"// By tools/plot_font.py, from {font['name'].getDebugName(4)}; its licence is in tools/licenses.\n")
    print('#include "plot/font_data.hpp"\n\nnamespace footfall::font {\n\n// clang-format off')
    print(f"const double kUnitsPerEm = {EM};\n")
    print("const Glyph kGlyphs[] = {")
    triples = [f"{{{table[i]}, {table[i + 1]}, {table[i + 2]}}}" for i in range(0, len(table), 3)]
    print("\n".join(wrapped(triples)))
    print("};\n")
    print(f"const std::size_t kGlyphCount = {len(triples)};\n")
    print("const std::int16_t kOutlines[] = {")
    print("\n".join(wrapped(outline)))
    print("};\n// clang-format on\n\n}  // namespace footfall::font")


main()
