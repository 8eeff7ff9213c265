#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace footfall {

/// The number that the whole of `text` spells, whatever the locale; spaces around it are allowed.
std::optional<double> parseNumber(std::string_view text);

/// Words of a text, separated by white space.
std::vector<std::string_view> splitWords(std::string_view text);

}  // namespace footfall
