#pragma once

#include "footfall/spatial/pose.hpp"

namespace footfall {

/// Throws Error "<field>: …" unless the value is above zero and finite. @param what names the value and its unit
void requirePositive(const char* field, const char* what, double value);

/// Throws Error unless the value is finite.
void requireFinite(const char* field, const char* what, double value);
void requireFinite(const char* field, const char* what, const Vector3d& value);

/// The vector with length one; throws Error when it has no direction.
Vector3d requireDirection(const char* field, const char* what, const Vector3d& value);

}  // namespace footfall
