#include "model_io/read_text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "footfall/base/error.hpp"

namespace footfall {

std::string readText(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) throw Error(path.string(), "is a folder, expected a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(path.string(), fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) throw Error(path.string(), "cannot be read to its end");
  return text;
}

}  // namespace footfall
