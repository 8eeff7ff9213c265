#pragma once

#include <string>
#include <utility>
#include <vector>

namespace footfall {

/// "a.out -> b.in" as pairs of source and input. A chain "a -> b -> c" is two of them, and the last part may name
/// several inputs: "a -> b, c". Throws Error.
std::vector<std::pair<std::string, std::string>> splitConnection(const std::string& text, const std::string& where);

}  // namespace footfall
