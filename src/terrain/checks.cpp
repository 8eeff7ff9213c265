#include "terrain/checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "footfall/base/error.hpp"

namespace footfall {

void requirePositive(const char* field, const char* what, double value) {
  if (!(value > 0.0) || !std::isfinite(value))
    throw Error(field, fmt::format("the {} is {}, expected a number above zero", what, value));
}

void requireFinite(const char* field, const char* what, double value) {
  if (!std::isfinite(value)) throw Error(field, fmt::format("the {} is {}, expected a finite number", what, value));
}

void requireFinite(const char* field, const char* what, const Vector3d& value) {
  if (!value.allFinite())
    throw Error(field,
                fmt::format("the {} is [{}, {}, {}], expected finite numbers", what, value.x(), value.y(), value.z()));
}

Vector3d requireDirection(const char* field, const char* what, const Vector3d& value) {
  requireFinite(field, what, value);
  const double length = value.stableNorm();
  if (!(length > 0.0)) throw Error(field, fmt::format("the {} has no direction: all its numbers are zero", what));
  return value / length;
}

}  // namespace footfall
