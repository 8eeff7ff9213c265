#pragma once

#include <string>

namespace footfall {

/// A YAML document as JSON in which every value knows its line, for readers in other languages:
///
///     {"line": 1, "map": [["friction", {"line": 1, "text": "0.6", "quoted": false}],
///                         ["joints", {"line": 2, "list": [{"line": 2, "text": "l_knee", "quoted": true}]}]]}
///
/// A value that is empty has nothing but a line. Throws Error at `source`:line for what is no YAML, and for keys that
/// are given twice or are no text.
std::string yamlWithLines(const std::string& text, const std::string& source);

}  // namespace footfall
