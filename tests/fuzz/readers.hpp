#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::fuzz {

/// Something that turns the bytes of a file into data. It may throw Error; anything else that it does with bytes that
/// mean no good (another exception, an assertion, endless work, all the memory) is a bug.
struct Reader {
  const char* name;
  void (*read)(std::string_view bytes);
  std::vector<std::string> (*seeds)();  ///< files that it reads without an Error
};

std::span<const Reader> readers();

/// Throws Error with the names that there are.
const Reader& findReader(std::string_view name);

}  // namespace footfall::fuzz
