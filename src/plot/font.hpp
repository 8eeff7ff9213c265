#pragma once

#include <string>
#include <vector>

#include "plot/canvas.hpp"

namespace footfall::font {

/// Width of a line of text in UTF-8 [px].
double widthOf(const std::string& text, double size);

/// The polygons of a text whose base line begins at the origin, y downwards [px]. Letters that the font does not have
/// become `?`.
std::vector<std::vector<PlotPoint>> outlinesOf(const std::string& text, double size);

}  // namespace footfall::font
