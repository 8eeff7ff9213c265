#pragma once

#include <cstdlib>

namespace footfall {

/// The seed of a test that draws random cases: the same in every run, and another one for each
/// FOOTFALL_OTHER_CASES=<number> in the environment. What fails then is a case that nobody has looked at.
inline unsigned randomSeed(unsigned seed) {
  const char* other = std::getenv("FOOTFALL_OTHER_CASES");
  return other == nullptr ? seed : seed + 1000u * static_cast<unsigned>(std::strtoul(other, nullptr, 10));
}

}  // namespace footfall
