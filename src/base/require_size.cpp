#include "footfall/base/internal/require_size.hpp"

#include <string>

#include "footfall/base/error.hpp"

namespace footfall {

void throwWrongSize(const char* where, const char* what, long long size, long long expected) {
  throw Error(where,
              std::string(what) + " has " + std::to_string(size) + " entries, expected " + std::to_string(expected));
}

}  // namespace footfall
