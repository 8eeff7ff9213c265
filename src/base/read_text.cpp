#include "footfall/base/internal/read_text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {
constexpr std::size_t kPiece = 64 << 10;
constexpr std::size_t kMost = 256 << 20;  ///< /dev/zero has no end [bytes]
}  // namespace

std::string readText(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) throw Error(path.string(), "is a folder, expected a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(path.string(), fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string text;
  for (std::string piece(kPiece, '\0'); in; text.append(piece, 0, static_cast<std::size_t>(in.gcount()))) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    if (text.size() > kMost)
      throw Error(path.string(), fmt::format("has more than {} MiB", kMost >> 20), "is it a robot or a scene at all?");
  }
  if (in.bad()) throw Error(path.string(), "cannot be read to its end");
  return text;
}

}  // namespace footfall
