#pragma once

#include <cstdint>
#include <istream>
#include <ostream>
#include <sstream>
#include <string>

#include "footfall/base/error.hpp"
#include "footfall/block/block.hpp"

namespace footfall {

/// A length, then that many bytes: what is saved inside of a larger file keeps its own end.
inline void writeFramed(const std::string& bytes, std::ostream& out) {
  const auto size = static_cast<std::uint64_t>(bytes.size());
  out.write(reinterpret_cast<const char*>(&size), sizeof size);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string readFramed(std::istream& in, const std::string& source_name) {
  constexpr std::uint64_t kMost = 1u << 30;  // more cannot be meant
  std::uint64_t size = 0;
  if (!in.read(reinterpret_cast<char*>(&size), sizeof size) || size > kMost)
    throw Error(source_name, "the saved memory of a block is damaged");
  std::string bytes(size, '\0');
  if (!in.read(bytes.data(), static_cast<std::streamsize>(size)))
    throw Error(source_name, "the saved memory of a block ends too early");
  return bytes;
}

}  // namespace footfall
