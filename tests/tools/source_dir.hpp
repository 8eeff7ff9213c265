#pragma once

#include <string>

namespace footfall {

/// The folder of the project: scenes, models and data of tests are there. A function and no macro: so one small file
/// knows the path, and the compiler's cache serves all others in any folder.
const std::string& sourceDir();

}  // namespace footfall
