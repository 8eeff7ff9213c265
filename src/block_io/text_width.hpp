#pragma once

#include <string>

namespace footfall {

/// About how wide a text is in a sans-serif font, on the wide side: fonts differ, and texts must not overlap [px].
double textWidth(const std::string& text, double font_size);

}  // namespace footfall
