#pragma once

#include <string>

namespace footfall::studio {

/// Throws Refused unless the key of a scene is one that a page may change, and its value is one that such a key can
/// have: numbers with or without units, lists of them, true and false, formulas, and the names of what is built in.
/// Everything that names files, robots, plug-ins, kinds of blocks or signals is refused, and so is every key that this
/// list does not know.
void checkValueKey(const std::string& key, const std::string& value);

}  // namespace footfall::studio
