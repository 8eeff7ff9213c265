#pragma once

#include <string>

namespace footfall {

/// A text as a JSON string.
std::string quoteJson(const std::string& text);

/// The same JSON, one entry a line; what fits into a line stays in it.
std::string indentJson(const std::string& json);

}  // namespace footfall
