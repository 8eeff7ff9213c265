#pragma once

#include "footfall/base/error.hpp"

namespace footfall {

/// A file cannot be written, or not any further: nothing is wrong with what was asked for, but with its place.
class CannotWrite : public Error {
  using Error::Error;
};

/// Throws CannotWrite where a file could not be opened for writing, "<what> cannot be written: …", and leaves what is
/// there as it is: for results that are written at the end, so that nobody computes for hours and then has no place.
void requireWritable(const std::string& path, const std::string& what);

}  // namespace footfall
