#pragma once

#include <string>
#include <vector>

namespace footfall {

/// Names of the built-in shapes of the ground (`ground: {shape: …}`), the default first; plug-ins bring more.
std::vector<std::string> groundShapes();

}  // namespace footfall
