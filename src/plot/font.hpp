#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plot/canvas.hpp"

namespace footfall {

/// Width of a line of text in UTF-8 [px].
double textWidth(const std::string& text, double size);

/// The polygons of a text whose base line begins at the origin, y downwards [px]. Letters that the font does not have
/// become `?`.
std::vector<std::vector<PlotPoint>> textOutlines(const std::string& text, double size);

}  // namespace footfall
