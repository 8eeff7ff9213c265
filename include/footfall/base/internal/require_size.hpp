#pragma once

namespace footfall {

[[noreturn]] void throwWrongSize(const char* where, const char* what, long long size, long long expected);

/// Throws Error unless a vector has the size that memory was made for.
inline void requireSize(const char* where, const char* what, long long size, long long expected) {
  if (size != expected) [[unlikely]]
    throwWrongSize(where, what, size, expected);
}

}  // namespace footfall
